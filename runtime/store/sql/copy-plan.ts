// Decides which records are copied with a record, and plans the rows of the copy from the loaded ones. Pure.
import type { Behaviour } from '../../contract/behaviour.js';
import type { AnyDefinition, Reference, Row, Scalar } from '../../contract/definition.js';
import { ServiceError } from '../../contract/errors.js';
import { type Ids, placementOf } from '../../contract/ids.js';
import { isPartOfTarget } from '../../schema/part-of-target.js';
import type { Action } from '../records.js';
import type { Definitions } from './access.js';
import { incomingReferences } from './referring.js';
import { planWrite, type WritePlan } from './write-plan.js';

/** The most records of one copy: about 25 ms on SQLite, where all other requests wait meanwhile. */
const COPIED_RECORDS = 1000;

/** A resource whose records are copied with those of another, to which their column `by` refers. */
export interface CopiedPart {
  readonly definition: AnyDefinition;
  readonly of: string;
  readonly by: string;
}

/** The resources copied with a record (D55), parents first. */
export function copiedParts(definitions: Definitions, root: AnyDefinition): readonly CopiedPart[] {
  return incomingReferences(definitions, root).flatMap(({ child, reference }) => {
    if (!isPart(child, reference)) return [];
    return [{ definition: child, of: root.name, by: reference.column }, ...copiedParts(definitions, child)];
  });
}

function isPart(definition: AnyDefinition, { place, onDelete, need }: Reference): boolean {
  const { operations, upload, servedBy } = definition;
  const of = { create: operations.create, storesUploads: upload !== null, isServed: servedBy !== null };
  return isPartOfTarget({ place: place === true, onDelete, need, ...of });
}

/** A stored record that is copied. */
export interface Original {
  readonly definition: AnyDefinition;
  readonly row: Row;
}

/** How many more records may be read: one more than may be copied. Throws conflict once that one has been read. */
export function copiesLeft(originals: readonly Original[]): number {
  if (originals.length <= COPIED_RECORDS) return COPIED_RECORDS + 1 - originals.length;
  const most = COPIED_RECORDS.toLocaleString('en');
  const name = originals[0]?.definition.name;
  throw new ServiceError(
    'conflict',
    `A copy may have at most ${most} records: this ${name} and what belongs to it are more than that.`,
  );
}

export interface PlannedCopy {
  readonly action: Action;
  behaviourOf(definition: AnyDefinition): Behaviour;
  readonly ids: Ids;
  random(): string;
}

/** A write of a copy: a new row, or afterwards the references that could not be stored with it. */
export interface CopyWrite {
  readonly definition: AnyDefinition;
  readonly plan: WritePlan;
}

export interface CopyPlan {
  /** The id of the copy of the first original. */
  readonly id: string;
  /** Ordered so that the targets of a row are stored before it. */
  readonly writes: readonly CopyWrite[];
}

/** @param originals the record to copy, then the records copied with it, those of each resource in the order of the ids */
export function planCopy(originals: readonly Original[], planning: PlannedCopy): CopyPlan {
  const { action, ids } = planning;
  const placement = placementOf(String(originals[0]?.row.id));
  const newIds = new Map(originals.map((original) => [keyOf(original), ids.next(placement, action.now)]));
  const definitions = new Set(originals.map(({ definition }) => definition));
  const kept = new Map([...definitions].map((definition) => [definition, keptColumns(definition)]));
  const writes = originals.map((original, at): CopyWrite => {
    const { definition, row } = original;
    const columns = kept.get(definition) ?? NO_COLUMNS;
    const copy = { ...copyOf(original, { columns, newIds, planning }), ...(at === 0 ? named(original, action) : {}) };
    const around = { definition, behaviour: planning.behaviourOf(definition), now: action.now, original: row };
    return { definition, plan: planWrite(null, copy, around) };
  });
  return { id: newIds.values().next().value ?? '', writes: inOrder(writes) };
}

const NO_COLUMNS: ReadonlySet<string> = new Set();

function keyOf({ definition, row }: Original): string {
  return keyIn(definition.name, row.id);
}

