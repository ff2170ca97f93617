// Notices when the database file is deleted or replaced under the server: SQLite would go on writing to a file that
// nobody can find again.
import fs from 'node:fs';
import type Database from 'better-sqlite3';

/** Whether the file that was opened is still what its path leads to; asks the file system each time. */
export type Presence = () => boolean;

/** Of a database in memory, which nobody can delete, it is always true. */
export function createPresence(db: Database.Database): Presence {
  if (db.memory) return () => true;
  const opened = identity(db.name);
  return () => identity(db.name) === opened;
}

/** Null: nothing is there. */
function identity(file: string): string | null {
  const found = fs.statSync(file, { bigint: true, throwIfNoEntry: false });
  return found === undefined ? null : `${found.dev}:${found.ino}`;
}
