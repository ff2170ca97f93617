// Accounts and sessions in PostgreSQL. A session is placed with its user, and the row of each is read from one shard.
import { hasField } from '../../check-needs.js';
import type { AnyDefinition } from '../../definition.js';
import { placementOf } from '../../ids.js';
import { SHARD } from '../../schema/postgres/ddl.js';
import { quoted } from '../../schema/sql-text.js';
import type { EngineOptions, Identity } from '../engine.js';
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
  return {
    async caller({ idHash, placement }, now) {
      const [row] = await find(placement, idHash, now);
      return row === undefined
        ? null
        : { user: String(row.user), admin: row.admin === 1, apiKey: textOf(row.apiKey), used: Number(row.used) };
    },
    async account(name) {
      const [claim] = await findName(...(uniqueParameters(username, [name]) ?? []));
      if (claim === undefined) return null;
      const id = String(claim.id);
      const [row] = await findAccount(placementOf(id), id);
      return row === undefined ? null : { id, password: String(row.password) };
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
    prune: async (now, limit) => (await prune(now, limit)).length,
  };
}

type Run = (...values: readonly Value[]) => Promise<readonly Row[]>;

function textOf(value: Value | undefined): string | null {
  return typeof value === 'string' ? value : null;
}

function accountStatements({ name }: AnyDefinition, apiKeys: AnyDefinition | null) {
  return {
    account: `SELECT "password" FROM ${quoted(name)} WHERE "${SHARD}" = $1 AND "id" = $2`,
    any: `SELECT 1 AS "one" FROM ${quoted(name)} LIMIT 1`,
    ownsKey:
      apiKeys &&
      `SELECT 1 AS "one" FROM ${quoted(apiKeys.name)} WHERE "${SHARD}" = $1 AND "id" = $2 AND "user_id" = $3`,
  };
}

function sessionStatements(principal: AnyDefinition) {
  const admin = hasField(principal, 'admin') ? 'u."admin"' : '0';
  const one = `"${SHARD}" = $1 AND "id_hash" = $2`;
  return {
    find: `SELECT s."user_id" AS "user", ${admin} AS "admin", s."api_key_id" AS "apiKey", s."used"
FROM "session" s JOIN ${quoted(principal.name)} u ON u."${SHARD}" = s."${SHARD}" AND u."id" = s."user_id"
AND right(u."password", ${PASSWORD_TAG}) = s."password_tag"
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
