// What operators read about hooks: the list of hooks with what waits for each, the log of attempts (S40), and messages (D48).
import { placementOf } from '../../contract/ids.js';
import {
  DELIVERY_STATES,
  type DeliveryReport,
  type HookPage,
  type HookReport,
  type HookReports,
  type LoggedAttempt,
  type MessageReport,
} from '../outbox.js';
import type { Dialect } from '../sql/dialect.js';
import { otherSchema } from '../start-error.js';
import type { Database } from '../unit.js';
import { PARTS } from './deliveries.js';

export function createReports(database: Database): HookReports {
  const statements = reportStatements(database.dialect);
  return {
    hooks: (wanted) =>
      database.read(function* (queries) {
        if (wanted === undefined) return (yield* queries.rows<PlacedReport>(statements.all, {})).map(reported);
        const { after, limit } = wanted;
        const place = { after: after?.id ?? null, failures: after?.failures_since_last_success ?? 0, limit };
        const values = { ...stateParameters(wanted.state), ...place };
        return (yield* queries.rows<PlacedReport>(statements.page, values)).map(reported);
      }),
    hook: (id) =>
      database.read(function* (queries) {
        const found = yield* queries.row<PlacedReport>(statements.one, { placement: placementOf(id), id });
        return found === undefined ? null : reported(found);
      }),
    log: (hook, limit = 100) =>
      database.read((queries) =>
        queries.rows<LoggedAttempt>(statements.log, { placement: placementOf(hook), hook, limit }),
      ),
    deliveries: (hook, { states, after, limit }) =>
      database.read((queries) => {
        const values = { placement: placementOf(hook), hook, states: states ?? DELIVERY_STATES, after, limit };
        return queries.rows<DeliveryReport>(statements.deliveries, values);
      }),
    message: (hook, delivery) =>
      database.read(function* (queries) {
        const values = { placement: placementOf(hook), hook, delivery };
        const found = yield* queries.row<Omit<MessageReport, 'attempts'>>(statements.message, values);
        if (found === undefined) return null;
        return {
          ...found,
          attempts: yield* queries.rows<MessageReport['attempts'][number]>(statements.attempts, values),
        };
      }),
  };
}

/** Throws StartError if the database lacks what reports read. @param isUnknown whether an error says that it does */
export async function createCheckedReports(
  database: Database,
  isUnknown: (error: unknown) => boolean,
): Promise<HookReports> {
  const { all, ...others } = reportStatements(database.dialect);
  try {
    for (const sql of Object.values(others)) await database.read((queries) => queries.rows(sql, ABOUT_NO_HOOK));
  } catch (error) {
    throw isUnknown(error) ? otherSchema(error as Error) : error;
  }
  return createReports(database);
}

const ABOUT_NO_HOOK = {
  ...{ placement: '', id: '', hook: '', delivery: '' },
  ...{ from: 0, below: 0, paused: 0, after: null, failures: 0, states: [], limit: 0 },
};

type PlacedReport = HookReport & { readonly _shard?: string; readonly _version?: number };

/** Without what only the store has. */
function reported({ _shard, _version, ...report }: PlacedReport): HookReport {
  return report;
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
  // As they were logged.
  const order = (direction: string) =>
    dialect.isPlaced ? `a.ended${direction}, a.id${direction}` : `a.sequence${direction}`;
  const deliveries = deliveriesSql(dialect);
  return {
    all: hooksSql(dialect, '1 = 1', beside),
    page: `${hooksSql(dialect, `${ofState} AND ${following}`, beside)} LIMIT @limit`,
    one: hooksSql(dialect, `${at('w')} AND w.id = @id`, '@placement'),
    log: `SELECT ${attempt} FROM webhook_attempt a WHERE ${at('a')} AND a.webhook_id = @hook ORDER BY ${order(' DESC')} LIMIT @limit`,
    deliveries:
      `SELECT d.id, d.hook, d.type, d.state, d.created, d.due, d.ended, d.failed FROM (${deliveries}) d ` +
      `WHERE (CAST(@after AS text) IS NULL OR d.id < @after) AND ${dialect.isOneOf('d.state', '@states')} ` +
      'ORDER BY d.id DESC LIMIT @limit',
    message: `SELECT d.* FROM (${deliveries}) d WHERE d.id = @delivery`,
    attempts:
      `SELECT ${attempt}, w.answer FROM webhook_attempt a ` +
      `LEFT JOIN webhook_answer w ON ${dialect.placed('w', dialect.placement('a'))} AND w.id = a.id ` +
      `WHERE ${at('a')} AND a.webhook_id = @hook AND a.delivery_id = @delivery ORDER BY ${order('')}`,
  };
}

