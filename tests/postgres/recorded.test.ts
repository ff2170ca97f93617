// In short one profile: what the other asks of an engine, its own form of dates and booleans, is in `engine/same-answers`.
import { WIRES } from '../recorded/recordings.js';
import { replays } from '../recorded/replay.js';
import { count } from '../support/counts.js';
import { onPostgres } from '../support/on-postgres.js';

onPostgres(() => replays(WIRES.slice(0, count(1, WIRES.length))));
