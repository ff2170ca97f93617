// Settles outcomes: writes what follows from them, all of a batch in one transaction, each only if its attempt is current.

import { placementOf } from '../../../ids.js';
import type { HookRow } from '../../../webhooks/rules/hooks.js';
import { type Settlement, settlementOf } from '../../../webhooks/rules/settlement.js';
import type { EndedAttempt, Outbox } from '../../outbox.js';
import { byPlacement } from '../by-placement.js';
import type { Call } from '../connections.js';
import { prepareNamed, type Query } from '../named.js';
import { repeated } from '../repeated.js';
import { END_LEASE } from './claims.js';
import { pausedSql } from './deliveries.js';
import type { Hooks } from './hooks.js';
import type { MailRows } from './mails.js';
import type { OutboxContext } from './outbox.js';
import { runAll, select } from './select.js';

interface Collaborators {
  readonly hooks: Hooks;
  readonly mails: MailRows;
}

/** What a batch is about, locked until it is settled, and carried forward from one outcome to the next. */
interface Locked {
  readonly hooks: Map<string, LockedHook>;
  /** The attempt that has each delivery. */
  readonly attempts: Map<string, string | null>;
  /** Hooks that an outcome of the batch has deleted, and their deliveries with them. */
  readonly removed: Set<string>;
}

interface LockedHook {
  /** Null: it no longer exists. */
  readonly row: HookRow | null;
  failures: number;
  noticed: number | null;
}

/** What one outcome leads to. */
interface Follows {
  readonly current: boolean;
  readonly calls: readonly Call[];
  /** An unsubscribe is due, or retries whose shortened delay may have passed already. */
  readonly due: boolean;
  /** When the delivery can be claimed again. */
  readonly ready: number | null;
  /** Other deliveries of the hook can be claimed at other times, or not at all. */
  readonly moved: boolean;
  /** The hook deletes itself (S9). */
  readonly removed?: HookRow;
}

/** A transaction that does not commit leaves no trace, so it is repeated if another one was in its way. */
export function createSettle(context: OutboxContext, collaborators: Collaborators): Outbox['settle'] {
  const { connections, listener, next } = context;
  const lock = createLock(context);
  const settleOne = createSettleOne(context, collaborators);
  const settleAll = async (query: Query, batch: readonly EndedAttempt[]): Promise<readonly Follows[]> => {
    const locked = await lock(query, batch);
    const all: Follows[] = [];
    const written: Promise<void>[] = [];
    for (const one of batch) {
      const follows = settleOne(locked, one);
      all.push(follows);
      const sent = runAll(query, follows.calls);
      // The caller sees what fails first: the rest fails because of it.
      sent.catch(() => undefined);
      written.push(sent);
      if (follows.removed !== undefined) {
        await Promise.all(written);
        await collaborators.hooks.remove(query, follows.removed, one.ended);
      }
    }
    await Promise.all(written);
    return all;
  };
  return async (batch) => {
    const all = await repeated(() => connections.interactive((query) => settleAll(query, batch)));
    if (all.some(({ moved }) => moved)) next.forget();
    for (const { ready } of all) if (ready !== null) next.note(ready);
    const due = batch.filter((_, index) => all[index]?.due).map(({ attempt }) => attempt.hook);
    if (due.length > 0) listener.due(due);
    return all.map(({ current }) => current);
  };
}

/** Locks hooks, then deliveries, in the order of their ids: two servers that settle together take turns. */
function createLock({ connections }: OutboxContext) {
  const named = (sql: string) => prepareNamed(connections, sql);
  const hooks = named('SELECT * FROM webhook WHERE _shard = @shard AND id = ANY(@ids) ORDER BY id FOR UPDATE');
  const mails = named('SELECT webhook_id, created FROM webhook_mail WHERE _shard = @shard AND webhook_id = ANY(@ids)');
  const deliveries = named(
    'SELECT id, attempt_id FROM webhook_delivery WHERE _shard = @shard AND id = ANY(@ids) ORDER BY id FOR UPDATE',
  );
  return async (query: Query, batch: readonly EndedAttempt[]): Promise<Locked> => {
    const reads = byPlacement(batch.map(({ attempt }) => attempt.hook)).map(async ({ shard, ids }) => {
      const own = batch.filter(({ attempt }) => placementOf(attempt.hook) === shard);
      const ofDeliveries = [...new Set(own.map(({ attempt }) => attempt.delivery))].sort();
      return Promise.all([
        select<HookRow>(query, hooks({ shard, ids })),
        select<{ webhook_id: string; created: number }>(query, mails({ shard, ids })),
        select<{ id: string; attempt_id: string | null }>(query, deliveries({ shard, ids: ofDeliveries })),
      ]);
    });
    const locked: Locked = { hooks: new Map(), attempts: new Map(), removed: new Set() };
    for (const [rows, written, found] of await Promise.all(reads)) {
      const noticed = new Map(written.map((mail) => [mail.webhook_id, mail.created]));
      for (const row of rows) {
        const { id, failures_since_last_success: failures } = row;
        locked.hooks.set(id, { row, failures, noticed: noticed.get(id) ?? null });
      }
      for (const { id, attempt_id } of found) locked.attempts.set(id, attempt_id);
    }
    return locked;
  };
}

