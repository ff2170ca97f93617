// Runs composed statements on PostgreSQL, each as a transaction of its own or several in one: their named parameters, `@id`,
// become PostgreSQL's `$1`.
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
import {
  type Call,
  type Connections,
  type Parameter,
  type Row as ReadRow,
  retryTransient,
  type Query as SessionQuery,
  type Value,
} from './connections.js';
import { POSTGRES } from './dialect.js';

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
export function sessionQueries(query: SessionQuery): Queries {
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

/** Values by the names of parameters; a statement takes the values that it names. */
export type NamedValues = Readonly<Record<string, Parameter>>;

export interface NamedStatement {
  /** The statement with its values. Throws an Error if one is missing. */
  (bound: NamedValues): Call;
  /** The names of its parameters. */
  readonly names: readonly string[];
}

/** Runs a prepared statement: within a transaction, or with `connections.query`. */
export type Query = Connections['query'];

/** Prepares a statement; quoted text and names are left alone. */
export function prepareNamed(connections: Pick<Connections, 'prepare'>, sql: string): NamedStatement {
  const { text, names, valuesOf } = numbered(sql);
  const statement = connections.prepare(text);
  return Object.assign((bound: NamedValues): Call => ({ statement, values: valuesOf(bound) }), { names });
}

/** The statement with numbered parameters, and their values in this order. */
export function numbered(sql: string) {
  const names: string[] = [];
  const text = sql.replace(QUOTED_OR_NAMED, (whole, name: string | undefined) => {
    if (name === undefined) return whole;
    if (!names.includes(name)) names.push(name);
    return `$${names.indexOf(name) + 1}`;
  });
  return { text, names, valuesOf: (bound: NamedValues) => names.map((name) => parameterOf(bound, name)) };
}

/** Runs a statement with the values of its parameters. */
export function run(query: Query, { statement, values }: Call): Promise<readonly ReadRow[]> {
  return query(statement, values);
}

const QUOTED_OR_NAMED = /'(?:[^']|'')*'|"(?:[^"]|"")*"|@(\w+)/g;

function parameterOf(bound: NamedValues, name: string): Parameter {
  const value = bound[name];
  if (value === undefined) throw new Error(`the parameter @${name} has no value`);
  return value;
}
