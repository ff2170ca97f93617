// The unit of work on PostgreSQL: an interactive transaction, which locks the rows on which it decides. Statements whose answers
// nobody waits for are sent with the next statement.
import type { Row } from '../../contract/definition.js';
import { ServiceError } from '../../contract/errors.js';
import { memoize } from '../../contract/memoize.js';
import type { Schema } from '../../schema/schema.js';
import { definitionOf } from '../sql/access.js';
import {
  fromPromise,
  type Parameters,
  type Pending,
  type PublishWithin,
  runAsync,
  type Transact,
  type TransactOptions,
  type Unit,
} from '../unit.js';
import type { WriteAudit } from './audit.js';
import { type Connections, retryTransient } from './connections.js';
import { prepareNamed, type Query, run } from './database.js';
import { constraintError, isTransient } from './engine-error.js';
import type { StatementsOf } from './record-statements.js';
import type { ReadContext } from './record-text.js';
import type { Remove } from './removal.js';
import { tableOf } from './table-of.js';
import { createUniqueClaims } from './unique-claims.js';
import { createWriteWords } from './words.js';

export interface UnitOptions {
  readonly reading: ReadContext;
  readonly schema: Schema;
  readonly statementsOf: StatementsOf;
  /** The statements that show the records that were written. */
  readonly shown: StatementsOf;
  readonly remove: Remove;
  readonly publish: PublishWithin;
  readonly writeAudit: WriteAudit;
}

export function createTransact(options: UnitOptions): Transact {
  const { connections } = options.reading;
  const shared = createShared(options);
  const attempt = async <T>(work: (unit: Unit) => Pending<T>) => {
    const held: UnitState = { sent: [], committed: [] };
    const result = await settling(held, () =>
      connections.interactive((query, hold, send) => runAsync(work(unitOf(shared, { query, hold, send, held })))),
    );
    return { result, committed: held.committed };
  };
  return async (work, { isRefused, mayRetry = () => false }: TransactOptions = {}) => {
    if (isRefused === true) return runAsync(work(unitOf(shared, outsideOf(connections))));
    const { result, committed } = await again(() => retryTransient(() => attempt(work)), mayRetry).catch(
      (error: unknown) => {
        throw isTransient(error) ? busy() : error;
      },
    );
    for (const report of committed) report();
    return result;
  };
}

/** How often work that conflicts with another transaction is tried. */
const TRIES = 3;

async function again<T>(work: () => Promise<T>, mayRetry: (error: unknown) => boolean, tries = TRIES): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (tries <= 1 || !mayRetry(error)) throw error;
    return again(work, mayRetry, tries - 1);
  }
}

interface UnitState {
  /** The answers that nobody waits for. */
  readonly sent: Promise<unknown>[];
  /** What to call once the transaction is committed. */
  readonly committed: (() => void)[];
}

/** Also waits for the held answers. The failure of one of them takes precedence, since an error of `work` may follow from it. */
async function settling<T>({ sent: answers }: UnitState, work: () => Promise<T>): Promise<T> {
  try {
    const done = await work();
    await allOf(answers);
    return done;
  } catch (error) {
    await allOf(answers);
    throw error;
  }
}

/** Waits for the answers to statements, in their order. After a failure all others fail too, and may be here before it. */
async function allOf(answers: readonly (Promise<unknown> | undefined)[]): Promise<void> {
  for (const answer of await Promise.allSettled(answers)) if (answer.status === 'rejected') throw answer.reason;
}

interface Transaction {
  readonly query: Query;
  /** Takes statements that nothing waits for. */
  readonly hold: Query;
  /** Sends the held statements. */
  readonly send: () => Promise<void>;
  readonly held: UnitState;
}

function outsideOf({ query }: Connections): Transaction {
  return { query, hold: query, send: async () => undefined, held: { sent: [], committed: [] } };
}

type UnitParts = ReturnType<typeof createShared>;

function createShared({ reading, schema, statementsOf, ...others }: UnitOptions) {
  const tables = memoize((name: string) => {
    const definition = definitionOf(reading.definitions, name);
    const table = tableOf(schema, definition);
    const claims = createUniqueClaims(reading.connections, table);
    const writeWords = createWriteWords(reading.connections, table);
    return { definition, table, claims, writeWords };
  });
  const prepare = memoize((sql: string) => prepareNamed(reading.connections, sql));
  return { ...others, reading, statementsOf, tables, prepare };
}

function unitOf(shared: UnitParts, transaction: Transaction): Unit {
  const { reading, statementsOf: at, prepare } = shared;
  const { query, hold, send, held } = transaction;
  const read = <R>(sql: string, parameters: Parameters) =>
    reading.run(query, prepare(sql), parameters) as Promise<readonly unknown[]> as Promise<readonly R[]>;
  const keep = (answer: Promise<unknown>): void => {
    answer.catch(() => undefined);
    held.sent.push(answer);
  };
  const unit: Unit = {
    rows: <R>(sql: string, parameters: Parameters) => fromPromise(read<R>(sql, parameters)),
    row: <R>(sql: string, parameters: Parameters) => fromPromise(read<R>(sql, parameters).then(([first]) => first)),
    hold: (sql, parameters) => keep(run(hold, prepare(sql)(parameters))),
    lock: (resource, id, to) => fromPromise(at(resource).lock(query, id, to)),
    permission: (resource, right, id, caller) => fromPromise(at(resource).permission(query, right, id, caller)),
    insert: (resource, row) => keep(store(shared, hold, { resource, old: null, row, changed: [] })),
    update: (resource, old, row, changed) => keep(store(shared, hold, { resource, old, row, changed })),
    remove: (resource, id) => fromPromise(shared.remove(query, definitionOf(reading.definitions, resource), id)),
    text: (resource, viewer, id, user) => fromPromise(at(resource).text(query, viewer, id, user)),
    textOf: (resource, viewer, row, user) => fromPromise(shared.shown(resource).textOf(query, viewer, row, user)),
    get: (resource, id, caller) => fromPromise(at(resource).get(query, id, caller)),
    audit: (entry) => keep(shared.writeAudit(hold, entry)),
    publish: (events, now, trace) => shared.publish(unit, events, now, trace),
    afterCommit: (callback) => void held.committed.push(callback),
    flush: () => fromPromise(send().then(() => allOf(held.sent.splice(0)))),
  };
  return unit;
}

interface StoredRow {
  readonly resource: string;
  /** Null: a new row. */
  readonly old: Row | null;
  readonly row: Row;
  readonly changed: readonly string[];
}

/** Writes a row, its words, and its claims of values that are unique across placements. */
async function store({ statementsOf, tables }: UnitParts, query: Query, { resource, old, row, changed }: StoredRow) {
  const { definition, table, claims, writeWords } = tables(resource);
  const records = statementsOf(resource);
  try {
    const stored = old === null ? records.insert(query, row) : records.update(query, row, changed);
    await allOf([stored, claims?.change(query, old, row), writeWords?.(query, old, row)]);
  } catch (error) {
    throw constraintError(error, definition, table);
  }
}

function busy(): ServiceError {
  return new ServiceError('unavailable', 'the database is busy; try again', [], { 'Retry-After': '1' });
}
