// A unit of work: one transaction, as the verbs of the service see it on every engine, and how a verb waits for what an engine
// answers. A verb is a generator: `yield*` waits for an answer, which SQLite has at once and PostgreSQL later. A statement is
// sent by the call that asks for it, so that several calls before the first `yield*` go to the database together.
import type { NewAudit } from '../contract/audit.js';
import type { Row, Scalar } from '../contract/definition.js';
import type { MaybePromise } from '../contract/maybe-promise.js';
import type { Caller, Lookup, Permission } from './records.js';
import type { Dialect } from './sql/dialect.js';
import type { ViewerName } from './sql/viewers.js';

/** An answer that `yield*` waits for, and a verb in progress, which is one. It yields only promises. */
export interface Pending<T> {
  [Symbol.iterator](): Iterator<Promise<unknown>, T, unknown>;
}

/** Values by the names of a statement's parameters; a list is one of texts. A statement takes those that it names. */
export type Parameters = Readonly<Record<string, Scalar | readonly string[]>>;

/** What is locked: for a change, nobody else changes the row; for a deletion, nobody adds a reference to it either. */
export type LockFor = 'change' | 'delete';

/** Statements, which name their parameters: `@id`. */
export interface Queries {
  /** The type and what the statement selects must agree. */
  rows<R = Row>(sql: string, parameters: Parameters): Pending<readonly R[]>;
  /** The first row; undefined: there is none. */
  row<R = Row>(sql: string, parameters: Parameters): Pending<R | undefined>;
}

/** A statement with its values. */
export type BoundStatement = readonly [sql: string, parameters: Parameters];

/** Statements that write, and do not depend on each other's transaction. */
export interface Statements extends Queries {
  /** The rows of each of them, which are carried out in one transaction, sent together. */
  together(statements: readonly BoundStatement[]): Pending<readonly (readonly Row[])[]>;
}

/** What verbs ask of a database that need no transaction of several turns. */
export interface Database {
  readonly dialect: Dialect;
  /** Carries out a verb that only reads: each statement sees what is committed when it is sent. */
  read<T>(verb: (queries: Queries) => Pending<T>): MaybePromise<T>;
  /** The first row of one statement that only reads. */
  row<R = Row>(...statement: BoundStatement): MaybePromise<R | undefined>;
  /** The rows of one statement that writes. Resolves once it is durable. */
  write(...statement: BoundStatement): Promise<readonly Row[]>;
  /** The rows of each of them, carried out in one transaction, sent together. */
  writeAll(statements: readonly BoundStatement[]): Promise<readonly (readonly Row[])[]>;
  /** Carries out a verb whose statements are transactions of their own where they wait for the disk side by side. */
  separately<T>(verb: (statements: Statements) => Pending<T>): Promise<T>;
}

/** What the verbs ask of a transaction. Everything that is done in it is stored, or nothing. */
export interface Unit extends Queries {
  /** Sends a statement whose rows nobody waits for. Its failure is thrown by `settled`, or ends the transaction. */
  hold(sql: string, parameters: Parameters): void;
  /** The row, locked to the end of the transaction; undefined: there is no such record. */
  lock(resource: string, id: string, to: LockFor): Pending<Row | undefined>;
  permission(resource: string, right: string, id: string, caller: Caller): Pending<Permission>;
  /** Stores a new row, as `hold` does. */
  insert(resource: string, row: Row): void;
  /** Changes these columns of the stored row `old` to those of `row`, as `hold` does. */
  update(resource: string, old: Row, row: Row, changed: readonly string[]): void;
  /** Deletes the locked record and what goes with it (D33). Throws conflict if a record that must stay refers to it. */
  remove(resource: string, id: string): Pending<void>;
  /** The text of a record; null if the viewer may not read it. */
  text(resource: string, viewer: ViewerName, id: string, user: string | null): Pending<string | null | undefined>;
  /** The same of a row as it is stored now, which is read again only if the text needs more than the row. */
  textOf(resource: string, viewer: ViewerName, row: Row, user: string | null): Pending<string | null | undefined>;
  get(resource: string, id: string, caller: Caller): Pending<Lookup>;
  /** Writes an entry of the audit log, as `hold` does. */
  audit(entry: NewAudit): void;
  /** Publishes events; hooks with something due are announced after the commit. */
  publish(events: readonly unknown[], now: number, trace?: string): Pending<unknown>;
  /** Calls back once the transaction is committed; where it cannot be claimed or read before that anyway, a moment earlier. */
  afterCommit(callback: () => void): void;
  /** Waits for everything held so far; throws its first failure. */
  settled(): Pending<void>;
}

/** Publishes the events of a change, within its transaction. */
export type PublishWithin = (unit: Unit, events: readonly unknown[], now: number, trace?: string) => Pending<unknown>;

export interface TransactOptions {
  /** The work can only fail, and needs no transaction for that. */
  readonly isRefused?: boolean;
  /** The client whose long write this is, where writes take turns. */
  readonly longOf?: string | null;
  /** Whether a failure may come of another transaction meanwhile: the work is then tried again, a few times. */
  readonly mayRetry?: (error: unknown) => boolean;
}

/** Carries out work in a transaction. Resolves once it is durable; if it rejects, nothing of it remains. */
export type Transact = <T>(work: (unit: Unit) => Pending<T>, options?: TransactOptions) => Promise<T>;

/** An answer that is there already. It is its own iterator, so that waiting for it costs one object. */
class Ready<T> implements Pending<T>, IteratorReturnResult<T> {
  readonly done = true;
  constructor(readonly value: T) {}
  [Symbol.iterator](): Iterator<never, T, unknown> {
    return this as unknown as Iterator<never, T, unknown>;
  }
  next(): IteratorReturnResult<T> {
    return this;
  }
}

export function ready<T>(value: T): Pending<T> {
  return new Ready(value);
}

export const NOTHING: Pending<void> = ready(undefined);

/** An answer that is on its way. Its failure matters only to a caller that waits for it. */
export function sent<T>(answer: Promise<T>): Pending<T> {
  answer.catch(() => undefined);
  return {
    *[Symbol.iterator]() {
      return (yield answer) as T;
    },
  };
}

/** The answers to calls that were made together. */
export function* answers<T>(calls: readonly Pending<T>[]): Pending<readonly T[]> {
  const all: T[] = [];
  for (const call of calls) all.push(yield* call);
  return all;
}

/** Carries out a verb whose answers are all there. Throws an Error if one is not. */
export function immediately<T>(verb: Pending<T>): T {
  const step = verb[Symbol.iterator]().next();
  if (step.done !== true) throw new Error('a write may not await');
  return step.value;
}

/** Carries out a verb, waiting for each of its answers. */
export async function awaited<T>(verb: Pending<T>): Promise<T> {
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
