// Statements are composed with named parameters, `@id`; PostgreSQL knows only `$1`.
import type { Call, Connections, Parameter, Row } from './connections.js';

/** Values by the names of parameters; a statement takes those that it names. */
export type Bound = Readonly<Record<string, Parameter>>;

/** A statement with its values, for `Connections.transaction`. Throws an Error if one is missing. */
export type NamedStatement = (bound: Bound) => Call;

/** Runs a prepared statement: within a transaction, or with `connections.query`. */
export type Query = Connections['query'];

/** Prepares a statement; quoted text and names are left alone. */
export function prepareNamed(connections: Pick<Connections, 'prepare'>, sql: string): NamedStatement {
  const names: string[] = [];
  const text = sql.replace(QUOTED_OR_NAMED, (whole, name: string | undefined) => {
    if (name === undefined) return whole;
    if (!names.includes(name)) names.push(name);
    return `$${names.indexOf(name) + 1}`;
  });
  const statement = connections.prepare(text);
  return (bound) => ({ statement, values: names.map((name) => parameterOf(bound, name)) });
}

/** Runs a statement with the values of its parameters. */
export function run(query: Query, { statement, values }: Call): Promise<readonly Row[]> {
  return query(statement, values);
}

const QUOTED_OR_NAMED = /'(?:[^']|'')*'|"(?:[^"]|"")*"|@(\w+)/g;

function parameterOf(bound: Bound, name: string): Parameter {
  const value = bound[name];
  if (value === undefined) throw new Error(`the parameter @${name} has no value`);
  return value;
}
