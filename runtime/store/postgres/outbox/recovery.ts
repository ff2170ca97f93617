// Deliveries of a server that starts again, and of a clock that went back. Both ask every shard.

import { HOLD_AT } from '../../../webhooks/rules/delivery.js';
import type { Outbox } from '../../outbox.js';
import { prepareNamed } from '../named.js';
import { repeated } from '../repeated.js';
import { pausedSql } from './deliveries.js';
import type { OutboxContext } from './outbox.js';

/** A lease of another server is never touched: when it ends, whoever claims next takes it over. */
export function createRecovery({ connections, next }: OutboxContext): Pick<Outbox, 'recover' | 'clockChanged'> {
  const named = (sql: string) => prepareNamed(connections, sql);
  const statements = {
    abandonTests: named(
      `DELETE FROM webhook_delivery d USING webhook_lease l WHERE d.type = 'test' AND l.server = @server
         AND l._shard = d._shard AND l.subject = d.id AND l.attempt_id = d.attempt_id`,
    ),
    // S24: an attempt of unknown outcome is repeated and does not count as a failure. S4: what is held stays held.
    release: named(
      `UPDATE webhook_delivery d SET attempt_id = NULL, lease = NULL,
         ready = CASE WHEN ${pausedSql('d.webhook_id', 'd._shard')}
           OR d.failed > 0 AND coalesce(w.failures_since_last_success, 0) >= ${HOLD_AT} THEN NULL ELSE d.due END
       FROM webhook_lease l LEFT JOIN webhook w ON w._shard = l._shard AND w.id = l.subject
       WHERE l.server = @server AND l._shard = d._shard AND l.subject = d.webhook_id AND l.attempt_id = d.attempt_id
       RETURNING d.id`,
    ),
    endLeases: named('DELETE FROM webhook_lease WHERE server = @server'),
    rewind: named(REWIND),
    extendLeases: named('UPDATE webhook_lease SET until = @lease WHERE until > @before'),
    extendDeliveries: named('UPDATE webhook_delivery SET lease = @lease WHERE lease > @before'),
  };
  return {
    async recover(server, now) {
      const calls = [
        statements.abandonTests({ server }),
        statements.rewind({ now }),
        statements.release({ server }),
        statements.endLeases({ server }),
      ];
      const [, , released = []] = await repeated(() => connections.transaction(calls));
      next.forget();
      return released.length;
    },
    async clockChanged({ now, by, lease }) {
      const times = { lease, before: Math.min(now, now - by) };
      const extend = [statements.extendLeases(times), statements.extendDeliveries(times)];
      const rewind = by < 0 ? [statements.rewind({ now })] : [];
      await repeated(() => connections.transaction([...rewind, ...extend]));
      next.forget();
    },
  };
}

/**
 * When a delivery is ready whose attempt was given up, or whose hook is no longer paused: over the delivery as `d`.
 * @param shard SQL of its placement: of one hook it is a value, since Citus asks every shard for what is compared with a row
 */
export function readyAgain(shard: string): string {
  return `CASE WHEN ${pausedSql('d.webhook_id', shard)} OR d.failed > 0 AND coalesce((SELECT w.failures_since_last_success FROM webhook w
  WHERE w._shard = ${shard} AND w.id = d.webhook_id), 0) >= ${HOLD_AT} THEN NULL ELSE d.due END`;
}

/** S31: what failed, or came due, later than now, did so just now. */
const REWIND = `UPDATE webhook_delivery SET due = @now + greatest(0, due - coalesce(last_failure, due)),
  last_failure = CASE WHEN last_failure IS NULL THEN NULL ELSE @now END,
  ready = CASE WHEN ready IS NULL THEN NULL
    ELSE @now + greatest(0, due - coalesce(last_failure, due)) END
WHERE coalesce(last_failure, due) > @now`;
