// Decides what a change of a record writes, on what condition, and what it publishes, from what was loaded, without I/O, so
// that each engine only loads, guards, writes and publishes.

import type { ActionFunction, AnyConsequence, Behaviour, Read } from '../../contract/behaviour.js';
import type { ActionDefinition, AnyDefinition, Row, WriteContext } from '../../contract/definition.js';
import { type Failure, ServiceError, throwAll } from '../../contract/errors.js';
import { type Ids, placementOf, type Random } from '../../contract/ids.js';
import type { HookEvent } from '../../rules/hooks.js';
import type { Action, Change } from '../records.js';
import { type Composer, definitionOf } from './access.js';
import { placeReference } from './owner.js';

/** What was read beforehand. */
export interface StoredState {
  /** The stored row, which the caller may edit; null: a new one is created. */
  readonly old: Row | null;
  /** What is wrong with the references of the change. */
  readonly failures: readonly Failure[];
}

export interface PlannedChange {
  readonly definition: AnyDefinition;
  readonly change: Change;
  /** Id of the record, time, and a source of randomness. */
  readonly context: WriteContext;
  /** The columns of a new record that refer to what is made with it. */
  readonly made: Row;
}

export interface WritePlan {
  /** The whole row after the change. */
  readonly row: Row;
  /** The columns to write: all of a new row, or those of a stored row whose values change. */
  readonly changed: readonly string[];
  /** What changes in records that were read beside it, before its own row does. */
  readonly neighbours: readonly NeighbourWrite[];
  /** The row that must still be stored when the change is written, or else everything is decided again; null: none. */
  readonly guard: Row | null;
  /** Published in the transaction of the write. */
  readonly events: readonly unknown[];
}

/** The records that hand-written functions get beside their own, by the names under `reads`. */
export type Neighbourhood = ReadonlyMap<string, NeighbourRows>;

export interface NeighbourRows {
  readonly definition: AnyDefinition;
  readonly rows: readonly Row[];
  /** Whether it is one record, not a list. */
  readonly isOne: boolean;
}

export interface NeighbourWrite extends Pick<WritePlan, 'row' | 'changed'> {
  readonly definition: AnyDefinition;
  readonly old: Row;
}

/** The row as the change alone would store it. Throws the failures of the change. */
export function writtenRow({ old, failures }: StoredState, { definition, change, context, made }: PlannedChange): Row {
  throwAll([
    ...change.failures,
    ...adminOnly(definition, change),
    ...changedToRemoved(definition, old, change),
    ...failures,
  ]);
  const { handlers } = definition;
  return old ? handlers.update(old, change.input, context) : { ...handlers.create(change.input, context), ...made };
}

export interface Surroundings {
  readonly definition: AnyDefinition;
  readonly behaviour: Behaviour;
  readonly now: number;
  /** Undefined: its functions read nothing. */
  readonly read?: Neighbourhood | undefined;
  /** The row of which a new one is a copy: it may hold names that nobody can choose any more. */
  readonly original?: Row;
}

