// The shapes of statements that Citus refuses, read from the tree of PostgreSQL's own parser, so that no cluster is needed.
// Each has an example in citus-shapes.test.ts, which a real cluster refuses if CITUS_URL names one.
import { parseSync } from 'libpg-query';
import { SHARD } from '../../runtime/schema/postgres/ddl.js';
import { refusedDefinitions } from './citus-definitions.js';
import { constant, functionsIn, type Node, nodesIn, textOf, volatilityOf } from './parsed-sql.js';
import {
  allQueries,
  findPlacements,
  type Placements,
  type Query,
  queryOf,
  tablesIn,
  usesOuter,
} from './query-scopes.js';

/** Every shape, by the name that a failing test shows. */
export type Shape =
  | 'a subquery in VALUES or ON CONFLICT'
  | 'a row without a placement'
  | 'a conflict without the placement'
  | 'a placement that is changed'
  | 'tables joined across placements'
  | 'a correlated subquery across placements'
  | 'a lock without a placement'
  | 'a volatile function in a write'
  | 'a stable function of a column in a write'
  | 'a function in ON CONFLICT that is not immutable'
  | 'a function in RETURNING that is not immutable'
  | 'recursion without a placement'
  | 'grouping sets without a placement'
  | 'MERGE'
  | 'a key without the placement'
  | 'a foreign key without the placement'
  | 'a foreign key that clears the placement'
  | 'a constraint that is not added alone'
  | 'a trigger';

/** The shapes for which Citus would refuse a statement on tables with a placement; empty if it would accept it. */
export function refusedShapes(sql: string): readonly Shape[] {
  const { stmts } = parseSync(sql) as { readonly stmts?: readonly { readonly stmt: Node }[] };
  const shapes = (stmts ?? []).flatMap(({ stmt }) =>
    Object.entries(stmt).flatMap(([kind, node]) => [
      ...refusedDefinitions(kind, node as Node),
      ...refusedQueries(kind, node as Node),
    ]),
  );
  return [...new Set(shapes)];
}

export interface Refusal {
  readonly sql: string;
  readonly shapes: readonly Shape[];
}

/** The statements that Citus would refuse. */
export function refusals(statements: Iterable<string>): readonly Refusal[] {
  return [...statements].map((sql) => ({ sql, shapes: refusedShapes(sql) })).filter(({ shapes }) => shapes.length > 0);
}

function refusedQueries(kind: string, node: Node): readonly Shape[] {
  if (kind === 'MergeStmt') return ['MERGE'];
  if (!/^(Select|Insert|Update|Delete)Stmt$/.test(kind)) return [];
  const root = queryOf(kind, node);
  const placements = findPlacements(root);
  return allQueries(root).flatMap((query) => [
    ...Object.entries(RULES).flatMap(([shape, isRefused]) => (isRefused(query, placements) ? [shape as Shape] : [])),
    ...functionsRefused(query),
  ]);
}

type Rule = (query: Query, placements: Placements) => boolean;

const RULES: Readonly<Partial<Record<Shape, Rule>>> = {
  'a subquery in VALUES or ON CONFLICT': ({ kind, node }) =>
    kind === 'InsertStmt' && [valuesOf(node), node.onConflictClause].some((part) => has(part, 'SubLink')),
  'a row without a placement': ({ kind, node, target }) =>
    kind === 'InsertStmt' && target !== null && Array.isArray(node.cols) && !names(node.cols, 'ResTarget'),
  'a conflict without the placement': ({ kind, node, target }) => {
    const { infer } = Object(node.onConflictClause) as { readonly infer?: Node };
    return kind === 'InsertStmt' && target !== null && infer !== undefined && !names(infer, 'IndexElem');
  },
  'a placement that is changed': ({ kind, node, target }) =>
    kind === 'UpdateStmt' && target !== null && names(node.targetList, 'ResTarget'),
  'tables joined across placements': ({ tables }, { isTogether }) => !isTogether(tables),
  'a correlated subquery across placements': (query, { isTogether, isPlaced }) => {
    const { outer } = query;
    if (outer === null || !usesOuter(query)) return false;
    const tables = tablesIn(query);
    const above = [...outer.visible.values()].flat();
    return above.length === 0 ? !tables.every(isPlaced) : tables.length > 0 && !isTogether([...tables, ...above]);
  },
  'a lock without a placement': ({ node, tables }, { isPlaced }) =>
    node.lockingClause !== undefined && !tables.every(isPlaced),
  'recursion without a placement': (query, { isPlaced }) =>
    (Object(query.node.withClause) as Node).recursive === true && !tablesIn(query).every(isPlaced),
  'grouping sets without a placement': ({ node, tables }, { isPlaced }) =>
    has(node.groupClause, 'GroupingSet') && !tables.every(isPlaced),
};

/** Which functions a write may call depends on the part of the statement. */
function functionsRefused({ kind, node, target }: Query): readonly Shape[] {
  if (target === null || kind === 'SelectStmt') return [];
  const shapes: Shape[] = [];
  const { returningClause, onConflictClause, selectStmt, withClause, ...rest } = node;
  if (functionsIn(returningClause).some((one) => volatilityOf(one) !== 'immutable'))
    shapes.push('a function in RETURNING that is not immutable');
  if (functionsIn(onConflictClause).some((one) => volatilityOf(one) !== 'immutable'))
    shapes.push('a function in ON CONFLICT that is not immutable');
  // A new row is evaluated once, before it is sent to its shard.
  if (kind === 'InsertStmt') return shapes;
  const calls = functionsIn(rest);
  if (calls.some((one) => volatilityOf(one) === 'volatile')) shapes.push('a volatile function in a write');
  if (calls.some((one) => volatilityOf(one) === 'stable' && !constant(one)))
    shapes.push('a stable function of a column in a write');
  return shapes;
}

function valuesOf({ selectStmt }: Node): unknown {
  return (Object((Object(selectStmt) as Node).SelectStmt) as Node).valuesLists;
}

function has(part: unknown, kind: string): boolean {
  return [...nodesIn(part)].some(([name]) => name === kind);
}

/** Whether a node of the given kind has the name of the placement. */
function names(part: unknown, kind: string): boolean {
  return [...nodesIn(part)].some(([name, node]) => name === kind && textOf(node.name) === SHARD);
}
