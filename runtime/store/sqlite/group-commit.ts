// Writes that arrive together share one transaction, with a savepoint each if there are several; none resolves before the commit.
// While another process holds the write lock, a timer retries, so that reads continue meanwhile.
import type Database from 'better-sqlite3';
import { ServiceError } from '../../errors.js';
import type { SharedReads } from '../engine.js';
import { engineError, isBusy } from './engine-error.js';
import { createPresence, type Presence } from './presence.js';

export interface GroupCommit {
  /**
   * Queues a synchronous write. Resolves to its result once that is durable. Rejects with what it threw, after
   * rolling back only that write, or with unavailable or storage_full if the whole transaction failed.
   */
  submit<T>(write: () => T): Promise<T>;
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
  let queue: Queued[] = [];
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
    const [late, patient] = parted(queue, ({ since }) => now - since >= PATIENCE);
    queue = patient;
    for (const { reject } of late) reject(engineError(busy));
    if (queue.length === 0) return;
    scheduled = true;
    clock.later(flush, RETRY);
  };
  const flush = (): void => {
    scheduled = false;
    if (queue.length === 0) return;
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
    const batch = queue.slice(0, LARGEST_BATCH);
    queue = queue.slice(LARGEST_BATCH);
    if (queue.length > 0) schedule();
    if (failure === null) commitBatch(batch);
    else for (const { reject } of batch) reject(failure);
  };
  return {
    submit<T>(write: () => T) {
      if (closed) return Promise.reject(unavailable('the server is stopping'));
      return new Promise<T>((resolve, reject) => {
        queue.push({ write, resolve: resolve as (value: unknown) => void, reject, since: clock.tick() });
        schedule();
      });
    },
    close() {
      closed = true;
      // The last writes may block: no other request is left to wait for them.
      db.exec(`PRAGMA busy_timeout = ${PATIENCE}`);
      while (queue.length > 0) flush();
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
