// Accounts and sessions on every engine: each verb is a statement or two on the table of sessions and the principal's table.
// A session is placed with its user, so that both rows are read from one shard.

import type { AnyDefinition, Row } from '../contract/definition.js';
import { idOf, placementOf } from '../contract/ids.js';
import { chain, type MaybePromise } from '../contract/maybe-promise.js';
import { fieldFor } from '../schema/check-needs.js';
import { quoted } from '../schema/sql-text.js';
import { updateSql } from '../schema/version.js';
import type {
  Account,
  AccountPage,
  EngineOptions,
  Identity,
  ListedAccount,
  ListedSession,
  LiveKey,
  LiveSession,
  SessionPage,
} from './engine.js';
import { SESSION } from './engine-tables.js';
import { allOf } from './sql/conditions.js';
import type { Dialect } from './sql/dialect.js';
import { rowsOf } from './sql/rows.js';
import type { Database, Pending, Queries } from './unit.js';

export interface IdentityParts extends Pick<EngineOptions, 'apiKeys' | 'principal'> {
  readonly database: Database;
  /** Finds the `id` of the user with a name. */
  readonly userNamed: (queries: Queries, username: string) => Pending<Row | undefined>;
}

/** A live session as the database returns it. */
interface SessionRow extends Omit<LiveSession, 'admin'> {
  readonly admin: number;
}

/** The columns of a key as the database returns them; null: the column is empty, or the project does not have it. */
interface KeyRow {
  readonly user: string;
  readonly admin: number;
  readonly scope: string | null;
  readonly resources: string | null;
  readonly used: number | null;
  readonly version: string | null;
}

/** A key whose scope is not `write` can only read. */
function liveKey(id: string, { user, admin, scope, resources, used, version }: KeyRow): LiveKey {
  const reach = { writes: scope === 'write', resources: resources === null ? null : JSON.parse(resources) };
  return { caller: { user, admin: admin === 1, apiKey: id, scope: reach, ...(version && { version }) }, used };
}

/** The tables must exist. */
export function createIdentity({ database, apiKeys, principal, userNamed }: IdentityParts): Identity {
  const { read, row, write, dialect } = database;
  const statements = { ...accountStatements(dialect, principal, apiKeys), ...sessionStatements(dialect, principal) };
  const keys = apiKeys && keyStatements(dialect, principal, apiKeys);
  return {
    caller: ({ idHash, placement }, now) =>
      chain(row<SessionRow>(statements.find, { idHash, placement, now }), (session) => {
        if (session === undefined) return null;
        const { user, admin, apiKey, created, used, version } = session;
        return { user, admin: admin === 1, apiKey, created, used, version };
      }),
    token: ({ id, hash }, now) =>
      keys === null
        ? undefined
        : chain(row<KeyRow>(keys.find, { ...idOf(id), hash, now }), (key) =>
            key === undefined ? null : liveKey(id, key),
          ),
    touchKey: async (id, used) => void (keys?.touch && (await write(keys.touch, { ...idOf(id), used }))),
    account: (username) =>
      read(function* (queries) {
        const named = yield* userNamed(queries, username);
        const account = named && (yield* queries.row(statements.account, idOf(String(named.id))));
        return account === undefined ? null : ({ ...account, disabled: account.disabled === 1 } as unknown as Account);
      }),
    hasAccounts: () => chain(row(statements.any, {}), (account) => account !== undefined),
    keyOf(user, key) {
      const { keyOf } = statements;
      if (keyOf === null) return undefined;
      return chain(row<{ readonly version: string | null }>(keyOf, { ...idOf(key), user }), (stored) => stored ?? null);
    },
    async openSession({ idHash, placement, user, password, created, expires, apiKey, version }) {
      const session = {
        ...{ placement, id_hash: idHash, user_id: user, [tagColumn(dialect)]: password.slice(-PASSWORD_TAG_LENGTH) },
        ...{ created, used: created, expires, api_key_id: apiKey, api_version: version },
      };
      await database.writeAll([
        [statements.clear, { placement, user, now: created }],
        [statements.insert, session],
      ]);
    },
    touch: async ({ idHash, placement }, used, expires) =>
      void (await write(statements.touch, { idHash, placement, used, expires })),
    endSession: async ({ idHash, placement }) => void (await write(statements.end, { idHash, placement })),
    endSessions: async (user) => (await write(endSessions(dialect), { placement: placementOf(user), user })).length,
    accounts: createAccounts(database, principal),
    sessions: (page) => read((queries) => sessionPage(queries, statements.page, page)),
    prune: async (now, limit) => (await write(statements.prune, { before: now, limit })).length,
  };
}

