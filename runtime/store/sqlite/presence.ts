// Notices when the database file is deleted or replaced while a server runs: SQLite would keep writing to a file that can no
// longer be found.
import fs from 'node:fs';
import type Database from 'better-sqlite3';

/** Whether the path still leads to the file that was opened; it checks the file system each time. */
export type Presence = () => boolean;

/** Always true for a database in memory, which cannot be deleted. */
export function createPresence(db: Database.Database): Presence {
  if (db.memory) return () => true;
  const opened = identity(db.name);
  return () => identity(db.name) === opened;
}

/** Null: there is no such file. */
function identity(file: string): string | null {
  const stats = fs.statSync(file, { bigint: true, throwIfNoEntry: false });
  return stats === undefined ? null : `${stats.dev}:${stats.ino}`;
}
