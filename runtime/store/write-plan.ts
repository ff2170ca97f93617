// Decides what a change of a record writes, on what condition, and what it publishes, from what was loaded, without I/O, so
// that each engine only loads, guards, writes and publishes.
import type { ActionFunction, Behaviour, Consequence } from '../behaviour.js';
import type { AnyDefinition, Row, WriteContext } from '../definition.js';
import { type Failure, throwAll } from '../errors.js';
import type { HookEvent } from '../webhooks/rules/hooks.js';
import type { Action, Change } from './records.js';

/** What was read beforehand. */
export interface Loaded {
  /** The stored row, which the caller may edit; null: a new one is created. */
  readonly old: Row | null;
  /** What is wrong with the references of the change. */
  readonly failures: readonly Failure[];
}

export interface PlannedChange {
  readonly definition: AnyDefinition;
  readonly behaviour: Behaviour;
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
  /** The row that must still be stored when the change is written, or else everything is decided again; null: none. */
  readonly guard: Row | null;
  /** Published in the transaction of the write. */
  readonly events: readonly unknown[];
}

/** Throws the failures of the change, or what a lifecycle function refuses it with. */
export function planWrite(
  { old, failures }: Loaded,
  { definition, behaviour, change, context, made }: PlannedChange,
): WritePlan {
  throwAll([
    ...change.failures,
    ...adminOnly(definition, change),
    ...changedToRemoved(definition, old, change),
    ...failures,
  ]);
  const { handlers } = definition;
  const written = old
    ? handlers.update(old, change.input, context)
    : { ...handlers.create(change.input, context), ...made };
  return planned(old, written, { definition, behaviour, now: change.now });
}

export interface Surroundings {
  readonly definition: AnyDefinition;
  readonly behaviour: Behaviour;
  readonly now: number;
  /** The row of which a new one is a copy: it may hold names that nobody can choose any more. */
  readonly original?: Row;
}

/** What the lifecycle functions around a create or an update make of the written row. */
export function planned(old: Row | null, written: Row, around: Surroundings): WritePlan {
  const { definition, behaviour, now, original } = around;
  const [first, last] = old ? (['beforeUpdate', 'afterUpdate'] as const) : (['beforeCreate', 'afterCreate'] as const);
  const before = behaviour[first]?.(old, written, now);
  const row = dated({ ...written, ...before?.changes } as Row);
  const after = behaviour[last]?.(old, row, now);
  judgeChoices(definition, old ?? original ?? null, row);
  const events = [...eventsOf(before, after), ...accountEvents(definition, old, row)];
  return { row, changed: changedColumns(old, row), guard: old, events };
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
export function planAction(old: Row, { definition, behaviour, perform, action }: PlannedAction): WritePlan {
  const { name, input, now } = action;
  const sets = definition.actions[name]?.sets;
  if (sets !== undefined) return planSetting(old, { ...old, ...sets }, { definition, behaviour, now });
  const consequence = perform?.(old, input, now);
  const { changes } = consequence ?? {};
  const row = changes ? dated({ ...old, ...changes, date_updated: now } as Row) : old;
  judgeChoices(definition, old, row);
  return { row, changed: changedColumns(old, row), guard: old, events: eventsOf(consequence) };
}

/** Like an update; a row that already has the values stays as it is, and nothing is published. */
function planSetting(old: Row, set: Row, around: Surroundings): WritePlan {
  if (changedColumns(old, set).length === 0) return { row: old, changed: [], guard: old, events: [] };
  return planned(old, { ...set, date_updated: around.now }, around);
}

export function eventsOf(...consequences: readonly (Consequence | undefined)[]): readonly unknown[] {
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
