// Turns the named parameters of composed statements, `@id`, into PostgreSQL's `$1`.
import type { Call, Connections, Parameter, Row } from './connections.js';

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
export function run(query: Query, { statement, values }: Call): Promise<readonly Row[]> {
  return query(statement, values);
}

const QUOTED_OR_NAMED = /'(?:[^']|'')*'|"(?:[^"]|"")*"|@(\w+)/g;

function parameterOf(bound: NamedValues, name: string): Parameter {
  const value = bound[name];
  if (value === undefined) throw new Error(`the parameter @${name} has no value`);
  return value;
}
