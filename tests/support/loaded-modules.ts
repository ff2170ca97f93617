// Preloaded into a server: at SIGUSR2, prints the modules loaded so far, as `loaded <pid> <number> [...]`.

import { relative } from 'node:path';
import { ROOT } from './paths.js';

let requests = 0;

process.on('SIGUSR2', () => {
  requests += 1;
  const loaded = Object.keys(require.cache).map((path) => relative(ROOT, path));
  process.stdout.write(`loaded ${process.pid} ${requests} ${JSON.stringify(loaded)}\n`);
});
