// What operators read of hooks and deliveries: figures, the list of hooks, the internal log (S40), and how old rows go.
import type { Database } from 'better-sqlite3';
import type { OutcomeClass } from './delivery.js';
import type { HookRow } from './hook-events.js';
import { createOrphans } from './orphans.js';
import type { OutboxParts } from './parts.js';
import { createStatistics, type Statistics } from './stats.js';

export interface HookReport extends HookRow {
  readonly date_created: number;
  readonly date_updated: number;
  readonly deliveries: number;
  readonly held: number;
  readonly inFlight: number;
  /** Epoch milliseconds; null: nothing is due by itself. */
  readonly nextDue: number | null;
  /** When the mail to the creator was written, and sent. */
  readonly noticed: number | null;
  readonly noticeSent: number | null;
}

export interface LoggedAttempt {
  readonly id: string;
  readonly delivery: string;
  readonly type: string;
  readonly started: number;
  readonly ended: number;
  readonly outcome: OutcomeClass;
  readonly status: number | null;
  /** 1: it moved the hook's counter. */
  readonly counted: 0 | 1;
}

/** What a connection that only reads can answer. */
export interface Looks {
  /** All hooks, the one with most failures first. */
  hooks(): readonly HookReport[];
  /** The newest attempts of a hook, newest first; also of one that is gone. */
  log(hook: string, limit?: number): readonly LoggedAttempt[];
}

export interface Reports extends Looks, Statistics {
  /** Drops some attempts that ended before then from the log. @returns true: there may be more */
  forget(before: number, now: number): Promise<boolean>;
  /** Deletes some rows of hooks that are gone. @returns true: there may be more */
  orphans(): Promise<boolean>;
}

export function createReports({ db, commits }: OutboxParts): Reports {
  return {
    ...createLooks(db),
    ...createStatistics(db),
    orphans: createOrphans(db, commits),
    forget: createForget(db, commits),
  };
}

export function createLooks(db: Database): Looks {
  const hooks = db.prepare<[], HookReport>(HOOKS);
  const log = db.prepare<[string, number], LoggedAttempt>(
    `SELECT id, delivery_id AS delivery, type, started, ended, outcome, status, counted
     FROM webhook_attempt WHERE webhook_id = ? ORDER BY sequence DESC LIMIT ?`,
  );
  return { hooks: () => hooks.all(), log: (hook, limit = 100) => log.all(hook, limit) };
}

/** Attempts that one step looks at, and so deletes, at most. */
const STEP = 1_000;

interface Window {
  /** Sequence of its last attempt, and of its last one that is old; null: it has none. */
  readonly last: number | null;
  readonly old: number | null;
  /** Whether it has one that is neither old nor dated in the future. */
  readonly young: 0 | 1;
}

/**
 * Attempts are logged in the order they end, so whatever was logged before an old one is old too, also what a wrong clock
 * has dated in the future. Such dates alone say nothing, and are passed over.
 */
function createForget(db: OutboxParts['db'], commits: OutboxParts['commits']): Reports['forget'] {
  const look = db.prepare<{ after: number; before: number; now: number }, Window>(
    `SELECT max(sequence) AS last, max(sequence) FILTER (WHERE ended < @before) AS old,
       count(*) FILTER (WHERE ended BETWEEN @before AND @now) > 0 AS young
     FROM (SELECT sequence, ended FROM webhook_attempt WHERE sequence > @after ORDER BY sequence LIMIT ${STEP})`,
  );
  const drop = db.prepare('DELETE FROM webhook_attempt WHERE sequence > @after AND sequence <= @old');
  let after = 0;
  return async (before, now) => {
    const { last, old, young } = look.get({ after, before, now }) as Window;
    if (old !== null) {
      const from = after;
      await commits.submit(() => drop.run({ after: from, old }));
    }
    const more = last !== null && young === 0;
    // What was passed over is looked at again the next time.
    after = more ? Math.max(after, last) : 0;
    return more;
  };
}

const HOOKS = `
SELECT w.*, count(d.id) AS deliveries, count(d.attempt_id) AS inFlight,
  count(d.id) FILTER (WHERE d.ready IS NULL AND d.attempt_id IS NULL) AS held, min(d.ready) AS nextDue,
  m.created AS noticed, m.sent AS noticeSent
FROM webhook w LEFT JOIN webhook_delivery d ON d.webhook_id = w.id LEFT JOIN webhook_mail m ON m.webhook_id = w.id
GROUP BY w.id ORDER BY w.failures_since_last_success DESC, w.id`;
