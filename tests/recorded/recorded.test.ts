// The service still gives the recorded responses to a run of 2,000 requests.

import { WIRES } from './recordings.js';
import { replays } from './replay.js';

replays(WIRES);
