// Deletes old entries of the log by an index of dates, tests and leases of servers that did not come back, and subscriptions
// without a hook. As upkeep, it reads every shard.

import { PRUNE_STEP, type Sweep } from '../../outbox/prune.js';
import { subscriptionStatements } from '../../outbox/subscriptions.js';
import type { OutboxUpkeep } from '../../outbox.js';
import { awaitAll, type BoundStatement, type Database, type Parameters, rowsAmong } from '../../unit.js';
import { POSTGRES } from '../dialect.js';

/** Attempts that a wrong clock has dated in the future are kept until that date is old. */
export function createPruneLog(database: Database): OutboxUpkeep['pruneLog'] {
  return async (before) => {
    for (const drop of PRUNE.logs) {
      if ((await database.write(drop, { before: before - 1 })).length === PRUNE_STEP) return true;
    }
    const abandoned: readonly BoundStatement[] = [PRUNE.tests, PRUNE.leases].map((sql) => [sql, { before }]);
    await database.writeAll(abandoned);
    return false;
  };
}

export const PRUNE = {
  logs: ['webhook_attempt', 'webhook_answer', 'webhook_message'].map((table) =>
    POSTGRES.deleteUpTo(table, 'ended', { limit: PRUNE_STEP }),
  ),
  tests: `DELETE FROM webhook_delivery d USING webhook_lease l
    WHERE d.type = 'test' AND l.until < @before AND l._shard = d._shard AND l.subject = d.id`,
  leases: 'DELETE FROM webhook_lease WHERE until < @before',
};

interface Subscription extends Parameters {
  readonly placement: string;
  readonly owner_id: string;
  readonly event: string;
  readonly webhook_id: string;
}

const START: Subscription = { placement: '', owner_id: '', event: '', webhook_id: '' };

/** Subscriptions are placed with the hook's owner, so the hooks are looked for at their own placements. */
export function sweepSubscriptions(database: Database): Sweep {
  const remove = String(subscriptionStatements(POSTGRES).remove);
  let after = START;
  return () =>
    database.writeSeparately(function* (statements) {
      const subscriptions = yield* statements.rows<Subscription>(SUBSCRIPTIONS.page, after);
      const hooks = subscriptions.map(({ webhook_id }) => webhook_id);
      const existing = yield* rowsAmong<{ readonly id: string }>(statements, POSTGRES, hooks, [
        SUBSCRIPTIONS.existing,
        {},
      ]);
      const live = new Set(existing.map(({ id }) => id));
      const stale = subscriptions.filter(({ webhook_id }) => !live.has(webhook_id));
      yield* awaitAll(stale.map((one) => statements.rows(remove, one)));
      after = subscriptions.at(-1) ?? START;
      return subscriptions.length > 0;
    });
}

export const SUBSCRIPTIONS = {
  page: `SELECT _shard AS placement, owner_id, event, webhook_id FROM webhook_subscription
    WHERE (_shard, owner_id, event, webhook_id) > (@placement, @owner_id, @event, @webhook_id)
    ORDER BY _shard, owner_id, event, webhook_id LIMIT ${PRUNE_STEP}`,
  existing: `SELECT w.id FROM webhook w WHERE ${POSTGRES.placed('w', '@placement')} AND w.id = ANY(@ids)`,
};
