// Writes that arrive together share one transaction, with a savepoint each if there are several; none resolves before the commit.
// A long write has a transaction of its own, and between two of them requests are read and the other writes go first.
// While another process holds the write lock, a timer retries, so that reads continue meanwhile.
import type Database from 'better-sqlite3';
import { ServiceError } from '../../contract/errors.js';
import type { SharedReads } from '../engine.js';
import { engineError, isBusy } from './engine-error.js';
import { createPresence, type Presence } from './presence.js';

export interface GroupCommit {
  /**
   * Queues a synchronous write. Resolves to its result once that is durable. Rejects with what it threw, after
   * rolling back only that write, or with unavailable or storage_full if the whole transaction failed.
   * @param longOf the client whose long write it is: clients take turns. Absent: the write is short
   */
  submit<T>(write: () => T, longOf?: string | null): Promise<T>;
  /** Commits what is queued and accepts no more writes. */
  close(): void;
}

export interface GroupCommitParts {
  /** While false, every write is refused: it would go to a file that can no longer be found. */
  readonly present: Presence;
  /** Their transaction ends before that of the writes begins. */
  readonly reads: Pick<SharedReads, 'end'>;
  readonly clock: WaitClock;
}

export interface WaitClock {
  /** Milliseconds since any fixed moment. */
  tick(): number;
  /** Calls back after that many milliseconds. */
  later(work: () => void, milliseconds: number): void;
}

interface Queued {
  readonly write: () => unknown;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
  /** When it was queued, by the clock's tick. */
  readonly since: number;
  readonly longOf: string | null | undefined;
}
type Settle = () => void;

const LARGEST_BATCH = 256;
/** Milliseconds that a write waits for another process's lock, and between two tries. */
const PATIENCE = 5000;
const RETRY = 10;

const REAL: WaitClock = {
  tick: () => performance.now(),
  later: (work, milliseconds) => void setTimeout(work, milliseconds),
};

const NO_READS: GroupCommitParts['reads'] = { end: () => undefined };

/** The only queue of writes of a connection. From now on no statement of the connection waits for a lock by itself. */
export function createGroupCommit(db: Database.Database, parts: Partial<GroupCommitParts> = {}): GroupCommit {
  const { present = createPresence(db), reads = NO_READS, clock = REAL } = parts;
  const begin = db.prepare('BEGIN IMMEDIATE');
  const commitBatch = batchRunner(db);
  const queue = createQueue();
  let scheduled = false;
  let closed = false;
  db.exec('PRAGMA busy_timeout = 0');

  const schedule = (): void => {
    if (scheduled) return;
    scheduled = true;
    setImmediate(flush);
  };
  /** Another process holds the lock: writes that have waited long enough are rejected, the others keep waiting. */
  const wait = (busy: unknown): void => {
    const now = clock.tick();
    for (const { reject } of queue.remove(({ since }) => now - since >= PATIENCE)) reject(engineError(busy));
    if (queue.isEmpty()) return;
    scheduled = true;
    clock.later(flush, RETRY);
  };
  const flush = (): void => {
    scheduled = false;
    if (queue.isEmpty()) return;
    let failure: unknown = null;
    reads.end();
    try {
      if (present()) begin.run();
      else failure = gone();
    } catch (error) {
      if (isBusy(error) && !closed) {
        wait(error);
        return;
      }
      failure = engineError(error);
    }
    const batch = queue.next();
    if (!queue.isEmpty()) schedule();
    if (failure === null) commitBatch(batch);
    else for (const { reject } of batch) reject(failure);
  };
  return {
    submit<T>(write: () => T, longOf?: string | null) {
      if (closed) return Promise.reject(unavailable('the server is stopping'));
      return new Promise<T>((resolve, reject) => {
        queue.add({ write, resolve: resolve as (value: unknown) => void, reject, since: clock.tick(), longOf });
        schedule();
      });
    },
    close() {
      closed = true;
      // The last writes may block: no other request is left to wait for them.
      db.exec(`PRAGMA busy_timeout = ${PATIENCE}`);
      while (!queue.isEmpty()) flush();
    },
  };
}

