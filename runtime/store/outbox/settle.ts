// Settles outcomes: writes the consequences of a batch in one transaction, for each outcome only if its attempt is current.
import { placementOf } from '../../contract/ids.js';
import type { EndedAttempt } from '../../rules/delivery.js';
import type { HookRow } from '../../rules/hooks.js';
import { type Settlement, settlementOf } from '../../rules/policy.js';
import { updateSql } from '../../schema/version.js';
import type { Outbox } from '../outbox.js';
import type { Dialect } from '../sql/dialect.js';
import { type Pending, rowsAmong, type Unit } from '../unit.js';
import { endLease } from './claim.js';
import type { OutboxContext } from './context.js';
import { pausedSql } from './deliveries.js';
import type { Hooks } from './hooks.js';
import type { MailRows } from './mails.js';

interface Collaborators {
  readonly hooks: Hooks;
  readonly mails: MailRows;
}

/** The hooks and deliveries of a batch, locked until it is settled, with their states updated from one outcome to the next. */
interface LockedBatch {
  readonly hooks: Map<string, LockedHook>;
  /** The current attempt of each delivery. */
  readonly attempts: Map<string, string | null>;
  /** Hooks that an outcome of the batch has deleted together with their deliveries. */
  readonly removed: Set<string>;
}

interface LockedHook {
  /** Null: the hook no longer exists. */
  readonly row: HookRow | null;
  failures: number;
  noticed: number | null;
}

/** @returns whether each outcome was current */
export function createSettle(context: OutboxContext, collaborators: Collaborators): Outbox['settle'] {
  const lock = createLock(context);
  const settleOne = createSettleOne(context, collaborators);
  return (batch) =>
    context.transact(function* (unit) {
      const locked = yield* lock(unit, batch);
      const current: boolean[] = [];
      for (const one of batch) current.push(yield* settleOne(unit, locked, one));
      return current;
    });
}

/** Locks hooks, then deliveries, in the order of their ids, so that two servers that settle at the same time take turns. */
function createLock({ dialect }: OutboxContext) {
  const statements = lockStatements(dialect);
  return function* lock(unit: Unit, batch: readonly EndedAttempt[]): Pending<LockedBatch> {
    const ofHooks = batch.map(({ attempt }) => attempt.hook);
    const ofDeliveries = batch.map(({ attempt }) => attempt.delivery);
    const hooks = rowsAmong<HookRow>(unit, dialect, ofHooks, [statements.hooks, {}]);
    const mails = rowsAmong<WrittenMail>(unit, dialect, ofHooks, [statements.mails, {}]);
    const deliveries = rowsAmong<ClaimedDelivery>(unit, dialect, ofDeliveries, [statements.deliveries, {}]);
    const locked: LockedBatch = { hooks: new Map(), attempts: new Map(), removed: new Set() };
    for (const row of yield* hooks) {
      locked.hooks.set(row.id, { row, failures: row.failures_since_last_success, noticed: null });
    }
    for (const { webhook_id, created } of yield* mails) {
      const hook = locked.hooks.get(webhook_id);
      if (hook !== undefined) hook.noticed = created;
    }
    for (const { id, attempt_id } of yield* deliveries) locked.attempts.set(id, attempt_id);
    return locked;
  };
}

interface WrittenMail {
  readonly webhook_id: string;
  readonly created: number;
}

interface ClaimedDelivery {
  readonly id: string;
  readonly attempt_id: string | null;
}

/** @returns whether the outcome was current: no other attempt has the delivery, and it was not cancelled with its hook (S22) */
function createSettleOne(context: OutboxContext, { hooks, mails }: Collaborators) {
  const { decide, dialect, dueTimes, listener, retryUnit } = context;
  const statements = settleStatements(dialect);
  return function* settleOne(unit: Unit, locked: LockedBatch, one: EndedAttempt): Pending<boolean> {
    const { attempt, outcome, ended } = one;
    const { id, delivery } = attempt;
    const placement = placementOf(attempt.hook);
    // The lease ends even if the outcome is stale: an ended attempt must not block the hook.
    const subject = attempt.type === 'test' ? delivery : attempt.hook;
    unit.hold(statements.endLease, { placement, subject, attempt_id: id });
    if (locked.attempts.get(delivery) !== id || locked.removed.has(attempt.hook)) {
      const delivered = outcome.class === 'success' ? 1 : 0;
      unit.hold(statements.late, { placement, hook: attempt.hook, delivery, id, delivered });
      return false;
    }
    locked.attempts.delete(delivery);
    // The hook of an unsubscribe no longer exists, and the outcome is not counted.
    const hook = locked.hooks.get(attempt.hook) ?? { row: null, failures: 0, noticed: null };
    const decision = decide(
      { failures: hook.failures, noticed: hook.noticed, isDeleted: hook.row === null },
      attempt,
      outcome,
      { ended, unit: retryUnit },
    );
    const { notice, remove, shorten } = decision;
    const settlement = settlementOf(one, decision, hook.failures);
    write(unit, statements, { one, settlement });
    if (shorten) unit.hold(statements.shorten, { placement, hook: attempt.hook, unit: retryUnit });
    if (notice && hook.row !== null) mails.write(unit, hook.row, ended);
    hook.noticed = notice ? ended : hook.noticed;
    hook.failures = decision.failures ?? hook.failures;
    if (remove) locked.removed.add(attempt.hook);
    if (remove && hook.row !== null) yield* hooks.remove(unit, hook.row, ended);
    unit.afterCommit(() => {
      if (remove || shorten || settlement.hold) dueTimes?.forget();
      if (settlement.retry?.ready != null) dueTimes?.noteDueTime(settlement.retry.ready);
      // An unsubscribe is due, or retries whose shortened delay may have passed already.
      if (remove || shorten) listener.due([attempt.hook]);
    });
    return true;
  };
}

