// Preloaded into a server: at SIGUSR2 it prints the modules that are loaded by then, as `loaded <pid> <number> [...]`.

import { relative } from 'node:path';
import { ROOT } from './paths.js';

let asked = 0;

process.on('SIGUSR2', () => {
  asked += 1;
  const loaded = Object.keys(require.cache).map((path) => relative(ROOT, path));
  process.stdout.write(`loaded ${process.pid} ${asked} ${JSON.stringify(loaded)}\n`);
});
