// Create, update, remove and act over one definition, each in a transaction that locks what it decides on.
import type { ActionFunction, Behaviour } from '../../behaviour.js';
import type { AnyDefinition, Row } from '../../definition.js';
import { type Failure, refusal, ServiceError, throwAll } from '../../errors.js';
import type { Schema } from '../../schema/schema.js';
import { auditOf, type RowChange } from '../audit.js';
import type { Action, Bulk, Caller, Change, Created } from '../records.js';
import { deletesUsers, isDemotion } from '../sql/administrators.js';
import { failuresAt } from '../sql/create-all.js';
import { existingStatement, existingValues } from '../sql/existing.js';
import { type Making, madeWith, makingsOf, NOTHING_MADE } from '../sql/made.js';
import { actionNamed, newId, type Sources, shown, writeContext } from '../sql/write-steps.js';
import { eventsOf, planAction, planWrite, type WritePlan } from '../write-plan.js';
import type { KeepAdministrator } from './administrators.js';
import type { WriteAudit } from './audit.js';
import { type Copied, createCopied } from './copied.js';
import { isTransient } from './engine-error.js';
import type { MadeRecords } from './made-records.js';
import { prepareNamed, type Query, run } from './named.js';
import type { WriteOnce } from './once.js';
import type { RecordStatements } from './record-statements.js';
import type { Reading } from './record-text.js';
import { createReferenceChecks, type ReferenceChecks } from './reference-checks.js';
import type { Remove } from './removal.js';
import { repeated } from './repeated.js';
import { createStore, type Store, type Transaction } from './store-row.js';

/**
 * Publishes the events of a write, within its transaction.
 * @returns what to call once the transaction is committed
 */
export type PublishWithin = (query: Query, events: readonly unknown[], now: number) => Promise<() => void>;

/** What the writes of every definition share. */
export interface StoreContext extends Sources {
  readonly reading: Reading;
  readonly schema: Schema;
  readonly publish: PublishWithin;
  readonly remove: Remove;
  readonly writeAudit: WriteAudit;
  readonly writeOnce: WriteOnce;
  readonly madeRecords: MadeRecords;
  readonly keepAdministrator: KeepAdministrator;
}

export interface Writes {
  create(change: Change): Promise<Created>;
  /** @param parent of the resource of the parent */
  createAll(bulk: Bulk, parent: Writer): Promise<readonly Created[]>;
  update(id: string, change: Change): Promise<string>;
  remove(id: string, caller: Caller, now: number): Promise<void>;
  act(id: string, action: Action): Promise<string>;
}

/** The hand-written functions of one definition. */
export interface Handwritten {
  readonly behaviour: Behaviour;
  readonly actions: Readonly<Record<string, ActionFunction>>;
}

/** The writes of one definition. They reject with ServiceError, and leave nothing then. */
export function createWrites(writer: Writer): Writes {
  return {
    create: (change) => create(writer, change),
    createAll: (bulk, parent) => createAll(writer, bulk, parent),
    update: (id, change) => update(writer, id, change),
    remove: (id, caller, now) => remove(writer, { id, right: 'edit', caller }, now),
    act: (id, action) => act(writer, id, action),
  };
}

export function createWriter(
  context: StoreContext,
  definition: AnyDefinition,
  records: RecordStatements,
  handwritten: Handwritten,
): Writer {
  return {
    ...{ context, definition, records, handwritten },
    referenceFailures: createReferenceChecks(context.reading, definition),
    copied: createCopied(context.reading, definition),
    makings: makingsOf(definition),
    deletesUsers: deletesUsers(context.reading.definitions, definition),
    store: createStore(context, definition, records),
    existing: createFindExisting(context, definition),
  };
}

export interface Writer {
  readonly context: StoreContext;
  readonly definition: AnyDefinition;
  readonly records: RecordStatements;
  readonly handwritten: Handwritten;
  readonly referenceFailures: ReferenceChecks;
  readonly copied: Copied;
  readonly makings: readonly Making[];
  readonly deletesUsers: boolean;
  readonly store: Store;
  readonly existing: FindExisting;
}

/** How often a record may come or go between the look for it and the write. */
const TRIES = 3;

/** Creates a record, or updates the one that it meets. */
async function create(writer: Writer, change: Change, tries = TRIES): Promise<Created> {
  const { context } = writer;
  const made = inTransaction(writer, change, (transaction) => {
    const carryOut = () => createWithin(writer, transaction, change);
    // What can only be refused has no transaction, and leaves no trace.
    return change.failures.length > 0 ? carryOut() : context.writeOnce(transaction.query, change, carryOut);
  });
  return made.catch(again(writer, tries, () => create(writer, change, tries - 1)));
}