/** What waits: short writes, and long ones, which take turns with them and by client. */
function createQueue() {
  let short: Queued[] = [];
  let long: Queued[] = [];
  let lastClient: Queued['longOf'];
  /** Short ones were written while a long one waited, which is next. */
  let isLongNext = false;
  /** Of another client than the last one, if there is one. */
  const nextLong = (): readonly Queued[] => {
    const other = long.findIndex(({ longOf }) => longOf !== lastClient);
    const batch = long.splice(Math.max(other, 0), 1);
    lastClient = batch[0]?.longOf;
    return batch;
  };
  return {
    isEmpty: () => short.length === 0 && long.length === 0,
    add: (queued: Queued) => void (queued.longOf === undefined ? short : long).push(queued),
    /** Takes what the next transaction writes. */
    next(): readonly Queued[] {
      const isLong = long.length > 0 && (isLongNext || short.length === 0);
      isLongNext = !isLong && long.length > 0;
      if (isLong) return nextLong();
      const batch = short.slice(0, LARGEST_BATCH);
      short = short.slice(LARGEST_BATCH);
      return batch;
    },
    /** Takes out what it is true for. */
    remove(isRemoved: (queued: Queued) => boolean): readonly Queued[] {
      const [[shortOut, shortIn], [longOut, longIn]] = [parted(short, isRemoved), parted(long, isRemoved)];
      [short, long] = [shortIn, longIn];
      return [...shortOut, ...longOut];
    },
  };
}

function parted<T>(all: readonly T[], isFirst: (one: T) => boolean): readonly [T[], T[]] {
  return [all.filter(isFirst), all.filter((one) => !isFirst(one))];
}

function gone(): ServiceError {
  return unavailable('the database file was moved or replaced; the server must be restarted');
}

function unavailable(message: string): ServiceError {
  return new ServiceError('unavailable', message, [], { 'Retry-After': '1' });
}

/** Runs and commits a batch in the transaction that has begun. */
function batchRunner(db: Database.Database): (batch: readonly Queued[]) => void {
  const commit = db.prepare('COMMIT');
  const rollback = db.prepare('ROLLBACK');
  const inSavepoint = savepointRunner(db);
  return (batch) => {
    const settles: Settle[] = [];
    // A write alone needs no savepoint, which would take 2 microseconds: the rollback of the transaction undoes it.
    const run = batch.length === 1 ? carryOut : inSavepoint;
    try {
      for (const queued of batch) settles.push(run(queued));
      commit.run();
    } catch (error) {
      if (db.inTransaction) rollback.run();
      const failure = engineError(error);
      for (const queued of batch) queued.reject(failure);
      return;
    }
    for (const settle of settles) settle();
  };
}

/** Returns how to settle it once it is durable; throws what the write throws. */
function carryOut({ write, resolve }: Queued): Settle {
  const value = write();
  if (value instanceof Promise) throw new Error('a write may not await');
  return () => resolve(value);
}

/** Runs one write in a savepoint and returns how to settle it later; throws if the whole transaction was rolled back. */
function savepointRunner(db: Database.Database): (queued: Queued) => Settle {
  const open = db.prepare('SAVEPOINT one_write');
  const release = db.prepare('RELEASE one_write');
  const undo = db.prepare('ROLLBACK TO one_write');
  return (queued) => {
    open.run();
    try {
      const settle = carryOut(queued);
      release.run();
      return settle;
    } catch (error) {
      // A full disk or an I/O error makes SQLite roll back everything on its own.
      if (!db.inTransaction) throw error;
      undo.run();
      release.run();
      const failure = engineError(error);
      return () => queued.reject(failure);
    }
  };
}
