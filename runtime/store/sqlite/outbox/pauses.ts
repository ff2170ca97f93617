// Hooks that are paused: nothing of theirs can be claimed, and nothing is lost.

import { ServiceError } from '../../../errors.js';
import { hookAudit } from '../../../webhooks/rules/hooks.js';
import type { Outbox } from '../../outbox.js';
import { pausedSql, READY } from './deliveries.js';
import type { OutboxContext } from './outbox.js';

export interface Pauses {
  readonly pause: Outbox['pause'];
  /**
   * The hooks of a user are paused with their account, and resumed (D49), within the caller's transaction.
   * @returns ids of hooks that may have something due because of it
   */
  account(change: { readonly id: string; readonly disabled: boolean }, now: number): readonly string[];
}

type Reason = 'operator' | 'account';

export function createPauses(context: OutboxContext): Pauses {
  const { db, commits, listener, writeAudit } = context;
  const statements = prepare(context);
  const users = db.prepare<[string], string>('SELECT id FROM webhook WHERE user_id = ?').pluck();
  const exists = db.prepare('SELECT 1 FROM webhook WHERE id = ?');
  const change = (hook: string, reason: Reason, { on, now }: { readonly on: boolean; readonly now: number }): void => {
    if (on) {
      statements[reason].pause.run({ hook, now });
      for (const hold of statements.hold) hold.run({ hook });
      return;
    }
    statements[reason].resume.run({ hook });
    statements.forget.run({ hook });
    for (const release of statements.release) release.run({ hook, now });
  };
  return {
    pause: (hook, on, { author, now }) =>
      commits.submit(() => {
        if (exists.get(hook) === undefined) throw new ServiceError('not_found', 'Web hook not found.');
        change(hook, 'operator', { on, now });
        writeAudit(hookAudit(on ? 'pause' : 'resume', hook, { author, now }));
        if (!on) listener.due([hook]);
      }),
    account({ id, disabled }, now) {
      const hooks = users.all(id);
      for (const hook of hooks) change(hook, 'account', { on: disabled, now });
      return disabled ? [] : hooks;
    },
  };
}

function prepare({ db }: OutboxContext) {
  const because = (reason: Reason) => ({
    pause: db.prepare(
      `INSERT INTO webhook_pause (webhook_id, ${reason}) VALUES (@hook, @now)
       ON CONFLICT (webhook_id) DO UPDATE SET ${reason} = coalesce(${reason}, @now)`,
    ),
    resume: db.prepare(`UPDATE webhook_pause SET ${reason} = NULL WHERE webhook_id = @hook`),
  });
  // Two statements, because each index holds one part. What is in flight ends first.
  const parts = ['failed = 0', 'failed > 0'].map((part) => `webhook_id = @hook AND ${part} AND type <> 'test'`);
  return {
    operator: because('operator'),
    account: because('account'),
    forget: db.prepare('DELETE FROM webhook_pause WHERE webhook_id = @hook AND operator IS NULL AND account IS NULL'),
    hold: parts.map((part) => db.prepare(`UPDATE webhook_delivery SET ready = NULL WHERE ${part}`)),
    // Not before now: whoever looks for what other processes have written does not look further back.
    release: parts.map((part) =>
      db.prepare(
        `UPDATE webhook_delivery SET ready = iif(${READY} < @now, @now, ${READY}) WHERE ${part} AND NOT ${pausedSql('@hook')}`,
      ),
    ),
  };
}
