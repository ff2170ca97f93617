// Rights as boolean SQL, composed once at start from the access clauses of the definitions (D15, D16).
import type { AnyDefinition, Clause, StorageType } from '../../contract/definition.js';
import { literal, quoted } from '../../schema/sql-text.js';
import { anyOf, existsOne } from './conditions.js';
import type { Dialect } from './dialect.js';
import { isInside } from './references.js';
import { rowsOf } from './rows.js';

/** All definitions by name. */
export type Definitions = ReadonlyMap<string, AnyDefinition>;

/** The context from which every expression over definitions is composed. */
export interface Composer {
  readonly definitions: Definitions;
  readonly dialect: Dialect;
  /** For members that are placed with the caller, if a statement must not read other shards; absent: it may. */
  readonly memberOf?: MemberOf;
}

type MemberClause = Extract<Clause, { member: string }>;

/** Boolean SQL: whether the caller is a member. @param shared SQL of the value that the member and the record share */
export type MemberOf = (clause: MemberClause, shared: string) => string;

/** One right on one row: the row's resource, the right, and the source of the caller's id. */
export interface RowAccess {
  readonly resource: string;
  /** `read`, `edit` or a named right. */
  readonly right: string;
  /** Alias of the row's table in the statement. */
  readonly alias: string;
  /** SQL of the caller's user id: a bound parameter, or NULL for an anonymous caller. */
  readonly user: string;
  /** SQL of the row's placement if it is known before the row is read, `@placement`; absent: the column of the row. */
  readonly placement?: string;
}

/**
 * Boolean SQL: whether a caller who is not an administrator holds the right; '1' or '0' if that is already known.
 * Without clauses, nobody holds it. Throws an Error for rights that are circular or do not exist.
 */
export function rightExpression(composer: Composer, access: RowAccess): string {
  return compose(composer, access, []);
}

/** The definition of a resource; throws an Error if there is none, which is a mistake in the definitions. */
export function definitionOf(definitions: Definitions, resource: string): AnyDefinition {
  const definition = definitions.get(resource);
  if (!definition) throw new Error(`there is no definition of ${resource}`);
  return definition;
}

/** How a column of a resource is stored. */
export function typeOf({ name, columns }: AnyDefinition, column: string): StorageType {
  const stored = columns[column];
  if (!stored) throw new Error(`${name} has no column ${column}`);
  return stored.type;
}

function compose(composer: Composer, access: RowAccess, path: readonly string[]): string {
  const step = `${access.resource} ${access.right}`;
  if (path.includes(step)) throw new Error(`circular access: ${[...path, step].join(' -> ')}`);
  const context = { composer, access, path: [...path, step] };
  return anyOf(clausesOf(composer.definitions, access).map((clause) => clauseSql(clause, context)));
}

function clausesOf(definitions: Definitions, { resource, right }: RowAccess): readonly Clause[] {
  const { access } = definitionOf(definitions, resource);
  if (right === 'read') return access.read;
  if (right === 'edit') return access.edit;
  const clauses = access.rights[right];
  if (!clauses) throw new Error(`${resource} has no right named ${right}`);
  return clauses;
}

interface Context {
  readonly composer: Composer;
  readonly access: RowAccess;
  readonly path: readonly string[];
}

function clauseSql(clause: Clause, context: Context): string {
  const { composer, access, path } = context;
  const column = (name: string) => `${access.alias}.${quoted(name)}`;
  if ('anyone' in clause) return '1';
  if ('when' in clause) return `${column(clause.when)} = 1`;
  if ('through' in clause) return throughSql(clause, context);
  if ('right' in clause) return compose(composer, { ...access, right: clause.right }, path);
  if (access.user === 'NULL') return '0';
  if ('self' in clause) return `${column('id')} = ${access.user}`;
  if ('member' in clause) return memberSql(clause, context);
  return `${column(clause.user)} = ${access.user}`;
}

/** True for callers who hold the right on the record to which the column refers. */
function throughSql(clause: Extract<Clause, { through: string }>, { composer, access, path }: Context): string {
  const { definitions, dialect } = composer;
  // The path grows with every level, so its length gives each level an alias of its own.
  const alias = `x${path.length}`;
  const id = `${access.alias}.${quoted(clause.through)}`;
  const inside = isInside(definitionOf(definitions, access.resource), clause.through);
  const placement = inside ? placementOf(composer, access) : dialect.placementOf(id);
  const target = { ...access, resource: clause.to, right: clause.right ?? 'edit', alias, placement };
  return existsOne(rowsOf(definitionOf(definitions, clause.to), alias), [
    dialect.placed(alias, placement),
    `${alias}."id" = ${id}`,
    compose(composer, target, path),
  ]);
}

/** Holds for the user named by a record that shares a column with this one. */
function memberSql(clause: MemberClause, { composer, access, path }: Context): string {
  const { dialect, definitions, memberOf } = composer;
  const alias = `x${path.length}`;
  const shared = `${access.alias}.${quoted(clause.own ? 'id' : clause.by)}`;
  const member = definitionOf(definitions, clause.member);
  const isWithShared = clause.in === undefined && isInside(member, clause.by);
  // A member is placed with this record, with the user it names, or with neither.
  const isWithRecord =
    isWithShared && (clause.own === true || isInside(definitionOf(definitions, access.resource), clause.by));
  const isWithUser = !isWithRecord && isInside(member, clause.user);
  if (isWithUser && memberOf !== undefined && access.user === CALLER) return memberOf(clause, shared);
  const fixed = Object.entries(clause.where ?? {}).map(([column, value]) =>
    dialect.same(`${alias}.${quoted(column)}`, literal(value)),
  );
  const placement = isWithRecord ? placementOf(composer, access) : dialect.placementOf(shared);
  return existsOne(rowsOf(member, alias), [
    isWithShared ? dialect.placed(alias, placement) : '1',
    isWithUser ? dialect.placed(alias, dialect.placementOf(access.user)) : '1',
    `${alias}.${quoted(clause.user)} = ${access.user}`,
    clause.in === undefined
      ? `${alias}.${quoted(clause.by)} = ${shared}`
      : dialect.someItem(`${alias}.${quoted(clause.in)}`, clause.by, shared),
    ...fixed,
  ]);
}

/** The parameter that holds the caller's id. */
const CALLER = '@user';

function placementOf({ dialect }: Composer, { placement, alias }: RowAccess): string {
  return placement ?? dialect.placement(alias);
}