async function createAll(writer: Writer, bulk: Bulk, parent: Writer, tries = TRIES): Promise<readonly Created[]> {
  const { id } = bulk.parent;
  const made = inTransaction(writer, NOTHING_WRONG, ({ query }) =>
    writer.context.writeOnce(query, bulk, async () => {
      const permission = await parent.records.permission(query, 'editor', id, bulk.caller);
      if (!permission.allowed) throw refusal(parent.definition, permission.code);
      return createAllWithin(writer, query, bulk.changes);
    }),
  );
  return made.catch(again(writer, tries, () => createAll(writer, bulk, parent, tries - 1)));
}

/** Each is stored before the next, so that a constraint tells which of them it is about. */
async function createAllWithin(
  writer: Writer,
  query: Query,
  changes: readonly Change[],
): Promise<Written<readonly Created[]>> {
  const failures: Failure[] = [];
  const written: Written<Created>[] = [];
  for (const [at, change] of changes.entries()) {
    const sent: Promise<void>[] = [];
    const one = await settled(sent, () => createWithin(writer, { query, hold: query, sent }, change)).catch(
      (error: unknown) => void failures.push(...failuresAt(at, error)),
    );
    if (one) written.push(one);
    // What the database has refused ends the transaction.
    else if (sent.length > 0) break;
  }
  throwAll(failures);
  const committed = () => {
    for (const one of written) one.committed();
  };
  return { result: written.map(({ result }) => result), committed };
}

/** Tries a create once more if a record came or went between the look for it and the write. */
function again<T>({ definition }: Writer, tries: number, once: () => Promise<T>) {
  return (error: unknown): Promise<T> => {
    const isMeanwhile = error instanceof ServiceError && (error.code === 'not_unique' || error.code === 'not_found');
    if (definition.existing === undefined || tries <= 1 || !isMeanwhile) throw error;
    return once();
  };
}

async function createWithin(writer: Writer, transaction: Transaction, change: Change): Promise<Written<Created>> {
  const { context, definition, records, existing } = writer;
  const { caller } = change;
  const found = await existing(transaction.query, change);
  if (found !== null) {
    const { result: text, committed } = await updateWithin(writer, transaction, found, change);
    return { result: { id: found, text, existed: true }, committed };
  }
  const id = newId(context.reading, context, definition, change);
  const { row, committed } = await write(writer, transaction, { old: null, change, id });
  const viewer = caller.admin ? 'adminCreator' : 'creator';
  return { result: { id, text: shown(await records.textOf(transaction.query, viewer, row, caller.user)) }, committed };
}

/** The id of the record that a create updates instead; null: there is none. */
type FindExisting = (query: Query, change: Change) => Promise<string | null>;

function createFindExisting(context: StoreContext, definition: AnyDefinition): FindExisting {
  const { reading } = context;
  const sql = existingStatement(reading, definition);
  if (sql === null) return async () => null;
  const statement = prepareNamed(reading.connections, sql);
  return async (query, change) => {
    if (change.failures.length > 0) return null;
    const [found] = await run(query, statement(existingValues(definition, change, writeContext(context, change, ''))));
    return (found?.id ?? null) as string | null;
  };
}

async function update(writer: Writer, id: string, change: Change): Promise<string> {
  return inTransaction(writer, change, (transaction) => updateWithin(writer, transaction, id, change));
}

async function updateWithin(
  writer: Writer,
  transaction: Transaction,
  id: string,
  change: Change,
): Promise<Written<string>> {
  const { query } = transaction;
  const { caller } = change;
  const old = await permittedRow(writer, query, { id, right: 'edit', caller }, 'change');
  const { row, committed } = await write(writer, transaction, { old, change, id });
  const viewer = caller.admin ? 'admin' : 'editor';
  return { result: shown(await writer.records.textOf(query, viewer, row, caller.user)), committed };
}

async function remove(writer: Writer, request: PermissionRequest, now: number): Promise<void> {
  const { context, definition, handwritten } = writer;
  const { behaviour } = handwritten;
  return inTransaction(writer, NOTHING_WRONG, async ({ query }) => {
    const old = await permittedRow(writer, query, request, 'delete');
    const before = behaviour.beforeDelete?.(old, null, now);
    const removeIt = () => context.remove(query, definition, request.id);
    await (writer.deletesUsers ? context.keepAdministrator(query, removeIt) : removeIt());
    const after = behaviour.afterDelete?.(old, null, now);
    await audit(writer, query, { ...request.caller, action: 'delete', now, old, row: null });
    return { result: undefined, committed: await publishAll(writer, query, eventsOf(before, after), now) };
  });
}