/** Not current: another attempt has the delivery now, or it was cancelled with its hook (S22). */
function createSettleOne({ connections, decide, unit }: OutboxContext, { mails }: Collaborators) {
  const statements = prepare(connections);
  const write = createWrite(statements, unit);
  return (locked: Locked, one: EndedAttempt): Follows => {
    const { attempt, outcome, ended } = one;
    const { id, delivery } = attempt;
    // The hook's lease too, even if the outcome is stale: an ended attempt must not block anything.
    const subject = attempt.type === 'test' ? delivery : attempt.hook;
    const endLease = statements.endLease({ shard: placementOf(attempt.hook), subject, attempt: id });
    if (locked.attempts.get(delivery) !== id || locked.removed.has(attempt.hook)) {
      const delivered = outcome.class === 'success' ? 1 : 0;
      const late = statements.late({ shard: placementOf(attempt.hook), delivery, id, delivered });
      return { current: false, calls: [endLease, late], due: false, ready: null, moved: false };
    }
    locked.attempts.delete(delivery);
    // Of an unsubscribe there is no hook any more, and the outcome is not counted.
    const hook = locked.hooks.get(attempt.hook) ?? { row: null, failures: 0, noticed: null };
    const decision = decide({ ...hook, gone: hook.row === null }, attempt, outcome, { ended, unit });
    const { notice, remove, shorten } = decision;
    const settlement = settlementOf(one, decision, hook.failures);
    const calls = [endLease, ...write(one, settlement, shorten)];
    if (notice && hook.row !== null) calls.push(mails.write(hook.row, ended));
    if (remove) locked.removed.add(attempt.hook);
    hook.noticed = notice ? ended : hook.noticed;
    hook.failures = decision.failures ?? hook.failures;
    const due = remove || shorten;
    const ready = settlement.retry?.ready ?? null;
    const removed = remove && hook.row !== null ? { removed: hook.row } : {};
    return { current: true, calls, due, ready, moved: due || settlement.hold, ...removed };
  };
}

function createWrite(statements: Statements, unit: number) {
  return (one: EndedAttempt, { logged, retry, count, hold, answer, state }: Settlement, shorten: boolean): Call[] => {
    const { ended } = one;
    const { delivery: id, hook } = one.attempt;
    const shard = placementOf(hook);
    return [
      statements.log({ shard, ...logged }),
      ...(answer === null ? [] : [statements.answer({ shard, id: one.attempt.id, hook, ended, answer })]),
      ...(retry === null
        ? [statements.keep({ shard, id, ended, state }), statements.done({ shard, id })]
        : [statements.retry({ shard, id, hook, ...retry })]),
      ...(count === null ? [] : [statements.count({ shard, hook, count, ended: one.ended })]),
      ...(hold ? [statements.hold({ shard, hook })] : []),
      ...(shorten ? [statements.shorten({ shard, hook, unit })] : []),
    ];
  };
}

type Statements = ReturnType<typeof prepare>;

function prepare(connections: OutboxContext['connections']) {
  const named = (sql: string) => prepareNamed(connections, sql);
  return {
    endLease: named(END_LEASE),
    log: named(
      `INSERT INTO webhook_attempt (_shard, id, delivery_id, webhook_id, type, started, ended, outcome, status, counted)
       VALUES (@shard, @id, @delivery, @hook, @type, @started, @ended, @outcome, @status, @counted) ON CONFLICT DO NOTHING`,
    ),
    answer: named(
      `INSERT INTO webhook_answer (_shard, id, webhook_id, ended, answer) VALUES (@shard, @id, @hook, @ended, @answer)
       ON CONFLICT DO NOTHING`,
    ),
    // What was cancelled with its hook, and attempted again, has a row already: it is still to be delivered, unless it was.
    keep: named(
      `INSERT INTO webhook_message AS m (_shard, id, webhook_id, type, message, created, ended, state)
       SELECT _shard, id, webhook_id, type, message, created, @ended::bigint, @state::text FROM webhook_delivery
       WHERE _shard = @shard AND id = @id
       ON CONFLICT (_shard, id) DO UPDATE SET ended = excluded.ended,
         state = CASE WHEN excluded.state = 'delivered' THEN excluded.state ELSE m.state END`,
    ),
    // An attempt that was under way when its delivery was cancelled: what it delivered is not sent again.
    late: named(
      `UPDATE webhook_message SET attempt_id = NULL, state = CASE WHEN @delivered::int = 1 THEN 'delivered' ELSE state END
       WHERE _shard = @shard AND id = @delivery AND attempt_id = @id`,
    ),
    done: named('DELETE FROM webhook_delivery WHERE _shard = @shard AND id = @id'),
    retry: named(
      `UPDATE webhook_delivery SET due = @due, ready = CASE WHEN NOT ${pausedSql('@hook')} THEN @ready::bigint END, failed = @failed,
         last_failure = coalesce(@last, last_failure), attempt_id = NULL, lease = NULL WHERE _shard = @shard AND id = @id`,
    ),
    count: named(
      `UPDATE webhook SET failures_since_last_success = @count, date_updated = greatest(date_created, @ended) WHERE _shard = @shard AND id = @hook`,
    ),
    // S4: held is what has no time at which a claim takes it. What is in flight ends first.
    hold: named('UPDATE webhook_delivery SET ready = NULL WHERE _shard = @shard AND webhook_id = @hook AND failed > 0'),
    // S3, S5: held retries become due again with it.
    shorten: named(
      `UPDATE webhook_delivery SET due = least(due, last_failure + @unit),
         ready = CASE WHEN NOT ${pausedSql('@hook')} THEN least(due, last_failure + @unit) END
       WHERE _shard = @shard AND webhook_id = @hook AND failed > 0`,
    ),
  };
}
