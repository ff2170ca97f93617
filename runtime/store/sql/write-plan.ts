// Plans a change of a record from what was loaded: what it writes, on what condition, and what it publishes. Pure, so that each
// engine only loads, guards, writes and publishes.

import type { ActionFunction, AnyConsequence, Behaviour, Read } from '../../contract/behaviour.js';
import type { ActionDefinition, AnyDefinition, Row, WriteContext } from '../../contract/definition.js';
import { type Failure, ServiceError, throwAll } from '../../contract/errors.js';
import { type Ids, placementOf, type Random } from '../../contract/ids.js';
import type { HookEvent } from '../../rules/hooks.js';
import { FIRST_VERSION, VERSION } from '../../schema/version.js';
import type { Action, Change } from '../records.js';
import type { PlacingColumn } from './owner.js';

/** The state that was read before the change. */
export interface StoredState {
  /** The stored row, which the caller may edit; null: a new row is created. */
  readonly old: Row | null;
  /** The failures of the references of the change. */
  readonly failures: readonly Failure[];
}

export interface PlannedChange {
  readonly definition: AnyDefinition;
  readonly change: Change;
  /** Id of the record, time, and a source of randomness. */
  readonly context: WriteContext;
  /** The columns of a new record that refer to the records made with it. */
  readonly targetColumns: Row;
}

export interface WritePlan {
  /** The whole row after the change. */
  readonly row: Row;
  /** The columns to write: all of a new row, or those of a stored row whose values change. */
  readonly changed: readonly string[];
  /** The changes of other records that were read, written before the row itself. */
  readonly neighbours: readonly NeighbourWrite[];
  /** The row that must still be stored when the change is written, or else the change is planned again; null: none. */
  readonly guard: Row | null;
  /** Published in the transaction of the write. */
  readonly events: readonly unknown[];
}

/** The other records that hand-written functions get, by the names under `reads`. */
export type Neighbourhood = ReadonlyMap<string, NeighbourRows>;

export interface NeighbourRows {
  readonly definition: AnyDefinition;
  readonly rows: readonly Row[];
  /** Whether the read is of one record, not of a list. */
  readonly isOne: boolean;
}

export interface NeighbourWrite extends Pick<WritePlan, 'row' | 'changed'> {
  readonly definition: AnyDefinition;
  readonly old: Row;
}

/** The row as the change alone would store it. Throws the failures of the change. */
export function writtenRow(
  { old, failures }: StoredState,
  { definition, change, context, targetColumns }: PlannedChange,
): Row {
  throwAll([
    ...change.failures,
    ...(definition.removed === undefined ? [] : changedToRemoved(definition.removed, old, change)),
    ...failures,
  ]);
  const { handlers } = definition;
  return old
    ? handlers.update(old, change.input, context)
    : { ...handlers.create(change.input, context), ...targetColumns };
}

export interface PlanContext {
  readonly definition: AnyDefinition;
  readonly behaviour: Behaviour;
  readonly now: number;
  /** Undefined: the functions read no other records. */
  readonly read?: Neighbourhood | undefined;
  /** The row of which a new row is a copy: it may hold names that can no longer be chosen. */
  readonly original?: Row;
}

/** Plans a create or an update of the written row, with the changes of its lifecycle functions. */
export function planWrite(old: Row | null, written: Row, around: PlanContext): WritePlan {
  const { definition, behaviour, now, original, read } = around;
  const neighbourhood = read && givenTo(read);
  const [first, last] = old ? (['beforeUpdate', 'afterUpdate'] as const) : (['beforeCreate', 'afterCreate'] as const);
  const before = behaviour[first]?.(old, written, now, neighbourhood);
  const row = dated({ ...written, ...before?.changes } as Row);
  const after = behaviour[last]?.(old, row, now, neighbourhood);
  if (before !== undefined) checkChoices(definition, old ?? original ?? null, row);
  const events = [...eventsOf(before, after), ...(definition.principal ? accountEvents(old, row) : [])];
  const neighbours = read === undefined ? [] : neighbourWrites(read, now, before, after);
  return { row, changed: changedColumns(old, row), neighbours, guard: old, events };
}

