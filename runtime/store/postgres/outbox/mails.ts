// The mails to creators: written with the outcome that causes them, sent later and apart from the counter (S7, S8).

import { hasField } from '../../../check-needs.js';
import { placementOf } from '../../../ids.js';
import { quoted } from '../../../schema/sql-text.js';
import { MAIL_RETRY, MAIL_RETRY_LIMIT } from '../../../webhooks/rules/delivery.js';
import type { HookRow } from '../../../webhooks/rules/hooks.js';
import type { DueMail, Mails } from '../../outbox.js';
import type { Call } from '../connections.js';
import { prepareNamed, run } from '../named.js';
import type { OutboxContext } from './outbox.js';
import { select } from './select.js';

export interface MailRows extends Mails {
  /** Part of the transaction of an outcome. A hook has at most one mail (S7). */
  write(hook: HookRow, now: number): Call;
}

/** Milliseconds for which a mail belongs to the server that asked for it: longer than any transport takes. */
const LEASE = 10 * 60_000;

export function createMails({ connections, ids, principal }: OutboxContext): MailRows {
  const { query } = connections;
  const named = (sql: string) => prepareNamed(connections, sql);
  const email = hasField(principal, 'email') ? 'u.email' : 'NULL';
  const write = named(
    `INSERT INTO webhook_mail (_shard, id, webhook_id, user_id, event, callback_uri, created, due)
     VALUES (@shard, @id, @hook, @user_id, @event, @callback_uri, @now, @now) ON CONFLICT DO NOTHING`,
  );
  // Of all shards; a mail is due again after its lease if the server that asked for it ended before settling it.
  const due = named('SELECT id FROM webhook_mail WHERE due <= @now ORDER BY due LIMIT @limit');
  const lease = named(
    `UPDATE webhook_mail m SET due = @lease FROM webhook_mail o LEFT JOIN ${quoted(principal.name)} u
       ON u._shard = o._shard AND u.id = o.user_id
     WHERE m._shard = @shard AND m.id = @id AND m.due <= @now AND o._shard = @shard AND o.id = @id
     RETURNING m.id, m.webhook_id AS hook, m.event, m.callback_uri AS "callbackUri", m.user_id AS "user", u.username,
       ${email} AS email, m.failed, m.created`,
  );
  const sent = named('UPDATE webhook_mail SET due = NULL, sent = @now WHERE _shard = @shard AND id = @id');
  const again = named(
    `UPDATE webhook_mail SET failed = failed + 1,
       due = @now + least((failed + 1) * ${MAIL_RETRY}, ${MAIL_RETRY_LIMIT}) WHERE _shard = @shard AND id = @id AND sent IS NULL`,
  );
  return {
    write({ id: hook, user_id, event, callback_uri }, now) {
      const shard = placementOf(hook);
      return write({ shard, id: ids.next(shard, now), hook, user_id, event, callback_uri, now });
    },
    async dueMails(now, limit) {
      const found = await select<{ readonly id: string }>(query, due({ now, limit }));
      const leased = found.map(({ id }) =>
        select<DueMail>(query, lease({ shard: placementOf(id), id, now, lease: now + LEASE })),
      );
      return (await Promise.all(leased)).flat();
    },
    async settleMail(id, wasSent, now) {
      await run(query, (wasSent ? sent : again)({ shard: placementOf(id), id, now }));
    },
  };
}
