// The write-ahead log of a database that is served. SQLite commits without waiting for the disk (with synchronous=NORMAL the file
// stays consistent, and a loss of power only loses the end of the log): a thread of libuv waits instead, and another thread
// copies the log into the database. So a slow disk holds up writes and nothing else.

import { closeSync, fdatasync, fdatasyncSync, fstatSync, openSync, readSync, realpathSync, writeSync } from 'node:fs';
import type Database from 'better-sqlite3';
import { createCheckpoints, PAGES } from './checkpoints.js';
import { connectTo } from './driver.js';

/** The outcome of a sync; null: the commits are durable. */
export type Outcome = Error | null;

export interface Log {
  /** Makes the commits so far durable; one call at a time, outside of a transaction. */
  sync(then: (outcome: Outcome) => void): void;
  /** Waits for a sync that is under way. */
  finish(): void;
  /** Called if the disk is full: a log that has been copied starts again in its own space. */
  makeSpace(): void;
  close(): void;
}

/** Every commit is on disk when it returns. */
export const SYNCED_BY_SQLITE: Log = {
  sync: (then) => then(null),
  finish: () => undefined,
  makeSpace: () => undefined,
  close: () => undefined,
};

/** Pages of the log above which writes wait until it is copied: 64 MiB. */
const MOST_PAGES = 4 * PAGES;
/** Milliseconds between two checks. */
const PAUSE = 5;
const CHUNK = 1024 * 1024;

/** From now on, a commit of `db`, which is in WAL mode, is only durable after a sync. */
export function openLog(db: Database.Database): Log {
  // Closing a descriptor of the log releases no lock: SQLite has none there.
  const file = openSync(`${realpathSync(db.name)}-wal`, 'r+');
  db.exec('PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 0');
  const checkpointed = createTrigger(db);
  let waiting: ((outcome: Outcome) => void) | null = null;
  let isDoubtful = false;
  let isClosed = false;
  let underWay = 0;
  const finished = (outcome: Outcome): void => {
    isDoubtful = outcome !== null;
    const then = waiting;
    waiting = null;
    then?.(outcome);
  };
  /** After a failure, the sync is tried once more: rewritten pages may reach the disk. */
  const attempt = (isLast: boolean): void => {
    underWay += 1;
    fdatasync(file, (error) => {
      underWay -= 1;
      if (isClosed && underWay === 0) closeSync(file);
      // `finish` has synced already.
      if (waiting === null) return;
      const failure = error && !isLast ? caught(() => writeAgain(db.name, file)) : error;
      if (error && failure === null) attempt(true);
      else ended(failure);
    });
  };
  /** A log that is too long makes writes wait for the thread that copies it. */
  const ended = (outcome: Outcome): void => {
    if (checkpointed.mustWait()) setTimeout(ended, PAUSE, outcome);
    else finished(outcome);
  };
  return {
    sync(then) {
      waiting = then;
      const failure = isDoubtful ? caught(() => writeAgain(db.name, file)) : null;
      if (failure !== null) finished(failure);
      else attempt(isDoubtful);
      checkpointed.committed();
    },
    finish() {
      if (waiting !== null) finished(caught(() => fdatasyncSync(file)));
    },
    makeSpace: checkpointed.start,
    close() {
      isClosed = true;
      if (underWay === 0) closeSync(file);
      checkpointed.close();
    },
  };
}

/** Starts the thread when the log is long enough for it. */
function createTrigger(db: Database.Database) {
  // This checkpoint copies nothing and takes 2.5 microseconds.
  const length = db.prepare<[], { readonly log: number }>('PRAGMA wal_checkpoint(NOOP)');
  const checkpoints = createCheckpoints(db);
  let next = PAGES;
  let pages = 0;
  return {
    start: checkpoints.start,
    /** Called outside of a transaction. */
    committed() {
      pages = length.get()?.log ?? 0;
      if (pages < PAGES) next = PAGES;
      if (pages < next) return;
      next = pages + PAGES;
      checkpoints.start();
    },
    mustWait: () => pages >= MOST_PAGES && checkpoints.isUnderWay(),
    close: checkpoints.close,
  };
}

/**
 * After a failed sync, the system may consider pages written that never were, so that the next sync succeeds. While the pages
 * are in memory, rewriting them makes the system write them. The transaction keeps others from writing to the log meanwhile.
 */
function writeAgain(database: string, log: number): void {
  const db = connectTo(database, { timeout: 0 });
  try {
    db.exec('BEGIN IMMEDIATE');
    const buffer = Buffer.alloc(CHUNK);
    for (let at = 0, { size } = fstatSync(log); at < size; at += CHUNK) {
      writeSync(log, buffer, 0, readSync(log, buffer, 0, CHUNK, at), at);
    }
  } finally {
    db.close();
  }
}

function caught(work: () => void): Outcome {
  try {
    work();
    return null;
  } catch (error) {
    return error as Error;
  }
}
