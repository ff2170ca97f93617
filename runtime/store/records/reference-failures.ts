// Checks the references of a change: do their targets exist, may the caller use them, and who owns them (D16, D37)?
// Where foreign keys hold only within a placement, a target with another one is locked, since nothing else prevents its deletion
// before this change is committed.

import { neededRight } from '../../contract/access.js';
import type { AnyDefinition, Reference, Row } from '../../contract/definition.js';
import type { ErrorCode, Failure } from '../../contract/errors.js';
import { idOf } from '../../contract/ids.js';
import { memoize } from '../../contract/memoize.js';
import { quoted } from '../../schema/sql-text.js';
import type { Quota } from '../quota.js';
import type { Change } from '../records.js';
import { type Composer, definitionOf, rightExpression } from '../sql/access.js';
import { allOf } from '../sql/conditions.js';
import { ownerExpression, type PlacingColumn } from '../sql/owner.js';
import { isInside } from '../sql/references.js';
import { createdWithAnySql } from '../sql/required-targets.js';
import { oneRow, rowsOf } from '../sql/rows.js';
import { type Pending, ready, type Unit } from '../unit.js';
import type { Resource } from './resource.js';

/** The statements of one definition, composed at first use. */
export interface ReferenceStatements {
  readonly sentBy: SentReferences;
  target(reference: Reference): string;
  /** Finds the record itself among the ancestors of a target. */
  ring(reference: Reference): string;
  owner(): string;
}

export function referenceStatements(composer: Composer, definition: AnyDefinition): ReferenceStatements {
  const referenceTo = (column: string) => definition.references.find((one) => one.column === column) as Reference;
  const target = memoize((column: string) => {
    const lock = isInside(definition, column) ? '' : composer.dialect.lock('reference');
    return `${targetStatement(composer, definition, referenceTo(column))}${lock}`;
  });
  const ring = memoize((column: string) => ringStatement(composer, definition, column));
  const owner = memoize((_: '') => ownerStatement(composer, definition));
  return {
    sentBy: createSentReferences(definition),
    target: ({ column }) => target(column),
    ring: ({ column }) => ring(column),
    owner: () => owner(''),
  };
}

/** Every failure of the references of a change; unchanged references are not checked again. @param old null on create */
export function* referenceFailures(
  unit: Unit,
  { definition, references, place, quota }: Resource,
  change: Change,
  old: Row | null,
): Pending<readonly Failure[]> {
  const sent = references.sentBy(change, old);
  // A new upload has an owner, and so a quota, even without references.
  if (sent.length === 0 && (definition.upload === null || old !== null)) return [];
  const record = old === null ? null : String(old.id);
  const by: Requester = { user: change.caller.user, record };
  // All statements are sent before the first answer is awaited.
  const owner = record === null ? NO_ROW : unit.row(references.owner(), idOf(record));
  const asked = sent.map((one) => ask(unit, references, one, by));
  const stored = old === null ? undefined : (((yield* owner)?.owner ?? null) as string | null);
  const loaded: LoadedReference[] = [];
  for (const { reference, id, inTree, target, ring } of asked) {
    const row = (yield* target) as unknown as TargetRow | undefined;
    loaded.push({ reference, id, inTree, target: row, ring: (yield* ring) !== undefined });
  }
  return failuresOf(definition, change, { owner: stored, found: loaded, place, quota });
}

interface Requester {
  readonly user: string | null;
  /** The record that refers to the target; null on create. */
  readonly record: string | null;
}

type FirstRow = Pending<Row | undefined>;
const NO_ROW: FirstRow = ready(undefined);

function ask(
  unit: Unit,
  statements: ReferenceStatements,
  { reference, id, inTree }: SentReference,
  { user, record }: Requester,
): SentReference & { readonly target: FirstRow; readonly ring: FirstRow } {
  const one = idOf(id);
  // No object is spread into another, which would take a tenth of a create's time.
  const values = { placement: one.placement, id: one.id, user, record };
  const target = unit.row(statements.target(reference), values);
  const ring = inTree ? unit.row(statements.ring(reference), values) : NO_ROW;
  return { reference, id, inTree, target, ring };
}

/** Whether `@record` is `@id` or one of its ancestors along a reference to its own resource. */
function ringStatement({ dialect }: Composer, definition: AnyDefinition, column: string): string {
  const parent = quoted(column);
  const placement = isInside(definition, column) ? '@placement' : dialect.placementOf('up.id');
  const above = allOf([dialect.placed('t', placement), 't."id" = up.id']);
  return (
    `WITH RECURSIVE up (id) AS (SELECT ${dialect.text('@id')} UNION SELECT t.${parent} FROM ${rowsOf(definition)} ` +
    `JOIN up ON ${above} WHERE t.${parent} IS NOT NULL) SELECT 1 AS "one" FROM up WHERE id = @record`
  );
}

/** The values that are read from a target. */
export interface TargetRow {
  /** 1: the caller holds the right that the reference needs. */
  readonly may: number | null;
  /** 0: the record is hidden from the caller, who must not learn whether it exists. */
  readonly seen: number | null;
  readonly owner: string | null;
  readonly type: string | null;
  /** 1: the record was made with another record of the target's resource (D40). */
  readonly held: number | null;
}

