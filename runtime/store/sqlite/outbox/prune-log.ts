// Deletes old entries of the log, a bounded number of rows per step. Rows are numbered in the order in which attempts and
// messages ended, and found by that number, so that no index of dates has to be written with every attempt.

import { PRUNE_STEP } from '../../outbox/prune.js';
import type { OutboxUpkeep } from '../../outbox.js';
import type { Database } from '../../unit.js';

interface LogWindow {
  /** The sequence of its last row, and of its last old row; null: there is none. */
  readonly last: number | null;
  readonly old: number | null;
  /** Whether it has a row that is neither old nor dated in the future. */
  readonly young: 0 | 1;
}

/**
 * Everything logged before an old attempt is old too, even if a wrong clock dated it in the future. An attempt that is only dated
 * in the future is skipped.
 */
export function createPruneLog(database: Database): OutboxUpkeep['pruneLog'] {
  const steps = ['webhook_attempt', 'webhook_answer', 'webhook_message'].map((table) => createStep(database, table));
  return async (before, now) => {
    for (const step of steps) if (await step(before, now)) return true;
    return false;
  };
}

function createStep(database: Database, table: string): OutboxUpkeep['pruneLog'] {
  const window = `SELECT max(sequence) AS last, max(sequence) FILTER (WHERE ended < @before) AS old,
       count(*) FILTER (WHERE ended BETWEEN @before AND @now) > 0 AS young
     FROM (SELECT sequence, ended FROM ${table} WHERE sequence > @after ORDER BY sequence LIMIT ${PRUNE_STEP})`;
  const drop = `DELETE FROM ${table} WHERE sequence > @after AND sequence <= @old`;
  let after = 0;
  return async (before, now) => {
    const row = await database.read((queries) => queries.row<LogWindow>(window, { after, before, now }));
    const { last, old, young } = row as LogWindow;
    if (old !== null) await database.write(drop, { after, old });
    const more = last !== null && young === 0;
    // Skipped attempts are examined again the next time.
    after = more ? Math.max(after, last) : 0;
    return more;
  };
}
