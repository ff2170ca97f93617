// A delivery of type test: in flight from the start, and under a lease of its own, so that it keeps nothing else waiting.

import { ServiceError } from '../../../errors.js';
import { placementOf } from '../../../ids.js';
import type { HookRow } from '../../../webhooks/rules/hooks.js';
import type { Outbox } from '../../outbox.js';
import { prepareNamed } from '../named.js';
import type { DeliveryRows } from './deliveries.js';
import type { OutboxContext } from './outbox.js';
import { select } from './select.js';

export function createTest({ connections, ids }: OutboxContext, deliveries: DeliveryRows): Outbox['test'] {
  const read = prepareNamed(
    connections,
    `SELECT w.*, k.private_key AS key FROM webhook w
     LEFT JOIN apikey k ON k._shard = w._shard AND k.id = w.api_key_id AND k.user_id = w.user_id
     WHERE w._shard = @shard AND w.id = @hook`,
  );
  const lease = prepareNamed(
    connections,
    `INSERT INTO webhook_lease (_shard, subject, attempt_id, server, until) VALUES (@shard, @id, @attempt, @server, @now)`,
  );
  return async (hook, { payload, now, server }) => {
    const shard = placementOf(hook);
    const found = await select<HookRow & { readonly key: string | null }>(connections.query, read({ shard, hook }));
    const [row] = found;
    if (row === undefined) throw new ServiceError('not_found', 'Web hook not found.');
    const attempt = ids.next(shard, now);
    const { id, message, call } = deliveries.add(row, { type: 'test', payload, attempt }, now);
    await connections.transaction([call, lease({ shard, id, attempt, server, now })]);
    const { callback_uri: uri, key } = row;
    return { id: attempt, delivery: id, hook, type: 'test', message, uri, key, failed: 0, started: now };
  };
}
