// The rows of deliveries: created and cancelled, within the transaction of whatever causes it.

import { placementOf } from '../../../ids.js';
import type { NewDelivery } from '../../../webhooks/rules/delivery.js';
import type { HookRow } from '../../../webhooks/rules/hooks.js';
import { messageText } from '../../../webhooks/rules/message.js';
import type { Call } from '../connections.js';
import { prepareNamed } from '../named.js';
import type { OutboxContext } from './outbox.js';

/** Each is a statement to be run. */
export interface DeliveryRows {
  /** A new row, due immediately; its id and the message it holds (S25). There is none for a hook that is deleted, but its unsubscribe. */
  add(
    hook: HookRow,
    created: NewDelivery,
    now: number,
  ): { readonly id: string; readonly message: string; readonly call: Call };
  /** Nothing more is sent for this hook, which is deleted (S22); what was not delivered stays readable (D48). */
  cancel(hook: HookRow, now: number): readonly Call[];
  /** The same of a hook that was deleted with its user: nothing is kept. */
  drop(hook: string): readonly Call[];
}

/** Whether a hook is paused, by an operator or with its user's account (D49). @param hook SQL of its id, on the shard `shard` */
export function pausedSql(hook: string, shard = '@shard'): string {
  return `EXISTS (SELECT 1 FROM webhook_pause p WHERE p._shard = ${shard} AND p.webhook_id = ${hook})`;
}

/** Rows are placed with their hook. */
export function createDeliveryRows({ connections, ids }: OutboxContext): DeliveryRows {
  const columns = '_shard, id, webhook_id, type, message, created, due, ready';
  // N20: from the row of the hook, since Citus refuses a subquery in VALUES, and keeps on one shard what a row of it says.
  const insertWaiting = prepareNamed(
    connections,
    `INSERT INTO webhook_delivery (${columns})
     SELECT w._shard, @id::text, w.id, @type::text, @message::text, @now::bigint, @now::bigint,
       CASE WHEN NOT ${pausedSql('@hook')} THEN @now::bigint END
     FROM webhook w WHERE w._shard = @shard AND w.id = @hook`,
  );
  // No pause concerns these: an unsubscribe, whose hook is deleted and its pause with it, and a test, which is not claimed.
  const insertApart = prepareNamed(
    connections,
    `INSERT INTO webhook_delivery (${columns}, attempt_id, snapshot_uri, snapshot_key)
     VALUES (@shard, @id, @hook, @type, @message, @now, @now, @ready, @attempt, @uri, @key)`,
  );
  const keep = prepareNamed(
    connections,
    `INSERT INTO webhook_message (_shard, id, webhook_id, type, message, created, ended, state, attempt_id, lease,
       callback_uri, user_id, api_key_id)
     SELECT _shard, id, webhook_id, type, message, created, @now::bigint, 'cancelled', attempt_id, lease,
       @callback_uri::text, @user_id::text, @api_key_id::text
     FROM webhook_delivery WHERE _shard = @shard AND webhook_id = @id AND type <> 'test' ON CONFLICT DO NOTHING`,
  );
  const resume = prepareNamed(connections, 'DELETE FROM webhook_pause WHERE _shard = @shard AND webhook_id = @hook');
  // Two statements, because each index holds one part.
  const cancels = ['failed = 0', 'failed > 0'].map((part) =>
    prepareNamed(connections, `DELETE FROM webhook_delivery WHERE _shard = @shard AND webhook_id = @hook AND ${part}`),
  );
  const drop = (hook: string): readonly Call[] =>
    [...cancels, resume].map((statement) => statement({ shard: placementOf(hook), hook }));
  return {
    add(hook, { type, payload, snapshot, attempt = null }, now) {
      const shard = placementOf(hook.id);
      const id = ids.next(shard, now);
      const message = messageText({ ...hook, type }, payload);
      const { uri = null, key = null } = snapshot ?? {};
      const row = { shard, id, hook: hook.id, type, message, now };
      const isApart = type === 'unsubscribe' || attempt !== null;
      const ready = attempt === null ? now : null;
      return { id, message, call: isApart ? insertApart({ ...row, ready, attempt, uri, key }) : insertWaiting(row) };
    },
    cancel: ({ id, callback_uri, user_id, api_key_id }, now) => [
      keep({ shard: placementOf(id), id, callback_uri, user_id, api_key_id, now }),
      ...drop(id),
    ],
    drop,
  };
}
