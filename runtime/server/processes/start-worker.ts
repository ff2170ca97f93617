// The script of a worker process: loads the worker as `serve` itself was loaded, from the cache.

import { join } from 'node:path';
import { loadFromCache } from '../code-cache/load.js';

loadFromCache(join(__dirname, 'worker.js'));
