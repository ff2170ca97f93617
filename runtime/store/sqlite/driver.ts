// Opens better-sqlite3 connections, which nothing else does. It knows neither our settings nor our tables.

import Database from 'better-sqlite3';

/**
 * Keeps connections and statements until the process exits. From Node 24.19 on, better-sqlite3 12 aborts the process when the
 * garbage collector finalizes one outside JavaScript (its wrapper needs an environment that is not entered then), so none may be
 * collected. Statements are prepared once, so this costs no memory. Version 13 fixes the fault, but needs Node 22.
 */
const KEPT: unknown[] = [];

/** A new database in memory, which enforces foreign keys. */
export function connectInMemory(): Database.Database {
  const db = connectTo(':memory:');
  db.exec('PRAGMA foreign_keys = ON');
  return db;
}

/** A connection to `file`; use `exec` or `prepare` for pragmas, since `pragma` creates statements of its own. */
export function connectTo(file: string, options: Database.Options = {}): Database.Database {
  const db = new Database(file, options);
  const prepare = db.prepare.bind(db) as typeof db.prepare;
  db.prepare = ((sql: string) => {
    const statement = prepare(sql);
    KEPT.push(statement);
    return statement;
  }) as typeof db.prepare;
  KEPT.push(db);
  return db;
}
