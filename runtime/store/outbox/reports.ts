// Reports for operators and owners: hooks with their waiting deliveries, the log of attempts (S40), and messages (D48).

import { DELIVERY_STATES, type DeliveryState } from '../../contract/delivery-states.js';
import { firstIdAt, placementOf } from '../../contract/ids.js';
import type {
  DeliveryReport,
  HookPage,
  HookReport,
  HookReports,
  LoggedAttempt,
  MessageReport,
  RetryCounts,
} from '../outbox.js';
import type { Dialect } from '../sql/dialect.js';
import { awaitAll, type Database, type Pending, type Queries } from '../unit.js';
import { PARTS } from './deliveries.js';

export function createReports(database: Database): HookReports {
  const statements = reportStatements(database.dialect);
  /** @param most the most rows of each part (`PARTS`) that are counted for a hook */
  function* withCounts(queries: Queries, hooks: readonly PlacedReport[], most: number): Pending<readonly HookReport[]> {
    const sent = hooks.map(({ id }) =>
      queries.row<DeliveryCounts>(statements.counts, { placement: placementOf(id), hook: id, most }),
    );
    const counts = yield* awaitAll(sent);
    return hooks.map((report, at) => reportOf(report, counts[at] as DeliveryCounts));
  }
  return {
    hooks: (wanted = ALL_HOOKS) =>
      database.read(function* (queries) {
        const { after, limit, user, most = EVERY } = wanted;
        const place = { after: after?.id ?? null, failures: after?.failures_since_last_success ?? 0, limit };
        const ofUser = user === undefined ? {} : { user, placement: placementOf(user) };
        const values = { ...stateParameters(wanted.state), ...place, ...ofUser };
        const sql = user === undefined ? statements.page : statements.ofUser;
        return yield* withCounts(queries, yield* queries.rows<PlacedReport>(sql, values), most);
      }),
    hook: (id, most = EVERY) =>
      database.read(function* (queries) {
        const reports = yield* queries.rows<PlacedReport>(statements.one, { placement: placementOf(id), id });
        return (yield* withCounts(queries, reports, most))[0] ?? null;
      }),
    log: (hook, limit = 100) =>
      database.read((queries) =>
        queries.rows<LoggedAttempt>(statements.log, { placement: placementOf(hook), hook, limit }),
      ),
    deliveries: (hook, { states, after, limit }) =>
      database.read(function* (queries) {
        const wanted = states ?? DELIVERY_STATES;
        const isOpen = (state: DeliveryState): boolean => OPEN_STATES.includes(state);
        const parts = { open: Number(wanted.some(isOpen)), over: Number(!wanted.every(isOpen)) };
        const values = { placement: placementOf(hook), hook, after: after ?? AFTER_ALL, ...parts };
        const { last = null } = (yield* queries.row<{ last: string | null }>(statements.last, values)) ?? {};
        const reports = yield* queries.rows<DeliveryReport>(statements.deliveries, {
          ...{ ...values, states: wanted, last: last ?? '', limit: limit + 1 },
        });
        const items = reports.slice(0, limit);
        return { items, next: reports.length > limit ? (items.at(-1)?.id ?? null) : last };
      }),
    message: (hook, delivery) =>
      database.read(function* (queries) {
        const values = { placement: placementOf(hook), hook, delivery };
        const message = yield* queries.row<Omit<MessageReport, 'attempts'>>(statements.message, values);
        if (message === undefined) return null;
        return {
          ...message,
          attempts: yield* queries.rows<MessageReport['attempts'][number]>(statements.attempts, values),
        };
      }),
    retried: (hook, at, most) =>
      database.read(function* (queries) {
        const placement = placementOf(hook);
        const values = { placement, hook, at, most, before: firstIdAt(placement, at + 1) };
        return (yield* queries.row<RetryCounts>(statements.retried, values)) as RetryCounts;
      }),
  };
}

/** More rows than there ever are. */
const EVERY = Number.MAX_SAFE_INTEGER;
const ALL_HOOKS: HookPage = { state: null, after: null, limit: EVERY };
/** Sorts after every id. */
const AFTER_ALL = '~';
/** One page of deliveries scans this many first attempts, retries and messages each; the next page continues from there. */
const SCANNED = 2_000;
const OPEN_STATES: readonly DeliveryState[] = ['waiting', 'held', 'in_flight'];

type DeliveryCounts = Pick<HookReport, 'deliveries' | 'inFlight' | 'held' | 'nextDue'>;
type PlacedReport = Omit<HookReport, keyof DeliveryCounts> & { readonly _shard?: string; readonly _version?: number };

