// The thread that copies the log into the database on request.

import { workerData } from 'node:worker_threads';
import { STATE, type ThreadData } from './checkpoints.js';
import { connectTo } from './driver.js';

/** Milliseconds for which writes may be held up by reads that still need the log, or the copy by writes. */
const PATIENCE = 200;
/** The size in bytes to which the log's file is cut when the log starts again. */
const LARGEST_LOG = 64 * 1024 * 1024;

const { database, state } = workerData as ThreadData;
const db = connectTo(database, { fileMustExist: true, timeout: PATIENCE });
db.exec(`PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 0; PRAGMA journal_size_limit = ${LARGEST_LOG}`);
const copyBesideWrites = db.prepare('PRAGMA wal_checkpoint(PASSIVE)');
const copyTheRest = db.prepare<[], { readonly busy: number }>('PRAGMA wal_checkpoint(RESTART)');
const version = db.prepare<[], number>('PRAGMA user_version').pluck();

/** The first write to the log after a checkpoint syncs its header; this write does so, so that the server need not. */
function beginAnew(): void {
  db.exec(`PRAGMA user_version = ${version.get() ?? 0}`);
}

function copy(): void {
  try {
    copyBesideWrites.get();
    if (copyTheRest.get()?.busy === 0) beginAnew();
  } catch {
    // The log keeps what could not be copied, and the next attempt comes soon.
  }
}

for (;;) {
  Atomics.wait(state, 0, STATE.waiting);
  if (Atomics.load(state, 0) === STATE.stopping) break;
  copy();
  Atomics.compareExchange(state, 0, STATE.copying, STATE.waiting);
}
db.close();
Atomics.store(state, 0, STATE.stopped);
Atomics.notify(state, 0);
