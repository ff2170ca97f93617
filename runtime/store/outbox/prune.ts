// Deletes rows whose hook no longer exists, a bounded number of rows per step. As upkeep, it reads every shard.
import type { OutboxUpkeep } from '../outbox.js';
import type { Dialect } from '../sql/dialect.js';
import type { Database } from '../unit.js';

/** The most rows that one step examines, and so deletes. */
export const PRUNE_STEP = 1_000;

/** One step through a table. @returns whether there are more rows */
export type Sweep = () => Promise<boolean>;

/**
 * Deletes mails that were sent about deleted hooks, their secrets, and deliveries of hooks that were deleted with their user.
 * @param more tables that only this engine has
 */
export function createPruneOrphans(database: Database, more: readonly Sweep[] = []): OutboxUpkeep['pruneOrphans'] {
  const sweeps = [...Object.keys(USELESS).map((table) => sweepTable(database, table)), ...more];
  let at = 0;
  return async () => {
    if (await sweeps[at]?.()) return true;
    at = (at + 1) % sweeps.length;
    return at !== 0;
  };
}

/** Tables whose rows are placed with their hook, and the condition for a row `o` to be useless without it. */
const USELESS: Readonly<Record<string, (dialect: Dialect) => string>> = {
  webhook_mail: () => 'o.sent IS NOT NULL',
  webhook_delivery: () => 'o.attempt_id IS NULL AND o.snapshot_uri IS NULL',
  // A trace is an orphan without its delivery, even if its hook exists.
  webhook_trace: (dialect) =>
    `NOT EXISTS (SELECT 1 FROM webhook_delivery k WHERE ${dialect.placed('k', dialect.placement('o'))} AND k.id = o.id)`,
  // Messages cancelled with the hook can be attempted again while they are kept (D48).
  webhook_secret: (dialect) =>
    ['webhook_delivery', 'webhook_message']
      .map((table) => {
        const isIts = `${dialect.placed('k', dialect.placement('o'))} AND k.webhook_id = o.id`;
        return `NOT EXISTS (SELECT 1 FROM ${table} k WHERE ${isIts})`;
      })
      .join(' AND '),
};

/** Tables whose rows have the id of their subject. */
const BY_ID = ['webhook_secret', 'webhook_trace'];

function sweepTable(database: Database, table: string): Sweep {
  const { find, drop } = orphanStatements(database.dialect, table);
  let after = '';
  return async () => {
    const row = await database.read((queries) => queries.row<{ readonly last: string | null }>(find, { after }));
    const last = row?.last ?? null;
    if (last !== null) await database.write(drop, { after, last });
    after = last ?? '';
    return last !== null;
  };
}

export function orphanStatements(dialect: Dialect, table: string) {
  const following = dialect.compareKey('o', '>', '@after');
  const hook = BY_ID.includes(table) ? 'id' : 'webhook_id';
  const isHook = `${dialect.placed('w', dialect.placement('o'))} AND w.id = o.${hook}`;
  return {
    find:
      `SELECT max(s.id) AS last FROM (SELECT o.id FROM ${table} o WHERE ${following} ` +
      `ORDER BY ${dialect.keyOrder('o')} LIMIT ${PRUNE_STEP}) s`,
    drop:
      `DELETE FROM ${table} AS o WHERE ${following} AND ${dialect.compareKey('o', '<=', '@last')} AND ${USELESS[table]?.(dialect)} ` +
      `AND NOT EXISTS (SELECT 1 FROM webhook w WHERE ${isHook})`,
  };
}
