#!/usr/bin/env node
// The `punchboard` command, which loads its modules from the cache.

import { join } from 'node:path';
import { problemOfNode } from './oldest-node.js';

const problem = problemOfNode(process.versions.node);
if (problem === null) start();
else {
  process.stderr.write(`${problem}\n`);
  process.exitCode = 1;
}

function start(): void {
  // Required only now, since an older Node may lack what these modules need.
  const cache =
    require('../runtime/server/code-cache/load.js') as typeof import('../runtime/server/code-cache/load.js');
  const program = cache.loadFromCache(join(__dirname, 'program.js')) as typeof import('./program.js');
  void program.main();
}