/** What the lifecycle functions around a create or an update make of the written row. */
export function planned(old: Row | null, written: Row, around: Surroundings): WritePlan {
  const { definition, behaviour, now, original, read } = around;
  const given = read && givenTo(read);
  const [first, last] = old ? (['beforeUpdate', 'afterUpdate'] as const) : (['beforeCreate', 'afterCreate'] as const);
  const before = behaviour[first]?.(old, written, now, given);
  const row = dated({ ...written, ...before?.changes } as Row);
  const after = behaviour[last]?.(old, row, now, given);
  judgeChoices(definition, old ?? original ?? null, row);
  const events = [...eventsOf(before, after), ...accountEvents(definition, old, row)];
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
      judgeChoices(definition, old, row);
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
function accountEvents({ principal }: AnyDefinition, old: Row | null, row: Row): readonly HookEvent[] {
  if (!principal || old === null || row.disabled === undefined || old.disabled === row.disabled) return [];
  return [{ kind: 'account', id: String(row.id), disabled: row.disabled === 1 }];
}

/** What the action of a definition does: a hand-written function, or the columns that it sets. */
export interface PlannedAction {
  readonly definition: AnyDefinition;
  readonly behaviour: Behaviour;
  readonly perform: ActionFunction | undefined;
  readonly action: Action;
  readonly read?: Neighbourhood | undefined;
}

/** A removed value that is sent back must be the one that is stored. */
function changedToRemoved({ removed = {} }: AnyDefinition, old: Row | null, { input }: Change): readonly Failure[] {
  return Object.entries(removed).flatMap(([field, values]): readonly Failure[] => {
    const sent = input[field];
    if (typeof sent !== 'string' || !values.includes(sent) || old?.[field] === sent) return [];
    return [{ field, code: 'invalid', message: `${field} can no longer be ${sent}.` }];
  });
}

/** What hand-written functions write must be a value of today: the database checks only the shape of choices (D45). */
function judgeChoices({ name, options, columns }: AnyDefinition, old: Row | null, row: Row): void {
  for (const [column, { values = options[column] }] of Object.entries(columns)) {
    const value = row[column];
    if (values === undefined || typeof value !== 'string' || value === old?.[column] || values.includes(value))
      continue;
    throw new Error(`${name}.${column} cannot be ${value}`);
  }
}

/** What an action writes and publishes, and the date that moves with it. */
export function planAction(old: Row, { definition, behaviour, perform, action, read }: PlannedAction): WritePlan {
  const { name, input, now } = action;
  const { sets, renews } = definition.actions[name] ?? {};
  const set = renews === undefined ? sets : { [renews]: action.token ?? null };
  if (set !== undefined) return planSetting(old, { ...old, ...set }, { definition, behaviour, now, read });
  const consequence = perform?.(old, input, now, read && givenTo(read));
  const { changes } = consequence ?? {};
  const row = changes ? dated({ ...old, ...changes, date_updated: now } as Row) : old;
  judgeChoices(definition, old, row);
  const neighbours = read === undefined ? [] : neighbourWrites(read, now, consequence);
  return { row, changed: changedColumns(old, row), neighbours, guard: old, events: eventsOf(consequence) };
}

/** Like an update; a row that already has the values stays as it is, and nothing is published. */
function planSetting(old: Row, set: Row, around: Surroundings): WritePlan {
  if (changedColumns(old, set).length === 0) return { row: old, changed: [], neighbours: [], guard: old, events: [] };
  return planned(old, { ...set, date_updated: around.now }, around);
}

export function eventsOf(...consequences: readonly (AnyConsequence | undefined)[]): readonly unknown[] {
  return consequences.flatMap((consequence) => consequence?.events ?? []);
}

function changedColumns(old: Row | null, row: Row): readonly string[] {
  const columns = Object.keys(row);
  return old === null ? columns : columns.filter((column) => row[column] !== old[column]);
}

function adminOnly(definition: AnyDefinition, { caller, input, failures }: Change): readonly Failure[] {
  if (caller.admin) return [];
  return Object.keys(input)
    .filter((name) => definition.parameters[name]?.set === 'admin' && input[name] !== undefined)
    .filter((name) => !failures.some(({ field }) => field === name))
    .map((field) => ({ field, code: 'forbidden', message: `only an administrator may set ${field}` }));
}

/** Where new ids and secrets come from. */
export interface Sources {
  readonly ids: Ids;
  readonly random: Random;
}

/** The id of a new record: the chosen one, or placed with the record it belongs to, with the caller, or drawn for a new owner. */
export function newId(composer: Composer, { ids }: Sources, definition: AnyDefinition, change: Change): string {
  if (change.id !== undefined) return change.id;
  const place = placeReference(definition);
  const sent = place && change.input[place.column];
  const principal = place && definitionOf(composer.definitions, place.to).principal ? change.caller.user : null;
  const owner = typeof sent === 'string' && sent !== '' ? sent : principal;
  return ids.next(owner === null ? ids.draw() : placementOf(owner), change.now);
}

export function writeContext(sources: Sources, change: Change, id: string): WriteContext {
  return {
    id,
    now: change.now,
    user: change.caller.user,
    upload: change.upload,
    token: change.token ?? null,
    random: secretOf(sources),
  };
}

export function secretOf({ random }: Pick<Sources, 'random'>): WriteContext['random'] {
  return () => Buffer.from(random(16)).toString('base64url');
}

/** A declared action and its function, which only those written by hand have; throws not_found if there is none. */
export function actionNamed(
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

/** What is deleted with a record may be held by something that must stay. */
export function stillInUse({ name }: AnyDefinition): ServiceError {
  return new ServiceError('conflict', `something that would be deleted with this ${name} is still in use`);
}

/** The text of a record that the transaction has just written. */
export function shown(text: string | null | undefined): string {
  if (typeof text !== 'string') throw new Error('a record disappeared within the write that created it');
  return text;
}

/** How many sets of one definition have a statement of their own; beyond that, all columns are written. */
const SETS = 64;

/** Columns that never change. */
const FIXED: readonly string[] = ['id', 'date_created'];

/** From the columns whose values change to those that are written, in the order of the table. */
export function createChangedColumns({ columns }: AnyDefinition): (changed: readonly string[]) => readonly string[] {
  const all = Object.keys(columns).filter((name) => !FIXED.includes(name));
  const known = new Set<string>();
  return (changed) => {
    const writing = all.filter((name) => changed.includes(name));
    if (writing.length === 0) return writing;
    const key = writing.join(' ');
    if (!known.has(key) && known.size >= SETS) return all;
    known.add(key);
    return writing;
  };
}
