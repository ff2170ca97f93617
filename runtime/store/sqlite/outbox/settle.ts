// Settles outcomes: writes what follows from them, all of a batch in one savepoint, each only if its attempt is current.

import type { HookState } from '../../../webhooks/rules/delivery.js';
import type { HookRow } from '../../../webhooks/rules/hooks.js';
import { settlementOf } from '../../../webhooks/rules/settlement.js';
import type { EndedAttempt, Outbox } from '../../outbox.js';
import { pausedSql } from './deliveries.js';
import type { Hooks } from './hooks.js';
import type { MailRows } from './mails.js';
import type { OutboxContext } from './outbox.js';

interface Collaborators {
  readonly hooks: Hooks;
  readonly mails: MailRows;
}

/** One savepoint for a batch: one for each outcome would cost as much as the outcome itself. */
export function createSettle(context: OutboxContext, collaborators: Collaborators): Outbox['settle'] {
  const settleOne = createSettleOne(context, collaborators);
  return (batch) => context.commits.submit(() => batch.map(settleOne));
}

/** False: another attempt has the delivery now, or it was cancelled with its hook (S22). */
function createSettleOne(context: OutboxContext, { hooks, mails }: Collaborators): (one: EndedAttempt) => boolean {
  const { decide, unit } = context;
  const statements = prepare(context);
  return (one) => {
    const { attempt, outcome, ended } = one;
    const { id, hook, delivery } = attempt;
    // The hook's lease too, even if the outcome is stale: an ended attempt must not block anything.
    statements.endLease.run({ subject: attempt.type === 'test' ? delivery : hook, id });
    const found = statements.current.get(delivery);
    if (found?.attempt !== id) {
      statements.late.run({ hook, delivery, id, delivered: outcome.class === 'success' ? 1 : 0 });
      return false;
    }
    const state = stateOf(hook, found.failures, mails);
    const decision = decide(state, attempt, outcome, { ended, unit });
    const { logged, retry, count, hold, answer, state: over } = settlementOf(one, decision, state.failures);
    statements.log.run(logged);
    if (answer !== null) statements.answer.run({ id, hook, ended, answer });
    if (retry === null) {
      statements.keep.run({ delivery, ended, state: over });
      statements.done.run(delivery);
    } else statements.retry.run({ id: delivery, ...retry });
    if (count !== null) statements.count.run(count, ended, hook);
    if (hold) statements.hold.run(hook);
    if (decision.shorten) statements.shorten.run({ hook, unit });
    if (decision.notice) mails.write(context.rowsOf('webhook').row(hook) as HookRow, ended);
    if (decision.remove) hooks.remove(hook, ended);
    // An unsubscribe is due, or retries whose shortened delay may have passed already.
    if (decision.remove || decision.shorten) context.listener.due([hook]);
    return true;
  };
}

/** @param failures null: there is no such hook */
function stateOf(hook: string, failures: number | null, mails: MailRows): HookState {
  return {
    failures: failures ?? 0,
    gone: failures === null,
    // Read at the fifth failure only.
    get noticed() {
      return mails.written(hook);
    },
  };
}

function prepare({ db }: OutboxContext) {
  return {
    // No count: the hook of an unsubscribe no longer exists, and the outcome is not counted.
    current: db.prepare<[string], { readonly attempt: string | null; readonly failures: number | null }>(
      `SELECT d.attempt_id AS attempt, w.failures_since_last_success AS failures
       FROM webhook_delivery d LEFT JOIN webhook w ON w.id = d.webhook_id WHERE d.id = ?`,
    ),
    endLease: db.prepare('DELETE FROM webhook_lease WHERE subject = @subject AND attempt_id = @id'),
    log: db.prepare(
      `INSERT INTO webhook_attempt (id, delivery_id, webhook_id, type, started, ended, outcome, status, counted)
       VALUES (@id, @delivery, @hook, @type, @started, @ended, @outcome, @status, @counted)`,
    ),
    answer: db.prepare(
      'INSERT INTO webhook_answer (id, webhook_id, ended, answer) VALUES (@id, @hook, @ended, @answer)',
    ),
    // What was cancelled with its hook, and attempted again, has a row already: it is still to be delivered, unless it was.
    keep: db.prepare(
      `INSERT INTO webhook_message (id, webhook_id, type, message, created, ended, state)
       SELECT id, webhook_id, type, message, created, @ended, @state FROM webhook_delivery WHERE id = @delivery
       ON CONFLICT (webhook_id, id) DO UPDATE SET ended = @ended, state = iif(@state = 'delivered', @state, state)`,
    ),
    // An attempt that was under way when its delivery was cancelled: what it delivered is not sent again.
    late: db.prepare(
      `UPDATE webhook_message SET attempt_id = NULL, state = iif(@delivered, 'delivered', state)
       WHERE webhook_id = @hook AND id = @delivery AND attempt_id = @id`,
    ),
    done: db.prepare('DELETE FROM webhook_delivery WHERE id = ?'),
    retry: db.prepare(
      `UPDATE webhook_delivery SET due = @due, ready = iif(${pausedSql('webhook_delivery.webhook_id')}, NULL, @ready), failed = @failed,
         last_failure = coalesce(@last, last_failure), attempt_id = NULL, lease = NULL WHERE id = @id`,
    ),
    count: db.prepare(
      'UPDATE webhook SET failures_since_last_success = ?, date_updated = max(date_created, ?) WHERE id = ?',
    ),
    // S4: held is what has no time at which a claim takes it. What is in flight ends first.
    hold: db.prepare('UPDATE webhook_delivery SET ready = NULL WHERE webhook_id = ? AND failed > 0'),
    // S3, S5: held retries become due again with it.
    shorten: db.prepare(
      `UPDATE webhook_delivery SET due = min(due, last_failure + @unit),
         ready = iif(${pausedSql('@hook')}, NULL, min(due, last_failure + @unit))
       WHERE webhook_id = @hook AND failed > 0`,
    ),
  };
}