function keyIn(resource: string, id: Scalar | undefined): string {
  return `${resource} ${id}`;
}

interface CopyingRow {
  /** The columns whose values the copy takes from the original. */
  readonly columns: ReadonlySet<string>;
  /** By the keys of the originals. */
  readonly newIds: ReadonlyMap<string, string>;
  readonly planning: PlannedCopy;
}

/** The values of any new record, except for the columns that the copy takes from the original. */
function copyOf(original: Original, { columns, newIds, planning }: CopyingRow): Row {
  const { definition, row } = original;
  const { action, random } = planning;
  const id = newIds.get(keyOf(original)) ?? '';
  // The creator of the original is among the references that the copy keeps.
  const context = { id, now: action.now, user: action.caller.user ?? '', upload: null, token: null, random };
  const copy: Record<string, Scalar> = definition.handlers.create({}, context);
  for (const column of Object.keys(definition.columns)) {
    // A column that a request must send has no default: it is copied in any case.
    if (columns.has(column) || copy[column] === undefined) copy[column] = row[column] ?? null;
  }
  for (const { to, column } of definition.references) {
    const other = newIds.get(keyIn(to, row[column]));
    if (other !== undefined && columns.has(column)) copy[column] = other;
  }
  return copy;
}

/** The columns that callers may send, unless an action sets them, and every reference that they cannot send. */
function keptColumns({ columns, parameters, references, actions }: AnyDefinition): ReadonlySet<string> {
  const set = new Set(Object.values(actions).flatMap(({ sets = {} }) => Object.keys(sets)));
  const referring = new Set(references.map(({ column }) => column));
  const isKept = (column: string): boolean => {
    const parameter = parameters[column];
    return parameter === undefined ? referring.has(column) : parameter.set !== 'admin' && !set.has(column);
  };
  return new Set(Object.keys(columns).filter(isKept));
}

/** The name of the copy, if the action says which column holds it. */
function named({ definition, row }: Original, { name, input }: Action): Row {
  const { copies } = definition.actions[name] ?? {};
  if (copies === undefined) return {};
  const { column, max } = copies;
  const sent = input[column];
  return { [column]: typeof sent === 'string' ? sent : nameOfCopy(row[column] ?? null, max) };
}

const SUFFIX = ' (Copy)';

function nameOfCopy(name: Scalar, max: number): Scalar {
  if (typeof name !== 'string') return name;
  const beginning = [...name].slice(0, Math.max(0, max - SUFFIX.length));
  return [...beginning, ...SUFFIX].slice(0, max).join('');
}

/** The targets of required references come before the rows that refer to them; other references to later rows come last. */
function inOrder(copies: readonly CopyWrite[]): readonly CopyWrite[] {
  const byKey = new Map(copies.map((copy) => [keyIn(copy.definition.name, copy.plan.row.id), copy]));
  const [begun, stored] = [new Set<CopyWrite>(), new Set<CopyWrite>()];
  const later: CopyWrite[] = [];
  const ordered: CopyWrite[] = [];
  const store = (copy: CopyWrite): void => {
    if (begun.has(copy)) return;
    begun.add(copy);
    const { definition, plan } = copy;
    const targets = definition.references.flatMap((reference) => {
      const target = byKey.get(keyIn(reference.to, plan.row[reference.column]));
      return target === undefined || target === copy ? [] : [{ reference, target }];
    });
    for (const { reference, target } of targets) if (isNeeded(reference)) store(target);
    const waiting = targets.filter(({ reference, target }) => !isNeeded(reference) && !stored.has(target));
    const columns = waiting.map(({ reference }) => reference.column);
    const row = { ...plan.row, ...Object.fromEntries(columns.map((column) => [column, null])) };
    ordered.push({ definition, plan: { ...plan, row } });
    stored.add(copy);
    if (columns.length > 0)
      later.push({ definition, plan: { ...plan, changed: columns, neighbours: [], guard: row, events: [] } });
  };
  for (const copy of copies) store(copy);
  return [...ordered, ...later];
}

function isNeeded({ required, place }: Reference): boolean {
  return required || place === true;
}
