// Hooks that are paused: nothing of theirs can be claimed, and nothing is lost.

import { ServiceError } from '../../../errors.js';
import { placementOf } from '../../../ids.js';
import { type AccountEvent, hookAudit } from '../../../webhooks/rules/hooks.js';
import type { Outbox } from '../../outbox.js';
import type { Call } from '../connections.js';
import { prepareNamed, type Query } from '../named.js';
import { repeated } from '../repeated.js';
import { pausedSql } from './deliveries.js';
import type { OutboxContext } from './outbox.js';
import { readyAgain } from './recovery.js';
import { runAll, select } from './select.js';

export interface Pauses {
  readonly pause: Outbox['pause'];
  /**
   * The hooks of a user are paused with their account, and resumed (D49), within the transaction that `query` belongs to.
   * @returns ids of hooks that may have something due because of it
   */
  account(query: Query, change: AccountEvent, now: number): Promise<readonly string[]>;
}

type Reason = 'operator' | 'account';

export function createPauses(context: OutboxContext): Pauses {
  const { connections, listener, next, writeAudit } = context;
  const statements = prepare(context);
  const change = (
    hook: string,
    reason: Reason,
    { on, now }: { readonly on: boolean; readonly now: number },
  ): Call[] => {
    const bound = { shard: placementOf(hook), hook, now };
    const { pause, resume } = statements[reason];
    if (on) return [pause(bound), statements.hold(bound)];
    return [resume(bound), statements.forget(bound), statements.release(bound)];
  };
  return {
    async pause(hook, on, { author, now }) {
      const entry = hookAudit(on ? 'pause' : 'resume', hook, { author, now });
      await repeated(() =>
        connections.interactive(async (query) => {
          const [found] = await select(query, statements.lock({ shard: placementOf(hook), hook }));
          if (found === undefined) throw new ServiceError('not_found', 'Web hook not found.');
          await runAll(query, change(hook, 'operator', { on, now }));
          await writeAudit(query, entry);
        }),
      );
      next.forget();
      if (!on) listener.due([hook]);
    },
    async account(query, { id, disabled }, now) {
      const found = await select<{ readonly id: string }>(
        query,
        statements.ofUser({ shard: placementOf(id), user: id }),
      );
      const hooks = found.map((row) => row.id);
      for (const hook of hooks) await runAll(query, change(hook, 'account', { on: disabled, now }));
      return disabled ? [] : hooks;
    },
  };
}

function prepare({ connections }: OutboxContext) {
  const named = (sql: string) => prepareNamed(connections, sql);
  const because = (reason: Reason) => ({
    pause: named(
      `INSERT INTO webhook_pause AS p (_shard, webhook_id, ${reason}) VALUES (@shard, @hook, @now)
       ON CONFLICT (_shard, webhook_id) DO UPDATE SET ${reason} = coalesce(p.${reason}, excluded.${reason})`,
    ),
    resume: named(`UPDATE webhook_pause SET ${reason} = NULL WHERE _shard = @shard AND webhook_id = @hook`),
  });
  const ready = readyAgain('@shard');
  const ofHook = `d._shard = @shard AND d.webhook_id = @hook AND d.type <> 'test'`;
  return {
    operator: because('operator'),
    account: because('account'),
    lock: named('SELECT id FROM webhook WHERE _shard = @shard AND id = @hook FOR UPDATE'),
    ofUser: named('SELECT id FROM webhook WHERE _shard = @shard AND user_id = @user ORDER BY id FOR UPDATE'),
    forget: named(
      'DELETE FROM webhook_pause WHERE _shard = @shard AND webhook_id = @hook AND operator IS NULL AND account IS NULL',
    ),
    // What is in flight ends first.
    hold: named(`UPDATE webhook_delivery d SET ready = NULL WHERE ${ofHook}`),
    // Not before now: whoever looks for what other servers have written does not look further back.
    release: named(
      `UPDATE webhook_delivery d SET ready = CASE WHEN ${ready} < @now THEN @now ELSE ${ready} END
       WHERE ${ofHook} AND NOT ${pausedSql('@hook')}`,
    ),
  };
}
