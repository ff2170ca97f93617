// The index of stored bytes on PostgreSQL: releases are placed by the hash, and numbered by the time.
import type { AnyDefinition } from '../../contract/definition.js';
import { placementOf } from '../../contract/ids.js';
import { SHARD } from '../../schema/postgres/ddl.js';
import type { FileIndex } from '../engine.js';
import { countedUploads, createFileIndex } from '../files.js';
import { storedFiles } from '../sql/stored-files.js';
import type { Database } from '../unit.js';
import type { Call, Connections } from './connections.js';
import { prepareNamed } from './database.js';
import { POSTGRES } from './dialect.js';

/** Microseconds, which JavaScript represents exactly until the year 2255. */
export const SEQUENCE = '(extract(epoch FROM clock_timestamp()) * 1000000)::bigint';

const RELEASE = `INSERT INTO "released_file" ("${SHARD}", "sequence", "hash") VALUES (@placement, ${SEQUENCE}, @hash)
ON CONFLICT DO NOTHING`;

/** Records a release, within the transaction of the change that caused it. */
export function releaseCall(connections: Pick<Connections, 'prepare'>, hash: string): Call {
  return prepareNamed(connections, RELEASE)({ placement: placementOf(hash), hash });
}

/** The tables must exist. */
export function createPostgresFiles(database: Database, definitions: readonly AnyDefinition[]): FileIndex {
  const counted = countedUploads(definitions);
  const sums = counted && sumsOf(definitions, counted);
  return createFileIndex({
    ...{ database, definitions, release: RELEASE },
    listUsersAbove: (bytes) =>
      database.read(function* (queries) {
        // The project may not store the size of uploads.
        const rows = sums === undefined ? [] : yield* queries.rows(sums, { bytes });
        return rows.map((one) => ({ user: String(one.user), bytes: Number(one.bytes) }));
      }),
    isPaused: () => false,
  });
}

/** Each shard adds up its own files, since a file is placed with its owner. */
function sumsOf(definitions: readonly AnyDefinition[], counted: AnyDefinition): string {
  const composer = { definitions: new Map(definitions.map((one) => [one.name, one])), dialect: POSTGRES };
  const files = `SELECT ${POSTGRES.placement('t')} AS shard, ${storedFiles(composer, counted)}`;
  return (
    `SELECT f.owner AS "user", sum(f.size) AS bytes FROM (${files}) f WHERE f.owner IS NOT NULL ` +
    'GROUP BY f.shard, f.owner HAVING sum(f.size) >= @bytes'
  );
}
