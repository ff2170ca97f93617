// Creates and cancels deliveries, within the transaction of the cause. Their rows are placed with their hook.
import { placementOf } from '../../contract/ids.js';
import { HOLD_AT, type NewDelivery } from '../../rules/delivery.js';
import type { HookRow } from '../../rules/hooks.js';
import { messageText, standardText } from '../../rules/message.js';
import type { Dialect } from '../sql/dialect.js';
import type { Unit } from '../unit.js';
import type { OutboxContext } from './context.js';

export interface DeliveryRows {
  /** Inserts a delivery, due immediately, and returns its id and message (S25). A deleted hook only gets its unsubscribe. */
  add(unit: Unit, hook: HookRow, created: NewDelivery, now: number): { readonly id: string; readonly message: string };
  /** Nothing more is sent for this hook, which is deleted (S22); undelivered messages remain readable (D48). */
  cancel(unit: Unit, hook: HookRow, now: number): void;
}

type DeliveryContext = Pick<OutboxContext, 'dialect' | 'ids' | 'showMessage'>;

export function createDeliveryRows({ dialect, ids, showMessage }: DeliveryContext): DeliveryRows {
  const statements = deliveryStatements(dialect);
  return {
    add(unit, hook, { type, payload: today, record, snapshot, attempt = null, trace }, now) {
      const placement = placementOf(hook.id);
      const id = ids.next(placement, now);
      const { owner_class, event, api_version: version = 'default' } = hook;
      const shown = showMessage?.({ owner_class, event, payload: today }, version, record);
      const payload = shown?.payload ?? today;
      const head = { ...hook, ...shown, type };
      const message = hook.format === 'standard' ? standardText(head, payload, now) : messageText(head, payload);
      const row = { placement, id, webhook_id: hook.id, type, message, created: now };
      if (type === 'unsubscribe' || attempt !== null) {
        const { uri = null, key = null } = snapshot ?? {};
        const ready = attempt === null ? now : null;
        const values = { due: now, ready, attempt_id: attempt, snapshot_uri: uri, snapshot_key: key };
        unit.hold(statements.insertApart, { ...row, ...values });
      } else unit.hold(statements.insertWaiting, row);
      if (trace !== undefined) unit.hold(statements.trace, { placement, id, traceparent: trace });
      return { id, message };
    },
    cancel(unit, { id, callback_uri, user_id, api_key_id }, now) {
      const placement = placementOf(id);
      unit.hold(statements.keep, { placement, hook: id, callback_uri, user_id, api_key_id, now });
      for (const sql of statements.drop) unit.hold(sql, { placement, hook: id });
    },
  };
}

export function deliveryStatements(dialect: Dialect) {
  const row = ['id', 'webhook_id', 'type', 'message', 'created', 'due', 'ready'];
  const waiting = {
    ...{ id: 'CAST(@id AS text)', webhook_id: 'w.id', type: 'CAST(@type AS text)', message: 'CAST(@message AS text)' },
    ...{ created: 'CAST(@created AS bigint)', due: 'CAST(@created AS bigint)' },
    ready: `CASE WHEN NOT ${pausedSql(dialect, '@webhook_id')} THEN CAST(@created AS bigint) END`,
  };
  const kept = {
    ...{ id: 'd.id', webhook_id: 'd.webhook_id', type: 'd.type', message: 'd.message', created: 'd.created' },
    ...{ ended: 'CAST(@now AS bigint)', state: `'cancelled'`, attempt_id: 'd.attempt_id', lease: 'd.lease' },
    ...{ callback_uri: 'CAST(@callback_uri AS text)', user_id: 'CAST(@user_id AS text)' },
    api_key_id: 'CAST(@api_key_id AS text)',
  };
  const isHook = `${dialect.placed('w', '@placement')} AND w.id = @webhook_id`;
  const ofHook = `${dialect.placed('d', '@placement')} AND d.webhook_id = @hook`;
  return {
    // N20: selects from the hook's row, since Citus refuses a subquery in VALUES, but sends such a SELECT to one shard.
    insertWaiting: `${dialect.insertFrom('webhook_delivery', waiting, 'w')} FROM webhook w WHERE ${isHook}`,
    // For deliveries that no pause holds: an unsubscribe, whose hook and pause are deleted, and a test, which is not claimed.
    insertApart: dialect.insertInto('webhook_delivery', [...row, 'attempt_id', 'snapshot_uri', 'snapshot_key']),
    trace: dialect.insertInto('webhook_trace', ['id', 'traceparent']),
    keep:
      `${dialect.insertFrom('webhook_message', kept, 'd')} FROM webhook_delivery d ` +
      `WHERE ${ofHook} AND d.type <> 'test' ON CONFLICT DO NOTHING`,
    drop: dropStatements(dialect),
  };
}

/** Statements that delete the deliveries and the pause of a deleted hook. */
export function dropStatements(dialect: Dialect): readonly string[] {
  const pause = `${dialect.placed('p', '@placement')} AND p.webhook_id = @hook`;
  return [
    ...PARTS.map((part) => {
      const ofHook = `${dialect.placed('d', '@placement')} AND d.webhook_id = @hook`;
      return `DELETE FROM webhook_delivery AS d WHERE ${ofHook} AND d.${part}`;
    }),
    `DELETE FROM webhook_pause AS p WHERE ${pause}`,
  ];
}

/** The deliveries of a hook are read in two parts, since first attempts and retries have separate indexes. */
export const PARTS = ['failed = 0', 'failed > 0'] as const;

/**
 * Whether a hook is paused, by an operator or with its user's account (D49).
 * @param hook SQL of its id
 * @param placement SQL; a value for a single hook, since Citus reads every shard for a comparison with a row
 */
export function pausedSql(dialect: Dialect, hook: string, placement = '@placement'): string {
  return `EXISTS (SELECT 1 FROM webhook_pause p WHERE ${dialect.placed('p', placement)} AND p.webhook_id = ${hook})`;
}

/**
 * When a delivery is ready after its attempt was given up or its hook's pause ended, over the delivery as `d`. S4: retries, but
 * not first attempts, are held while the count is at HOLD_AT or above. All deliveries are held while the hook is paused.
 */
export function readySql(dialect: Dialect, placement: string): string {
  const count = `SELECT w.failures_since_last_success FROM webhook w
    WHERE ${dialect.placed('w', placement)} AND w.id = d.webhook_id`;
  return `CASE WHEN ${pausedSql(dialect, 'd.webhook_id', placement)}
    OR d.failed > 0 AND coalesce((${count}), 0) >= ${HOLD_AT} THEN NULL ELSE d.due END`;
}
