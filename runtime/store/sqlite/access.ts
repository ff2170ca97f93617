// Who may do what, as boolean SQL composed once at start from the access clauses of the definitions (D15, D16).
import type { AnyDefinition, Clause } from '../../definition.js';
import { literal, quoted } from '../../schema/sql-text.js';
import { anyOf, existsOne } from './sql.js';

/** All definitions by name. */
export type Definitions = ReadonlyMap<string, AnyDefinition>;

/** One right on one row: whose row, which right, and where the caller's id comes from. */
export interface Asked {
  readonly resource: string;
  /** `read`, `edit` or a named right. */
  readonly right: string;
  /** Alias of the row's table in the statement. */
  readonly alias: string;
  /** SQL of the caller's user id: a bound parameter, or NULL for an anonymous caller. */
  readonly user: string;
}

/**
 * Boolean SQL, true where a caller who is no administrator holds the right; '1' or '0' where that is known already.
 * No clause at all means nobody. Throws an Error for rights that go round in a circle or do not exist.
 */
export function rightExpression(definitions: Definitions, asked: Asked): string {
  return compose(definitions, asked, []);
}

/** The definition of a resource; throws an Error where there is none, which is a mistake in the definitions. */
export function definitionOf(definitions: Definitions, resource: string): AnyDefinition {
  const definition = definitions.get(resource);
  if (!definition) throw new Error(`there is no definition of ${resource}`);
  return definition;
}

function compose(definitions: Definitions, asked: Asked, path: readonly string[]): string {
  const step = `${asked.resource} ${asked.right}`;
  if (path.includes(step)) throw new Error(`access goes round in a circle: ${[...path, step].join(' -> ')}`);
  const context = { definitions, asked, path: [...path, step] };
  return anyOf(clausesOf(definitions, asked).map((clause) => clauseSql(clause, context)));
}

function clausesOf(definitions: Definitions, { resource, right }: Asked): readonly Clause[] {
  const { access } = definitionOf(definitions, resource);
  if (right === 'read') return access.read;
  if (right === 'edit') return access.edit;
  const clauses = access.rights[right];
  if (!clauses) throw new Error(`${resource} has no right named ${right}`);
  return clauses;
}

interface Context {
  readonly definitions: Definitions;
  readonly asked: Asked;
  readonly path: readonly string[];
}

function clauseSql(clause: Clause, context: Context): string {
  const { definitions, asked, path } = context;
  const column = (name: string) => `${asked.alias}.${quoted(name)}`;
  if ('anyone' in clause) return '1';
  if ('when' in clause) return `${column(clause.when)} = 1`;
  if ('right' in clause) return compose(definitions, { ...asked, right: clause.right }, path);
  if ('through' in clause) return throughSql(clause, context);
  if (asked.user === 'NULL') return '0';
  if ('self' in clause) return `${column('id')} = ${asked.user}`;
  if ('member' in clause) return memberSql(clause, context);
  return `${column(clause.user)} = ${asked.user}`;
}

/** Whoever may edit the record that the column refers to. */
function throughSql(clause: Extract<Clause, { through: string }>, { definitions, asked, path }: Context): string {
  // The path grows with every level, so its length gives each level an alias of its own.
  const alias = `x${path.length}`;
  const edit = compose(definitions, { ...asked, resource: clause.to, right: 'edit', alias }, path);
  return existsOne(`${quoted(clause.to)} ${alias}`, [`${alias}."id" = ${asked.alias}.${quoted(clause.through)}`, edit]);
}

/** Whoever is named by a record that shares a column with this one. */
function memberSql(clause: Extract<Clause, { member: string }>, { asked, path }: Context): string {
  const alias = `x${path.length}`;
  const shared = `${asked.alias}.${quoted(clause.by)}`;
  const fixed = Object.entries(clause.where ?? {}).map(
    ([column, value]) => `${alias}.${quoted(column)} IS ${literal(value)}`,
  );
  return existsOne(`${quoted(clause.member)} ${alias}`, [
    `${alias}.${quoted(clause.user)} = ${asked.user}`,
    clause.in === undefined
      ? `${alias}.${quoted(clause.by)} = ${shared}`
      : existsOne(`json_each(${alias}.${quoted(clause.in)}) item`, [
          `json_extract(item.value, ${literal(`$.${clause.by}`)}) = ${shared}`,
        ]),
    ...fixed,
  ]);
}
