// Preloaded into a server: prints the name under which it claims deliveries, so that a test can tell which deliveries were in
// flight when the server was killed.

import type { Worker, WorkerOptions } from '../../runtime/webhooks/deliver/worker.js';

const workers = require('../../runtime/webhooks/deliver/worker.js') as {
  createWorker: (options: WorkerOptions) => Worker;
};
const { createWorker } = workers;
workers.createWorker = (options) => {
  process.stdout.write(`Deliveries are claimed by ${options.server}\n`);
  return createWorker(options);
};