function givenTo(read: Neighbourhood): Read {
  return Object.fromEntries([...read].map(([name, { rows, isOne }]) => [name, isOne ? (rows[0] ?? null) : rows]));
}

/** A record that is changed more than once, or was read under two names, is written once. */
function neighbourWrites(
  read: Neighbourhood,
  now: number,
  ...consequences: readonly (AnyConsequence | undefined)[]
): readonly NeighbourWrite[] {
  const writes = new Map<string, NeighbourWrite>();
  for (const [name, changes = []] of consequences.flatMap((one) => Object.entries(one?.neighbours ?? {}))) {
    const { definition, rows = [] } = read.get(name) ?? {};
    for (const { id, changes: set } of changes) {
      const old = rows.find((row) => row.id === id);
      if (definition === undefined || old === undefined) throw new Error(`"${name}" has no record ${id} to change`);
      const key = `${definition.name} ${id}`;
      const row = dated({ ...(writes.get(key)?.row ?? old), ...set, date_updated: now } as Row);
      checkChoices(definition, old, row);
      writes.set(key, { definition, old, row, changed: changedColumns(old, row) });
    }
  }
  return [...writes.values()];
}

/** A clock that has gone back does not make a record older than itself (N09). */
function dated(row: Row): Row {
  const { date_created: created, date_updated: updated } = row;
  return typeof created === 'number' && typeof updated === 'number' && updated < created
    ? { ...row, date_updated: created }
    : row;
}

/** The engine ends the sessions of a user who is disabled, and the outbox pauses their hooks (D49). */
function accountEvents(old: Row | null, row: Row): readonly HookEvent[] {
  if (old === null || row.disabled === undefined || old.disabled === row.disabled) return [];
  return [{ kind: 'account', id: String(row.id), disabled: row.disabled === 1 }];
}

/** An action, with the hand-written function that performs it, unless the definition says what it sets. */
export interface PlannedAction {
  readonly definition: AnyDefinition;
  readonly behaviour: Behaviour;
  readonly perform: ActionFunction | undefined;
  readonly action: Action;
  readonly read?: Neighbourhood | undefined;
}

/** A removed value may only be sent if it is the stored value. */
function changedToRemoved(
  removed: Required<AnyDefinition>['removed'],
  old: Row | null,
  { input }: Change,
): readonly Failure[] {
  return Object.entries(removed).flatMap(([field, values]): readonly Failure[] => {
    const sent = input[field];
    if (typeof sent !== 'string' || !values.includes(sent) || old?.[field] === sent) return [];
    return [{ field, code: 'invalid', message: `${field} can no longer be ${sent}.` }];
  });
}

/** Hand-written functions may only write current values of a choice, of which the database checks only the form (D45). */
function checkChoices({ name, options, columns }: AnyDefinition, old: Row | null, row: Row): void {
  for (const [column, { values = options[column] }] of Object.entries(columns)) {
    const value = row[column];
    if (values === undefined || typeof value !== 'string' || value === old?.[column] || values.includes(value))
      continue;
    throw new Error(`${name}.${column} cannot be ${value}`);
  }
}

/** Plans what an action writes, with a new date_updated, and publishes. */
export function planAction(old: Row, { definition, behaviour, perform, action, read }: PlannedAction): WritePlan {
  const { name, input, now } = action;
  const { sets, renews } = definition.actions[name] ?? {};
  const set = renews === undefined ? sets : { [renews]: action.token ?? null };
  if (set !== undefined) return planSetting(old, { ...old, ...set }, { definition, behaviour, now, read });
  const consequence = perform?.(old, input, now, read && givenTo(read));
  const { changes } = consequence ?? {};
  const row = changes ? dated({ ...old, ...changes, date_updated: now } as Row) : old;
  checkChoices(definition, old, row);
  const neighbours = read === undefined ? [] : neighbourWrites(read, now, consequence);
  return { row, changed: changedColumns(old, row), neighbours, guard: old, events: eventsOf(consequence) };
}