async function act(writer: Writer, id: string, action: Action): Promise<string> {
  const { name, caller, failures, now } = action;
  const { context, definition, records, handwritten } = writer;
  const { declared, perform } = actionNamed(definition, handwritten.actions, name);
  const carryOut = async (transaction: Transaction): Promise<Written<string>> => {
    const { query } = transaction;
    const old = await permittedRow(writer, query, { id, right: declared.by, caller }, 'change');
    // Only now: callers without the right must not learn what is wrong with the parameters.
    throwAll(failures);
    const plan = planAction(old, { definition, behaviour: handwritten.behaviour, perform, action });
    await storePlan(writer, transaction, plan);
    const committed = await publishAll(writer, query, plan.events, now);
    await audit(writer, query, { ...caller, action: name, now, old, row: plan.row });
    const found = await records.get(query, id, caller);
    if (!found.found) throw refusal(definition, found.code);
    return { result: found.text, committed };
  };
  return inTransaction(writer, NOTHING_WRONG, (transaction) =>
    context.writeOnce(transaction.query, action, () => carryOut(transaction)),
  );
}

export interface Written<T> {
  readonly result: T;
  readonly committed: () => void;
}

export const NOTHING_WRONG: Pick<Change, 'failures'> = { failures: [] };

/** A change that has already failed can only be refused, which needs no transaction. */
export async function inTransaction<T>(
  { context }: Writer,
  { failures }: Pick<Change, 'failures'>,
  work: (transaction: Transaction) => Promise<Written<T>>,
): Promise<T> {
  const { connections } = context.reading;
  if (failures.length > 0) return (await work({ query: connections.query, hold: connections.query, sent: [] })).result;
  const attempt = (): Promise<Written<T>> => {
    const sent: Promise<void>[] = [];
    return settled(sent, () => connections.interactive((query, hold) => work({ query, hold, sent })));
  };
  const { result, committed } = await repeated(attempt).catch((error: unknown) => {
    throw isTransient(error) ? busy() : error;
  });
  committed();
  return result;
}

/** Waits for the answers too. If one of them is a failure, what came of it is not reported. */
async function settled<T>(sent: readonly Promise<void>[], work: () => Promise<T>): Promise<T> {
  try {
    const done = await work();
    await Promise.all(sent);
    return done;
  } catch (error) {
    await Promise.all(sent);
    throw error;
  }
}

interface WriteRequest {
  /** The stored row; null: a new one. */
  readonly old: Row | null;
  readonly change: Change;
  readonly id: string;
}

async function write(
  writer: Writer,
  transaction: Transaction,
  { old, change, id }: WriteRequest,
): Promise<{ readonly row: Row; readonly committed: () => void }> {
  const { context, definition, handwritten, referenceFailures, copied, makings } = writer;
  const { query } = transaction;
  const failures = await referenceFailures(query, change, old);
  const { behaviour } = handwritten;
  const to = writeContext(context, change, id);
  const made = old === null ? madeWith(context.reading.definitions, context.ids, makings, to) : NOTHING_MADE;
  const plan = planWrite({ old, failures }, { definition, behaviour, change, context: to, made: made.columns });
  const row = old === null ? await copied(query, plan.row) : plan.row;
  await storePlan(writer, transaction, { ...plan, row });
  await context.madeRecords.insert(transaction, made.rows);
  const { caller, now } = change;
  await audit(writer, query, { ...caller, action: old === null ? 'create' : 'update', now, old, row });
  return { row, committed: await publishAll(writer, query, plan.events, change.now) };
}

/** Waits only where the write might take the right from the last administrator. */
async function storePlan({ context, definition, store }: Writer, transaction: Transaction, plan: WritePlan) {
  const write = async () => store(transaction, plan);
  if (!isDemotion(definition, { old: plan.guard, row: plan.row })) return write();
  return context.keepAdministrator(transaction.query, write);
}

/** What was changed, by whom, and how that is called. */
interface Made extends RowChange, Pick<Caller, 'author'> {
  readonly action: string;
  readonly now: number;
}

export async function audit({ context, definition }: Writer, query: Query, { author, action, now, ...change }: Made) {
  if (author !== undefined) await context.writeAudit(query, auditOf(definition, { author, action, now }, change));
}

export async function publishAll(
  { context }: Writer,
  query: Query,
  events: readonly unknown[],
  now: number,
): Promise<() => void> {
  return events.length === 0 ? () => undefined : context.publish(query, events, now);
}

interface PermissionRequest {
  readonly id: string;
  readonly right: string;
  readonly caller: Caller;
}

/** The locked row; throws not_found, or the refusal of a caller who does not hold the right. */
export async function permittedRow(
  { definition, records }: Writer,
  query: Query,
  { id, right, caller }: PermissionRequest,
  to: Parameters<RecordStatements['lock']>[2],
): Promise<Row> {
  const [row, permission] = await Promise.all([
    records.lock(query, id, to),
    records.permission(query, right, id, caller),
  ]);
  if (!row) throw refusal(definition, 'not_found');
  if (!permission.allowed) throw refusal(definition, permission.code);
  return row;
}

function busy(): ServiceError {
  return new ServiceError('unavailable', 'the database is busy; try again', [], { 'Retry-After': '1' });
}
