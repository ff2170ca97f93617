// The index of stored bytes on SQLite: a trigger releases the bytes of a deleted record, files are added up between requests,
// and no bytes are deleted during a backup.
import type Sqlite from 'better-sqlite3';
import type { AnyDefinition } from '../../contract/definition.js';
import { memoize } from '../../contract/memoize.js';
import { quoted } from '../../schema/sql-text.js';
import type { FileIndex } from '../engine.js';
import { countedUploads, createFileIndex, uploadsOf } from '../files.js';
import type { StoredBytes } from '../quota.js';
import { storedFiles } from '../sql/stored-files.js';
import type { Database } from '../unit.js';
import { SQLITE } from './dialect.js';

/** The metadata key of the time until which a backup is under way. */
export const BACKUP_KEY = 'backup_until';

interface SqliteFilesParts {
  readonly db: Sqlite.Database;
  readonly database: Database;
  readonly definitions: readonly AnyDefinition[];
}

/** From now on every deletion of an upload's record on this connection, including cascades, releases its bytes. */
export function createSqliteFiles({ db, database, definitions }: SqliteFilesParts): FileIndex {
  for (const { name } of uploadsOf(definitions)) db.exec(triggerOf(name));
  const until = memoize((key: string) =>
    db.prepare<[], string>(`SELECT value FROM _punchboard WHERE key = '${key}'`).pluck(),
  );
  return createFileIndex({
    ...{ database, definitions },
    release: 'INSERT INTO released_file (hash) VALUES (@hash)',
    listUsersAbove: createTaking(db, definitions),
    isPaused: (now) => now < Number(until(BACKUP_KEY).get() ?? 0),
  });
}

/** The number of files that one step adds up, in some milliseconds, before requests are served again. */
const STEP = 2000;

interface Sum {
  readonly user: string | null;
  readonly bytes: number;
  /** The id of the last file. */
  readonly last: string;
}

/** Adds files up step by step. Files that are stored or deleted meanwhile may be missed. */
function createTaking(db: Sqlite.Database, definitions: readonly AnyDefinition[]): FileIndex['listUsersAbove'] {
  const composer = { definitions: new Map(definitions.map((one) => [one.name, one])), dialect: SQLITE };
  const statement = memoize((_all: 'all') => {
    const counted = countedUploads(definitions);
    if (counted === undefined) return null;
    const files = `SELECT t."id" AS id, ${storedFiles(composer, counted)} WHERE t."id" > ? ORDER BY t."id" LIMIT ${STEP}`;
    return db.prepare<[string], Sum>(
      `SELECT f.owner AS user, sum(f.size) AS bytes, max(f.id) AS last FROM (${files}) f GROUP BY f.owner`,
    );
  });
  return async (bytes) => {
    const sums = new Map<string, number>();
    const step = (after: string): string | null => {
      const rows = statement('all')?.all(after) ?? [];
      for (const one of rows) if (one.user !== null) sums.set(one.user, (sums.get(one.user) ?? 0) + one.bytes);
      return rows.reduce<string | null>((last, one) => (last === null || one.last > last ? one.last : last), null);
    };
    for (let last = step(''); last !== null && db.open; last = step(last)) await turn();
    return [...sums].flatMap(([user, sum]): readonly StoredBytes[] => (sum >= bytes ? [{ user, bytes: sum }] : []));
  };
}

/** Lets requests through between two steps. */
function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** A temporary trigger of the connection, so that migrations need not preserve it. */
function triggerOf(table: string): string {
  return `CREATE TEMP TRIGGER ${quoted(`${table}_released`)} AFTER DELETE ON main.${quoted(table)}
    WHEN old."content_hash" IS NOT NULL
    BEGIN INSERT INTO released_file (hash) VALUES (old."content_hash"); END`;
}
