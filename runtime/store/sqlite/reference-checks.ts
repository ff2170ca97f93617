// Checks the references of a change: do they exist, may the caller use them, and who owns them (D16, D37)?
import type Database from 'better-sqlite3';
import type { AnyDefinition, Reference, Row, Scalar } from '../../definition.js';
import type { ErrorCode, Failure } from '../../errors.js';
import { memoize } from '../../memoize.js';
import { quoted } from '../../schema/sql-text.js';
import type { Change } from '../records.js';
import { type Composer, type Definitions, definitionOf, rightExpression } from '../sql/access.js';
import { ownerExpression } from '../sql/owner.js';

/** Returns every failure of the references of a change; `row` is the stored row, null on create. */
export type ReferenceChecks = (change: Change, row: Row | null) => Failure[];

interface Target {
  readonly may: number | null;
  readonly owner: string | null;
  readonly type: string | null;
}
type IdAndUser = { readonly id: string; readonly user: string | null };
type FindTarget = (column: string, by: IdAndUser) => Target | undefined;

/** The checks of one definition; an unchanged reference is not checked again. */
export function createReferenceChecks(
  db: Database.Database,
  composer: Composer,
  definition: AnyDefinition,
): ReferenceChecks {
  const { definitions } = composer;
  const references = new Map(definition.references.map((reference) => [reference.column, reference]));
  const ordered = [...references.values()].sort((a, b) => Number(b.place ?? false) - Number(a.place ?? false));
  const statements = memoize((column: string) => {
    const reference = references.get(column);
    if (!reference) throw new Error(`${definition.name} has no reference ${column}`);
    return db.prepare<IdAndUser, Target>(targetStatement(composer, reference));
  });
  const find: FindTarget = (column, by) => statements(column).get(by);
  const ownerOf = createOwnerOf(db, composer, definition);
  const climbs = createClimbs(db, definition);

  return (change, row) => {
    const failures: Failure[] = [];
    let owner = row ? ownerOf(row) : ownerByDefault(definitions, definition, change);
    // The reference that decides the owner comes first: the others are compared with it.
    for (const reference of ordered) {
      const value = sentReference(change, reference, row);
      if (value === null) continue;
      const target = find(reference.column, { id: value, user: change.caller.user });
      if (!row && reference.place) owner = target?.owner ?? null;
      const ring = row !== null && reference.to === definition.name && climbs(reference.column, value, String(row.id));
      const problem = judge(reference, target, { change, owner, ring, definitions });
      if (problem) failures.push({ field: reference.column, ...problem });
    }
    return failures;
  };
}

interface Circumstances {
  readonly change: Change;
  readonly owner: string | null;
  readonly ring: boolean;
  readonly definitions: Definitions;
}

function judge(
  reference: Reference,
  target: Target | undefined,
  { change, owner, ring, definitions }: Circumstances,
): { code: ErrorCode; message: string } | null {
  const { column, to, accepts } = reference;
  const missing = { code: 'reference_not_found', message: `${column} is not the id of a ${to}` } as const;
  if (!target) return missing;
  if (!change.caller.admin && target.may !== 1) {
    if (definitionOf(definitions, to).access.hidden) return missing;
    return { code: 'forbidden', message: `you may not ${reference.need === 'edit' ? 'edit' : 'use'} this ${to}` };
  }
  if (accepts && !accepts.includes(target.type ?? '')) {
    return { code: 'unsupported_file', message: `${column} must be a file of type ${accepts.join(', ')}` };
  }
  if ((reference.place || reference.inside) && target.owner !== owner) {
    return { code: 'conflict', message: `this ${to} has another owner` };
  }
  if (ring) return { code: 'conflict', message: `${column} would put the record inside itself` };
  return null;
}

/** The id sent for a reference; null if none was sent, or if it is empty, already failed, or unchanged. */
function sentReference(change: Change, { column }: Reference, row: Row | null): string | null {
  const value = change.input[column];
  if (typeof value !== 'string' || value === '') return null;
  if (change.failures.some(({ field }) => field === column)) return null;
  return row && row[column] === value ? null : value;
}

/** If no reference that determines the owner was sent, a new record belongs to the caller. */
function ownerByDefault(definitions: Definitions, definition: AnyDefinition, change: Change): string | null {
  const place = definition.references.find((reference) => reference.place);
  return place && definitionOf(definitions, place.to).principal ? change.caller.user : null;
}

function targetStatement(composer: Composer, reference: Reference): string {
  const target = definitionOf(composer.definitions, reference.to);
  const owned = reference.place || reference.inside;
  // By convention, the media type of an upload is in the column file_type.
  const type = reference.accepts ? 't."file_type"' : 'NULL';
  return (
    `SELECT ${needExpression(composer, target, reference.need)} AS may, ` +
    `${owned ? ownerExpression(composer, target, { alias: 't' }) : 'NULL'} AS owner, ${type} AS type ` +
    `FROM ${quoted(target.name)} t WHERE t."id" = @id`
  );
}

/** Using a record requires the right named `use` if the resource has one, or else `edit`. */
function needExpression(composer: Composer, target: AnyDefinition, need: Reference['need']): string {
  if (need === 'exists') return '1';
  const right = need === 'use' && target.access.rights.use ? 'use' : 'edit';
  return rightExpression(composer, { resource: target.name, right, alias: 't', user: '@user' });
}

function createOwnerOf(db: Database.Database, composer: Composer, definition: AnyDefinition) {
  const owner = ownerExpression(composer, definition, { alias: 't' });
  const sql = `SELECT ${owner} FROM ${quoted(definition.name)} t WHERE t."id" = ?`;
  const statement = memoize((text: string) => db.prepare<[Scalar], string | null>(text).pluck());
  return (row: Row): string | null => statement(sql).get(row.id ?? null) ?? null;
}

/** Whether the path upwards from `from`, along a reference to its own resource, reaches `id`. */
function createClimbs(db: Database.Database, definition: AnyDefinition) {
  const statements = memoize((column: string) =>
    db
      .prepare<[string, string], number>(
        `WITH RECURSIVE up (id) AS (SELECT ? UNION SELECT t.${quoted(column)} FROM ${quoted(definition.name)} t ` +
          `JOIN up ON t."id" = up.id WHERE t.${quoted(column)} IS NOT NULL) SELECT 1 FROM up WHERE id = ?`,
      )
      .pluck(),
  );
  return (column: string, from: string, id: string): boolean => statements(column).get(from, id) === 1;
}
