// The index of stored bytes on every engine: a release is recorded in the transaction that caused it, and the bytes are deleted
// later (see files/sweep).

import type { AnyDefinition } from '../contract/definition.js';
import { idOf, placementOf } from '../contract/ids.js';
import type { FileIndex, Release, ServedFile } from './engine.js';
import { allOf } from './sql/conditions.js';
import type { Dialect } from './sql/dialect.js';
import { rowsOf } from './sql/rows.js';
import type { Database } from './unit.js';

export interface FileIndexParts extends Pick<FileIndex, 'listUsersAbove' | 'isPaused'> {
  readonly database: Database;
  readonly definitions: readonly AnyDefinition[];
  /** Records a release of `@hash`, whose placement is `@placement`. */
  readonly release: string;
}

/** The tables must exist. */
export function createFileIndex({
  database,
  definitions,
  release,
  listUsersAbove,
  isPaused,
}: FileIndexParts): FileIndex {
  const { read, dialect } = database;
  const { released, forget, holders, served } = fileStatements(dialect, definitions);
  return {
    findFile: (id) =>
      read(function* (queries) {
        if (served === undefined) return null;
        return ((yield* queries.row(served, idOf(id))) ?? null) as ServedFile | null;
      }),
    async release(hashes) {
      await database.writeAll(hashes.map((hash) => [release, { placement: placementOf(hash), hash }]));
    },
    listReleases: (after, limit) =>
      read((queries) => queries.rows(released, { after, limit })) as never as ReturnType<FileIndex['listReleases']>,
    isHeld: (hash) =>
      read(function* (queries) {
        const reads = holders.map((holder) => queries.row(holder, { hash }));
        for (const one of reads) if ((yield* one) !== undefined) return true;
        return false;
      }),
    listUsersAbove,
    isPaused,
    async deleteReleases(releases) {
      await database.writeAll(releases.map((one) => [forget, { placement: placementOf(one.hash), ...valuesOf(one) }]));
    },
  };
}

function valuesOf({ sequence, hash }: Release) {
  return { sequence, hash };
}

/** The statements for released bytes and for holders of bytes read all shards. */
export function fileStatements(dialect: Dialect, definitions: readonly AnyDefinition[]) {
  const uploads = uploadsOf(definitions);
  const one = allOf([dialect.placed('t', '@placement'), 't.id = @id']);
  const release = allOf([dialect.placed('r', '@placement'), 'r.sequence = @sequence AND r.hash = @hash']);
  // At most one resource stores uploads.
  const [served] = uploads.map(
    (upload) =>
      `SELECT t.name, t.file_type AS type, t.content_hash AS hash, t.access_key AS key FROM ${rowsOf(upload)} WHERE ${one}`,
  );
  return {
    served,
    released:
      'SELECT r.sequence, r.hash FROM released_file r WHERE r.sequence > @after ORDER BY r.sequence, r.hash LIMIT @limit',
    forget: `DELETE FROM released_file AS r WHERE ${release}`,
    holders: uploads.map((upload) => `SELECT 1 AS "one" FROM ${rowsOf(upload)} WHERE t.content_hash = @hash LIMIT 1`),
  };
}

export function uploadsOf(definitions: readonly AnyDefinition[]): readonly AnyDefinition[] {
  return definitions.filter(({ upload }) => upload !== null);
}

/** The resource whose uploads count towards the quota (D64); undefined: there is none, or it does not store their size. */
export function countedUploads(definitions: Iterable<AnyDefinition>): AnyDefinition | undefined {
  return [...definitions].find(({ upload, columns }) => columns[upload?.size ?? '']?.type === 'integer');
}
