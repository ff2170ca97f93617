// What is wrong with the references of a change, once their targets have been read: do they exist, may the caller use them,
// and who owns them (D16, D37)?
import type { AnyDefinition, Reference, Row } from '../../definition.js';
import type { ErrorCode, Failure } from '../../errors.js';
import { quoted } from '../../schema/sql-text.js';
import type { Change } from '../records.js';
import { type Composer, type Definitions, definitionOf, rightExpression } from './access.js';
import { allOf } from './conditions.js';
import { isHeld } from './made.js';
import { ownerExpression } from './owner.js';

/** What was read of a target. */
export interface Target {
  /** 1: the caller holds the right that the reference needs. */
  readonly may: number | null;
  readonly owner: string | null;
  readonly type: string | null;
  /** 1: the record was made with another one of the target's resource (D40). */
  readonly held: number | null;
}

/** A reference that must be checked. */
export interface SentReference {
  readonly reference: Reference;
  /** Id of its target. */
  readonly id: string;
  /** True: the target must not be further down than the record, in the tree that the reference makes. */
  readonly inTree: boolean;
}

export interface FoundTarget extends SentReference {
  /** Undefined: there is no such record. */
  readonly target: Target | undefined;
  /** True: with this target, the record would be inside itself. */
  readonly ring: boolean;
}

/**
 * The references that a change sends, without unchanged ones; the one that decides the owner comes first.
 * @param row the stored row; null on create
 */
export type SentReferences = (change: Change, row: Row | null) => readonly SentReference[];

export function createSentReferences({ name, references }: AnyDefinition): SentReferences {
  const ordered = [...references].sort((a, b) => Number(b.place ?? false) - Number(a.place ?? false));
  return (change, row) =>
    ordered.flatMap((reference) => {
      const id = sentReference(change, reference, row);
      return id === null ? [] : [{ reference, id, inTree: row !== null && reference.to === name }];
    });
}

/** @param owner of the stored row; on create, the reference that places the record decides it */
export function referenceFailures(
  definitions: Definitions,
  definition: AnyDefinition,
  change: Change,
  { owner: stored, found }: { readonly owner: string | null | undefined; readonly found: readonly FoundTarget[] },
): Failure[] {
  const failures: Failure[] = [];
  let owner = stored === undefined ? ownerByDefault(definitions, definition, change) : stored;
  for (const one of found) {
    const { reference, target } = one;
    const decides = stored === undefined && reference.place === true;
    if (decides) owner = target?.owner ?? null;
    const problem = judge(one, { change, owner, definitions });
    if (problem) failures.push({ field: reference.column, ...problem });
    if (problem && decides) owner = undefined;
  }
  return failures;
}

/** The statement that reads a Target; binds id, placement, user, and record, the one that refers to it; null on create. */
export function targetStatement(composer: Composer, definition: AnyDefinition, reference: Reference): string {
  const { dialect } = composer;
  const target = definitionOf(composer.definitions, reference.to);
  const owned = reference.place || reference.inside;
  // By convention, the media type of an upload is in the column file_type.
  const type = reference.accepts ? 't."file_type"' : 'NULL';
  const owner = owned ? ownerExpression(composer, target, { alias: 't', placement: '@placement' }) : 'NULL';
  const where = allOf([dialect.placed('t', '@placement'), 't."id" = @id']);
  const may = dialect.flag(needExpression(composer, target, reference.need));
  const held = dialect.flag(dialect.where(isHeld(composer, target, definition, reference.column)));
  return (
    `SELECT ${may} AS may, ${owner} AS owner, ${type} AS type, ${held} AS held ` +
    `FROM ${quoted(target.name)} t WHERE ${where}`
  );
}

/** The statement that reads the owner of a stored row; binds id and placement. */
export function ownerStatement(composer: Composer, definition: AnyDefinition): string {
  const owner = ownerExpression(composer, definition, { alias: 't', placement: '@placement' });
  const where = allOf([composer.dialect.placed('t', '@placement'), 't."id" = @id']);
  return `SELECT ${owner} AS owner FROM ${quoted(definition.name)} t WHERE ${where}`;
}

/** Using a record requires the right named `use` if the resource has one, or else `edit`. */
function needExpression(composer: Composer, target: AnyDefinition, need: Reference['need']): string {
  if (need === 'exists') return '1';
  const right = need === 'use' && target.access.rights.use ? 'use' : 'edit';
  return rightExpression(composer, {
    resource: target.name,
    right,
    alias: 't',
    user: '@user',
    placement: '@placement',
  });
}

interface Circumstances {
  readonly change: Change;
  /** Undefined: nobody can tell yet, as something is wrong with what decides it. */
  readonly owner: string | null | undefined;
  readonly definitions: Definitions;
}

function judge(
  { reference, target, ring }: FoundTarget,
  { change, owner, definitions }: Circumstances,
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
  if ((reference.place || reference.inside) && owner !== undefined && target.owner !== owner) {
    return { code: 'conflict', message: `this ${to} has another owner` };
  }
  if (target.held === 1) return { code: 'conflict', message: `it goes with the ${to} that it was made with` };
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

/** If no reference that determines the owner was sent, a new record belongs to the caller; undefined where it was refused. */
function ownerByDefault(
  definitions: Definitions,
  definition: AnyDefinition,
  change: Change,
): string | null | undefined {
  const place = definition.references.find((reference) => reference.place);
  if (change.failures.some(({ field }) => field === place?.column)) return undefined;
  return place && definitionOf(definitions, place.to).principal ? change.caller.user : null;
}
