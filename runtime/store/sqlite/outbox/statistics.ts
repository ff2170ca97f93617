// How much the outbox holds, as numbers for operators. Reading them takes constant time.

import type { Database } from 'better-sqlite3';
import { HOLD_AT, NOTICE_AT } from '../../../webhooks/rules/delivery.js';
import type { OutboxUpkeep } from '../../outbox.js';

const DUE = 'attempt_id IS NULL AND ready <= @now';

export function createStatistics(db: Database): Pick<OutboxUpkeep, 'statistics' | 'count'> {
  const deliveries = createTally(db, 'webhook_delivery', {
    due: rowsWhere(DUE),
    oldest: smallest('ready', DUE),
    waiting: rowsWhere('attempt_id IS NULL AND ready > @now'),
    held: rowsWhere('attempt_id IS NULL AND ready IS NULL'),
    inFlight: rowsWhere('attempt_id IS NOT NULL'),
  });
  const hooks = createTally(db, 'webhook', {
    hooks: rowsWhere(),
    failing: rowsWhere(`failures_since_last_success >= ${NOTICE_AT}`),
    holding: rowsWhere(`failures_since_last_success >= ${HOLD_AT}`),
  });
  const mails = createTally(db, 'webhook_mail', {
    mailsDue: rowsWhere('due IS NOT NULL'),
    oldest: smallest('created', 'due IS NOT NULL'),
  });
  const tallies = [deliveries, hooks, mails];
  let counting = 0;
  return {
    statistics(now) {
      const { due, oldest, waiting, held, inFlight } = deliveries.counts(now);
      const { mailsDue, oldest: oldestMail } = mails.counts(now);
      const { hooks: all, failing, holding } = hooks.counts(now);
      const ages = { oldestDueAge: age(oldest, now), oldestMailAge: age(oldestMail, now) };
      return { due, waiting, held, inFlight, hooks: all, failing, holding, mailsDue, ...ages };
    },
    count(now) {
      if (tallies[counting]?.step(now) === true) return true;
      counting = (counting + 1) % tallies.length;
      return counting !== 0;
    },
  };
}

/** Zero if there is nothing, or if the clock was set back. */
function age(since: number, now: number): number {
  return Math.max(0, Number.isFinite(since) ? now - since : 0);
}

/** How a number is found for one slice of a table, and how the numbers of two slices are combined. */
interface Aggregate {
  /** An aggregate; may name `@now`. */
  readonly sql: string;
  readonly merge: (one: number, other: number) => number;
}

interface Tally<Name extends string> {
  /** Exact for a table that fits into one slice; otherwise what the last complete count found. */
  counts(now: number): Readonly<Record<Name, number>>;
  /** Counts one more slice. @returns true: the count is not complete yet */
  step(now: number): boolean;
}

/** Rows of a slice. */
const SLICE = 5_000;

/** The number of rows. @param condition SQL, true for the rows that count; all of them by default */
function rowsWhere(condition = '1'): Aggregate {
  return { sql: `count(*) FILTER (WHERE ${condition})`, merge: (one, other) => one + other };
}

/** The smallest value; Infinity if there is none. */
function smallest(column: string, condition: string): Aggregate {
  return { sql: `coalesce(min(${column}) FILTER (WHERE ${condition}), 9e999)`, merge: Math.min };
}

interface Slice {
  readonly rows: number;
  readonly last: string | null;
}

/** Counts a table that may be large in slices, so that no step takes long. @param table its key must be the text `id` */
function createTally<Name extends string>(
  db: Database,
  table: string,
  wanted: Readonly<Record<Name, Aggregate>>,
): Tally<Name> {
  type Counts = Record<Name, number>;
  const names = Object.keys(wanted) as Name[];
  const columns = names.map((name) => `${wanted[name].sql} AS ${name}`).join(', ');
  const slice = db.prepare<{ after: string; now: number }, Slice & Counts>(
    `SELECT count(*) AS rows, max(id) AS last, ${columns}
     FROM (SELECT * FROM ${table} WHERE id > @after ORDER BY id LIMIT ${SLICE}) WHERE @now IS NOT NULL`,
  );
  const merged = (one: Counts | null, other: Counts): Counts => {
    if (one === null) return other;
    const pairs = names.map((name) => [name, wanted[name].merge(one[name], other[name])]);
    return Object.fromEntries(pairs) as Counts;
  };
  let whole: Counts | null = null;
  let sum: Counts | null = null;
  let after = '';
  return {
    counts(now) {
      const first = slice.get({ after: '', now }) as Slice & Counts;
      return first.rows < SLICE ? first : (whole ?? first);
    },
    step(now) {
      const found = slice.get({ after, now }) as Slice & Counts;
      sum = merged(sum, found);
      after = found.last ?? '';
      if (found.rows === SLICE) return true;
      [whole, sum, after] = [sum, null, ''];
      return false;
    },
  };
}
