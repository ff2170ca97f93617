// Accounts and sessions in PostgreSQL. A session is placed with its user, and the row of each is read from one shard.
import { hasField } from '../../check-needs.js';
import type { AnyDefinition } from '../../definition.js';
import { placementOf } from '../../ids.js';
import { SHARD } from '../../schema/postgres/ddl.js';
import { quoted } from '../../schema/sql-text.js';
import type { EngineOptions, Identity, ListedAccount, ListedSession } from '../engine.js';
import type { Connections, Row, Value } from './connections.js';
import { idOf } from './record-statements.js';
import { tableOf } from './table-of.js';
import { FIND_UNIQUE, uniqueKey, uniqueParameters } from './unique-values.js';

/** The table; dates are epoch milliseconds. */
export const SESSION_TABLE = [
  `CREATE TABLE IF NOT EXISTS "session" (
  "${SHARD}" text COLLATE "C" NOT NULL,
  "id_hash" text COLLATE "C" NOT NULL,
  "user_id" text COLLATE "C" NOT NULL,
  "password_tag" text COLLATE "C" NOT NULL,
  "created" bigint NOT NULL,
  "used" bigint NOT NULL,
  "expires" bigint NOT NULL,
  "api_key_id" text COLLATE "C",
  PRIMARY KEY ("${SHARD}", "id_hash")
)`,
  `CREATE INDEX IF NOT EXISTS "session_user_id_idx" ON "session" ("${SHARD}", "user_id")`,
  'CREATE INDEX IF NOT EXISTS "session_expires_idx" ON "session" ("expires")',
];

/** Characters from the end of the password's hash that a session keeps: with another password the session is over. */
const PASSWORD_TAG = 16;

interface IdentityContext extends Pick<EngineOptions, 'apiKeys' | 'principal' | 'schema'> {
  readonly connections: Connections;
}

/** The tables must exist. */
export function createIdentity({ connections, apiKeys, principal, schema }: IdentityContext): Identity {
  const prepared = (text: string) => {
    const statement = connections.prepare(text);
    return (...values: readonly Value[]): Promise<readonly Row[]> => connections.query(statement, values);
  };
  const username = uniqueKey(tableOf(schema, principal), ['username']);
  const findName = prepared(FIND_UNIQUE);
  const { account, any, ownsKey } = accountStatements(principal, apiKeys);
  const [findAccount, findAny] = [prepared(account), prepared(any)];
  const findKey = ownsKey === null ? null : prepared(ownsKey);
  const sessions = sessionStatements(principal);
  const [find, clear, insert] = [sessions.find, sessions.clear, sessions.insert].map(prepared) as [Run, Run, Run];
  const [touch, end, prune] = [sessions.touch, sessions.end, sessions.prune].map(prepared) as [Run, Run, Run];
  const endAll = prepared(END_SESSIONS);
  return {
    async caller({ idHash, placement }, now) {
      const [row] = await find(placement, idHash, now);
      if (row === undefined) return null;
      const [created, used] = [Number(row.created), Number(row.used)];
      return { user: String(row.user), admin: row.admin === 1, apiKey: textOf(row.apiKey), created, used };
    },
    async account(name) {
      const [claim] = await findName(...(uniqueParameters(username, [name]) ?? []));
      if (claim === undefined) return null;
      const id = String(claim.id);
      const [row] = await findAccount(placementOf(id), id);
      return row === undefined ? null : { id, password: String(row.password), disabled: row.disabled === 1 };
    },
    hasAccounts: async () => (await findAny()).length > 0,
    async ownsKey(user, key) {
      if (findKey === null) return null;
      const { placement, id } = idOf(key);
      return (await findKey(placement, id, user)).length > 0;
    },
    async openSession({ idHash, placement, user, password, created, expires, apiKey }) {
      await clear(placement, user, created);
      await insert(placement, idHash, user, password.slice(-PASSWORD_TAG), created, expires, apiKey);
    },
    touch: async ({ idHash, placement }, used, expires) => void (await touch(placement, idHash, used, expires)),
    endSession: async ({ idHash, placement }) => void (await end(placement, idHash)),
    endSessions: async (user) => (await endAll(placementOf(user), user)).length,
    ...createListings(prepared, principal),
    prune: async (now, limit) => (await prune(now, limit)).length,
  };
}

