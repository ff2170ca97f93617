// Copies the log of a database into it on a separate thread.

import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type Database from 'better-sqlite3';

export interface Checkpoints {
  /** Starts a checkpoint unless one is under way, on a new thread if there is none or the last one has failed. */
  start(): void;
  isUnderWay(): boolean;
  /** Waits for a checkpoint that is under way. */
  close(): void;
}

/** What the thread does or should do: one number in shared memory. */
export const STATE = { waiting: 0, copying: 1, stopping: 2, stopped: 3 } as const;

export interface ThreadData {
  readonly database: string;
  readonly state: Int32Array;
}

/** Pages of the log (16 MiB) after which it is copied, and again if it could not start over; without a thread, by SQLite. */
export const PAGES = 4096;
/** Milliseconds that a stop waits for the thread. */
const PATIENCE = 30_000;

export function createCheckpoints(db: Database.Database): Checkpoints {
  const state = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  const workerData: ThreadData = { database: db.name, state };
  Atomics.store(state, 0, STATE.stopped);
  const copyWithoutThread = (): void => {
    Atomics.store(state, 0, STATE.stopped);
    if (db.open) db.exec(`PRAGMA wal_autocheckpoint = ${PAGES}`);
  };
  const startThread = (): void => {
    try {
      const thread = new Worker(join(__dirname, 'checkpoint-thread.js'), { workerData });
      thread.unref();
      thread.on('error', copyWithoutThread);
      db.exec('PRAGMA wal_autocheckpoint = 0');
      Atomics.store(state, 0, STATE.waiting);
    } catch {
      // Without a free file handle, a thread cannot even be started.
      copyWithoutThread();
    }
  };
  return {
    start() {
      if (Atomics.load(state, 0) === STATE.stopped) startThread();
      if (Atomics.compareExchange(state, 0, STATE.waiting, STATE.copying) === STATE.waiting) Atomics.notify(state, 0);
    },
    isUnderWay: () => Atomics.load(state, 0) === STATE.copying,
    close() {
      if (Atomics.load(state, 0) === STATE.stopped) return;
      Atomics.store(state, 0, STATE.stopping);
      Atomics.notify(state, 0);
      Atomics.wait(state, 0, STATE.stopping, PATIENCE);
    },
  };
}
