// What operators read of hooks and deliveries: figures, the list of hooks, the internal log (S40). Reads, and forgets old log.
import type { Database } from 'better-sqlite3';
import { HOLD_AT, NOTICE_AT, type OutcomeClass } from './delivery.js';
import type { HookRow } from './hook-events.js';
import type { OutboxParts } from './parts.js';

export interface Stats {
  /** Deliveries that could be attempted now, and milliseconds since the oldest became so. */
  readonly due: number;
  readonly oldestDueAge: number;
  /** Retries that will become due. */
  readonly waiting: number;
  /** Retries of hooks at HOLD_AT and above. */
  readonly held: number;
  readonly inFlight: number;
  readonly hooks: number;
  /** Hooks whose count has reached NOTICE_AT, and HOLD_AT. */
  readonly failing: number;
  readonly holding: number;
  readonly mailsDue: number;
  readonly oldestMailAge: number;
}

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

export interface Reports extends Looks {
  stats(now: number): Stats;
  /** Drops attempts that ended before then from the log; how many. */
  forget(before: number): Promise<number>;
}

export function createReports({ db, commits }: OutboxParts): Reports {
  const stats = db.prepare<{ now: number }, Stats>(STATS);
  // Attempts are logged in the order they end, so the first that is young enough ends the old ones.
  const forget = db.prepare<{ before: number }>(
    `DELETE FROM webhook_attempt WHERE sequence < coalesce(
       (SELECT sequence FROM webhook_attempt WHERE ended >= @before ORDER BY sequence LIMIT 1),
       (SELECT max(sequence) + 1 FROM webhook_attempt))`,
  );
  return {
    ...createLooks(db),
    stats: (now) => stats.get({ now }) as Stats,
    forget: (before) => commits.submit(() => forget.run({ before }).changes),
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

const STATS = `
SELECT d.*, w.*, m.* FROM
  (SELECT count(*) FILTER (WHERE attempt_id IS NULL AND ready <= @now) AS due,
     coalesce(max(@now - ready) FILTER (WHERE attempt_id IS NULL AND ready <= @now), 0) AS oldestDueAge,
     count(*) FILTER (WHERE attempt_id IS NULL AND ready > @now) AS waiting,
     count(*) FILTER (WHERE attempt_id IS NULL AND ready IS NULL) AS held,
     count(attempt_id) AS inFlight FROM webhook_delivery) d,
  (SELECT count(*) AS hooks,
     count(*) FILTER (WHERE failures_since_last_success >= ${NOTICE_AT}) AS failing,
     count(*) FILTER (WHERE failures_since_last_success >= ${HOLD_AT}) AS holding FROM webhook) w,
  (SELECT count(*) AS mailsDue, coalesce(max(@now - created), 0) AS oldestMailAge
     FROM webhook_mail WHERE due IS NOT NULL) m`;

const HOOKS = `
SELECT w.*, count(d.id) AS deliveries, count(d.attempt_id) AS inFlight,
  count(d.id) FILTER (WHERE d.ready IS NULL AND d.attempt_id IS NULL) AS held, min(d.ready) AS nextDue,
  m.created AS noticed, m.sent AS noticeSent
FROM webhook w LEFT JOIN webhook_delivery d ON d.webhook_id = w.id LEFT JOIN webhook_mail m ON m.webhook_id = w.id
GROUP BY w.id ORDER BY w.failures_since_last_success DESC, w.id`;
