// What operators read about hooks: the list of hooks with what waits for each, the log of attempts (S40), and messages (D48).

import { DatabaseError } from 'pg';
import { placementOf } from '../../../ids.js';
import type { DeliveryReport, HookReport, HookReports, LoggedAttempt, MessageReport } from '../../outbox.js';
import { conditionOf, DELIVERY_STATES, stateParameters } from '../../sql/hook-reports.js';
import { otherSchema } from '../../start-error.js';
import type { Connections } from '../connections.js';
import { prepareNamed } from '../named.js';
import { select } from './select.js';

type ReportConnections = Pick<Connections, 'prepare' | 'query'>;
type Placed = HookReport & { readonly _shard: string };

export function createReports(connections: ReportConnections): HookReports {
  const { query } = connections;
  const all = prepareNamed(connections, hooksSql('1 = 1', 'ALL'));
  const page = prepareNamed(
    connections,
    hooksSql(
      `${conditionOf('p.webhook_id IS NOT NULL')} AND (@after::text IS NULL
        OR (-w.failures_since_last_success, w.id) > (-@failures::bigint, @after))`,
      '@limit',
    ),
  );
  const one = prepareNamed(connections, hooksSql('w._shard = @shard AND w.id = @id', 'ALL', '@shard'));
  const log = prepareNamed(
    connections,
    `SELECT ${ATTEMPT} FROM webhook_attempt a
     WHERE a._shard = @shard AND a.webhook_id = @hook ORDER BY a.ended DESC, a.id DESC LIMIT @limit`,
  );
  return {
    async hooks(wanted) {
      if (wanted === undefined) return (await select<Placed>(query, all({}))).map(withoutShard);
      const { state, after, limit } = wanted;
      const place = { after: after?.id ?? null, failures: after?.failures_since_last_success ?? 0, limit };
      return (await select<Placed>(query, page({ ...stateParameters(state), ...place }))).map(withoutShard);
    },
    async hook(id) {
      const [found] = await select<Placed>(query, one({ shard: placementOf(id), id }));
      return found === undefined ? null : withoutShard(found);
    },
    log: (hook, limit = 100) => select<LoggedAttempt>(query, log({ shard: placementOf(hook), hook, limit })),
    ...createDeliveryReports(connections),
  };
}

function withoutShard({ _shard, ...hook }: Placed): HookReport {
  return hook;
}

type Attempted = MessageReport['attempts'][number];

function createDeliveryReports(connections: ReportConnections): Pick<HookReports, 'deliveries' | 'message'> {
  const { query } = connections;
  const page = prepareNamed(
    connections,
    `SELECT d.id, d.hook, d.type, d.state, d.created, d.due, d.ended, d.failed FROM (${DELIVERIES}) d
     WHERE (@after::text IS NULL OR d.id < @after) AND (@states::text[] IS NULL OR d.state = ANY(@states))
     ORDER BY d.id DESC LIMIT @limit`,
  );
  const message = prepareNamed(connections, `SELECT d.* FROM (${DELIVERIES}) d WHERE d.id = @delivery`);
  const attempts = prepareNamed(
    connections,
    `SELECT ${ATTEMPT}, w.answer FROM webhook_attempt a LEFT JOIN webhook_answer w ON w._shard = a._shard AND w.id = a.id
     WHERE a._shard = @shard AND a.webhook_id = @hook AND a.delivery_id = @delivery ORDER BY a.ended, a.id`,
  );
  return {
    deliveries: (hook, { states, after, limit }) =>
      select<DeliveryReport>(query, page({ shard: placementOf(hook), hook, states, after, limit })),
    async message(hook, delivery) {
      const bound = { shard: placementOf(hook), hook, delivery };
      const [found] = await select<Omit<MessageReport, 'attempts'>>(query, message(bound));
      return found === undefined ? null : { ...found, attempts: await select<Attempted>(query, attempts(bound)) };
    },
  };
}

/** Throws StartError if the database does not have the tables of web hooks yet. */
export async function createCheckedReports(connections: Connections): Promise<HookReports> {
  try {
    for (const table of TABLES) {
      await connections.query(connections.prepare(`SELECT 1 FROM ${table} LIMIT 0`), []);
    }
    return createReports(connections);
  } catch (error) {
    if (!(error instanceof DatabaseError)) throw error;
    throw otherSchema(error);
  }
}

const TABLES = [
  ...['webhook', 'webhook_delivery', 'webhook_mail', 'webhook_attempt'],
  ...['webhook_answer', 'webhook_message', 'webhook_pause'],
];

const ATTEMPT = 'a.id, a.delivery_id AS delivery, a.type, a.started, a.ended, a.outcome, a.status, a.counted';

/**
 * @param condition on a hook `w` and its row `p` in the list of those that are paused
 * @param shard SQL of where they are: of one hook it is a value, since Citus asks every shard for what is compared with a row
 */
function hooksSql(condition: string, limit: string, shard = 'w._shard'): string {
  return `
SELECT w.*, d.deliveries, d."inFlight", d.held, d."nextDue", m.created AS noticed, m.sent AS "noticeSent",
  p.operator AS "pausedByOperator", p.account AS "pausedWithAccount"
FROM webhook w
  LEFT JOIN LATERAL (
    SELECT count(*) AS deliveries, count(attempt_id) AS "inFlight",
      count(*) FILTER (WHERE ready IS NULL AND attempt_id IS NULL) AS held, min(ready) AS "nextDue"
    FROM webhook_delivery WHERE _shard = ${shard} AND webhook_id = w.id
  ) d ON true
  LEFT JOIN webhook_mail m ON m._shard = ${shard} AND m.webhook_id = w.id
  LEFT JOIN webhook_pause p ON p._shard = ${shard} AND p.webhook_id = w.id
WHERE ${condition} ORDER BY w.failures_since_last_success DESC, w.id LIMIT ${limit}`;
}

/** What was cancelled with its hook is listed by its delivery while it is attempted again. */
const DELIVERIES = `
SELECT id, webhook_id AS hook, type, message, created, ready AS due, NULL::bigint AS ended, failed, ${DELIVERY_STATES} AS state
FROM webhook_delivery WHERE _shard = @shard AND webhook_id = @hook
UNION ALL SELECT m.id, m.webhook_id, m.type, m.message, m.created, NULL, m.ended,
  (SELECT count(*) FROM webhook_attempt a WHERE a._shard = @shard AND a.webhook_id = @hook AND a.delivery_id = m.id
    AND a.counted = 1 AND a.outcome <> 'success'), m.state
FROM webhook_message m WHERE m._shard = @shard AND m.webhook_id = @hook
  AND NOT EXISTS (SELECT 1 FROM webhook_delivery d WHERE d._shard = @shard AND d.id = m.id)`;
