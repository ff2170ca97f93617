// Reads the tree that PostgreSQL's parser makes of a statement.

export type Node = Readonly<Record<string, unknown>>;

/** Every node below, with the name of its kind. @param enter false for the nodes that are not looked into */
export function* nodesIn(
  value: unknown,
  enter: (kind: string) => boolean = () => true,
): Generator<readonly [kind: string, node: Node]> {
  if (typeof value !== 'object' || value === null) return;
  for (const [kind, inner] of Object.entries(value)) {
    const isNode = typeof inner === 'object' && inner !== null && !Array.isArray(inner);
    if (isNode) yield [kind, inner as Node];
    if (!isNode || enter(kind)) yield* nodesIn(inner, enter);
  }
}

export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** The parts of a name: `t.id` is `t` and `id`. */
export function fieldsOf(column: Node): readonly string[] {
  return [...nodesIn(column.fields)].flatMap(([kind, node]) => (kind === 'String' ? [textOf(node.sval)] : []));
}

/** True where an expression reads no row. */
export function constant(expression: unknown): boolean {
  return [...nodesIn({ expression })].every(([kind]) => kind !== 'ColumnRef' && kind !== 'SubLink');
}

/** The expression without where it is in the text, to be compared. */
export function textOfTree(expression: unknown): string {
  return JSON.stringify(expression, (key, value) => (key === 'location' ? undefined : value));
}

/** The calls of functions in a part of a statement. */
export function functionsIn(part: unknown): readonly Node[] {
  const isCall = (kind: string) => kind === 'FuncCall' || kind === 'SQLValueFunction';
  return [...nodesIn(part)].flatMap(([kind, node]) => (isCall(kind) ? [node] : []));
}

export type Volatility = 'immutable' | 'stable' | 'volatile';

/** Throws an Error for a function that is not in the table: what it is decides whether Citus takes the statement. */
export function volatilityOf(call: Node): Volatility {
  // CURRENT_TIMESTAMP and its like, which are not called by name.
  if (call.funcname === undefined) return 'stable';
  const name = [...nodesIn(call.funcname)].flatMap(([, node]) => textOf(node.sval)).at(-1) ?? '';
  const found = VOLATILITY[name];
  if (found === undefined) throw new Error(`say in tests/engine/parsed-sql.ts whether ${name}() is immutable`);
  return found;
}

/** As `pg_proc` has it, which a test compares. */
export const VOLATILITY: Readonly<Record<string, Volatility>> = {
  btrim: 'immutable',
  char_length: 'immutable',
  count: 'immutable',
  extract: 'immutable',
  floor: 'immutable',
  json_array_elements: 'immutable',
  json_array_elements_text: 'immutable',
  left: 'immutable',
  lower: 'immutable',
  lpad: 'immutable',
  make_timestamp: 'immutable',
  max: 'immutable',
  min: 'immutable',
  split_part: 'immutable',
  starts_with: 'immutable',
  strpos: 'immutable',
  substr: 'immutable',
  sum: 'immutable',
  unnest: 'immutable',
  now: 'stable',
  to_char: 'stable',
  clock_timestamp: 'volatile',
  gen_random_uuid: 'volatile',
  random: 'volatile',
};
