// Create, update and remove as synchronous steps over one definition; each runs inside a savepoint of the group commit.
import type Database from 'better-sqlite3';
import type { ActionFunction, Behaviour, Consequence, Publish } from '../../behaviour.js';
import type { AnyDefinition, Lifecycle, Row, WriteContext } from '../../definition.js';
import { type Failure, failed, ServiceError } from '../../errors.js';
import { type Ids, placementOf, type Random } from '../../ids.js';
import type { Action, Caller, Change, Created } from '../records.js';
import { type Definitions, definitionOf } from './access.js';
import { constraintError, isForeignKey } from './engine-error.js';
import { placeReference } from './owner.js';
import type { RecordStatements } from './record-statements.js';
import { createReferenceChecks } from './reference-checks.js';
import { refusal } from './refusal.js';
import { createRemoval } from './removal.js';

/** What the writes of every definition share. */
export interface StoreContext {
  readonly db: Database.Database;
  readonly definitions: Definitions;
  readonly ids: Ids;
  readonly random: Random;
  readonly publish: Publish;
}

export interface Writes {
  create(change: Change): Created;
  update(id: string, change: Change): string;
  remove(id: string, caller: Caller, now: number): void;
  act(id: string, action: Action): string;
}

/** What was written by hand for one definition. */
export interface Handwritten {
  readonly behaviour: Behaviour;
  readonly actions: Readonly<Record<string, ActionFunction>>;
}

/** The writes of one definition. They throw ServiceError, and leave undoing to the savepoint they run in. */
export function createWrites(
  context: StoreContext,
  definition: AnyDefinition,
  records: RecordStatements,
  { behaviour, actions }: Handwritten,
): Writes {
  const { db, definitions } = context;
  const referenceFailures = createReferenceChecks(db, definitions, definition);
  const removal = createRemoval(db, definitions, definition);
  const step = createSteps(behaviour);
  /** Stores what the lifecycle functions make of `made`; `old` is null for a new row. */
  const write = (old: Row | null, made: Row, now: number) => {
    const [first, last] = old ? (['beforeUpdate', 'afterUpdate'] as const) : (['beforeCreate', 'afterCreate'] as const);
    const before = step(first, old, made, now);
    const row = { ...made, ...before.changes } as Row;
    stored(definition, () => (old ? records.update(row) : records.insert(row)));
    publishAll(context, [before, step(last, old, row, now)], now);
  };

  return {
    create(change) {
      refuse([...change.failures, ...adminOnly(definition, change), ...referenceFailures(change, null)]);
      const { ids } = context;
      const id = ids.next(placement(context, definition, change), change.now);
      write(null, definition.handlers.create(change.input, writeContext(context, change, id)), change.now);
      const { caller } = change;
      return { id, text: shown(records.text(caller.admin ? 'adminCreator' : 'creator', id, caller.user)) };
    },
    update(id, change) {
      const old = editable(definition, records, id, change.caller);
      refuse([...change.failures, ...adminOnly(definition, change), ...referenceFailures(change, old)]);
      write(old, definition.handlers.update(old, change.input, writeContext(context, change, id)), change.now);
      const { caller } = change;
      return shown(records.text(caller.admin ? 'admin' : 'editor', id, caller.user));
    },
    remove(id, caller, now) {
      const old = editable(definition, records, id, caller);
      const before = step('beforeDelete', old, null, now);
      removal.refuseWhileReferred(id);
      removal.clearReferences(id);
      deleted(definition, () => records.delete(id));
      const after = step('afterDelete', old, null, now);
      publishAll(context, [before, after], now);
    },
    act(id, { name, caller, input, failures, now }) {
      const perform = Object.hasOwn(actions, name) ? actions[name] : undefined;
      const declared = definition.actions[name];
      if (perform === undefined || declared === undefined) throw noSuchAction(definition);
      const old = permitted(definition, records, { id, right: declared.by, caller });
      // Not before: who may not do it is not told what is wrong with the parameters.
      refuse(failures);
      const consequence = perform(old, input, now) ?? {};
      const { changes } = consequence;
      if (changes) stored(definition, () => records.update({ ...old, ...changes, date_updated: now } as Row));
      publishAll(context, [consequence], now);
      const found = records.get(id, caller);
      if (!found.found) throw refusal(definition, found.code);
      return found.text;
    },
  };
}

function noSuchAction({ title }: AnyDefinition): ServiceError {
  return new ServiceError('not_found', `${title} has no such action.`);
}

function refuse(failures: readonly Failure[]): void {
  const [first, ...rest] = failures;
  if (first) throw failed([first, ...rest]);
}

function adminOnly(definition: AnyDefinition, { caller, input, failures }: Change): Failure[] {
  if (caller.admin) return [];
  return Object.entries(definition.parameters)
    .filter(([name, { set }]) => set === 'admin' && input[name] !== undefined)
    .filter(([name]) => !failures.some(({ field }) => field === name))
    .map(([field]) => ({ field, code: 'forbidden', message: `only an administrator may set ${field}` }));
}

/** A new record's placement: that of the record it is placed by, of the caller, or a fresh one for a new owner. */
function placement(context: StoreContext, definition: AnyDefinition, { input, caller }: Change): string {
  const place = placeReference(definition);
  if (!place) return context.ids.draw();
  const sent = input[place.column];
  if (typeof sent === 'string' && sent !== '') return placementOf(sent);
  const own = definitionOf(context.definitions, place.to).principal ? caller.user : null;
  return own === null ? context.ids.draw() : placementOf(own);
}

function writeContext(context: StoreContext, change: Change, id: string): WriteContext {
  return {
    id,
    now: change.now,
    user: change.caller.user,
    upload: change.upload,
    random: () => Buffer.from(context.random(16)).toString('base64url'),
  };
}

type Step = (name: Lifecycle, old: Row | null, row: Row | null, now: number) => Consequence;

function createSteps(behaviour: Behaviour): Step {
  return (name, old, row, now) => behaviour[name]?.(old, row, now) ?? {};
}

function publishAll({ publish }: StoreContext, consequences: readonly Consequence[], now: number): void {
  const events = consequences.flatMap((consequence) => consequence.events ?? []);
  if (events.length > 0) publish(events, now);
}

/** The row to change; throws not_found, or what the caller is told who may not edit it. */
function editable(definition: AnyDefinition, records: RecordStatements, id: string, caller: Caller): Row {
  return permitted(definition, records, { id, right: 'edit', caller });
}

interface Asking {
  readonly id: string;
  readonly right: string;
  readonly caller: Caller;
}

/** The row; throws not_found, or what the caller is told who does not hold the right. */
function permitted(definition: AnyDefinition, records: RecordStatements, { id, right, caller }: Asking): Row {
  const row = records.row(id);
  if (!row) throw refusal(definition, 'not_found');
  const permission = records.permission(right, id, caller);
  if (!permission.allowed) throw refusal(definition, permission.code);
  return row;
}

function stored(definition: AnyDefinition, write: () => void): void {
  try {
    write();
  } catch (error) {
    throw constraintError(error, definition);
  }
}

function deleted(definition: AnyDefinition, write: () => void): void {
  try {
    write();
  } catch (error) {
    if (!isForeignKey(error)) throw error;
    throw new ServiceError('conflict', `something that would be deleted with this ${definition.name} is still in use`);
  }
}

function shown(text: string | null | undefined): string {
  if (typeof text !== 'string') throw new Error('a record is gone within the write that made it');
  return text;
}
