// Counts rows of an existing database, which is opened read-only.

import type Database from 'better-sqlite3';
import type { Rows } from '../commands.js';
import { connectTo } from './driver.js';
import { registerJsonFunction } from './json-function.js';

/** Null: there is no file at the path, or it is not a database. */
export function openRows(path: string): Rows | null {
  try {
    const db = connectTo(path, { readonly: true, fileMustExist: true });
    db.prepare('SELECT count(*) FROM sqlite_schema').get();
    registerJsonFunction(db);
    return {
      count: (select) => counted(db, select),
      close: () => {
        db.close();
      },
    };
  } catch {
    return null;
  }
}

function counted(db: Database.Database, select: string): number | string {
  try {
    return db.prepare<[], number>(`SELECT count(*) FROM (${select})`).pluck().get() ?? 0;
  } catch (error) {
    // The database does not have the schema of the compared commit.
    return `not counted: ${error instanceof Error ? error.message : String(error)}`;
  }
}
