// The rows of deliveries: created, claimed for an attempt, released after a crash, cancelled.

import { ServiceError } from '../../../errors.js';
import { placementOf } from '../../../ids.js';
import { type Attempt, type CallbackType, HOLD_AT, type NewDelivery } from '../../../webhooks/rules/delivery.js';
import type { HookRow } from '../../../webhooks/rules/hooks.js';
import { messageText } from '../../../webhooks/rules/message.js';
import type { Outbox } from '../../outbox.js';
import type { OutboxContext } from './outbox.js';

export interface DeliveryRows {
  /** A new row, due immediately; its id and the message it holds (S25). */
  add(hook: HookRow, created: NewDelivery, now: number): { readonly id: string; readonly message: string };
  /** Nothing more is sent for this hook, which is deleted (S22); what was not delivered stays readable (D48). */
  cancel(hook: HookRow, now: number): void;
  /** The same of a hook that was deleted with its user: nothing is kept. */
  drop(hook: string): void;
}

/** Rows are placed with their hook. */
export function createDeliveryRows({ db, ids }: OutboxContext): DeliveryRows {
  const insert = db.prepare(
    `INSERT INTO webhook_delivery
       (id, webhook_id, type, message, created, due, ready, attempt_id, snapshot_uri, snapshot_key)
     VALUES (@id, @hook, @type, @message, @now, @now, iif(@attempt IS NULL AND NOT ${pausedSql('@hook')}, @now, NULL),
       @attempt, @uri, @key)`,
  );
  const keep = db.prepare(
    `INSERT INTO webhook_message (id, webhook_id, type, message, created, ended, state, attempt_id, lease, callback_uri,
       user_id, api_key_id)
     SELECT id, webhook_id, type, message, created, @now, 'cancelled', attempt_id, lease, @callback_uri, @user_id, @api_key_id
     FROM webhook_delivery WHERE webhook_id = @id AND type <> 'test' ON CONFLICT DO NOTHING`,
  );
  const resume = db.prepare('DELETE FROM webhook_pause WHERE webhook_id = ?');
  // Two statements, because each index holds one part.
  const cancel = db.prepare('DELETE FROM webhook_delivery WHERE webhook_id = ? AND failed = 0');
  const cancelRetries = db.prepare('DELETE FROM webhook_delivery WHERE webhook_id = ? AND failed > 0');
  const drop = (hook: string): void => {
    cancel.run(hook);
    cancelRetries.run(hook);
    resume.run(hook);
  };
  return {
    add(hook, { type, payload, snapshot, attempt = null }, now) {
      const id = ids.next(placementOf(hook.id), now);
      const message = messageText({ ...hook, type }, payload);
      const { uri = null, key = null } = snapshot ?? {};
      insert.run({ id, hook: hook.id, type, message, now, attempt, uri, key });
      return { id, message };
    },
    cancel({ id, callback_uri, user_id, api_key_id }, now) {
      keep.run({ id, callback_uri, user_id, api_key_id, now });
      drop(id);
    },
    drop,
  };
}

type Claims = Pick<Outbox, 'due' | 'nextDue' | 'othersWrote' | 'hosts' | 'claim' | 'recover' | 'test' | 'clockChanged'>;