type SettleStatements = ReturnType<typeof settleStatements>;

interface SettledOutcome {
  readonly one: EndedAttempt;
  readonly settlement: Settlement;
}

function write(unit: Unit, statements: SettleStatements, { one, settlement }: SettledOutcome): void {
  const { attempt, ended } = one;
  const { logged, retry, count, hold, answer, state } = settlement;
  const { hook, delivery: id } = attempt;
  const placement = placementOf(hook);
  unit.hold(statements.log, Object.assign(logged, { placement }));
  if (answer !== null) unit.hold(statements.answer, { placement, id: attempt.id, webhook_id: hook, ended, answer });
  if (retry === null) {
    unit.hold(statements.keep, { placement, id, ended, state });
    unit.hold(statements.done, { placement, id });
  } else unit.hold(statements.retry, { placement, id, hook, ...retry });
  if (count !== null) unit.hold(statements.count, { placement, hook, count, ended });
  if (hold) unit.hold(statements.hold, { placement, hook });
}

export function lockStatements(dialect: Dialect) {
  const among = (alias: string, column: string) =>
    `${dialect.placed(alias, '@placement')} AND ${dialect.isOneOf(`${alias}.${column}`, '@ids')}`;
  const lock = dialect.lock('delete');
  return {
    hooks: `SELECT w.* FROM webhook w WHERE ${among('w', 'id')} ORDER BY w.id${lock}`,
    mails: `SELECT m.webhook_id, m.created FROM webhook_mail m WHERE ${among('m', 'webhook_id')}`,
    deliveries: `SELECT d.id, d.attempt_id FROM webhook_delivery d WHERE ${among('d', 'id')} ORDER BY d.id${lock}`,
  };
}

export function settleStatements(dialect: Dialect) {
  const isDelivery = `${dialect.placed('d', '@placement')} AND d.id = @id`;
  const isRetryOfHook = `${dialect.placed('d', '@placement')} AND d.webhook_id = @hook AND d.failed > 0`;
  const unlessPaused = (time: string) => `CASE WHEN NOT ${pausedSql(dialect, '@hook')} THEN ${time} END`;
  const logged = ['id', 'delivery_id', 'webhook_id', 'type', 'started', 'ended', 'outcome', 'status', 'counted'];
  const kept = {
    ...{ id: 'd.id', webhook_id: 'd.webhook_id', type: 'd.type', message: 'd.message', created: 'd.created' },
    ...{ ended: 'CAST(@ended AS bigint)', state: 'CAST(@state AS text)' },
  };
  const shortened = dialect.least('d.due', 'd.last_failure + @unit');
  const isLate = `${dialect.placed('m', '@placement')} AND m.webhook_id = @hook AND m.id = @delivery AND m.attempt_id = @id`;
  return {
    endLease: endLease(dialect),
    log: `${dialect.insertInto('webhook_attempt', logged)} ON CONFLICT DO NOTHING`,
    answer: `${dialect.insertInto('webhook_answer', ['id', 'webhook_id', 'ended', 'answer'])} ON CONFLICT DO NOTHING`,
    // A message that was cancelled with its hook and attempted again already has a row, whose state only a success changes.
    keep:
      `${dialect.insertFrom('webhook_message AS m', kept, 'd')} FROM webhook_delivery d WHERE ${isDelivery} ` +
      `ON CONFLICT (${dialect.isPlaced ? dialect.key('id') : 'webhook_id, id'}) DO UPDATE SET ended = excluded.ended, ` +
      `state = CASE WHEN excluded.state = 'delivered' THEN excluded.state ELSE m.state END`,
    // The attempt was under way when its delivery was cancelled; a message that it delivered is not sent again.
    late:
      `UPDATE webhook_message AS m SET attempt_id = NULL, ` +
      `state = CASE WHEN CAST(@delivered AS int) = 1 THEN 'delivered' ELSE m.state END WHERE ${isLate}`,
    done: `DELETE FROM webhook_delivery AS d WHERE ${isDelivery}`,
    retry:
      `UPDATE webhook_delivery AS d SET due = @due, ready = ${unlessPaused('CAST(@ready AS bigint)')}, failed = @failed, ` +
      `last_failure = coalesce(@last, d.last_failure), attempt_id = NULL, lease = NULL WHERE ${isDelivery}`,
    count:
      `${updateSql('webhook', `failures_since_last_success = @count, date_updated = ${dialect.greatest('w.date_created', '@ended')}`, 'w')} ` +
      `WHERE ${dialect.placed('w', '@placement')} AND w.id = @hook`,
    // S4: a held retry has no time at which it can be claimed. Deliveries in flight are included: their attempts end first.
    hold: `UPDATE webhook_delivery AS d SET ready = NULL WHERE ${isRetryOfHook}`,
    // S3, S5: held retries become due again too.
    shorten: `UPDATE webhook_delivery AS d SET due = ${shortened}, ready = ${unlessPaused(shortened)} WHERE ${isRetryOfHook}`,
  };
}
