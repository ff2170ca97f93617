// Reads the tree that PostgreSQL's parser returns for a statement.

export type Node = Readonly<Record<string, unknown>>;

/** Every node below, with the name of its kind. @param enter false for nodes that are skipped */
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

/** Whether an expression reads no row. */
export function constant(expression: unknown): boolean {
  return [...nodesIn({ expression })].every(([kind]) => kind !== 'ColumnRef' && kind !== 'SubLink');
}

/** The expression without its position in the text, for comparison. */
export function textOfTree(expression: unknown): string {
  return JSON.stringify(expression, (key, value) => (key === 'location' ? undefined : value));
}

/** The calls of functions in a part of a statement. */
export function functionsIn(part: unknown): readonly Node[] {
  const isCall = (kind: string) => kind === 'FuncCall' || kind === 'SQLValueFunction';
  return [...nodesIn(part)].flatMap(([kind, node]) => (isCall(kind) ? [node] : []));
}

export type Volatility = 'immutable' | 'stable' | 'volatile';

/** Throws an Error for an unlisted function, whose volatility decides whether Citus accepts the statement. */
export function volatilityOf(call: Node): Volatility {
  // CURRENT_TIMESTAMP and similar functions are not called by name.
  if (call.funcname === undefined) return 'stable';
  const name = [...nodesIn(call.funcname)].flatMap(([, node]) => textOf(node.sval)).at(-1) ?? '';
  const volatility = VOLATILITY[name];
  if (volatility === undefined) throw new Error(`say in tests/engine/parsed-sql.ts whether ${name}() is immutable`);
  return volatility;
}

/** As in `pg_proc`, which a test compares. */
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
