// Runs statements on PostgreSQL, each as a transaction of its own or several in one.
import type { Row } from '../../contract/definition.js';
import { memoize } from '../../contract/memoize.js';
import {
  type BoundStatement,
  type Database,
  fromPromise,
  type Parameters,
  type Pending,
  type Queries,
  runAsync,
} from '../unit.js';
import { type Connections, type Query, retryTransient, type Value } from './connections.js';
import { POSTGRES } from './dialect.js';
import { numbered, prepareNamed, run } from './named.js';

export function createDatabase(connections: Connections): Database {
  const prepare = memoize((sql: string) => prepareNamed(connections, sql));
  const rows = async (sql: string, parameters: Parameters) =>
    run(connections.query, prepare(sql)(parameters)) as Promise<readonly Row[]>;
  const queries = queriesBy(rows);
  const writeAll = (statements: readonly BoundStatement[]) => {
    const calls = statements.map(([sql, parameters]) => prepare(sql)(parameters));
    return retryTransient(() => connections.transaction(calls)) as Promise<readonly (readonly Row[])[]>;
  };
  return {
    dialect: POSTGRES,
    read: (verb) => runAsync(verb(queries)),
    row: async <R>(sql: string, parameters: Parameters) => (await rows(sql, parameters))[0] as R | undefined,
    write: rows,
    writeAll,
    writeSeparately: (verb) =>
      runAsync(verb({ ...queries, writeAll: (statements) => fromPromise(writeAll(statements)) })),
  };
}

/** Runs the statements of a session, which are not prepared. */
export function sessionQueries(query: Query): Queries {
  return queriesBy(async (sql, parameters) => {
    const { text, valuesOf } = numbered(sql);
    return query(text, valuesOf(parameters) as readonly Value[]) as Promise<readonly Row[]>;
  });
}

/** @param rows runs a statement */
export function queriesBy(rows: (sql: string, parameters: Parameters) => Promise<readonly Row[]>): Queries {
  return {
    rows: <R>(sql: string, parameters: Parameters) =>
      fromPromise(rows(sql, parameters) as Promise<readonly unknown[]>) as Pending<readonly R[]>,
    row: <R>(sql: string, parameters: Parameters) =>
      fromPromise(rows(sql, parameters).then(([first]) => first as R | undefined)),
  };
}
