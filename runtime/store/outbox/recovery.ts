// Repairs deliveries when a server starts again, or when the clock was set. Both read every shard.
import type { Outbox } from '../outbox.js';
import type { Dialect } from '../sql/dialect.js';
import type { BoundStatement } from '../unit.js';
import type { OutboxContext } from './context.js';
import { readySql } from './deliveries.js';

/** A lease of another server is never touched: when it ends, the next claim takes it over. */
export function createRecovery({
  database,
  dialect,
  dueTimes,
}: OutboxContext): Pick<Outbox, 'recover' | 'clockChanged'> {
  const { abandonTests, rewind, release, endLeases, extend } = recoveryStatements(dialect);
  const changed = async (statements: readonly BoundStatement[]) => {
    const rows = await database.writeAll(statements);
    dueTimes?.forget();
    return rows;
  };
  return {
    async recover(server, now) {
      const all = [abandonTests, rewind, release, endLeases];
      const [, , released = []] = await changed(all.map((sql) => [sql, { server, now }]));
      return released.length;
    },
    async clockChanged({ now, by, lease }) {
      const values = { now, lease, before: Math.min(now, now - by) };
      await changed([...(by < 0 ? [rewind] : []), ...extend].map((sql) => [sql, values]));
    },
  };
}

export function recoveryStatements(dialect: Dialect) {
  const ofAttempt = `SELECT 1 FROM webhook_lease l WHERE ${dialect.placed('l', dialect.placement('d'))}
    AND l.subject IN (d.webhook_id, d.id) AND l.attempt_id = d.attempt_id`;
  // The only server of a file also owns deliveries without a lease, which are older than leases.
  const isOwn = dialect.isPlaced
    ? `EXISTS (${ofAttempt} AND l.server = @server)`
    : `NOT EXISTS (${ofAttempt} AND l.server <> @server)`;
  const delay = dialect.greatest('0', 'due - coalesce(last_failure, due)');
  return {
    abandonTests: `DELETE FROM webhook_delivery AS d WHERE d.type = 'test' AND ${isOwn}`,
    // S24: an attempt of unknown outcome is repeated and does not count as a failure. S4: held retries stay held.
    release:
      `UPDATE webhook_delivery AS d SET attempt_id = NULL, lease = NULL, ready = ${readySql(dialect, dialect.placement('d'))} ` +
      `WHERE d.attempt_id IS NOT NULL AND ${isOwn} RETURNING id`,
    endLeases: 'DELETE FROM webhook_lease WHERE server = @server',
    // S31: a delivery that failed or came due in the future is treated as if that had happened just now.
    rewind:
      `UPDATE webhook_delivery SET due = @now + ${delay}, ` +
      'last_failure = CASE WHEN last_failure IS NULL THEN NULL ELSE @now END, ' +
      `ready = CASE WHEN ready IS NULL THEN NULL ELSE @now + ${delay} END WHERE coalesce(last_failure, due) > @now`,
    extend: [
      'UPDATE webhook_lease SET until = @lease WHERE until > @before',
      'UPDATE webhook_delivery SET lease = @lease WHERE lease > @before',
    ],
  };
}
