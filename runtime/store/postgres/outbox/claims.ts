// From due to claimed: several servers share the deliveries, and a lease gives a hook to one attempt in the whole system.

import { placementOf } from '../../../ids.js';
import type { Attempt, CallbackType } from '../../../webhooks/rules/delivery.js';
import type { Outbox } from '../../outbox.js';
import { byPlacement } from '../by-placement.js';
import { prepareNamed, run } from '../named.js';
import { repeated } from '../repeated.js';
import { type DeliveryRows, pausedSql } from './deliveries.js';
import type { OutboxContext } from './outbox.js';
import { select } from './select.js';

export type Claims = Pick<Outbox, 'due' | 'nextDue' | 'othersWrote' | 'hosts' | 'claim' | 'extend'>;

interface Claimed {
  readonly id: string;
  readonly type: CallbackType;
  readonly message: string;
  readonly failed: number;
  readonly uri: string | null;
  readonly key: string | null;
}

interface Claim {
  readonly now: number;
  readonly lease: number;
  readonly server: string;
}

/** @param settled resolves when every outcome whose settling has begun is settled, or could not be */
export function createClaims(
  context: OutboxContext,
  deliveries: DeliveryRows,
  settled: () => Promise<unknown>,
): Claims {
  const { connections } = context;
  const { query } = connections;
  const statements = prepare(context);
  const claimable = createClaimable(context);
  const claimOne = createClaimOne(context, deliveries);
  return {
    due: async (after, until) => {
      const rows = await select<{ webhook_id: string }>(query, statements.due({ after, until }));
      return rows.map(({ webhook_id }) => webhook_id);
    },
    nextDue: context.next.read,
    // PostgreSQL does not say. The scan that follows reads an index that holds what is not delivered.
    othersWrote: () => true,
    async hosts(hooks) {
      const reads = byPlacement(hooks).map((placed) => select<HookUri>(query, statements.uris({ ...placed })));
      const uris = new Map((await Promise.all(reads)).flat().map(({ hook, uri }) => [hook, uri]));
      return hooks.map((hook) => hostOf(uris.get(hook) ?? null));
    },
    extend: createExtend(context),
    async claim(hooks, now, lease, server) {
      await settled();
      const found = await claimable(hooks, now);
      const attempts = await Promise.allSettled(found.map((hook) => claimOne(hook, { now, lease, server })));
      const claimed = attempts.flatMap((one) => (one.status === 'fulfilled' ? (one.value ?? []) : []));
      // What was claimed must be sent, whatever happened to the others: these are found again.
      const failed = attempts.find((one) => one.status === 'rejected');
      if (failed !== undefined && claimed.length === 0) throw failed.reason;
      return claimed;
    },
  };
}

/** In the order in which a claim locks them. */
function createExtend({ connections }: OutboxContext): NonNullable<Outbox['extend']> {
  const ofHook = prepareNamed(
    connections,
    `UPDATE webhook_lease SET until = greatest(until, @until) WHERE _shard = @shard AND attempt_id = ANY (@ids::text[]) RETURNING attempt_id`,
  );
  const ofDelivery = prepareNamed(
    connections,
    `UPDATE webhook_delivery SET lease = greatest(lease, @until)
     WHERE _shard = @shard AND id = ANY (@deliveries::text[]) AND attempt_id = ANY (@ids::text[])`,
  );
  return async (attempts, until) => {
    const deliveries = new Map(attempts.map(({ id, delivery }) => [id, delivery]));
    const extended = byPlacement(deliveries.keys()).map(async ({ shard, ids }) => {
      const bound = { shard, ids, until, deliveries: ids.map((id) => deliveries.get(id) ?? '') };
      const [rows = []] = await repeated(() => connections.transaction([ofHook(bound), ofDelivery(bound)]));
      return rows.map(({ attempt_id }) => String(attempt_id));
    });
    return (await Promise.all(extended)).flat();
  };
}

interface HookUri {
  readonly hook: string;
  readonly uri: string | null;
}

function hostOf(uri: string | null): string | null {
  return uri !== null && URL.canParse(uri) ? new URL(uri).host : null;
}

/** Which hooks look as if they could be claimed: most of what is asked for has nothing due, and costs a read. */
function createClaimable({ connections }: OutboxContext) {
  const read = prepareNamed(
    connections,
    `SELECT h.id FROM unnest(@ids::text[]) AS h (id)
     WHERE EXISTS (${oldestOf('h.id')}) AND NOT ${pausedSql('h.id')} AND NOT EXISTS (
       SELECT 1 FROM webhook_lease l WHERE l._shard = @shard AND l.subject = h.id AND l.until > @now)`,
  );
  return async (hooks: readonly string[], now: number): Promise<readonly string[]> => {
    const reads = byPlacement(hooks).map((placed) =>
      select<{ id: string }>(connections.query, read({ ...placed, now })),
    );
    return (await Promise.all(reads)).flat().map(({ id }) => id);
  };
}

/**
 * The lease first: while it is ours, nobody else claims a delivery of the hook, so the oldest one that the next statement
 * sees is the oldest. Its conditions are repeated where it is updated, as an outcome may have changed it meanwhile.
 */
