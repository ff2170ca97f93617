// What operators read about hooks: the list of hooks with what waits for each, the log of attempts (S40), and messages (D48).

import type { Database } from 'better-sqlite3';
import type { DeliveryReport, HookPage, HookReport, HookReports, LoggedAttempt, MessageReport } from '../../outbox.js';
import { conditionOf, DELIVERY_STATES, stateParameters } from '../../sql/hook-reports.js';
import { otherSchema } from '../../start-error.js';
import { sqliteCode } from '../engine-error.js';
import { openForReading } from '../open.js';

export function createReports(db: Database): HookReports {
  const all = db.prepare<object, HookReport>(hooksSql('1 = 1'));
  const page = db.prepare<object, HookReport>(
    hooksSql(`${conditionOf('p.webhook_id IS NOT NULL')} AND (@after IS NULL
      OR (-w.failures_since_last_success, w.id) > (-@failures, @after))`),
  );
  const one = db.prepare<object, HookReport>(hooksSql('w.id = @id'));
  const log = db.prepare<[string, number], LoggedAttempt>(
    `SELECT ${ATTEMPT} FROM webhook_attempt a WHERE a.sequence IN (
       SELECT sequence FROM webhook_attempt WHERE webhook_id = ? ORDER BY sequence DESC LIMIT ?) ORDER BY a.sequence DESC`,
  );
  return {
    hooks: (wanted) => (wanted === undefined ? all.all({ limit: -1 }) : page.all(pageParameters(wanted))),
    hook: (id) => one.get({ id, limit: 1 }) ?? null,
    log: (hook, limit = 100) => log.all(hook, limit),
    ...createDeliveryReports(db),
  };
}

function pageParameters({ state, after, limit }: HookPage): object {
  return {
    ...stateParameters(state),
    after: after?.id ?? null,
    failures: after?.failures_since_last_success ?? 0,
    limit,
  };
}

type Attempted = MessageReport['attempts'][number];

function createDeliveryReports(db: Database): Pick<HookReports, 'deliveries' | 'message'> {
  const page = db.prepare<object, DeliveryReport>(
    `SELECT id, hook, type, state, created, due, ended, failed FROM (${DELIVERIES})
     WHERE (@after IS NULL OR id < @after) AND (@states IS NULL OR state IN (SELECT value FROM json_each(@states)))
     ORDER BY id DESC LIMIT @limit`,
  );
  const message = db.prepare<object, Omit<MessageReport, 'attempts'>>(
    `SELECT * FROM (${DELIVERIES}) WHERE id = @delivery`,
  );
  const attempts = db.prepare<object, Attempted>(
    `SELECT ${ATTEMPT}, (SELECT answer FROM webhook_answer w WHERE w.id = a.id) AS answer FROM webhook_attempt a
     WHERE a.webhook_id = @hook AND a.delivery_id = @delivery ORDER BY a.sequence`,
  );
  return {
    deliveries: (hook, { states, after, limit }) =>
      page.all({ hook, states: states && JSON.stringify(states), after, limit }),
    message(hook, delivery) {
      const found = message.get({ hook, delivery });
      return found === undefined ? null : { ...found, attempts: attempts.all({ hook, delivery }) };
    },
  };
}

/** Throws StartError if the database does not have the tables of web hooks yet. */
export function openSqliteReports(database: string): HookReports & { close(): void } {
  const { db, close } = openForReading(database);
  try {
    return { ...createReports(db), close };
  } catch (error) {
    close();
    if (sqliteCode(error) !== 'SQLITE_ERROR') throw error;
    throw otherSchema(error as Error);
  }
}

const ATTEMPT = 'a.id, a.delivery_id AS delivery, a.type, a.started, a.ended, a.outcome, a.status, a.counted';

/** @param condition on a hook `w` and its row `p` in the list of those that are paused */
function hooksSql(condition: string): string {
  // Two parts, because each index holds one.
  const deliveries = ['failed = 0', 'failed > 0'].map(
    (part) => `SELECT ready, attempt_id FROM webhook_delivery d WHERE d.webhook_id = w.id AND ${part}`,
  );
  const of = (aggregate: string) => `(SELECT ${aggregate} FROM (${deliveries.join(' UNION ALL ')}))`;
  return `
SELECT w.*, ${of('count(*)')} AS deliveries, ${of('count(attempt_id)')} AS inFlight,
  ${of('count(*) FILTER (WHERE ready IS NULL AND attempt_id IS NULL)')} AS held, ${of('min(ready)')} AS nextDue,
  m.created AS noticed, m.sent AS noticeSent, p.operator AS pausedByOperator, p.account AS pausedWithAccount
FROM webhook w LEFT JOIN webhook_mail m ON m.webhook_id = w.id LEFT JOIN webhook_pause p ON p.webhook_id = w.id
WHERE ${condition} ORDER BY w.failures_since_last_success DESC, w.id LIMIT @limit`;
}

/** What was cancelled with its hook is listed by its delivery while it is attempted again. */
const DELIVERIES = `
${['failed = 0', 'failed > 0']
  .map(
    (part) => `SELECT id, webhook_id AS hook, type, message, created, ready AS due, NULL AS ended, failed,
  ${DELIVERY_STATES} AS state FROM webhook_delivery WHERE webhook_id = @hook AND ${part}`,
  )
  .join(' UNION ALL ')}
UNION ALL SELECT id, webhook_id, type, message, created, NULL, ended,
  (SELECT count(*) FROM webhook_attempt a WHERE a.webhook_id = @hook AND a.delivery_id = m.id AND a.counted = 1
    AND a.outcome <> 'success'), state
FROM webhook_message m WHERE webhook_id = @hook AND NOT EXISTS (SELECT 1 FROM webhook_delivery d WHERE d.id = m.id)`;
