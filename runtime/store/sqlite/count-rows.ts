// Counts rows of a database that nobody may change meanwhile: opened for reading alone, and only if it is there.

import type Database from 'better-sqlite3';
import { connectTo } from './driver.js';
import { teachJsonSchema } from './json-fits.js';

export interface Rows {
  /** @returns how many rows a SELECT gives; a text behind `rows`, where this database cannot answer it */
  count(select: string): number | string;
  close(): void;
}

/** Null: no file at the path, or one that is no database. */
export function openRows(path: string): Rows | null {
  try {
    const db = connectTo(path, { readonly: true, fileMustExist: true });
    db.prepare('SELECT count(*) FROM sqlite_schema').get();
    teachJsonSchema(db);
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
    // The database is at another state than the compared commit.
    return `not counted: ${error instanceof Error ? error.message : String(error)}`;
  }
}
