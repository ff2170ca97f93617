// The queries of a statement: which tables each of them reads, what their names denote, and which tables are known to have the
// same placement.
import { SHARD } from '../../runtime/schema/postgres/ddl.js';
import { constant, fieldsOf, type Node, nodesIn, textOf, textOfTree } from './parsed-sql.js';

/** An occurrence of a table: the same table named twice counts as two. */
export interface Table {
  readonly name: string;
}

export interface Query {
  readonly kind: string;
  readonly node: Node;
  readonly outer: Query | null;
  /** The table it writes to; null if there is none, or if every node has it. */
  readonly target: Table | null;
  /** The tables it joins. */
  readonly tables: Table[];
  /** What a name denotes: a table, the tables that a subquery reads, or no table for a function. */
  readonly visible: Map<string, readonly Table[]>;
  /** What the names in WITH denote. */
  readonly ctes: Map<string, readonly Table[]>;
  readonly nested: Query[];
}

const STATEMENT = /^(Select|Insert|Update|Delete)Stmt$/;

/** The program's own tables with this prefix are copied to every node; the catalogue's are not distributed. */
const EVERYWHERE = /^(_punchboard|pg_)/;

export function queryOf(kind: string, node: Node, outer: Query | null = null): Query {
  const written = kind === 'SelectStmt' ? undefined : (node.relation as Node | undefined);
  const target = written === undefined ? null : tableOf(written);
  const query: Query = { kind, node, outer, target, tables: [], visible: new Map(), ctes: new Map(), nested: [] };
  for (const [, cte] of ofKind(node.withClause, 'CommonTableExpr')) {
    // A recursive query names itself.
    query.ctes.set(textOf(cte.ctename), []);
    query.ctes.set(textOf(cte.ctename), readBy(nest(query, cte.ctequery)));
  }
  if (written !== undefined && kind === 'InsertStmt') name(query, written, target === null ? [] : [target]);
  if (written !== undefined && kind !== 'InsertStmt') addTable(query, written);
  for (const item of [node.fromClause, node.usingClause].flat()) addFrom(query, item);
  for (const arm of [node.larg, node.rarg]) if (isArm(arm)) query.nested.push(queryOf('SelectStmt', arm, query));
  const visited = new Set(query.nested.map((one) => one.node));
  for (const [, nested] of statementsIn(node)) if (!visited.has(nested.node)) nest(query, nested.wrapped);
  return query;
}

export function allQueries(query: Query): readonly Query[] {
  return [query, ...query.nested.flatMap(allQueries)];
}

/** All tables that a query and its subqueries read. */
export function tablesIn(query: Query): readonly Table[] {
  return allQueries(query).flatMap(({ tables }) => tables);
}

/** Whether a query names a row of an outer query. */
export function usesOuter(query: Query): boolean {
  const within = new Set(allQueries(query));
  return allQueries(query).some((inner) =>
    ofKind(ownParts(inner), 'ColumnRef').some(([, column]) => {
      const [alias = '', ...rest] = fieldsOf(column);
      const scope = rest.length === 0 ? null : scopeOf(inner, alias);
      return scope !== null && !within.has(scope);
    }),
  );
}

export interface Placements {
  /** Whether the tables are known to have one placement. */
  isTogether(tables: readonly Table[]): boolean;
  /** Whether the placement is known before any row is read. */
  isPlaced(table: Table): boolean;
}

/** Tables have the same placement if their placements are compared with each other or with the same value. */
export function findPlacements(root: Query): Placements {
  const above = new Map<unknown, unknown>();
  const top = (one: unknown): unknown => (above.has(one) ? top(above.get(one)) : one);
  const unite = (all: readonly unknown[]): void => {
    const [first, ...more] = all.map(top);
    for (const one of more) if (one !== first && top(one) !== top(first)) above.set(top(one), top(first));
  };
  const values = new Set<string>();
  for (const query of allQueries(root)) {
    for (const { lexpr, rexpr } of equalities(query)) {
      const sides = [lexpr, rexpr].map((side) => placedBy(query, side));
      if (sides.includes(null) || sides.every((side) => typeof side === 'string')) continue;
      for (const side of sides) if (typeof side === 'string') values.add(side);
      unite(sides);
    }
    for (const [, join] of ofKind([query.node.fromClause, query.node.usingClause], 'JoinExpr')) {
      const isBy = ofKind(join.usingClause, 'String').some(([, { sval }]) => sval === SHARD);
      if (isBy) unite(query.tables);
    }
  }
  return {
    isTogether: (tables) => new Set(tables.map(top)).size <= 1,
    isPlaced: (table) => [...values].some((value) => top(value) === top(table)),
  };
}