/** Omits the columns that only the store knows. */
function reportOf({ _shard, _version, ...report }: PlacedReport, counts: DeliveryCounts): HookReport {
  const { noticed, noticeSent, pausedByOperator, pausedWithAccount, ...hook } = report;
  return { ...hook, ...counts, noticed, noticeSent, pausedByOperator, pausedWithAccount };
}

function stateParameters(state: HookPage['state']): { from: number; below: number; paused: number } {
  const any = { from: 0, below: Number.MAX_SAFE_INTEGER, paused: 0 };
  if (state === null) return any;
  return state === 'paused' ? { ...any, paused: 1 } : { ...state, paused: 0 };
}

export function reportStatements(dialect: Dialect) {
  const at = (alias: string) => dialect.placed(alias, '@placement');
  const beside = dialect.placement('w');
  const ofState = `w.failures_since_last_success >= @from AND w.failures_since_last_success < @below
    AND (@paused = 0 OR p.webhook_id IS NOT NULL)`;
  const following = `(CAST(@after AS text) IS NULL
    OR (-w.failures_since_last_success, w.id) > (-CAST(@failures AS bigint), @after))`;
  const attempt = 'a.id, a.delivery_id AS delivery, a.type, a.started, a.ended, a.outcome, a.status, a.counted';
  // The order in which attempts were logged.
  const order = (direction: string) =>
    dialect.isPlaced ? `a.ended${direction}, a.id${direction}` : `a.sequence${direction}`;
  const latest = dialect.isPlaced ? `${at('a')} AND a.ended >= @at` : '1';
  // An optional condition (`@after IS NULL OR …`) could not use an index range.
  const earlier = (alias: string) => `${alias}.id < @after`;
  const page = (alias: string) =>
    `${earlier(alias)} AND ${alias}.id >= @last AND ${dialect.isOneOf(stateSql(alias), '@states')} ORDER BY ${alias}.id DESC LIMIT @limit`;
  return {
    page: `${hooksSql(dialect, `${ofState} AND ${following}`, beside)} LIMIT @limit`,
    ofUser: `${hooksSql(dialect, `${at('w')} AND w.user_id = @user AND ${ofState} AND ${following}`, '@placement')} LIMIT @limit`,
    one: hooksSql(dialect, `${at('w')} AND w.id = @id`, '@placement'),
    counts: countsSql(dialect),
    log: `SELECT ${attempt} FROM webhook_attempt a WHERE ${at('a')} AND a.webhook_id = @hook ORDER BY ${order(' DESC')} LIMIT @limit`,
    last: lastSql(dialect, earlier),
    deliveries:
      'SELECT d.id, d.hook, d.type, d.state, d.created, d.due, d.ended, d.failed FROM (' +
      `${deliveriesSql(
        dialect,
        (d) => `@open = 1 AND ${page(d)}`,
        (m) => `@over = 1 AND ${page(m)}`,
      )}) d ` +
      'ORDER BY d.id DESC LIMIT @limit',
    message: deliveriesSql(dialect, isDelivery, isDelivery),
    attempts:
      `SELECT ${attempt}, w.answer FROM webhook_attempt a ` +
      `LEFT JOIN webhook_answer w ON ${dialect.placed('w', dialect.placement('a'))} AND w.id = a.id ` +
      `WHERE ${at('a')} AND a.webhook_id = @hook AND a.delivery_id = @delivery ORDER BY ${order('')}`,
    // Only the newest attempts are read; on SQLite, where all hooks share one order, attempts of other hooks are among them.
    retried:
      `SELECT count(DISTINCT a.delivery_id) AS tried, ` +
      `count(DISTINCT CASE WHEN a.outcome = 'success' THEN a.delivery_id END) AS delivered ` +
      `FROM (SELECT a.delivery_id, a.webhook_id, a.ended, a.counted, a.type, a.outcome FROM webhook_attempt a WHERE ${latest} ORDER BY ${order(' DESC')} LIMIT @most) a ` +
      `WHERE a.webhook_id = @hook AND a.ended >= @at AND a.counted = 1 AND a.type IN ('subscribe', 'data') ` +
      'AND a.delivery_id < @before',
  };
}

function isDelivery(alias: string): string {
  return `${alias}.id = @delivery`;
}

/**
 * @param condition on a hook `w` and its pause `p`
 * @param placement SQL; a value for a single hook, since Citus reads every shard for a comparison with a row
 */
