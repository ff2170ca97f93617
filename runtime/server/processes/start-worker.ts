// The script of a worker process: loads the worker as `serve` itself was loaded, from the cache.

import cluster from 'node:cluster';
import { join } from 'node:path';
import { loadFromCache } from '../code-cache/load.js';

/** The errors that Node reports if the primary has died and cannot learn that a worker starts or listens (N45). */
const DEAD_PRIMARY: readonly (string | undefined)[] = ['EPIPE', 'ECONNRESET', 'ERR_IPC_CHANNEL_CLOSED'];

// The end of the channel is noticed separately, and ends this process.
cluster.worker?.on('error', (error: NodeJS.ErrnoException) => {
  if (!DEAD_PRIMARY.includes(error.code)) throw error;
});
loadFromCache(join(__dirname, 'worker.js'));
