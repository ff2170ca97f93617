// What operators have tried again: deliveries that wait or are held, and messages that were cancelled with their hook (D48).

import { ServiceError } from '../../../errors.js';
import { placementOf } from '../../../ids.js';
import { hookAudit } from '../../../webhooks/rules/hooks.js';
import type { Outbox, Retried } from '../../outbox.js';
import { type Bound, prepareNamed, type Query } from '../named.js';
import { repeated } from '../repeated.js';
import { pausedSql } from './deliveries.js';
import type { OutboxContext } from './outbox.js';
import { select } from './select.js';

/** Deliveries of one transaction. */
const STEP = 1_000;

export function createRetry(context: OutboxContext): Outbox['retry'] {
  const { connections, listener, next, writeAudit } = context;
  const statements = prepare(context);
  return async (hook, which, { author, now }) => {
    const bound = { shard: placementOf(hook), hook, now, delivery: null, since: 0, ...which };
    const entry = hookAudit('retry', hook, { author, now }, { ...which });
    const step = async (query: Query, isFirst: boolean): Promise<number> => {
      // The first transaction refuses, and is the one that the audit log mentions.
      if (isFirst) await refuse(query, statements, { bound, which });
      const changed = await Promise.all([
        select(query, statements.advance(bound)),
        select(query, statements.revive(bound)),
      ]);
      if (isFirst) await writeAudit(query, entry);
      return changed.flat().length;
    };
    let count = 0;
    for (let more = true; more; ) {
      const isFirst = count === 0;
      const changed = await repeated(() => connections.interactive((query) => step(query, isFirst)));
      count += changed;
      more = changed >= STEP;
    }
    next.forget();
    if (count > 0) listener.due([hook]);
    return count;
  };
}

interface Found {
  readonly paused: number;
  readonly known: number;
  /** Of the one delivery: `open`, or why it cannot be tried again; null: there is no such delivery. */
  readonly state: string | null;
}

async function refuse(
  query: Query,
  statements: ReturnType<typeof prepare>,
  { bound, which }: { readonly bound: Bound; readonly which: Retried },
): Promise<void> {
  const [found] = await select<Found>(query, statements.state(bound));
  if (found === undefined || found.known === 0) throw new ServiceError('not_found', 'Web hook not found.');
  if (found.paused === 1) throw new ServiceError('conflict', 'The web hook is paused: resume it first.');
  if (!('delivery' in which)) return;
  if (found.state === null) throw new ServiceError('not_found', 'Delivery not found.');
  if (found.state !== 'open') {
    throw new ServiceError('conflict', `The delivery cannot be tried again: it is ${found.state}.`);
  }
}

/** What is not under way; a test is attempted once, while its user waits, and so is an unsubscribe. */
const OPEN = `d.attempt_id IS NULL AND d.type IN ('subscribe', 'data')`;
/** What was cancelled with its hook; an attempt that was under way then may have delivered it until its lease ends. */
const REVIVABLE = `m.state = 'cancelled' AND m.type IN ('subscribe', 'data') AND m.callback_uri IS NOT NULL
  AND (m.attempt_id IS NULL OR m.lease <= @now)`;

function wanted(row: string): string {
  return `${row}._shard = @shard AND ${row}.webhook_id = @hook AND (@delivery::text IS NULL OR ${row}.id = @delivery)
    AND ${row}.created >= @since`;
}

function prepare({ connections }: OutboxContext) {
  const named = (sql: string) => prepareNamed(connections, sql);
  return {
    state: named(
      `SELECT (${pausedSql('@hook')})::int AS paused,
         (EXISTS (SELECT 1 FROM webhook WHERE _shard = @shard AND id = @hook)
           OR EXISTS (SELECT 1 FROM webhook_message WHERE _shard = @shard AND webhook_id = @hook))::int AS known,
         coalesce(
           (SELECT CASE WHEN ${OPEN} THEN 'open' WHEN d.attempt_id IS NOT NULL THEN 'under way' ELSE 'attempted only once' END
            FROM webhook_delivery d WHERE d._shard = @shard AND d.id = @delivery AND d.webhook_id = @hook),
           (SELECT CASE WHEN ${REVIVABLE} THEN 'open' WHEN m.state = 'delivered' THEN 'delivered'
              WHEN m.attempt_id IS NOT NULL THEN 'under way' ELSE 'over' END
            FROM webhook_message m WHERE m._shard = @shard AND m.id = @delivery AND m.webhook_id = @hook)) AS state`,
    ),
    advance: named(
      `UPDATE webhook_delivery SET due = @now, ready = @now WHERE _shard = @shard AND id = ANY(ARRAY(
         SELECT d.id FROM webhook_delivery d WHERE ${wanted('d')} AND ${OPEN} AND (d.ready IS NULL OR d.ready > @now)
         LIMIT ${STEP} FOR UPDATE)) RETURNING id`,
    ),
    // Address as it was; the key only if the user still has it (S15). It stays in the list of messages meanwhile.
    revive: named(
      `INSERT INTO webhook_delivery (_shard, id, webhook_id, type, message, created, due, ready, snapshot_uri, snapshot_key)
       SELECT m._shard, m.id, m.webhook_id, m.type, m.message, m.created, @now::bigint, @now::bigint, m.callback_uri, k.private_key
       FROM webhook_message m LEFT JOIN apikey k ON k._shard = m._shard AND k.id = m.api_key_id AND k.user_id = m.user_id
       WHERE ${wanted('m')} AND ${REVIVABLE}
         AND NOT EXISTS (SELECT 1 FROM webhook_delivery d WHERE d._shard = @shard AND d.id = m.id)
       LIMIT ${STEP} ON CONFLICT DO NOTHING RETURNING id`,
    ),
  };
}