interface Claimable {
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

export function createClaims(context: OutboxContext, deliveries: DeliveryRows): Claims {
  const { commits, ids } = context;
  const statements = prepare(context);
  let version: unknown;
  const claimOne = (hook: string, { now, lease, server }: Claim): Attempt[] => {
    const row = statements.oldest.get({ hook, now });
    if (row === undefined) return [];
    // The hook was deleted with its user: there is nobody left to call (S38).
    if (row.uri === null) {
      deliveries.drop(hook);
      return [];
    }
    const id = ids.next(placementOf(hook), now);
    // Another attempt of the hook is under way, here or on another server (S29).
    if (statements.lease.run({ subject: hook, id, server, until: lease, now }).changes === 0) return [];
    statements.claim.run({ delivery: row.id, id, lease });
    const { type, message, uri, key, failed } = row;
    return [{ id, delivery: row.id, hook, type, message, uri, key, failed, started: now }];
  };
  return {
    due: (after, until) => statements.hooks.all(after, until),
    nextDue: (now) => statements.next.get(now) ?? null,
    othersWrote() {
      const before = version;
      version = statements.version.get();
      return version !== before;
    },
    hosts: (hooks) =>
      hooks.map((hook) => {
        const uri = statements.uri.get({ hook });
        return typeof uri === 'string' && URL.canParse(uri) ? new URL(uri).host : null;
      }),
    claim(hooks, now, lease, server) {
      if (hooks.length === 0) return [];
      return commits.submit(() => hooks.flatMap((hook) => claimOne(hook, { now, lease, server })));
    },
    recover: (server, now) =>
      commits.submit(() => {
        statements.abandonTests.run({ server });
        statements.rewind.run({ now });
        const released = statements.release.run({ server }).changes;
        statements.endLeases.run({ server });
        return released;
      }),
    clockChanged: ({ now, by, lease }) =>
      commits.submit(() => {
        if (by < 0) statements.rewind.run({ now });
        const times = { lease, before: Math.min(now, now - by) };
        for (const extend of statements.extend) extend.run(times);
      }),
    test: createTest(context, deliveries, statements),
  };
}

function createTest(
  { commits, ids, rowsOf }: OutboxContext,
  deliveries: DeliveryRows,
  statements: ReturnType<typeof prepare>,
): Outbox['test'] {
  return (hook, { payload, now, server }) =>
    commits.submit(() => {
      const row = rowsOf('webhook').row(hook) as HookRow | undefined;
      if (row === undefined) throw new ServiceError('not_found', 'Web hook not found.');
      const attempt = ids.next(placementOf(hook), now);
      const { id, message } = deliveries.add(row, { type: 'test', payload, attempt }, now);
      statements.lease.run({ subject: id, id: attempt, server, until: now, now });
      const key = statements.key.get(row.api_key_id, row.user_id) ?? null;
      const uri = row.callback_uri;
      return { id: attempt, delivery: id, hook, type: 'test', message, uri, key, failed: 0, started: now };
    });
}

function prepare({ db }: OutboxContext) {
  return {
    hooks: db
      .prepare<[number, number], string>(
        'SELECT DISTINCT webhook_id FROM webhook_delivery WHERE ready > ? AND ready <= ?',
      )
      .pluck(),
    // Commits of other connections change it, our own do not.
    version: db.prepare('PRAGMA data_version').pluck(),
    // A deleted hook has one delivery, its unsubscribe, which is attempted once.
    uri: db
      .prepare<{ hook: string }, string | null>(
        `SELECT coalesce((SELECT callback_uri FROM webhook WHERE id = @hook),
           (SELECT snapshot_uri FROM webhook_delivery WHERE webhook_id = @hook AND failed = 0 LIMIT 1))`,
      )
      .pluck(),
    next: db.prepare<[number], number | null>('SELECT min(ready) FROM webhook_delivery WHERE ready > ?').pluck(),
    // Address and key as they are now (S20, S21); a key is used only while it belongs to the hook's user.
    oldest: db.prepare<{ hook: string; now: number }, Claimable>(
      `SELECT d.id, d.type, d.message, d.failed, coalesce(d.snapshot_uri, w.callback_uri) AS uri,
         iif(d.snapshot_uri IS NULL, k.private_key, d.snapshot_key) AS key
       FROM (${OLDEST}) o JOIN webhook_delivery d ON d.id = o.id LEFT JOIN webhook w ON w.id = d.webhook_id
         LEFT JOIN apikey k ON k.id = w.api_key_id AND k.user_id = w.user_id`,
    ),
    claim: db.prepare('UPDATE webhook_delivery SET attempt_id = @id, lease = @lease WHERE id = @delivery'),
    // Nothing is changed while a lease of another attempt lasts.
    lease: db.prepare(
      `INSERT INTO webhook_lease (subject, attempt_id, server, until) VALUES (@subject, @id, @server, @until)
       ON CONFLICT (subject) DO UPDATE SET attempt_id = @id, server = @server, until = @until WHERE until <= @now`,
    ),
    // S24: an attempt of unknown outcome is repeated and does not count as a failure.
    release: db.prepare(
      `UPDATE webhook_delivery SET attempt_id = NULL, lease = NULL, ready = ${READY}
       WHERE attempt_id IS NOT NULL AND ${OWN}`,
    ),
    abandonTests: db.prepare(`DELETE FROM webhook_delivery WHERE type = 'test' AND ${OWN}`),
    endLeases: db.prepare('DELETE FROM webhook_lease WHERE server = @server'),
    rewind: db.prepare(
      `UPDATE webhook_delivery SET due = @now + max(0, due - coalesce(last_failure, due)),
         last_failure = iif(last_failure IS NULL, NULL, @now),
         ready = iif(ready IS NULL, NULL, @now + max(0, due - coalesce(last_failure, due)))
       WHERE coalesce(last_failure, due) > @now`,
    ),
    extend: [
      db.prepare('UPDATE webhook_lease SET until = @lease WHERE until > @before'),
      db.prepare('UPDATE webhook_delivery SET lease = @lease WHERE lease > @before'),
    ],
    key: db
      .prepare<[string | null, string], string>('SELECT private_key FROM apikey WHERE id = ? AND user_id = ?')
      .pluck(),
  };
}

/** Attempts of the server, and those without a lease, which are from before leases existed. */
const OWN = `coalesce((SELECT server FROM webhook_lease l WHERE l.attempt_id = webhook_delivery.attempt_id
  AND l.subject IN (webhook_delivery.webhook_id, webhook_delivery.id)), @server) = @server`;

/** Whether a hook is paused, by an operator or with its user's account (D49). */
export function pausedSql(hook: string): string {
  return `EXISTS (SELECT 1 FROM webhook_pause p WHERE p.webhook_id = ${hook})`;
}

/** S4: retries are held while the count is at HOLD_AT or above; first attempts never. All are held while the hook is paused. */
export const READY = `iif(${pausedSql('webhook_delivery.webhook_id')} OR failed > 0 AND coalesce((
  SELECT failures_since_last_success FROM webhook w WHERE w.id = webhook_id), 0) >= ${HOLD_AT}, NULL, due)`;

/** S29: the first attempt created earliest or the retry due earliest, whichever of the two became ready first. */
const OLDEST = `SELECT id FROM (
  SELECT * FROM (SELECT id, ready FROM webhook_delivery
    WHERE webhook_id = @hook AND failed = 0 AND ready <= @now AND (lease IS NULL OR lease <= @now) ORDER BY id LIMIT 1)
  UNION ALL
  SELECT * FROM (SELECT id, ready FROM webhook_delivery
    WHERE webhook_id = @hook AND failed > 0 AND ready <= @now AND (lease IS NULL OR lease <= @now)
    ORDER BY ready, id LIMIT 1)
) ORDER BY ready, id LIMIT 1`;
