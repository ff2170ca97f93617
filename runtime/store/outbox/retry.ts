// Retries requested by operators and owners: of deliveries that wait or are held, and of messages that were cancelled with their
// hook (D48).
import { ServiceError } from '../../contract/errors.js';
import { placementOf } from '../../contract/ids.js';
import { hookAudit } from '../../rules/hooks.js';
import type { Outbox, RetryRequest } from '../outbox.js';
import type { Dialect } from '../sql/dialect.js';
import { awaitAll, type Pending, type Unit } from '../unit.js';
import type { OutboxContext } from './context.js';
import { PARTS, pausedSql } from './deliveries.js';

/** The most deliveries of one transaction. */
const STEP = 1_000;

export function createRetry({ transact, dialect, listener, dueTimes }: OutboxContext): Outbox['retry'] {
  const { state, changes } = retryStatements(dialect);
  return async (hook, which, { author, now }) => {
    const values = { placement: placementOf(hook), hook, now, delivery: null, since: 0, ...which };
    function* step(unit: Unit, isFirst: boolean): Pending<number> {
      // Only the first transaction may refuse, and only it is in the audit log.
      if (isFirst) refuse(yield* unit.row<RetryState>(state, values), which);
      const rows = yield* awaitAll(changes.map((sql) => unit.rows(sql, values)));
      if (isFirst && author !== null) unit.audit(hookAudit('retry', hook, { author, now }, { ...which }));
      return rows.flat().length;
    }
    let count = 0;
    for (let more = true; more; ) {
      const isFirst = count === 0;
      const changed = await transact((unit) => step(unit, isFirst));
      count += changed;
      more = changed >= STEP;
    }
    dueTimes?.forget();
    if (count > 0) listener.due([hook]);
    return count;
  };
}

interface RetryState {
  readonly paused: number;
  readonly known: number;
  /** The state of the single delivery: `open`, or why it cannot be tried again; null: there is no such delivery. */
  readonly state: string | null;
}

function refuse(stored: RetryState | undefined, which: RetryRequest): void {
  if (stored === undefined || stored.known === 0) throw new ServiceError('not_found', 'Web hook not found.');
  const { paused, state } = stored;
  if (paused === 1) throw new ServiceError('conflict', 'The web hook is paused: resume it first.');
  if (!('delivery' in which)) return;
  if (state === null) throw new ServiceError('not_found', 'Delivery not found.');
  if (state !== 'open') throw new ServiceError('conflict', `The delivery cannot be tried again: it is ${state}.`);
}

/** Condition: the delivery is not under way, and may be repeated, unlike a test and an unsubscribe, which are attempted once. */
const OPEN = `d.attempt_id IS NULL AND d.type IN ('subscribe', 'data')`;
/** Condition: the message was cancelled with its hook, and no attempt under way may still deliver it. */
const REVIVABLE = `m.state = 'cancelled' AND m.type IN ('subscribe', 'data') AND m.callback_uri IS NOT NULL
  AND (m.attempt_id IS NULL OR m.lease <= @now)`;

export function retryStatements(dialect: Dialect) {
  const at = (alias: string) => dialect.placed(alias, '@placement');
  const wanted = (alias: string) =>
    `${at(alias)} AND ${alias}.webhook_id = @hook AND (CAST(@delivery AS text) IS NULL OR ${alias}.id = @delivery)
      AND ${alias}.created >= @since`;
  const isKnown = `EXISTS (SELECT 1 FROM webhook w WHERE ${at('w')} AND w.id = @hook)
    OR EXISTS (SELECT 1 FROM webhook_message n WHERE ${at('n')} AND n.webhook_id = @hook)`;
  const waiting = `SELECT d.id FROM webhook_delivery d WHERE ${wanted('d')} AND ${OPEN} AND (d.ready IS NULL OR d.ready > @now)`;
  const advanced = (part: string) => `${waiting} AND d.${part} LIMIT ${STEP}${dialect.lock('delete')}`;
  const revived = {
    ...{ id: 'm.id', webhook_id: 'm.webhook_id', type: 'm.type', message: 'm.message', created: 'm.created' },
    ...{ due: 'CAST(@now AS bigint)', ready: 'CAST(@now AS bigint)' },
    ...{ snapshot_uri: 'm.callback_uri', snapshot_key: 'k.private_key' },
  };
  return {
    state: `SELECT ${dialect.flag(pausedSql(dialect, '@hook'))} AS paused, ${dialect.flag(isKnown)} AS known, coalesce(
      (SELECT CASE WHEN ${OPEN} THEN 'open' WHEN d.attempt_id IS NOT NULL THEN 'under way' ELSE 'attempted only once' END
       FROM webhook_delivery d WHERE ${at('d')} AND d.id = @delivery AND d.webhook_id = @hook),
      (SELECT CASE WHEN ${REVIVABLE} THEN 'open' WHEN m.state = 'delivered' THEN 'delivered'
         WHEN m.attempt_id IS NOT NULL THEN 'under way' ELSE 'over' END
       FROM webhook_message m WHERE ${at('m')} AND m.id = @delivery AND m.webhook_id = @hook)) AS state`,
    changes: [
      ...PARTS.map(
        (part) =>
          `UPDATE webhook_delivery AS u SET due = @now, ready = @now ` +
          `WHERE ${at('u')} AND ${dialect.isSelected('u.id', advanced(part))} RETURNING id`,
      ),
      // The address is the former one; the key is used only if the user still has it (S15). The message itself is kept meanwhile.
      `${dialect.insertFrom('webhook_delivery', revived, 'm')} FROM webhook_message m LEFT JOIN apikey k ` +
        `ON ${at('k')} AND k.id = m.api_key_id AND k.user_id = m.user_id WHERE ${wanted('m')} AND ${REVIVABLE} ` +
        `AND NOT EXISTS (SELECT 1 FROM webhook_delivery d WHERE ${at('d')} AND d.id = m.id) ` +
        `LIMIT ${STEP} ON CONFLICT DO NOTHING RETURNING id`,
    ],
  };
}
