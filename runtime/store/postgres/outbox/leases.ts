// The leases of one of several servers: for its attempts under way, and for the mails that it sends.

import { LEASES } from '../../../contract/defaults.js';
import { byPlacement, idOf } from '../../../contract/ids.js';
import type { OutboxOptions } from '../../outbox/create.js';
import { mailColumns } from '../../outbox/mails.js';
import type { DueMail, Outbox } from '../../outbox.js';
import { awaitAll, type Database } from '../../unit.js';
import { POSTGRES } from '../dialect.js';

/** Extends leases and deliveries in the order in which a claim locks them. */
export function createExtend(database: Database): NonNullable<Outbox['extend']> {
  return async (attempts, until) => {
    const deliveryOf = new Map(attempts.map(({ id, delivery }) => [id, delivery]));
    const extended = byPlacement(deliveryOf.keys()).map(async ({ placement, ids }) => {
      const values = { placement, ids, until, deliveries: ids.map((id) => deliveryOf.get(id) ?? '') };
      const [rows = []] = await database.writeAll(Object.values(EXTEND).map((sql) => [sql, values]));
      return rows.map(({ attempt_id }) => String(attempt_id));
    });
    return (await Promise.all(extended)).flat();
  };
}

export const EXTEND = {
  leases: `UPDATE webhook_lease AS l SET until = greatest(l.until, @until)
    WHERE ${POSTGRES.placed('l', '@placement')} AND l.attempt_id = ANY(@ids) RETURNING attempt_id`,
  deliveries: `UPDATE webhook_delivery AS d SET lease = greatest(d.lease, @until)
    WHERE ${POSTGRES.placed('d', '@placement')} AND d.id = ANY(@deliveries) AND d.attempt_id = ANY(@ids)`,
};

/** A mail is due again after its lease if the server that asked for it ended before settling it. */
export function createLeasedMails({ database, principal }: OutboxOptions): Outbox['dueMails'] {
  const { due, lease } = mailLeaseStatements(principal);
  return (now, limit) =>
    database.writeSeparately(function* (statements) {
      const mails = yield* statements.rows<{ readonly id: string }>(due, { now, limit });
      const leased = mails.map(({ id }) =>
        statements.rows<DueMail>(lease, { ...idOf(id), now, lease: now + LEASES.mail }),
      );
      return (yield* awaitAll(leased)).flat();
    });
}

/** `due` reads all shards. */
export function mailLeaseStatements(principal: OutboxOptions['principal']) {
  const { list, join } = mailColumns(POSTGRES, principal, 'o');
  const isMail = (alias: string) => `${POSTGRES.placed(alias, '@placement')} AND ${alias}.id = @id`;
  return {
    due: 'SELECT id FROM webhook_mail WHERE due <= @now ORDER BY due LIMIT @limit',
    lease: `UPDATE webhook_mail m SET due = @lease FROM webhook_mail o ${join}
      WHERE ${isMail('m')} AND m.due <= @now AND ${isMail('o')} RETURNING ${list}`,
  };
}