/** Like an update; a row that already has the values stays as it is, and nothing is published. */
function planSetting(old: Row, set: Row, around: PlanContext): WritePlan {
  if (changedColumns(old, set).length === 0) return { row: old, changed: [], neighbours: [], guard: old, events: [] };
  return planWrite(old, { ...set, date_updated: around.now }, around);
}

/** The events of the functions that ran before and after a change. */
export function eventsOf(before?: AnyConsequence, after?: AnyConsequence): readonly unknown[] {
  return [...(before?.events ?? []), ...(after?.events ?? [])];
}

/** The version of a record's row (D57). */
export function versionOf(row: Row): number {
  return Number(row[VERSION]);
}

/** The version once the plan is carried out. */
export function versionAfter({ guard: old, changed }: WritePlan): number {
  if (old === null) return FIRST_VERSION;
  return versionOf(old) + (changed.length > 0 ? 1 : 0);
}

function changedColumns(old: Row | null, row: Row): readonly string[] {
  if (old === null) return Object.keys(row);
  const changed: string[] = [];
  for (const column of Object.keys(row)) if (row[column] !== old[column]) changed.push(column);
  return changed;
}

/** The sources of new ids and secrets. */
export interface Sources {
  readonly ids: Ids;
  readonly newSecret: WriteContext['random'];
}

/** The id of a new record: the chosen id, or one placed with the record it belongs to, with the caller, or for a new owner. */
export function newId(ids: Ids, place: PlacingColumn | null, change: Change): string {
  if (change.id !== undefined) return change.id;
  const sent = place && change.input[place.column];
  const byDefault = place?.isOfUser ? change.caller.user : null;
  const owner = typeof sent === 'string' && sent !== '' ? sent : byDefault;
  return ids.next(owner === null ? ids.draw() : placementOf(owner), change.now);
}

export function writeContext(sources: Sources, change: Change, id: string): WriteContext {
  return {
    id,
    now: change.now,
    user: change.caller.user,
    upload: change.upload,
    token: change.token ?? null,
    random: sources.newSecret,
  };
}

export function secretGenerator(random: Random): WriteContext['random'] {
  return () => Buffer.from(random(16)).toString('base64url');
}

/** A declared action and its function, if it is written by hand; throws not_found if there is no such action. */
export function findAction(
  { title, actions }: AnyDefinition,
  functions: Readonly<Record<string, ActionFunction>>,
  name: string,
): { readonly declared: ActionDefinition; readonly perform: ActionFunction | undefined } {
  const perform = Object.hasOwn(functions, name) ? functions[name] : undefined;
  const declared = Object.hasOwn(actions, name) ? actions[name] : undefined;
  const isByHand = [declared?.sets, declared?.copies, declared?.renews].every((does) => does === undefined);
  if (declared === undefined || (perform === undefined && isByHand)) {
    throw new ServiceError('not_found', `${title} has no such action.`);
  }
  return { declared, perform };
}

/** The error if a record that must stay refers to a record that would also be deleted. */
export function stillInUse({ name }: AnyDefinition): ServiceError {
  return new ServiceError('conflict', `something that would be deleted with this ${name} is still in use`);
}

/** The text of a record that the transaction has just written. */
export function requireText(text: string | null | undefined): string {
  if (typeof text !== 'string') throw new Error('a record disappeared within the write that created it');
  return text;
}

/** How many sets of columns of one definition get their own statement; beyond that, all columns are written. */
const SETS = 64;

/** Columns that never change. */
const FIXED: readonly string[] = ['id', 'date_created'];

/** Returns a function from the columns whose values change to the columns to write, in the order of the table. */
export function createChangedColumns({ columns }: AnyDefinition): (changed: readonly string[]) => readonly string[] {
  const all = Object.keys(columns).filter((name) => !FIXED.includes(name));
  const known = new Set<string>();
  return (changed) => {
    const writing: string[] = [];
    for (const name of all) if (changed.includes(name)) writing.push(name);
    if (writing.length === 0) return writing;
    const key = writing.join(' ');
    if (!known.has(key) && known.size >= SETS) return all;
    known.add(key);
    return writing;
  };
}
