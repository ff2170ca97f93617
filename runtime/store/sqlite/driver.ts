// The one place that makes a connection of better-sqlite3. Knows no setting of ours and no table.

import Database from 'better-sqlite3';

/**
 * Connections and statements for the life of the process. From Node 24.19 on, better-sqlite3 12 aborts the process when
 * the collector finalises one outside JavaScript (its wrapper asks for an environment that is not entered then), so none
 * is left to it. Statements are prepared once, so this stays as small as it was. Version 13 ends it, but needs Node 22.
 */
const KEPT: unknown[] = [];

/** A new database in memory, whose references are enforced. */
export function connectInMemory(): Database.Database {
  const db = connectTo(':memory:');
  db.exec('PRAGMA foreign_keys = ON');
  return db;
}

/** A connection to `file`; use `exec` or `prepare` for pragmas, since `pragma` makes statements of its own. */
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
