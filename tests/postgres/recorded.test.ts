// The short form covers one profile; the formats of the other one that concern the engine are covered by `engine/same-answers`.
import { WIRES } from '../recorded/recordings.js';
import { replays } from '../recorded/replay.js';
import { count } from '../support/counts.js';
import { onPostgres } from '../support/on-postgres.js';

onPostgres(() => replays(WIRES.slice(0, count(1, WIRES.length))));
