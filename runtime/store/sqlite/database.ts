// Runs statements on SQLite: every answer is available immediately, and a write waits for the group commit.
import type Sqlite from 'better-sqlite3';
import type { Row } from '../../contract/definition.js';
import { memoize } from '../../contract/memoize.js';
import { type BoundStatement, type Database, type Parameters, type Queries, ready, runSync } from '../unit.js';
import { SQLITE } from './dialect.js';
import type { GroupCommit } from './group-commit.js';

/** @param submit absent: writes are rejected */
export function createDatabase(db: Sqlite.Database, submit: GroupCommit['submit'] = readsOnly): Database {
  const { rows, row } = createStatements(db);
  const queries = queriesBy({ rows, row });
  const writeAll = (statements: readonly BoundStatement[]) =>
    statements.map(([sql, parameters]) => rows(sql, parameters));
  return {
    dialect: SQLITE,
    read: (verb) => runSync(verb(queries)),
    row,
    write: (sql, parameters) => submit(() => rows(sql, parameters)),
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

export function createQueries(db: Sqlite.Database): Queries {
  return queriesBy(createStatements(db));
}

function queriesBy({ rows, row }: ReturnType<typeof createStatements>): Queries {
  return {
    rows: <R>(sql: string, parameters: Parameters) => ready(rows<R>(sql, parameters)),
    row: <R>(sql: string, parameters: Parameters) => ready(row<R>(sql, parameters)),
  };
}

/** Each statement is prepared once. */
function createStatements(db: Sqlite.Database) {
  const prepared = memoize((sql: string) => {
    const statement = db.prepare<Parameters, Row>(sql);
    return { statement, isReader: statement.reader, isOfLists: sql.includes('json_each(@') };
  });
  return {
    rows<R = Row>(sql: string, parameters: Parameters): readonly R[] {
      const { statement, isReader, isOfLists } = prepared(sql);
      const values = isOfLists ? withLists(parameters) : parameters;
      if (isReader) return statement.all(values) as readonly unknown[] as readonly R[];
      statement.run(values);
      return NO_ROWS;
    },
    // `get` takes half as long as `all`.
    row: <R = Row>(sql: string, parameters: Parameters) => prepared(sql).statement.get(parameters) as R | undefined,
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
