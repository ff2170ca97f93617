// Deletes what is no longer needed, a bounded number of rows a step: old attempts in the log, and rows of deleted hooks.

import type { Database } from 'better-sqlite3';
import type { OutboxUpkeep } from '../../outbox.js';
import type { GroupCommit } from '../group-commit.js';

/** Rows that one step examines, and so deletes, at most. */
const STEP = 1_000;

interface Window {
  /** Sequence of its last attempt, and of its last one that is old; null: it has none. */
  readonly last: number | null;
  readonly old: number | null;
  /** Whether it has an attempt that is neither old nor dated in the future. */
  readonly young: 0 | 1;
}

/**
 * Attempts are logged in the order they end, so whatever was logged before an old attempt is old too, even if a wrong
 * clock dated it in the future. Such a date alone proves nothing, and the attempt is skipped.
 */
export function createPruneLog(db: Database, commits: GroupCommit): OutboxUpkeep['pruneLog'] {
  const steps = LOGS.map((table) => createPruneTable(db, commits, table));
  return async (before, now) => {
    for (const step of steps) if (await step(before, now)) return true;
    return false;
  };
}

/** Tables whose rows are numbered in the order in which what they tell of has ended. */
const LOGS = ['webhook_attempt', 'webhook_answer', 'webhook_message'];

function createPruneTable(db: Database, commits: GroupCommit, table: string): OutboxUpkeep['pruneLog'] {
  const window = db.prepare<{ after: number; before: number; now: number }, Window>(
    `SELECT max(sequence) AS last, max(sequence) FILTER (WHERE ended < @before) AS old,
       count(*) FILTER (WHERE ended BETWEEN @before AND @now) > 0 AS young
     FROM (SELECT sequence, ended FROM ${table} WHERE sequence > @after ORDER BY sequence LIMIT ${STEP})`,
  );
  const drop = db.prepare(`DELETE FROM ${table} WHERE sequence > @after AND sequence <= @old`);
  let after = 0;
  return async (before, now) => {
    const { last, old, young } = window.get({ after, before, now }) as Window;
    if (old !== null) {
      const from = after;
      await commits.submit(() => drop.run({ after: from, old }));
    }
    const more = last !== null && young === 0;
    // Skipped attempts are examined again the next time.
    after = more ? Math.max(after, last) : 0;
    return more;
  };
}

/** Tables, and which of their rows are useless without the hook. */
const KEPT: readonly (readonly [table: string, useless: string])[] = [
  ['webhook_mail', 'sent IS NOT NULL'],
  ['webhook_delivery', 'attempt_id IS NULL AND snapshot_uri IS NULL'],
];

/**
 * Deletes rows whose hook no longer exists: the mail that was sent about it, and deliveries
 * of a hook that was deleted with its user.
 */
export function createPruneOrphans(db: Database, commits: GroupCommit): OutboxUpkeep['pruneOrphans'] {
  const tables = KEPT.map(([table, useless]) => ({
    last: db
      .prepare<[string], string | null>(
        `SELECT max(id) FROM (SELECT id FROM ${table} WHERE id > ? ORDER BY id LIMIT ${STEP})`,
      )
      .pluck(),
    drop: db.prepare(
      `DELETE FROM ${table} WHERE id > @after AND id <= @last AND ${useless}
         AND NOT EXISTS (SELECT 1 FROM webhook w WHERE w.id = webhook_id)`,
    ),
  }));
  let at = 0;
  let after = '';
  return async () => {
    const { last, drop } = tables[at] as (typeof tables)[number];
    const end = last.get(after) ?? null;
    if (end === null) {
      after = '';
      at = (at + 1) % tables.length;
      return at !== 0;
    }
    const place = { after, last: end };
    await commits.submit(() => drop.run(place));
    after = end;
    return true;
  };
}
