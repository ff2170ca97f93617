// The index of stored bytes in SQLite: a release is recorded with the change that caused it, and the bytes are deleted
// later (see files/sweep).
import type Database from 'better-sqlite3';
import type { AnyDefinition } from '../../definition.js';
import { memoize } from '../../memoize.js';
import { quoted } from '../../schema/sql-text.js';
import { contentIndexName } from '../content-index.js';
import type { FileIndex, Release, ServedFile } from '../engine.js';
import { BACKUP_KEY } from './backup.js';
import type { GroupCommit } from './group-commit.js';

/** The table, and an index on each table of uploads; statements that may be run at every start. */
export function fileIndexDdl(definitions: readonly AnyDefinition[]): string {
  const indexes = uploadsOf(definitions).map(
    ({ name }) => `CREATE INDEX IF NOT EXISTS ${quoted(contentIndexName(name))} ON ${quoted(name)} ("content_hash");`,
  );
  return [TABLE, ...indexes].join('\n');
}

const TABLE = 'CREATE TABLE IF NOT EXISTS released_file (sequence INTEGER PRIMARY KEY, hash TEXT NOT NULL) STRICT;';

interface FileIndexParts {
  readonly db: Database.Database;
  readonly commits: GroupCommit;
  readonly definitions: readonly AnyDefinition[];
}

/** From now on every deletion of an upload's record on this connection, including cascades, releases its bytes. */
export function createFileIndex({ db, commits, definitions }: FileIndexParts): FileIndex {
  const uploads = uploadsOf(definitions);
  for (const { name } of uploads) db.exec(triggerOf(name));
  const insert = db.prepare('INSERT INTO released_file (hash) VALUES (?)');
  const released = db.prepare<[number, number], Release>(
    'SELECT sequence, hash FROM released_file WHERE sequence > ? ORDER BY sequence LIMIT ?',
  );
  const forget = db.prepare('DELETE FROM released_file WHERE sequence = ?');
  const holders = uploads.map(({ name }) =>
    db.prepare(`SELECT 1 FROM ${quoted(name)} WHERE "content_hash" = ? LIMIT 1`),
  );
  const until = memoize((key: string) =>
    db.prepare<[], string>(`SELECT value FROM _punchboard WHERE key = '${key}'`).pluck(),
  );
  // At most one resource stores uploads.
  const [upload] = uploads;
  const served = memoize((name: string) =>
    db.prepare<[string], ServedFile>(
      `SELECT name, file_type AS type, content_hash AS hash, access_key AS key FROM ${quoted(name)} WHERE id = ?`,
    ),
  );
  return {
    served: (id) => (upload && served(upload.name).get(id)) ?? null,
    release: (hashes) => commits.submit(() => hashes.forEach((hash) => void insert.run(hash))),
    released: (after, limit) => released.all(after, limit),
    held: (hash) => holders.some((holder) => holder.get(hash) !== undefined),
    paused: (now) => now < Number(until(BACKUP_KEY).get() ?? 0),
    forget: (releases) => commits.submit(() => releases.forEach(({ sequence }) => void forget.run(sequence))),
  };
}

/** A temporary trigger of the connection, so that migrations need not preserve it. */
function triggerOf(table: string): string {
  return `CREATE TEMP TRIGGER ${quoted(`${table}_released`)} AFTER DELETE ON main.${quoted(table)}
    WHEN old."content_hash" IS NOT NULL
    BEGIN INSERT INTO released_file (hash) VALUES (old."content_hash"); END`;
}

function uploadsOf(definitions: readonly AnyDefinition[]): readonly AnyDefinition[] {
  return definitions.filter(({ upload }) => upload !== null);
}