/** A reference that must be checked. */
export interface SentReference {
  readonly reference: Reference;
  /** The id of the target. */
  readonly id: string;
  /** True: the reference forms a tree, in which the target must not be below the record. */
  readonly inTree: boolean;
}

export interface LoadedReference extends SentReference {
  /** Undefined: there is no such record. */
  readonly target: TargetRow | undefined;
  /** True: with this target, the record would be inside itself. */
  readonly ring: boolean;
}

/**
 * The references that a change sends, without those that are empty, have already failed, or stay the same; the reference that
 * decides the owner comes first.
 * @param row the stored row; null on create
 */
export type SentReferences = (change: Change, row: Row | null) => readonly SentReference[];

function createSentReferences({ name, references }: AnyDefinition): SentReferences {
  const ordered = [...references].sort((a, b) => Number(b.place ?? false) - Number(a.place ?? false));
  return (change, row) => {
    const sent: SentReference[] = [];
    for (const reference of ordered) {
      const { column, to } = reference;
      const id = change.input[column];
      if (typeof id !== 'string' || id === '' || row?.[column] === id) continue;
      if (change.failures.some(({ field }) => field === column)) continue;
      sent.push({ reference, id, inTree: row !== null && to === name });
    }
    return sent;
  };
}

/** The values that have been read, and the quota of the owner's files. */
export interface Read {
  /** The owner of the stored row; undefined on create, when the reference that places the record decides it. */
  readonly owner: string | null | undefined;
  readonly found: readonly LoadedReference[];
  readonly place: PlacingColumn | null;
  readonly quota: Pick<Quota, 'failure'> | undefined;
}

function failuresOf(
  definition: AnyDefinition,
  change: Change,
  { owner: stored, found, place, quota }: Read,
): Failure[] {
  const failures: Failure[] = [];
  let owner = stored === undefined ? ownerByDefault(place, change) : stored;
  for (const one of found) {
    const { reference, target } = one;
    const decides = stored === undefined && reference.place === true;
    if (decides) owner = target?.owner ?? null;
    const problem = problemOf(one, change, owner);
    if (problem) failures.push({ field: reference.column, ...problem });
    if (problem && decides) owner = undefined;
  }
  const full = stored === undefined && definition.upload !== null && quota?.failure(definition.upload.part, owner);
  return full ? [...failures, full] : failures;
}

/** The statement that reads a TargetRow; binds id, placement, user, and record, which refers to the target; null on create. */
function targetStatement(composer: Composer, definition: AnyDefinition, reference: Reference): string {
  const { dialect } = composer;
  const target = definitionOf(composer.definitions, reference.to);
  const owned = reference.place || reference.inside;
  // By convention, the media type of an upload is in the column file_type.
  const type = reference.accepts ? 't."file_type"' : 'NULL';
  const owner = owned ? ownerExpression(composer, target, { alias: 't', placement: '@placement' }) : 'NULL';
  const may = dialect.flag(needExpression(composer, target, reference.need));
  const seen = target.access.hidden ? dialect.flag(targetRight(composer, target, 'read')) : '1';
  const held = dialect.flag(dialect.where(createdWithAnySql(composer, target, definition, reference.column)));
  return (
    `SELECT ${may} AS may, ${seen} AS seen, ${owner} AS owner, ${type} AS type, ${held} AS held ` +
    `FROM ${rowsOf(target)} WHERE ${oneRow(dialect)}`
  );
}

/** The statement that reads the owner of a stored row; binds id and placement. */
export function ownerStatement(composer: Composer, definition: AnyDefinition): string {
  const owner = ownerExpression(composer, definition, { alias: 't', placement: '@placement' });
  return `SELECT ${owner} AS owner FROM ${rowsOf(definition)} WHERE ${oneRow(composer.dialect)}`;
}

function needExpression(composer: Composer, target: AnyDefinition, need: string): string {
  const right = neededRight(need, target.access);
  return right === null ? '1' : targetRight(composer, target, right);
}

function targetRight(composer: Composer, { name: resource }: AnyDefinition, right: string): string {
  return rightExpression(composer, { resource, right, alias: 't', user: '@user', placement: '@placement' });
}

/** @param owner undefined: unknown, because the reference that decides it is wrong */
function problemOf(
  { reference, target, ring }: LoadedReference,
  change: Change,
  owner: string | null | undefined,
): { code: ErrorCode; message: string } | null {
  const { column, to, accepts } = reference;
  const missing = { code: 'reference_not_found', message: `${column} is not the id of any ${to}.` } as const;
  if (!target) return missing;
  if (!change.caller.admin && target.may !== 1) {
    if (target.seen !== 1) return missing;
    return { code: 'forbidden', message: `you may not ${reference.need} this ${to}` };
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

/** The owner of a new record without a reference that decides it: the caller; undefined if the reference was refused. */
function ownerByDefault(place: PlacingColumn | null, change: Change): string | null | undefined {
  if (change.failures.some(({ field }) => field === place?.column)) return undefined;
  return place?.isOfUser ? change.caller.user : null;
}