/** Conditions that every row meets: of WHERE and of joins, if AND connects them. */
function equalities({ node }: Query): readonly Node[] {
  const joins = ofKind([node.fromClause, node.usingClause], 'JoinExpr').map(([, { quals }]) => quals);
  return [node.whereClause, ...joins].flatMap(conjuncts).flatMap((one) => {
    const { A_Expr: compared } = Object(one) as { readonly A_Expr?: Node };
    const isEqual = compared?.kind === 'AEXPR_OP' && textOfTree(compared.name).includes('"="');
    return compared !== undefined && isEqual ? [compared] : [];
  });
}

function conjuncts(condition: unknown): readonly unknown[] {
  const { BoolExpr: all } = Object(condition) as { readonly BoolExpr?: Node };
  return all?.boolop === 'AND_EXPR' ? (all.args as readonly unknown[]).flatMap(conjuncts) : [condition];
}

/** The table whose placement an expression is, or a known value; null for anything else. */
function placedBy(query: Query, expression: unknown): Table | string | null {
  if (constant(expression)) return textOfTree(expression);
  const { ColumnRef: column } = Object(expression) as { readonly ColumnRef?: Node };
  const names = column === undefined ? [] : fieldsOf(column);
  if (names.at(-1) !== SHARD) return null;
  const [only = '', ...more] = query.visible.keys();
  const alias = names.length > 1 ? (names[0] ?? '') : more.length === 0 ? only : '';
  // Citus does not see through a subquery in FROM.
  const scope = scopeOf(query, alias);
  return scope?.tables.find((table) => scope.visible.get(alias)?.includes(table)) ?? null;
}

/** The query in which a name denotes something. */
function scopeOf(query: Query, alias: string): Query | null {
  if (query.visible.has(alias)) return query;
  return query.outer === null ? null : scopeOf(query.outer, alias);
}

function addFrom(query: Query, item: unknown): void {
  const { RangeVar, JoinExpr, RangeSubselect, RangeFunction } = Object(item) as Readonly<
    Record<string, Node | undefined>
  >;
  if (RangeVar !== undefined) addTable(query, RangeVar);
  if (RangeFunction !== undefined) name(query, RangeFunction, []);
  if (RangeSubselect !== undefined) name(query, RangeSubselect, readBy(nest(query, RangeSubselect.subquery)));
  for (const side of [JoinExpr?.larg, JoinExpr?.rarg]) if (side !== undefined) addFrom(query, side);
}

function addTable(query: Query, range: Node): void {
  const cte = cteOf(query, textOf(range.relname));
  const table = cte === undefined ? tableOf(range) : null;
  if (table !== null) query.tables.push(table);
  name(query, range, cte ?? (table === null ? [] : [table]));
}

/** The tables of a name in WITH, of this query or an outer one. */
function cteOf({ ctes, outer }: Query, wanted: string): readonly Table[] | undefined {
  return ctes.get(wanted) ?? (outer === null ? undefined : cteOf(outer, wanted));
}

function name(query: Query, { alias, relname }: Node, tables: readonly Table[]): void {
  query.visible.set(textOf((Object(alias) as Node).aliasname) || textOf(relname), tables);
}

function tableOf({ relname }: Node): Table | null {
  return EVERYWHERE.test(textOf(relname)) ? null : { name: textOf(relname) };
}

/** The tables that the rows of a subquery come from. */
function readBy(query: Query): readonly Table[] {
  const arms = query.nested.filter(({ node }) => node === query.node.larg || node === query.node.rarg);
  return [...[...query.visible.values()].flat(), ...arms.flatMap(readBy)];
}

function nest(query: Query, wrapped: unknown): Query {
  const [[kind, node] = ['', {}]] = Object.entries(Object(wrapped) as Readonly<Record<string, Node>>);
  const nested = queryOf(kind, node, query);
  query.nested.push(nested);
  return nested;
}

/** Whether this is an arm of UNION or similar, which the tree does not wrap, unlike an arm of a join. */
function isArm(arm: unknown): arm is Node {
  return arm !== undefined && 'op' in (Object(arm) as object);
}

/** The statements directly within a statement, each as the tree wraps it. */
function statementsIn(node: Node): readonly (readonly [string, { readonly node: Node; readonly wrapped: Node }])[] {
  const { larg, rarg, ...rest } = node;
  return [...nodesIn(rest, (kind) => !STATEMENT.test(kind))].flatMap(([kind, found]) =>
    STATEMENT.test(kind) ? [[kind, { node: found, wrapped: { [kind]: found } }] as const] : [],
  );
}

/** A query without its subqueries. */
function ownParts({ node }: Query): Node {
  const { larg, rarg, ...rest } = node;
  return rest;
}

function ofKind(part: unknown, kind: string): readonly (readonly [string, Node])[] {
  return [...nodesIn(part, (one) => !STATEMENT.test(one))].filter(([found]) => found === kind);
}
