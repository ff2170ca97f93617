// Writes that arrive together share one transaction, a savepoint each; nobody is answered before the commit.
// Knows nothing of what is written.
import type Database from 'better-sqlite3';
import { ServiceError } from '../../errors.js';
import { engineError } from './engine-error.js';

export interface GroupCommit {
  /**
   * Queues a synchronous write. Resolves to its result once that is durable; rejects with what it threw, after
   * undoing it alone, or with unavailable or storage_full when the transaction as a whole failed.
   */
  submit<T>(write: () => T): Promise<T>;
  /** Commits what is queued and takes no more. */
  close(): void;
}

interface Queued {
  readonly write: () => unknown;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}
type Settle = () => void;

const LARGEST_BATCH = 256;

/** The one queue of writes of a connection. */
export function createGroupCommit(db: Database.Database): GroupCommit {
  const runBatch = batchRunner(db);
  let queue: Queued[] = [];
  let scheduled = false;
  let closed = false;

  const flush = () => {
    scheduled = false;
    const batch = queue.slice(0, LARGEST_BATCH);
    queue = queue.slice(LARGEST_BATCH);
    if (queue.length > 0) schedule();
    runBatch(batch);
  };
  const schedule = () => {
    if (scheduled) return;
    scheduled = true;
    setImmediate(flush);
  };
  return {
    submit<T>(write: () => T) {
      if (closed)
        return Promise.reject(new ServiceError('unavailable', 'the server is stopping', [], { 'Retry-After': '1' }));
      return new Promise<T>((resolve, reject) => {
        queue.push({ write, resolve: resolve as (value: unknown) => void, reject });
        schedule();
      });
    },
    close() {
      closed = true;
      while (queue.length > 0) flush();
    },
  };
}

function batchRunner(db: Database.Database): (batch: readonly Queued[]) => void {
  const begin = db.prepare('BEGIN IMMEDIATE');
  const commit = db.prepare('COMMIT');
  const rollback = db.prepare('ROLLBACK');
  const runOne = savepointRunner(db);
  return (batch) => {
    if (batch.length === 0) return;
    const settles: Settle[] = [];
    try {
      begin.run();
      for (const queued of batch) settles.push(runOne(queued));
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

/** Runs one write in a savepoint and says how to answer it later; throws when the whole transaction is gone. */
function savepointRunner(db: Database.Database): (queued: Queued) => Settle {
  const open = db.prepare('SAVEPOINT one_write');
  const release = db.prepare('RELEASE one_write');
  const undo = db.prepare('ROLLBACK TO one_write');
  return ({ write, resolve, reject }) => {
    open.run();
    try {
      const value = write();
      if (value instanceof Promise) throw new Error('a write may not await');
      release.run();
      return () => resolve(value);
    } catch (error) {
      // A full disk or an I/O error makes SQLite roll back everything on its own.
      if (!db.inTransaction) throw error;
      undo.run();
      release.run();
      const failure = engineError(error);
      return () => reject(failure);
    }
  };
}
