// The outcome of an attempt and all that follows from it, in one savepoint, fenced by the attempt's name. Decides nothing.
import { type Attempt, type Decision, HOLD_AT, type HookState, type Outbox, type Outcome } from './delivery.js';
import type { HookRow } from './hook-events.js';
import type { Hooks } from './hooks.js';
import type { MailRows } from './mails.js';
import type { OutboxParts } from './parts.js';

interface Collaborators {
  readonly hooks: Hooks;
  readonly mails: MailRows;
}

/**
 * Outcomes that arrive in one tick are settled one after the other where the first of them stands in the queue of writes,
 * in one savepoint: each of its own would cost as much as the outcome. If one of them fails, all are settled singly.
 */
export function createSettle(parts: OutboxParts, collaborators: Collaborators): Outbox['settle'] {
  const { commits } = parts;
  const settleOne = createSettleOne(parts, collaborators);
  let waiting: Waiting[] = [];
  const settleAll = async (): Promise<void> => {
    let batch: readonly Waiting[] = [];
    const all = (): readonly boolean[] => {
      batch = waiting;
      waiting = [];
      return batch.map(settleOne);
    };
    try {
      for (const [at, current] of (await commits.submit(all)).entries()) batch[at]?.resolve(current);
    } catch {
      // Refused before it began, as by a server that stops.
      if (batch.length === 0) [batch, waiting] = [waiting, []];
      for (const one of batch) commits.submit(() => settleOne(one)).then(one.resolve, one.reject);
    }
  };
  return (attempt, outcome, ended) =>
    new Promise((resolve, reject) => {
      waiting.push({ attempt, outcome, ended, resolve, reject });
      if (waiting.length === 1) void settleAll();
    });
}

interface Waiting {
  readonly attempt: Attempt;
  readonly outcome: Outcome;
  readonly ended: number;
  resolve(current: boolean): void;
  reject(error: unknown): void;
}

/** False: another attempt has the delivery now, or it was cancelled with its hook (S22). */
function createSettleOne(parts: OutboxParts, { hooks, mails }: Collaborators) {
  const { records, decide, unit } = parts;
  const statements = prepare(parts);
  const carryOut = createCarryOut(parts, statements);
  return ({ attempt, outcome, ended }: Waiting): boolean => {
    const found = statements.current.get(attempt.delivery);
    if (found?.attempt !== attempt.id) return false;
    const state = stateOf(attempt.hook, found.failures ?? 0, mails);
    const decision = decide(state, attempt, outcome, { ended, unit });
    statements.log.run(logged(attempt, outcome, { ended, counted: decision.failures !== null }));
    carryOut(attempt, decision, { ended, before: state.failures });
    if (decision.notice) mails.write(records('webhook').row(attempt.hook) as HookRow, ended);
    if (decision.remove) hooks.remove(attempt.hook, ended);
    // An unsubscribe is due, or retries that may be due since long.
    if (decision.remove || decision.shorten) parts.woken?.([attempt.hook]);
    return true;
  };
}

function stateOf(hook: string, failures: number, mails: MailRows): HookState {
  return {
    failures,
    // Asked for at the fifth failure only.
    get noticed() {
      return mails.written(hook);
    },
  };
}

function logged(
  { id, delivery, hook, type, started }: Attempt,
  outcome: Outcome,
  { ended, counted }: { readonly ended: number; readonly counted: boolean },
) {
  const status = outcome.class === 'status' ? outcome.status : outcome.class === 'success' ? 200 : null;
  return { id, delivery, hook, type, started, ended, outcome: outcome.class, status, counted: counted ? 1 : 0 };
}

interface Circumstances {
  readonly ended: number;
  /** The hook's count before this outcome. */
  readonly before: number;
}

function createCarryOut({ unit }: OutboxParts, statements: ReturnType<typeof prepare>) {
  return (attempt: Attempt, decision: Decision, { ended, before }: Circumstances): void => {
    const { hook, delivery: id } = attempt;
    const { failures, delivery } = decision;
    const count = failures ?? before;
    if (delivery.next === 'retry') {
      // Only what counted was an attempt of the delivery's own (S19).
      const failed = attempt.failed + (failures === null ? 0 : 1);
      const ready = failed > 0 && count >= HOLD_AT ? null : delivery.due;
      const last = failures === null ? null : ended;
      statements.retry.run({ id, due: delivery.due, ready, failed, last });
    } else statements.done.run(id);
    // S23: the date moves with every attempt that changes the row, a retry's included.
    if (failures !== null && (failures !== before || attempt.failed > 0)) statements.count.run(failures, ended, hook);
    if (before < HOLD_AT && count >= HOLD_AT) statements.hold.run(hook);
    if (decision.shorten) statements.shorten.run({ hook, unit });
  };
}

function prepare({ db }: OutboxParts) {
  return {
    // No count: the hook of an unsubscribe is gone, and its outcome counts for nobody.
    current: db.prepare<[string], { readonly attempt: string | null; readonly failures: number | null }>(
      `SELECT d.attempt_id AS attempt, w.failures_since_last_success AS failures
       FROM webhook_delivery d LEFT JOIN webhook w ON w.id = d.webhook_id WHERE d.id = ?`,
    ),
    log: db.prepare(
      `INSERT INTO webhook_attempt (id, delivery_id, webhook_id, type, started, ended, outcome, status, counted)
       VALUES (@id, @delivery, @hook, @type, @started, @ended, @outcome, @status, @counted)`,
    ),
    done: db.prepare('DELETE FROM webhook_delivery WHERE id = ?'),
    retry: db.prepare(
      `UPDATE webhook_delivery SET due = @due, ready = @ready, failed = @failed,
         last_failure = coalesce(@last, last_failure), attempt_id = NULL, lease = NULL WHERE id = @id`,
    ),
    count: db.prepare('UPDATE webhook SET failures_since_last_success = ?, date_updated = ? WHERE id = ?'),
    // S4: held is what has no time at which a claim takes it. What is in flight ends first.
    hold: db.prepare('UPDATE webhook_delivery SET ready = NULL WHERE webhook_id = ? AND failed > 0'),
    // S3, S5: what was held comes back with it.
    shorten: db.prepare(
      `UPDATE webhook_delivery SET due = min(due, last_failure + @unit),
         ready = min(due, last_failure + @unit)
       WHERE webhook_id = @hook AND failed > 0`,
    ),
  };
}
