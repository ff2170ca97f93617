// Deletes what is no longer needed, a bounded number of rows a step: old attempts in the log, and rows of deleted hooks.
// Upkeep, which asks every shard.

import type { OutboxUpkeep } from '../../outbox.js';
import { byPlacement } from '../by-placement.js';
import { type Bound, prepareNamed, run } from '../named.js';
import type { OutboxContext } from './outbox.js';
import { runAll, select } from './select.js';

/** Rows that one step examines, and so deletes, at most. */
const STEP = 1_000;

/** By the dates of attempts: those that a wrong clock has dated in the future stay until then. */
export function createPruneLog({ connections }: OutboxContext): OutboxUpkeep['pruneLog'] {
  const named = (sql: string) => prepareNamed(connections, sql);
  const drops = ['webhook_attempt', 'webhook_answer', 'webhook_message'].map((table) =>
    named(
      `WITH old AS (SELECT _shard, id FROM ${table} WHERE ended < @before ORDER BY ended LIMIT ${STEP})
       DELETE FROM ${table} a USING old WHERE a._shard = old._shard AND a.id = old.id RETURNING a.id`,
    ),
  );
  // Of servers that ended and did not come back under their names.
  const abandonTests = named(
    `DELETE FROM webhook_delivery d USING webhook_lease l
     WHERE d.type = 'test' AND l.until < @before AND l._shard = d._shard AND l.subject = d.id`,
  );
  const endLeases = named('DELETE FROM webhook_lease WHERE until < @before');
  return async (before) => {
    for (const drop of drops) {
      const dropped = await select(connections.query, drop({ before }));
      if (dropped.length === STEP) return true;
    }
    await connections.transaction([abandonTests({ before }), endLeases({ before })]);
    return false;
  };
}

/**
 * Deletes rows whose hook no longer exists: the mail that was sent about it, deliveries of a hook that was deleted with
 * its user, and what it was subscribed to.
 */
export function createPruneOrphans(context: OutboxContext): OutboxUpkeep['pruneOrphans'] {
  const sweeps = [
    sweepPlaced(context, 'webhook_mail', 'o.sent IS NOT NULL'),
    sweepPlaced(context, 'webhook_delivery', 'o.attempt_id IS NULL AND o.snapshot_uri IS NULL'),
    sweepSubscriptions(context),
  ];
  let at = 0;
  return async () => {
    if (await sweeps[at]?.()) return true;
    at = (at + 1) % sweeps.length;
    return at !== 0;
  };
}

/** One step through a table. @returns whether there is more of it */
type Sweep = () => Promise<boolean>;

/** Rows that are placed with their hook. @param useless condition on a row `o` without a hook */
function sweepPlaced({ connections }: OutboxContext, table: string, useless: string): Sweep {
  const named = (sql: string) => prepareNamed(connections, sql);
  const after = '(o._shard, o.id) > (left(@after, 2), @after)';
  const find = named(
    `SELECT max(s.id) AS last FROM (SELECT o.id FROM ${table} o WHERE ${after} ORDER BY o._shard, o.id LIMIT ${STEP}) s`,
  );
  const drop = named(
    `DELETE FROM ${table} o WHERE ${after} AND (o._shard, o.id) <= (left(@last, 2), @last) AND ${useless}
       AND NOT EXISTS (SELECT 1 FROM webhook w WHERE w._shard = o._shard AND w.id = o.webhook_id)`,
  );
  let from = '';
  return async () => {
    const [found] = await select<{ readonly last: string | null }>(connections.query, find({ after: from }));
    const last = found?.last ?? null;
    if (last !== null) await run(connections.query, drop({ after: from, last }));
    from = last ?? '';
    return last !== null;
  };
}

interface Subscription extends Bound {
  readonly shard: string;
  readonly owner: string;
  readonly event: string;
  readonly hook: string;
}

/** Subscriptions are placed with what the hook is about, so the hooks are looked for at their own placements. */
function sweepSubscriptions({ connections }: OutboxContext): Sweep {
  const named = (sql: string) => prepareNamed(connections, sql);
  const page = named(
    `SELECT _shard AS shard, owner_id AS owner, event, webhook_id AS hook FROM webhook_subscription
     WHERE (_shard, owner_id, event, webhook_id) > (@shard, @owner, @event, @hook)
     ORDER BY _shard, owner_id, event, webhook_id LIMIT ${STEP}`,
  );
  const existing = named('SELECT id FROM webhook WHERE _shard = @shard AND id = ANY(@ids)');
  const drop = named(
    `DELETE FROM webhook_subscription WHERE _shard = @shard AND owner_id = @owner AND event = @event AND webhook_id = @hook`,
  );
  const start: Subscription = { shard: '', owner: '', event: '', hook: '' };
  let after = start;
  return async () => {
    const found = await select<Subscription>(connections.query, page(after));
    const reads = byPlacement(found.map(({ hook }) => hook)).map((placed) =>
      select<{ readonly id: string }>(connections.query, existing({ ...placed })),
    );
    const live = new Set((await Promise.all(reads)).flat().map(({ id }) => id));
    await runAll(connections.query, found.filter(({ hook }) => !live.has(hook)).map(drop));
    after = found.at(-1) ?? start;
    return found.length > 0;
  };
}