/** What operators read, of all shards. */
export function createListings(
  prepared: (text: string) => Run,
  principal: AnyDefinition,
): Pick<Identity, 'accounts' | 'sessions'> {
  const { admin, disabled } = flagsOf(principal);
  const accounts = prepared(
    `SELECT u."id", u."username", ${admin} AS "admin", ${disabled} AS "disabled" FROM ${quoted(principal.name)} u
WHERE u."username" > $1 ORDER BY u."username" LIMIT $2`,
  );
  const sessions = prepared(
    `SELECT s."id_hash" AS "idHash", s."${SHARD}" AS "placement", s."user_id" AS "user", u."username", s."created", s."used",
s."expires", s."api_key_id" AS "apiKey" ${liveSessions(principal)}
WHERE s."expires" > $1 AND ($2::text IS NULL OR s."user_id" = $2) AND (s."created", s."id_hash") < ($3, $4)
ORDER BY s."created" DESC, s."id_hash" DESC LIMIT $5`,
  );
  return {
    async accounts({ after, limit }) {
      const rows = (await accounts(after ?? '', limit)) as unknown as readonly (Omit<ListedAccount, keyof Flags> &
        Flags)[];
      return rows.map((row) => ({ ...row, admin: row.admin === 1, disabled: row.disabled === 1 }));
    },
    async sessions({ user, after, now, limit }) {
      const { created = Number.MAX_SAFE_INTEGER, idHash = '' } = after ?? {};
      return (await sessions(now, user, created, idHash, limit)) as unknown as readonly ListedSession[];
    },
  };
}

interface Flags {
  readonly admin: 0 | 1;
  readonly disabled: 0 | 1;
}

/** Ends the sessions of the user `$2`, whose placement is `$1`. */
export const END_SESSIONS = `DELETE FROM "session" WHERE "${SHARD}" = $1 AND "user_id" = $2 RETURNING 1 AS "one"`;

/** SQL of what a project's principal may lack, over its table as `u`. */
function flagsOf(principal: AnyDefinition) {
  const flag = (name: string) => (hasField(principal, name) ? `u."${name}"` : '0');
  return { admin: flag('admin'), disabled: flag('disabled') };
}

/** Sessions as `s` whose users, as `u`, are not disabled and have the same password still. */
function liveSessions(principal: AnyDefinition): string {
  return `FROM "session" s JOIN ${quoted(principal.name)} u ON u."${SHARD}" = s."${SHARD}" AND u."id" = s."user_id"
AND right(u."password", ${PASSWORD_TAG}) = s."password_tag" AND ${flagsOf(principal).disabled} = 0`;
}

type Run = (...values: readonly Value[]) => Promise<readonly Row[]>;

function textOf(value: Value | undefined): string | null {
  return typeof value === 'string' ? value : null;
}

function accountStatements(principal: AnyDefinition, apiKeys: AnyDefinition | null) {
  const { name } = principal;
  const { disabled } = flagsOf(principal);
  return {
    account: `SELECT u."password", ${disabled} AS "disabled" FROM ${quoted(name)} u WHERE u."${SHARD}" = $1 AND u."id" = $2`,
    any: `SELECT 1 AS "one" FROM ${quoted(name)} LIMIT 1`,
    ownsKey:
      apiKeys &&
      `SELECT 1 AS "one" FROM ${quoted(apiKeys.name)} WHERE "${SHARD}" = $1 AND "id" = $2 AND "user_id" = $3`,
  };
}

function sessionStatements(principal: AnyDefinition) {
  const { admin } = flagsOf(principal);
  const one = `"${SHARD}" = $1 AND "id_hash" = $2`;
  return {
    find: `SELECT s."user_id" AS "user", ${admin} AS "admin", s."api_key_id" AS "apiKey", s."created", s."used"
${liveSessions(principal)}
WHERE s."${SHARD}" = $1 AND s."id_hash" = $2 AND s."expires" > $3`,
    clear: `DELETE FROM "session" WHERE "${SHARD}" = $1 AND "user_id" = $2 AND "expires" <= $3`,
    insert: `INSERT INTO "session" ("${SHARD}", "id_hash", "user_id", "password_tag", "created", "used", "expires", "api_key_id")
VALUES ($1, $2, $3, $4, $5, $5, $6, $7)`,
    touch: `UPDATE "session" SET "used" = $3, "expires" = $4 WHERE ${one}`,
    end: `DELETE FROM "session" WHERE ${one}`,
    // Of all shards: upkeep, not a request.
    prune: `WITH over AS (SELECT "${SHARD}", "id_hash" FROM "session" WHERE "expires" <= $1 ORDER BY "expires" LIMIT $2)
DELETE FROM "session" s USING over WHERE s."${SHARD}" = over."${SHARD}" AND s."id_hash" = over."id_hash" RETURNING 1 AS "one"`,
  };
}
