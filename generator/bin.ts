#!/usr/bin/env node
// The `punchboard` command. A server is started by commands and by whoever restarts it: what it loads comes from the cache.

import { join } from 'node:path';
import { loadFromCache } from '../runtime/server/code-cache/load.js';

const path = join(__dirname, 'program.js');
const program = process.argv[2] === 'serve' ? loadFromCache(path) : require(path);
void (program as typeof import('./program.js')).main();
