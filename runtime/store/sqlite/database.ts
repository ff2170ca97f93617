// Runs statements on SQLite: every answer is available immediately, and a write waits for the group commit.
import type Sqlite from 'better-sqlite3';
import type { Row } from '../../contract/definition.js';
import { memoize } from '../../contract/memoize.js';
import { type BoundStatement, type Database, type Parameters, type Queries, ready, runSync } from '../unit.js';
import { SQLITE } from './dialect.js';
import type { GroupCommit } from './group-commit.js';

/** @param submit absent: writes are rejected */
export function createDatabase(db: Sqlite.Database, submit: GroupCommit['submit'] = readsOnly): Database {
  const queries = createQueries(db);
  const write = (sql: string, parameters: Parameters) => runSync(queries.rows(sql, parameters));
  const writeAll = (statements: readonly BoundStatement[]) =>
    statements.map(([sql, parameters]) => write(sql, parameters));
  return {
    dialect: SQLITE,
    read: (verb) => runSync(verb(queries)),
    row: (sql, parameters) => runSync(queries.row(sql, parameters)),
    write: (sql, parameters) => submit(() => write(sql, parameters)),
    writeAll: (statements) => submit(() => writeAll(statements)),
    writeSeparately: (verb) => {
      const statements = { ...queries, writeAll: (all: readonly BoundStatement[]) => ready(writeAll(all)) };
      return submit(() => runSync(verb(statements)));
    },
  };
}

/** The queue of a connection that only reads. */
export function readsOnly(): Promise<never> {
  return Promise.reject(new Error('this connection only reads'));
}

/** Each statement is prepared once. */
export function createQueries(db: Sqlite.Database): Queries {
  const prepared = memoize((sql: string) => {
    const statement = db.prepare<Parameters, Row>(sql);
    return { statement, isReader: statement.reader, isOfLists: sql.includes('json_each(@') };
  });
  return {
    rows<R>(sql: string, parameters: Parameters) {
      const { statement, isReader, isOfLists } = prepared(sql);
      const values = isOfLists ? withLists(parameters) : parameters;
      if (isReader) return ready(statement.all(values) as readonly unknown[] as readonly R[]);
      statement.run(values);
      return ready(NO_ROWS);
    },
    // `get` takes half as long as `all`.
    row: <R>(sql: string, parameters: Parameters) => ready(prepared(sql).statement.get(parameters) as R | undefined),
  };
}

const NO_ROWS: readonly never[] = [];

/** A list is bound as its JSON text. */
function withLists(parameters: Parameters): Parameters {
  const entries = Object.entries(parameters);
  return Object.fromEntries(
    entries.map(([name, value]) => [name, typeof value === 'object' ? value && JSON.stringify(value) : value]),
  );
}