function hooksSql(dialect: Dialect, condition: string, placement: string): string {
  const at = (alias: string) => dialect.placed(alias, placement);
  return `SELECT w.*, m.created AS noticed, m.sent AS "noticeSent", p.operator AS "pausedByOperator",
  p.account AS "pausedWithAccount"
FROM webhook w LEFT JOIN webhook_mail m ON ${at('m')} AND m.webhook_id = w.id
  LEFT JOIN webhook_pause p ON ${at('p')} AND p.webhook_id = w.id
WHERE ${condition} ORDER BY w.failures_since_last_success DESC, w.id`;
}

/**
 * Counts a hook's waiting deliveries, up to `@most` first attempts and as many retries: those due first, so that `nextDue` is
 * right however many there are.
 */
function countsSql(dialect: Dialect): string {
  const ofHook = `${dialect.placed('d', '@placement')} AND d.webhook_id = @hook`;
  const parts = PARTS.map(
    (part) =>
      `SELECT * FROM (SELECT ready, attempt_id FROM webhook_delivery d WHERE ${ofHook} AND d.${part} ` +
      `ORDER BY ${DUE_ORDER[part]} LIMIT @most) d`,
  );
  return `SELECT count(*) AS deliveries, count(attempt_id) AS "inFlight",
  count(*) FILTER (WHERE ready IS NULL AND attempt_id IS NULL) AS held, min(ready) AS "nextDue"
FROM (${parts.join(' UNION ALL ')}) d`;
}

/** First attempts are due in the order of their ids; retries have an index by time. */
const DUE_ORDER: Readonly<Record<(typeof PARTS)[number], string>> = {
  'failed = 0': 'd.id',
  'failed > 0': 'd.ready, d.id',
};

/** The last id that one page scans; null: it scans to the end. */
function lastSql(dialect: Dialect, earlier: (alias: string) => string): string {
  const ofHook = `${dialect.placed('d', '@placement')} AND d.webhook_id = @hook AND ${earlier('d')}`;
  const parts = [
    ...PARTS.map((part) => ['webhook_delivery', `@open = 1 AND d.${part}`] as const),
    ['webhook_message', '@over = 1'] as const,
  ];
  const lasts = parts.map(
    ([table, condition]) =>
      `SELECT * FROM (SELECT d.id FROM ${table} d WHERE ${ofHook} AND ${condition} ` +
      `ORDER BY d.id DESC LIMIT 1 OFFSET ${SCANNED - 1}) d`,
  );
  return `SELECT max(d.id) AS last FROM (${lasts.join(' UNION ALL ')}) d`;
}

/** SQL of the state of a delivery, if the alias is `d`, or else of a message. */
function stateSql(alias: string): string {
  if (alias !== 'd') return `${alias}.state`;
  return `CASE WHEN d.attempt_id IS NOT NULL THEN 'in_flight' WHEN d.ready IS NULL THEN 'held' ELSE 'waiting' END`;
}

/**
 * The deliveries of a hook. A message that was cancelled with its hook is listed as a delivery while it is attempted again.
 * @param open condition on a delivery that is not over @param over condition on a message
 */
function deliveriesSql(dialect: Dialect, open: (alias: string) => string, over: (alias: string) => string): string {
  const at = (alias: string) => dialect.placed(alias, '@placement');
  const waiting = PARTS.map(
    (part) => `SELECT d.id, d.webhook_id AS hook, d.type, d.message, d.created, d.ready AS due,
  CAST(NULL AS bigint) AS ended, d.failed, ${stateSql('d')} AS state FROM (SELECT * FROM webhook_delivery d
  WHERE ${at('d')} AND d.webhook_id = @hook AND d.${part} AND ${open('d')}) d`,
  );
  const failed = `SELECT count(*) FROM webhook_attempt a WHERE ${at('a')} AND a.webhook_id = @hook AND a.delivery_id = m.id
  AND a.counted = 1 AND a.outcome <> 'success'`;
  const ended = `SELECT m.id, m.webhook_id, m.type, m.message, m.created, NULL, m.ended, (${failed}), m.state
FROM (SELECT * FROM webhook_message m WHERE ${at('m')} AND m.webhook_id = @hook
  AND NOT EXISTS (SELECT 1 FROM webhook_delivery d WHERE ${at('d')} AND d.id = m.id) AND ${over('m')}) m`;
  return [...waiting, ended].join(' UNION ALL ');
}