function createClaimOne({ connections, ids, next }: OutboxContext, deliveries: DeliveryRows) {
  const takeLease = prepareNamed(
    connections,
    `INSERT INTO webhook_lease (_shard, subject, attempt_id, server, until) VALUES (@shard, @hook, @attempt, @server, @lease)
     ON CONFLICT (_shard, subject) DO UPDATE
       SET attempt_id = excluded.attempt_id, server = excluded.server, until = excluded.until
       WHERE webhook_lease.until <= @now`,
  );
  const claim = prepareNamed(connections, CLAIM_OLDEST);
  const endLease = prepareNamed(connections, END_LEASE);
  return async (hook: string, { now, lease, server }: Claim): Promise<Attempt | null> => {
    const shard = placementOf(hook);
    const attempt = ids.next(shard, now);
    const bound = { shard, hook, attempt, server, lease, now };
    const [, claimed = []] = await repeated(() => connections.transaction([takeLease(bound), claim(bound)]));
    const [row] = claimed as readonly unknown[] as readonly Claimed[];
    if (row !== undefined && row.uri !== null) {
      const { id: delivery, type, message, uri, key, failed } = row;
      return { id: attempt, delivery, hook, type, message, uri, key, failed, started: now };
    }
    // The hook was deleted with its user: there is nobody left to call (S38).
    if (row !== undefined) {
      await connections.transaction(deliveries.drop(hook));
      next.forget();
    }
    await run(connections.query, endLease({ shard, subject: hook, attempt }));
    return null;
  };
}

function prepare({ connections }: OutboxContext) {
  const named = (sql: string) => prepareNamed(connections, sql);
  return {
    // Of all shards: once a second, it finds what other servers have published, and what they had when they ended.
    due: named(
      `SELECT DISTINCT f.webhook_id FROM (
         SELECT d._shard, d.webhook_id FROM webhook_delivery d WHERE d.ready > @after AND d.ready <= @until
           AND NOT EXISTS (SELECT 1 FROM webhook_lease l
             WHERE l._shard = d._shard AND l.subject = d.webhook_id AND l.until > @until)
         UNION ALL
         SELECT e._shard, e.subject FROM webhook_lease e WHERE e.until > @after AND e.until <= @until
           AND EXISTS (SELECT 1 FROM webhook_delivery h
             WHERE h._shard = e._shard AND h.webhook_id = e.subject AND h.ready <= @until)) f`,
    ),
    // A deleted hook has one delivery, its unsubscribe, which is attempted once.
    uris: named(
      `SELECT h.id AS hook, coalesce(w.callback_uri, (SELECT d.snapshot_uri FROM webhook_delivery d
         WHERE d._shard = @shard AND d.webhook_id = h.id AND d.failed = 0 LIMIT 1)) AS uri
       FROM unnest(@ids::text[]) AS h (id) LEFT JOIN webhook w ON w._shard = @shard AND w.id = h.id`,
    ),
  };
}

/** Ends the lease that the attempt has, and no other's. */
export const END_LEASE =
  'DELETE FROM webhook_lease WHERE _shard = @shard AND subject = @subject AND attempt_id = @attempt';

const CLAIMABLE = 'ready <= @now AND (lease IS NULL OR lease <= @now)';

/** S29: the first attempt created earliest or the retry due earliest, whichever of the two became ready first. */
function oldestOf(hook: string): string {
  const ofHook = `_shard = @shard AND webhook_id = ${hook} AND ${CLAIMABLE}`;
  return `SELECT o.id FROM (
    (SELECT id, ready FROM webhook_delivery WHERE ${ofHook} AND failed = 0 ORDER BY id LIMIT 1)
    UNION ALL
    (SELECT id, ready FROM webhook_delivery WHERE ${ofHook} AND failed > 0 ORDER BY ready, id LIMIT 1)
  ) o ORDER BY o.ready, o.id LIMIT 1`;
}

/** With address and key as they are now (S20, S21); a key is used only while it belongs to the hook's user. */
const CLAIM_OLDEST = `UPDATE webhook_delivery d SET attempt_id = @attempt, lease = @lease
FROM (
  SELECT o.id, w.callback_uri, k.private_key FROM (${oldestOf('@hook')}) o
    LEFT JOIN webhook w ON w._shard = @shard AND w.id = @hook
    LEFT JOIN apikey k ON k._shard = @shard AND k.id = w.api_key_id AND k.user_id = w.user_id
) c
WHERE d._shard = @shard AND d.id = c.id AND d.ready <= @now AND (d.lease IS NULL OR d.lease <= @now)
  AND NOT ${pausedSql('@hook')}
  AND EXISTS (SELECT 1 FROM webhook_lease l WHERE l._shard = @shard AND l.subject = @hook AND l.attempt_id = @attempt)
RETURNING d.id, d.type, d.message, d.failed, coalesce(d.snapshot_uri, c.callback_uri) AS uri,
  CASE WHEN d.snapshot_uri IS NULL THEN c.private_key ELSE d.snapshot_key END AS key`;