/**
 * @param condition on a hook `w` and its row `p` in the list of those that are paused
 * @param placement SQL of where they are: of one hook it is a value, since Citus asks every shard for what is compared with a row
 */
function hooksSql(dialect: Dialect, condition: string, placement: string): string {
  const at = (alias: string) => dialect.placed(alias, placement);
  const counts = deliveryCounts(dialect, placement);
  return `SELECT w.*, ${counts.selected}, m.created AS noticed, m.sent AS "noticeSent", p.operator AS "pausedByOperator",
  p.account AS "pausedWithAccount"
FROM webhook w ${counts.joined} LEFT JOIN webhook_mail m ON ${at('m')} AND m.webhook_id = w.id
  LEFT JOIN webhook_pause p ON ${at('p')} AND p.webhook_id = w.id
WHERE ${condition} ORDER BY w.failures_since_last_success DESC, w.id`;
}

const COUNTS: Readonly<Record<string, string>> = {
  deliveries: 'count(*)',
  inFlight: 'count(attempt_id)',
  held: 'count(*) FILTER (WHERE ready IS NULL AND attempt_id IS NULL)',
  nextDue: 'min(ready)',
};

/** What waits for a hook `w`: in one pass where the engine can join it, otherwise each count by itself. */
function deliveryCounts(dialect: Dialect, placement: string) {
  const counts = Object.entries(COUNTS);
  const ofHook = `${dialect.placed('d', placement)} AND d.webhook_id = w.id`;
  if (dialect.isPlaced) {
    const all = counts.map(([name, aggregate]) => `${aggregate} AS "${name}"`).join(', ');
    const joined = `LEFT JOIN LATERAL (SELECT ${all} FROM webhook_delivery d WHERE ${ofHook}) d ON true`;
    return { selected: counts.map(([name]) => `d."${name}"`).join(', '), joined };
  }
  const parts = PARTS.map((part) => `SELECT ready, attempt_id FROM webhook_delivery d WHERE ${ofHook} AND ${part}`);
  const all = parts.join(' UNION ALL ');
  return { selected: counts.map(([name, of]) => `(SELECT ${of} FROM (${all})) AS "${name}"`).join(', '), joined: '' };
}

/** The deliveries of a hook. What was cancelled with its hook is listed by its delivery while it is attempted again. */
function deliveriesSql(dialect: Dialect): string {
  const at = (alias: string) => dialect.placed(alias, '@placement');
  const state = `CASE WHEN d.attempt_id IS NOT NULL THEN 'in_flight' WHEN d.ready IS NULL THEN 'held' ELSE 'waiting' END`;
  const waiting = PARTS.map(
    (part) => `SELECT d.id, d.webhook_id AS hook, d.type, d.message, d.created, d.ready AS due,
  CAST(NULL AS bigint) AS ended, d.failed, ${state} AS state FROM webhook_delivery d
WHERE ${at('d')} AND d.webhook_id = @hook AND d.${part}`,
  );
  const failed = `SELECT count(*) FROM webhook_attempt a WHERE ${at('a')} AND a.webhook_id = @hook AND a.delivery_id = m.id
  AND a.counted = 1 AND a.outcome <> 'success'`;
  const over = `SELECT m.id, m.webhook_id, m.type, m.message, m.created, NULL, m.ended, (${failed}), m.state
FROM webhook_message m WHERE ${at('m')} AND m.webhook_id = @hook
  AND NOT EXISTS (SELECT 1 FROM webhook_delivery d WHERE ${at('d')} AND d.id = m.id)`;
  return [...waiting, over].join(' UNION ALL ');
}
