// A session for work on the schema of a SQLite database: every answer is available immediately.
import type Sqlite from 'better-sqlite3';
import type { Row } from '../../contract/definition.js';
import { quoted } from '../../schema/sql-text.js';
import { ENTRY_STATE, type Session, STATE_COLUMN } from '../migrate/session.js';
import { NOTHING, type Pending, ready, runSync } from '../unit.js';
import { createQueries } from './database.js';
import { SQLITE } from './dialect.js';

export const STATE_DEFINITION = `${STATE_COLUMN} INTEGER NOT NULL DEFAULT ${ENTRY_STATE.open}`;

// With AUTOINCREMENT, a purged number is not assigned again.
export const DROPPED_TABLE = `
CREATE TABLE IF NOT EXISTS _punchboard_dropped (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  dropped INTEGER NOT NULL,
  "table" INTEGER NOT NULL,
  name TEXT NOT NULL,
  rows INTEGER NOT NULL,
  definition TEXT NOT NULL
) STRICT;
`;

const ROWS_AT_A_TIME = 1000;

export function sessionOf(db: Sqlite.Database): Session {
  const queries = createQueries(db);
  return {
    ...queries,
    dialect: SQLITE,
    execute(sql) {
      db.exec(sql);
      return NOTHING;
    },
    has: (table) => {
      const sql = `SELECT 1 AS "one" FROM sqlite_schema WHERE type = 'table' AND name = @table`;
      return ready(runSync(queries.row(sql, { table })) !== undefined);
    },
    each(sql, work) {
      let some: Row[] = [];
      for (const row of db.prepare<[], Row>(sql).iterate()) {
        some.push(row);
        if (some.length < ROWS_AT_A_TIME) continue;
        work(some);
        some = [];
      }
      work(some);
      return NOTHING;
    },
    sideTable(name, columns) {
      const typed = columns.map((column) => `, ${quoted(column.name)} ${column.type.toUpperCase()}`);
      return `CREATE TABLE ${quoted(name)} ("id" TEXT PRIMARY KEY NOT NULL${typed.join('')}, ${STATE_DEFINITION}) STRICT, WITHOUT ROWID`;
    },
    nextDrop() {
      db.exec(DROPPED_TABLE);
      return ready(null);
    },
  };
}

/** Turns a verb over a Session into a function of a database. */
export function onSession<A extends readonly unknown[], T>(
  verb: (session: Session, ...given: A) => Pending<T>,
): (db: Sqlite.Database, ...given: A) => T {
  return (db, ...given) => runSync(verb(sessionOf(db), ...given));
}