/** Only reads. */
export function createAccounts(
  { read, dialect }: Database,
  principal: AnyDefinition,
): (page: AccountPage) => MaybePromise<readonly ListedAccount[]> {
  const { list } = accountStatements(dialect, principal, null);
  return ({ after, limit }) =>
    read(function* (queries) {
      const rows = yield* queries.rows(list, { after: after ?? '', limit });
      return rows.map((row) => ({
        ...row,
        admin: row.admin === 1,
        disabled: row.disabled === 1,
      })) as unknown as ListedAccount[];
    });
}

function* sessionPage(
  queries: Queries,
  sql: string,
  { user, after, now, limit }: SessionPage,
): Pending<readonly ListedSession[]> {
  const { created = Number.MAX_SAFE_INTEGER, idHash = '' } = after ?? {};
  const rows = yield* queries.rows(sql, { user, created, idHash, now, limit });
  return rows.map((row) => ({ ...row, placement: placementOf(String(row.user)) })) as unknown as ListedSession[];
}

/**
 * Length of the password tag: a session keeps this many characters from the end of the password's hash. Setting a
 * password, even the same one again, changes the hash, so that the user's sessions end without a search for them.
 */
const PASSWORD_TAG_LENGTH = 16;

/** The column of the tag, which has another name in SQLite files. */
function tagColumn({ isPlaced }: Dialect): string {
  const tag = SESSION.columns.find(({ nameInFiles }) => nameInFiles !== undefined);
  return (isPlaced ? tag?.name : tag?.nameInFiles) ?? '';
}

/** Ends the sessions of `@user`, whose placement is `@placement`, and returns a row for each. */
export function endSessions(dialect: Dialect): string {
  const ofUser = allOf([dialect.placed('s', '@placement'), 's.user_id = @user']);
  return `DELETE FROM session AS s WHERE ${ofUser} RETURNING 1 AS "one"`;
}

/** SQL of flags that a project's principal may lack, over its table as `u`. */
function flagsOf(principal: AnyDefinition) {
  const flag = (name: string) => (fieldFor(principal, name) !== null ? `u.${name}` : '0');
  return { admin: flag('admin'), disabled: flag('disabled') };
}

/** Statements about accounts. The lists read all shards. */
export function accountStatements(dialect: Dialect, principal: AnyDefinition, apiKeys: AnyDefinition | null) {
  const users = rowsOf(principal, 'u');
  const { admin, disabled } = flagsOf(principal);
  const role = fieldFor(principal, 'operator_role') === null ? 'NULL' : 'u.operator_role';
  const user = allOf([dialect.placed('u', '@placement'), 'u.id = @id']);
  const key = allOf([dialect.placed('k', '@placement'), 'k.id = @id AND k.user_id = @user']);
  return {
    account: `SELECT u.id, u.password, ${disabled} AS disabled FROM ${users} WHERE ${user}`,
    any: `SELECT 1 AS "one" FROM ${users} LIMIT 1`,
    keyOf: apiKeys && `SELECT ${versionOf(apiKeys)} AS version FROM ${rowsOf(apiKeys, 'k')} WHERE ${key}`,
    list:
      `SELECT u.id, u.username, ${admin} AS admin, ${disabled} AS disabled, ${role} AS operator_role FROM ${users} ` +
      'WHERE u.username > @after ORDER BY u.username LIMIT @limit',
  };
}

/** SQL of the API version that a key remembers. */
function versionOf(apiKeys: AnyDefinition): string {
  return `nullif(${keyColumn(apiKeys, 'api_version')}, 'default')`;
}

/** SQL of a column that a project's keys may lack, over their table as `k`. */
function keyColumn(apiKeys: AnyDefinition, name: string): string {
  return fieldFor(apiKeys, name) === null ? 'NULL' : `k.${quoted(name)}`;
}

