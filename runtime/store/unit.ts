// A unit of work: one transaction as the verbs of the service see it on every engine, and the way in which a verb waits for
// answers. A verb is a generator: `yield*` waits for an answer, which SQLite has immediately and PostgreSQL later. A call sends
// its statement, so that several calls before the first `yield*` go to the database together.
import type { NewAudit } from '../contract/audit.js';
import type { Row, Scalar } from '../contract/definition.js';
import { groupsOf } from '../contract/ids.js';
import type { MaybePromise } from '../contract/maybe-promise.js';
import type { Caller, Lookup, Permission } from './records.js';
import type { Dialect } from './sql/dialect.js';
import type { ViewerName } from './sql/viewers.js';

/** An answer for which `yield*` waits; a verb in progress is one too. It yields only promises. */
export interface Pending<T> {
  [Symbol.iterator](): Iterator<Promise<unknown>, T, unknown>;
}

/** Values by the names of a statement's parameters; a list holds texts. A statement takes the values that it names. */
export type Parameters = Readonly<Record<string, Scalar | readonly string[]>>;

/** The purpose of a lock: for a change, nobody else changes the row; for a deletion, nobody adds a reference to it either. */
export type LockFor = 'change' | 'delete';

/** Statements, which name their parameters: `@id`. */
export interface Queries {
  /** The type must match what the statement selects. */
  rows<R = Row>(sql: string, parameters: Parameters): Pending<readonly R[]>;
  /** The first row; undefined: there is none. */
  row<R = Row>(sql: string, parameters: Parameters): Pending<R | undefined>;
}

/** A statement with its values. */
export type BoundStatement = readonly [sql: string, parameters: Parameters];

/** Statements that write, independent of each other's transactions. */
export interface Statements extends Queries {
  /** The rows of each statement; they are sent together and run in one transaction. */
  writeAll(statements: readonly BoundStatement[]): Pending<readonly (readonly Row[])[]>;
}

/** A database for verbs that need no transaction of several turns. */
export interface Database {
  readonly dialect: Dialect;
  /** Carries out a verb that only reads: each statement sees what is committed when it is sent. */
  read<T>(verb: (queries: Queries) => Pending<T>): MaybePromise<T>;
  /** The first row of one statement that only reads. */
  row<R = Row>(...statement: BoundStatement): MaybePromise<R | undefined>;
  /** The rows of one statement that writes. Resolves once it is durable. */
  write(...statement: BoundStatement): Promise<readonly Row[]>;
  /** The rows of each statement; they are sent together and run in one transaction. */
  writeAll(statements: readonly BoundStatement[]): Promise<readonly (readonly Row[])[]>;
  /** Carries out a verb whose statements, on PostgreSQL, are separate transactions that wait for the disk side by side. */
  writeSeparately<T>(verb: (statements: Statements) => Pending<T>): Promise<T>;
}

/** A transaction for verbs: everything done in it is stored, or nothing is. */
export interface Unit extends Queries {
  /** Sends a statement whose rows nobody waits for. Its failure is thrown by `flush`, or ends the transaction. */
  hold(sql: string, parameters: Parameters): void;
  /** The row, locked to the end of the transaction; undefined: there is no such record. */
  lock(resource: string, id: string, to: LockFor): Pending<Row | undefined>;
  permission(resource: string, right: string, id: string, caller: Caller): Pending<Permission>;
  /** Stores a new row, as `hold` does. */
  insert(resource: string, row: Row): void;
  /** Changes these columns of the stored row `old` to those of `row`, as `hold` does. */
  update(resource: string, old: Row, row: Row, changed: readonly string[]): void;
  /** Deletes the locked record and everything deleted with it (D33). Throws conflict if a record that must stay refers to it. */
  remove(resource: string, id: string): Pending<void>;
  /** The text of a record; null if the viewer may not read it. */
  text(resource: string, viewer: ViewerName, id: string, user: string | null): Pending<string | null | undefined>;
  /** The same for a stored row, which is read again only if the text needs more than its columns. */
  textOf(resource: string, viewer: ViewerName, row: Row, user: string | null): Pending<string | null | undefined>;
  get(resource: string, id: string, caller: Caller): Pending<Lookup>;
  /** Writes an entry of the audit log, as `hold` does. */
  audit(entry: NewAudit): void;
  /** Publishes events; hooks with a delivery due are announced after the commit. */
  publish(events: readonly unknown[], now: number, trace?: string): Pending<unknown>;
  /** Calls back once the transaction is committed, or, if nothing can be claimed or read before that, a moment earlier. */
  afterCommit(callback: () => void): void;
  /** Waits for all statements held so far; throws the first failure. */
  flush(): Pending<void>;
}

