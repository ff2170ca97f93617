// How much the outbox holds, as numbers for operators, on every engine. Reading them takes constant time.

import { chain, type MaybePromise } from '../../maybe-promise.js';
import { HOLD_AT, NOTICE_AT } from '../../webhooks/rules/delivery.js';
import type { OutboxUpkeep } from '../outbox.js';

/** Rows of a slice. */
export const SLICE = 5_000;

/**
 * Prepares the statement that counts the SLICE rows after the id `@after`, in the order of ids.
 * @param columns aggregates with their names, which may name `@now`; beside them it selects `rows`, their number, and
 *   `last`, the greatest id, null if there are none
 */
export type PrepareSlice = (table: string, columns: string) => (place: Place) => MaybePromise<Counted>;

interface Place {
  readonly after: string;
  readonly now: number;
}

type Counted = Readonly<Record<string, number | string | null>>;

const DUE = 'attempt_id IS NULL AND ready <= @now';

export function createStatistics(prepare: PrepareSlice): Pick<OutboxUpkeep, 'statistics' | 'count'> {
  const deliveries = createTally(prepare, 'webhook_delivery', {
    due: rowsWhere(DUE),
    oldest: smallest('ready', DUE),
    waiting: rowsWhere('attempt_id IS NULL AND ready > @now'),
    held: rowsWhere('attempt_id IS NULL AND ready IS NULL'),
    inFlight: rowsWhere('attempt_id IS NOT NULL'),
  });
  const hooks = createTally(prepare, 'webhook', {
    hooks: rowsWhere(),
    failing: rowsWhere(`failures_since_last_success >= ${NOTICE_AT}`),
    holding: rowsWhere(`failures_since_last_success >= ${HOLD_AT}`),
  });
  const mails = createTally(prepare, 'webhook_mail', {
    mailsDue: rowsWhere('due IS NOT NULL'),
    oldest: smallest('created', 'due IS NOT NULL'),
  });
  const tallies = [deliveries, hooks, mails];
  let counting = 0;
  return {
    statistics: (now) =>
      chain(deliveries.counts(now), ({ due, oldest, waiting, held, inFlight }) =>
        chain(hooks.counts(now), ({ hooks: all, failing, holding }) =>
          chain(mails.counts(now), ({ mailsDue, oldest: oldestMail }) => {
            const ages = { oldestDueAge: age(oldest, now), oldestMailAge: age(oldestMail, now) };
            return { due, waiting, held, inFlight, hooks: all, failing, holding, mailsDue, ...ages };
          }),
        ),
      ),
    count: (now) =>
      chain(tallies[counting]?.step(now) ?? false, (more) => {
        if (more) return true;
        counting = (counting + 1) % tallies.length;
        return counting !== 0;
      }),
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
  counts(now: number): MaybePromise<Counts<Name>>;
  /** Counts one more slice. @returns true: the count is not complete yet */
  step(now: number): MaybePromise<boolean>;
}

type Counts<Name extends string> = Readonly<Record<Name, number>>;

/** The number of rows. @param condition SQL, true for the rows that count; all of them by default */
function rowsWhere(condition = '1 = 1'): Aggregate {
  return { sql: `count(*) FILTER (WHERE ${condition})`, merge: (one, other) => one + other };
}

/** The smallest value; Infinity if there is none. */
function smallest(column: string, condition: string): Aggregate {
  return { sql: `min(${column}) FILTER (WHERE ${condition})`, merge: Math.min };
}

/** Counts a table that may be large in slices, so that no step takes long. @param table its key must be the text `id` */
function createTally<Name extends string>(
  prepare: PrepareSlice,
  table: string,
  wanted: Readonly<Record<Name, Aggregate>>,
): Tally<Name> {
  const names = Object.keys(wanted) as Name[];
  const slice = prepare(table, names.map((name) => `${wanted[name].sql} AS "${name}"`).join(', '));
  const countsOf = (counted: Counted): Counts<Name> => {
    const pairs = names.map((name) => [name, counted[name] ?? Number.POSITIVE_INFINITY]);
    return Object.fromEntries(pairs) as Counts<Name>;
  };
  const merged = (one: Counts<Name> | null, other: Counts<Name>): Counts<Name> => {
    if (one === null) return other;
    const pairs = names.map((name) => [name, wanted[name].merge(one[name], other[name])]);
    return Object.fromEntries(pairs) as Counts<Name>;
  };
  let whole: Counts<Name> | null = null;
  let sum: Counts<Name> | null = null;
  let after = '';
  return {
    counts: (now) =>
      chain(slice({ after: '', now }), (first) =>
        Number(first.rows) < SLICE || whole === null ? countsOf(first) : whole,
      ),
    step: (now) =>
      chain(slice({ after, now }), (found) => {
        sum = merged(sum, countsOf(found));
        after = String(found.last ?? '');
        if (found.rows === SLICE) return true;
        [whole, sum, after] = [sum, null, ''];
        return false;
      }),
  };
}