/** Statements about the tokens of API keys; null: the project has none. */
export function keyStatements(dialect: Dialect, principal: AnyDefinition, apiKeys: AnyDefinition) {
  const { token } = apiKeys;
  if (token === undefined) return null;
  const { admin, disabled } = flagsOf(principal);
  const column = (name: string) => keyColumn(apiKeys, name);
  const one = allOf([dialect.placed('k', '@placement'), 'k.id = @id']);
  const user = allOf([dialect.placed('u', dialect.placement('k')), 'u.id = k.user_id']);
  const ownKeys = allOf([dialect.placed('k', dialect.placement('u')), 'k.user_id = u.id']);
  const [expires, used] = [column('expires'), column('last_used')];
  return {
    find:
      `SELECT k.user_id AS "user", ${admin} AS admin, ${column('scope')} AS scope, ` +
      `${column('resources')} AS resources, ${used} AS used, ${versionOf(apiKeys)} AS version ` +
      `FROM ${rowsOf(apiKeys, 'k')} JOIN ${rowsOf(principal, 'u')} ON ${user} AND ${disabled} = 0 ` +
      `WHERE ${one} AND k.${quoted(token)} = @hash` +
      (expires === 'NULL' ? '' : ` AND (${expires} IS NULL OR ${expires} > @now)`),
    // Reads all shards. A user without keys gets one row without a key.
    ofUser:
      `SELECT k.id, ${column('name')} AS name, ${column('scope')} AS scope, ${column('resources')} AS resources, ` +
      `${expires} AS expires, ${used} AS used, ${versionOf(apiKeys)} AS version ` +
      `FROM ${rowsOf(principal, 'u')} LEFT JOIN ${rowsOf(apiKeys, 'k')} ON ${ownKeys} ` +
      'WHERE u.username = @username ORDER BY k.id',
    touch:
      used === 'NULL'
        ? null
        : `${updateSql(apiKeys.name, 'last_used = @used', 'k')} WHERE ${one} AND (${used} IS NULL OR ${used} < @used)`,
  };
}

/** Statements about sessions. Only `page` and `prune` read all shards. */
export function sessionStatements(dialect: Dialect, principal: AnyDefinition) {
  const { admin, disabled } = flagsOf(principal);
  const tag = tagColumn(dialect);
  const placed = dialect.placed('s', '@placement');
  const one = allOf([placed, 's.id_hash = @idHash']);
  const columns = ['id_hash', 'user_id', tag, 'created', 'used', 'expires', 'api_key_id', 'api_version'];
  const user = allOf([dialect.placed('u', dialect.placement('s')), 'u.id = s.user_id']);
  // A session is live if its user is not disabled and still has the same password.
  const live =
    `FROM session s JOIN ${rowsOf(principal, 'u')} ON ${user} ` +
    `AND ${dialect.ending('u.password', PASSWORD_TAG_LENGTH)} = s.${tag} AND ${disabled} = 0`;
  return {
    find:
      `SELECT s.user_id AS "user", ${admin} AS admin, s.api_key_id AS "apiKey", s.api_version AS version, ` +
      `s.created, s.used ${live} ` +
      `WHERE ${one} AND s.expires > @now`,
    page:
      `SELECT s.id_hash AS "idHash", s.user_id AS "user", u.username, s.created, s.used, s.expires, ` +
      `s.api_key_id AS "apiKey", s.api_version AS version ${live} WHERE s.expires > @now AND (${dialect.text('@user')} IS NULL OR s.user_id = @user) ` +
      'AND (s.created, s.id_hash) < (@created, @idHash) ORDER BY s.created DESC, s.id_hash DESC LIMIT @limit',
    insert: dialect.insertInto('session', columns),
    touch: `UPDATE session AS s SET used = @used, expires = @expires WHERE ${one}`,
    clear: `DELETE FROM session AS s WHERE ${allOf([placed, 's.user_id = @user AND s.expires <= @now'])}`,
    end: `DELETE FROM session AS s WHERE ${one}`,
    prune: dialect.deleteUpTo('session', 'expires', { limit: '@limit', key: 'id_hash' }),
  };
}
