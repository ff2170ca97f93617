// The service still answers a recorded run of 2,000 requests as it did when it was recorded.

import { WIRES } from './recordings.js';
import { replays } from './replay.js';

replays(WIRES);
