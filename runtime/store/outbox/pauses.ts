// Pauses of hooks: no delivery of a paused hook can be claimed, and none is lost.
import { ServiceError } from '../../contract/errors.js';
import { placementOf } from '../../contract/ids.js';
import { type AccountEvent, hookAudit } from '../../rules/hooks.js';
import type { Outbox } from '../outbox.js';
import type { Dialect } from '../sql/dialect.js';
import type { Pending, Unit } from '../unit.js';
import type { OutboxContext } from './context.js';
import { PARTS, pausedSql, readySql } from './deliveries.js';

export interface Pauses {
  readonly pause: Outbox['pause'];
  /**
   * Pauses or resumes the hooks of a user with their account (D49), within the caller's transaction.
   * @returns ids of hooks that may have a delivery due because of it
   */
  account(unit: Unit, change: AccountEvent, now: number): Pending<readonly string[]>;
}

type Reason = 'operator' | 'account';

interface PauseChange {
  readonly reason: Reason;
  readonly on: boolean;
  readonly now: number;
}

export function createPauses({ transact, dialect, listener, dueTimes }: OutboxContext): Pauses {
  const statements = pauseStatements(dialect);
  const change = (unit: Unit, hook: string, { reason, on, now }: PauseChange): void => {
    const values = { placement: placementOf(hook), hook, webhook_id: hook, operator: now, account: now, now };
    const { pause, resume } = statements[reason];
    const changes = on ? [pause, ...statements.hold] : [resume, statements.forget, ...statements.release];
    for (const sql of changes) unit.hold(sql, values);
  };
  return {
    pause: (hook, on, { author, now }) =>
      transact(function* (unit) {
        const row = yield* unit.row(statements.lock, { placement: placementOf(hook), hook });
        if (row === undefined) throw new ServiceError('not_found', 'Web hook not found.');
        change(unit, hook, { reason: 'operator', on, now });
        unit.audit(hookAudit(on ? 'pause' : 'resume', hook, { author, now }));
        unit.afterCommit(() => {
          dueTimes?.forget();
          if (!on) listener.due([hook]);
        });
      }),
    *account(unit, { id, disabled }, now) {
      const rows = yield* unit.rows<{ readonly id: string }>(statements.ofUser, {
        placement: placementOf(id),
        user: id,
      });
      const hooks = rows.map((row) => row.id);
      for (const hook of hooks) change(unit, hook, { reason: 'account', on: disabled, now });
      return disabled ? [] : hooks;
    },
  };
}

export function pauseStatements(dialect: Dialect) {
  const ofPause = `${dialect.placed('p', '@placement')} AND p.webhook_id = @hook`;
  const because = (reason: Reason) => ({
    pause:
      `${dialect.insertInto('webhook_pause AS p', ['webhook_id', reason])} ` +
      `ON CONFLICT (${dialect.key('webhook_id')}) DO UPDATE SET ${reason} = coalesce(p.${reason}, excluded.${reason})`,
    resume: `UPDATE webhook_pause AS p SET ${reason} = NULL WHERE ${ofPause}`,
  });
  const hooks = (condition: string) =>
    `SELECT w.id FROM webhook w WHERE ${dialect.placed('w', '@placement')} AND ${condition} ORDER BY w.id${dialect.lock('delete')}`;
  // Deliveries in flight are included: their attempts end first.
  const parts = PARTS.map(
    (part) => `${dialect.placed('d', '@placement')} AND d.webhook_id = @hook AND d.${part} AND d.type <> 'test'`,
  );
  const ready = readySql(dialect, '@placement');
  const isResumed = `NOT ${pausedSql(dialect, '@hook')}`;
  return {
    operator: because('operator'),
    account: because('account'),
    lock: hooks('w.id = @hook'),
    ofUser: hooks('w.user_id = @user'),
    forget: `DELETE FROM webhook_pause AS p WHERE ${ofPause} AND p.operator IS NULL AND p.account IS NULL`,
    hold: parts.map((part) => `UPDATE webhook_delivery AS d SET ready = NULL WHERE ${part}`),
    // The time is not before now, since scans for writes of other processes do not look further back.
    release: parts.map(
      (part) =>
        `UPDATE webhook_delivery AS d SET ready = CASE WHEN ${ready} < @now THEN @now ELSE ${ready} END ` +
        `WHERE ${part} AND ${isResumed}`,
    ),
  };
}
