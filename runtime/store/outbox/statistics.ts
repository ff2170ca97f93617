// Counts the contents of the outbox for operators. Reading the figures takes constant time.
import { HOLD_AT, NOTICE_AT } from '../../rules/delivery.js';
import type { OutboxUpkeep } from '../outbox.js';
import type { Dialect } from '../sql/dialect.js';
import type { Database, Pending, Queries } from '../unit.js';

/** The number of rows of a slice. */
const SLICE = 5_000;

const DUE = 'attempt_id IS NULL AND ready <= @now';

export function createStatistics(database: Database): Pick<OutboxUpkeep, 'statistics' | 'count'> {
  const { dialect } = database;
  const deliveries = createTally(dialect, 'webhook_delivery', WANTED.webhook_delivery);
  const hooks = createTally(dialect, 'webhook', WANTED.webhook);
  const mails = createTally(dialect, 'webhook_mail', WANTED.webhook_mail);
  const tallies = [deliveries, hooks, mails];
  let counting = 0;
  return {
    statistics: (now) =>
      database.read(function* (queries) {
        const { due, oldest, waiting, held, inFlight } = yield* deliveries.counts(queries, now);
        const { hooks: all, failing, holding } = yield* hooks.counts(queries, now);
        const { mailsDue, oldest: oldestMail } = yield* mails.counts(queries, now);
        const ages = { oldestDueAge: age(oldest, now), oldestMailAge: age(oldestMail, now) };
        return { due, waiting, held, inFlight, hooks: all, failing, holding, mailsDue, ...ages };
      }),
    count: (now) =>
      database.read(function* (queries) {
        const tally = tallies[counting];
        if (tally !== undefined && (yield* tally.step(queries, now))) return true;
        counting = (counting + 1) % tallies.length;
        return counting !== 0;
      }),
  };
}

/** Zero if there is no time, or if the clock was set back. */
function age(since: number, now: number): number {
  return Math.max(0, Number.isFinite(since) ? now - since : 0);
}

/** How a number is computed for one slice of a table, and how the numbers of two slices are combined. */
interface Aggregate {
  /** An aggregate; may name `@now`. */
  readonly sql: string;
  readonly merge: (one: number, other: number) => number;
}

interface Tally<Name extends string> {
  /** Exact for a table that fits into one slice; otherwise the result of the last complete count. */
  counts(queries: Queries, now: number): Pending<Counts<Name>>;
  /** Counts one more slice. @returns true: the count is not complete yet */
  step(queries: Queries, now: number): Pending<boolean>;
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

/** The figures of each table. */
const WANTED = {
  webhook_delivery: {
    due: rowsWhere(DUE),
    oldest: smallest('ready', DUE),
    waiting: rowsWhere('attempt_id IS NULL AND ready > @now'),
    held: rowsWhere('attempt_id IS NULL AND ready IS NULL'),
    inFlight: rowsWhere('attempt_id IS NOT NULL'),
  },
  webhook: {
    hooks: rowsWhere(),
    failing: rowsWhere(`failures_since_last_success >= ${NOTICE_AT}`),
    holding: rowsWhere(`failures_since_last_success >= ${HOLD_AT}`),
  },
  webhook_mail: {
    mailsDue: rowsWhere('due IS NOT NULL'),
    oldest: smallest('created', 'due IS NOT NULL'),
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, Aggregate>>>>;

export function statisticStatements(dialect: Dialect): readonly string[] {
  return Object.entries(WANTED).map(([table, wanted]) => sliceStatement(dialect, table, wanted));
}

type CountedSlice = Readonly<Record<string, number | string | null>>;

/** Counts a table that may be large in slices, so that no step takes long. @param table its key must be the text `id` */
function createTally<Name extends string>(
  dialect: Dialect,
  table: string,
  wanted: Readonly<Record<Name, Aggregate>>,
): Tally<Name> {
  const names = Object.keys(wanted) as Name[];
  const sql = sliceStatement(dialect, table, wanted);
  function* slice(queries: Queries, after: string, now: number): Pending<CountedSlice> {
    return (yield* queries.row<CountedSlice>(sql, { after, now })) ?? {};
  }
  const countsOf = (counted: CountedSlice): Counts<Name> => {
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
    *counts(queries, now) {
      const first = yield* slice(queries, '', now);
      return Number(first.rows) < SLICE || whole === null ? countsOf(first) : whole;
    },
    *step(queries, now) {
      const counted = yield* slice(queries, after, now);
      sum = merged(sum, countsOf(counted));
      after = String(counted.last ?? '');
      if (counted.rows === SLICE) return true;
      [whole, sum, after] = [sum, null, ''];
      return false;
    },
  };
}

/**
 * Counts the SLICE rows after the id `@after`, in the order of ids. It also selects `rows`, their number, and `last`, the
 * greatest id, null if there are none.
 */
function sliceStatement(dialect: Dialect, table: string, wanted: Readonly<Record<string, Aggregate>>): string {
  const columns = Object.entries(wanted).map(([name, { sql }]) => `${sql} AS "${name}"`);
  const following = dialect.compareKey('o', '>', '@after');
  return (
    `SELECT count(*) AS "rows", max(t.id) AS "last", ${columns.join(', ')} FROM (` +
    `SELECT o.* FROM ${table} o WHERE ${following} ORDER BY ${dialect.keyOrder('o')} LIMIT ${SLICE}) t`
  );
}
