// The index of stored bytes in PostgreSQL: a release is recorded with the change that caused it, and the bytes are deleted
// later (see files/sweep).
import type { AnyDefinition } from '../../definition.js';
import { placementOf } from '../../ids.js';
import { SHARD } from '../../schema/postgres/ddl.js';
import { quoted } from '../../schema/sql-text.js';
import { contentIndexName } from '../content-index.js';
import type { FileIndex } from '../engine.js';
import type { Call, Connections } from './connections.js';
import { prepareNamed, run } from './named.js';
import { idOf, ONE_ROW } from './record-statements.js';

/** The table, placed by the hash, and an index on each table of uploads; statements that may be run at every start. */
export function fileIndexDdl(definitions: readonly AnyDefinition[]): readonly string[] {
  const indexes = uploadsOf(definitions).map(
    ({ name }) => `CREATE INDEX IF NOT EXISTS ${quoted(contentIndexName(name))} ON ${quoted(name)} ("content_hash")`,
  );
  return [TABLE, ...indexes];
}

/** Its sequence is a time, because Citus has no sequence that increases across machines. */
const TABLE = `CREATE TABLE IF NOT EXISTS "released_file" (
  "${SHARD}" text COLLATE "C" NOT NULL,
  "sequence" bigint NOT NULL,
  "hash" text COLLATE "C" NOT NULL,
  PRIMARY KEY ("${SHARD}", "sequence", "hash")
)`;

/** Microseconds, which JavaScript represents exactly until the year 2255. */
export const SEQUENCE = '(extract(epoch FROM clock_timestamp()) * 1000000)::bigint';

const RELEASE = `INSERT INTO "released_file" ("${SHARD}", "sequence", "hash") VALUES (@placement, ${SEQUENCE}, @hash)
ON CONFLICT DO NOTHING`;

/** Records a release, within the transaction of the change that caused it. */
export function releaseCall(connections: Pick<Connections, 'prepare'>, hash: string): Call {
  return prepareNamed(connections, RELEASE)({ placement: placementOf(hash), hash });
}

/** The tables must exist. */
export function createFileIndex(connections: Connections, definitions: readonly AnyDefinition[]): FileIndex {
  const prepare = (sql: string) => prepareNamed(connections, sql);
  // Of all shards, as upkeep is: what was released, and whether any record holds some bytes.
  const released = prepare(
    'SELECT "sequence", "hash" FROM "released_file" WHERE "sequence" > @after ORDER BY "sequence", "hash" LIMIT @limit',
  );
  const forget = prepare(
    `DELETE FROM "released_file" WHERE "${SHARD}" = @placement AND "sequence" = @sequence AND "hash" = @hash`,
  );
  const uploads = uploadsOf(definitions);
  const holders = uploads.map(({ name }) =>
    prepare(`SELECT 1 AS "one" FROM ${quoted(name)} WHERE "content_hash" = @hash LIMIT 1`),
  );
  // At most one resource stores uploads.
  const served = uploads
    .slice(0, 1)
    .map(({ name }) =>
      prepare(
        `SELECT t.name, t.file_type AS type, t.content_hash AS hash, t.access_key AS key FROM ${quoted(name)} t WHERE ${ONE_ROW}`,
      ),
    );
  const rows = (call: Call) => run(connections.query, call);
  return {
    async served(id) {
      const [found] = await Promise.all(served.map((statement) => rows(statement(idOf(id)))));
      const [file] = found ?? [];
      if (file === undefined) return null;
      return { name: String(file.name), type: String(file.type), hash: String(file.hash), key: String(file.key) };
    },
    release: async (hashes) =>
      void (await connections.transaction(hashes.map((hash) => releaseCall(connections, hash)))),
    async released(after, limit) {
      const found = await rows(released({ after, limit }));
      return found.map(({ sequence, hash }) => ({ sequence: Number(sequence), hash: String(hash) }));
    },
    async held(hash) {
      const found = await Promise.all(holders.map((holder) => rows(holder({ hash }))));
      return found.some((records) => records.length > 0);
    },
    paused: async () => false,
    async forget(releases) {
      const calls = releases.map(({ sequence, hash }) => forget({ placement: placementOf(hash), sequence, hash }));
      await connections.transaction(calls);
    },
  };
}

function uploadsOf(definitions: readonly AnyDefinition[]): readonly AnyDefinition[] {
  return definitions.filter(({ upload }) => upload !== null);
}
