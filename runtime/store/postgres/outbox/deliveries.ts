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
  /** A new row, due immediately; its id and the message it holds (S25). */
  add(
    hook: HookRow,
    created: NewDelivery,
    now: number,
  ): { readonly id: string; readonly message: string; readonly call: Call };
  /** Nothing more is sent for this hook (S22). */
  cancel(hook: string): readonly Call[];
}

/** Rows are placed with their hook. */
export function createDeliveryRows({ connections, ids }: OutboxContext): DeliveryRows {
  const insert = prepareNamed(
    connections,
    `INSERT INTO webhook_delivery
       (_shard, id, webhook_id, type, message, created, due, ready, attempt_id, snapshot_uri, snapshot_key)
     VALUES (@shard, @id, @hook, @type, @message, @now, @now, @ready, @attempt, @uri, @key)`,
  );
  // Two statements, because each index holds one part.
  const cancels = ['failed = 0', 'failed > 0'].map((part) =>
    prepareNamed(connections, `DELETE FROM webhook_delivery WHERE _shard = @shard AND webhook_id = @hook AND ${part}`),
  );
  return {
    add(hook, { type, payload, snapshot, attempt = null }, now) {
      const shard = placementOf(hook.id);
      const id = ids.next(shard, now);
      const message = messageText({ ...hook, type }, payload);
      const { uri = null, key = null } = snapshot ?? {};
      const ready = attempt === null ? now : null;
      return { id, message, call: insert({ shard, id, hook: hook.id, type, message, now, ready, attempt, uri, key }) };
    },
    cancel: (hook) => cancels.map((cancel) => cancel({ shard: placementOf(hook), hook })),
  };
}
