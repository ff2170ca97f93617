// What the outbox holds, as figures for operators. They cost the same however much it holds: see tally.
import type { Database } from 'better-sqlite3';
import { HOLD_AT, NOTICE_AT } from './delivery.js';
import { counted, createTally, smallest } from './tally.js';

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

export interface Statistics {
  /** Tables of more than 5,000 rows are told as of the last whole count. */
  stats(now: number): Stats;
  /** Counts a bounded part of them again. @returns true: there is more to count now */
  count(now: number): Promise<boolean>;
}

const DUE = 'attempt_id IS NULL AND ready <= @now';

export function createStatistics(db: Database): Statistics {
  const deliveries = createTally(db, 'webhook_delivery', {
    due: counted(DUE),
    oldest: smallest('ready', DUE),
    waiting: counted('attempt_id IS NULL AND ready > @now'),
    held: counted('attempt_id IS NULL AND ready IS NULL'),
    inFlight: counted('attempt_id IS NOT NULL'),
  });
  const hooks = createTally(db, 'webhook', {
    hooks: counted(),
    failing: counted(`failures_since_last_success >= ${NOTICE_AT}`),
    holding: counted(`failures_since_last_success >= ${HOLD_AT}`),
  });
  const mails = createTally(db, 'webhook_mail', {
    mailsDue: counted('due IS NOT NULL'),
    oldest: smallest('created', 'due IS NOT NULL'),
  });
  const tallies = [deliveries, hooks, mails];
  let counting = 0;
  return {
    stats(now) {
      const { due, oldest, waiting, held, inFlight } = deliveries.figures(now);
      const { mailsDue, oldest: oldestMail } = mails.figures(now);
      const { hooks: all, failing, holding } = hooks.figures(now);
      const ages = { oldestDueAge: age(oldest, now), oldestMailAge: age(oldestMail, now) };
      return { due, waiting, held, inFlight, hooks: all, failing, holding, mailsDue, ...ages };
    },
    async count(now) {
      if (tallies[counting]?.step(now) !== true) counting = (counting + 1) % tallies.length;
      else return true;
      return counting !== 0;
    },
  };
}

/** Zero where there is nothing, or where the clock was set back. */
function age(since: number, now: number): number {
  return Math.max(0, Number.isFinite(since) ? now - since : 0);
}