/** Publishes the events of a change, within its transaction. @param trace the `traceparent` of the request that caused them */
export type PublishWithin<T = unknown> = (
  unit: Unit,
  events: readonly unknown[],
  now: number,
  trace?: string,
) => Pending<T>;

export interface TransactOptions {
  /** The work can only fail, for which it needs no transaction. */
  readonly isRefused?: boolean;
  /** The client whose long write this is, where writes take turns. */
  readonly longOf?: string | null;
  /** Whether a failure may be caused by a concurrent transaction: the work is then retried a few times. */
  readonly mayRetry?: (error: unknown) => boolean;
}

/** Carries out work in a transaction. Resolves once that is durable; if it rejects, nothing is stored. */
export type Transact = <T>(work: (unit: Unit) => Pending<T>, options?: TransactOptions) => Promise<T>;

/** An answer that is already available. It is its own iterator and result, so that waiting for it costs one object. */
export function ready<T>(value: T): Pending<T> {
  const answer = { value, done: true, [Symbol.iterator]: returnThis, next: returnThis } as const;
  return answer;
}

function returnThis<T>(this: T): T {
  return this;
}

export const NOTHING: Pending<void> = ready(undefined);

/** An answer that has not arrived yet. Its failure only matters to a caller that waits for it. */
export function fromPromise<T>(answer: Promise<T>): Pending<T> {
  answer.catch(() => undefined);
  return {
    *[Symbol.iterator]() {
      return (yield answer) as T;
    },
  };
}

/** The answers to calls that were made together. */
export function* awaitAll<T>(calls: readonly Pending<T>[]): Pending<readonly T[]> {
  const all: T[] = [];
  for (const call of calls) all.push(yield* call);
  return all;
}

/**
 * The rows of a statement over `@ids`. It is sent immediately, once for each group of ids that one statement can read, with the
 * group's `@placement` among its values.
 */
export function rowsAmong<R = Row>(
  queries: Queries,
  dialect: Dialect,
  ids: Iterable<string>,
  [sql, values]: BoundStatement,
): Pending<readonly R[]> {
  const reads = groupsOf(dialect, ids).map((group) => queries.rows<R>(sql, { ...values, ...group }));
  return reads.length === 1 && reads[0] !== undefined ? reads[0] : flatten(reads);
}

function* flatten<T>(lists: readonly Pending<readonly T[]>[]): Pending<readonly T[]> {
  return (yield* awaitAll(lists)).flat();
}

/** Carries out a verb whose answers are all available. Throws an Error if one is not. */
export function runSync<T>(verb: Pending<T>): T {
  const step = verb[Symbol.iterator]().next();
  if (step.done !== true) throw new Error('a write may not await');
  return step.value;
}

/** Carries out a verb, waiting for each of its answers. */
export async function runAsync<T>(verb: Pending<T>): Promise<T> {
  const steps = verb[Symbol.iterator]();
  let step = steps.next();
  while (step.done !== true) {
    try {
      step = steps.next(await step.value);
    } catch (error) {
      if (steps.throw === undefined) throw error;
      step = steps.throw(error);
    }
  }
  return step.value;
}
