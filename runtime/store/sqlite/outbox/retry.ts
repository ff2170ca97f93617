// What operators have tried again: deliveries that wait or are held, and messages that were cancelled with their hook (D48).

import { ServiceError } from '../../../errors.js';
import { hookAudit } from '../../../webhooks/rules/hooks.js';
import type { Outbox, Retried } from '../../outbox.js';
import { pausedSql } from './deliveries.js';
import type { OutboxContext } from './outbox.js';

/** Deliveries of one transaction. */
const STEP = 1_000;

export function createRetry(context: OutboxContext): Outbox['retry'] {
  const { commits, listener, writeAudit } = context;
  const statements = prepare(context);
  return async (hook, which, { author, now }) => {
    const bound = { hook, now, delivery: null, since: 0, ...which };
    let count = 0;
    for (let more = true; more; ) {
      // The first transaction refuses, and is the one that the audit log mentions.
      const isFirst = count === 0;
      const changed = await commits.submit(() => {
        if (isFirst) refuse(statements, bound, which);
        const due = [...statements.advance, statements.revive].map((statement) => statement.run(bound).changes);
        if (isFirst) writeAudit(hookAudit('retry', hook, { author, now }, { ...which }));
        return due.reduce((sum, changes) => sum + changes, 0);
      });
      count += changed;
      more = changed >= STEP;
    }
    if (count > 0) listener.due([hook]);
    return count;
  };
}

type Statements = ReturnType<typeof prepare>;

function refuse(statements: Statements, bound: object, which: Retried): void {
  const { paused, known, state } = statements.state.get(bound) as Found;
  if (known === 0) throw new ServiceError('not_found', 'Web hook not found.');
  if (paused === 1) throw new ServiceError('conflict', 'The web hook is paused: resume it first.');
  if (!('delivery' in which)) return;
  if (state === null) throw new ServiceError('not_found', 'Delivery not found.');
  if (state !== 'open') throw new ServiceError('conflict', `The delivery cannot be tried again: it is ${state}.`);
}

interface Found {
  readonly paused: 0 | 1;
  readonly known: 0 | 1;
  /** Of the one delivery: `open`, or why it cannot be tried again; null: there is no such delivery. */
  readonly state: string | null;
}

/** What is not under way; a test is attempted once, while its user waits, and so is an unsubscribe. */
const OPEN = `attempt_id IS NULL AND type IN ('subscribe', 'data')`;
/** What was cancelled with its hook; an attempt that was under way then may have delivered it until its lease ends. */
const REVIVABLE = `m.state = 'cancelled' AND m.type IN ('subscribe', 'data') AND m.callback_uri IS NOT NULL
  AND (m.attempt_id IS NULL OR m.lease <= @now)`;
const WANTED = '(@delivery IS NULL OR id = @delivery) AND created >= @since';

function prepare({ db }: OutboxContext) {
  return {
    state: db.prepare<object, Found>(
      `SELECT ${pausedSql('@hook')} AS paused,
         EXISTS (SELECT 1 FROM webhook WHERE id = @hook) OR EXISTS (SELECT 1 FROM webhook_message WHERE webhook_id = @hook)
           AS known,
         coalesce(
           (SELECT CASE WHEN ${OPEN} THEN 'open' WHEN attempt_id IS NOT NULL THEN 'under way' ELSE 'attempted only once' END
            FROM webhook_delivery WHERE id = @delivery AND webhook_id = @hook),
           (SELECT CASE WHEN ${REVIVABLE} THEN 'open' WHEN m.state = 'delivered' THEN 'delivered'
              WHEN m.attempt_id IS NOT NULL THEN 'under way' ELSE 'over' END
            FROM webhook_message m WHERE m.id = @delivery AND m.webhook_id = @hook)) AS state`,
    ),
    // Two statements, because each index holds one part.
    advance: ['failed = 0', 'failed > 0'].map((part) =>
      db.prepare(
        `UPDATE webhook_delivery SET due = @now, ready = @now WHERE id IN (
           SELECT id FROM webhook_delivery WHERE webhook_id = @hook AND ${part} AND ${OPEN} AND ${WANTED}
             AND (ready IS NULL OR ready > @now) LIMIT ${STEP})`,
      ),
    ),
    // Address as it was; the key only if the user still has it (S15). It stays in the list of messages meanwhile.
    revive: db.prepare(
      `INSERT INTO webhook_delivery (id, webhook_id, type, message, created, due, ready, snapshot_uri, snapshot_key)
       SELECT m.id, m.webhook_id, m.type, m.message, m.created, @now, @now, m.callback_uri, k.private_key
       FROM webhook_message m LEFT JOIN apikey k ON k.id = m.api_key_id AND k.user_id = m.user_id
       WHERE m.webhook_id = @hook AND ${REVIVABLE} AND (@delivery IS NULL OR m.id = @delivery) AND m.created >= @since
         AND NOT EXISTS (SELECT 1 FROM webhook_delivery d WHERE d.id = m.id) LIMIT ${STEP}`,
    ),
  };
}
