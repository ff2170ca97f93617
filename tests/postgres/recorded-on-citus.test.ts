import { WIRES } from '../recorded/recordings.js';
import { replays } from '../recorded/replay.js';
import { onCitus } from '../support/on-postgres.js';

onCitus(() => replays(WIRES));
