// Mails to creators: written in the transaction of the outcome that causes them, sent later and apart from the counter (S7, S8).

import type { AnyDefinition } from '../../contract/definition.js';
import { idOf, placementOf } from '../../contract/ids.js';
import { MAIL_RETRY, MAIL_RETRY_LIMIT } from '../../rules/delivery.js';
import type { HookRow } from '../../rules/hooks.js';
import { fieldFor } from '../../schema/check-needs.js';
import { quoted } from '../../schema/sql-text.js';
import type { Mails } from '../outbox.js';
import type { Dialect } from '../sql/dialect.js';
import { rowsOf } from '../sql/rows.js';
import type { Unit } from '../unit.js';
import type { OutboxContext } from './context.js';

export interface MailRows extends Pick<Mails, 'settleMail'> {
  /** Part of the transaction of an outcome. A hook has at most one mail (S7). */
  write(unit: Unit, hook: HookRow, now: number): void;
}

export function createMails({ database, dialect, ids }: OutboxContext): MailRows {
  const statements = mailStatements(dialect);
  return {
    write(unit, { id: webhook_id, user_id, event, callback_uri }, now) {
      const placement = placementOf(webhook_id);
      const row = { id: ids.next(placement, now), webhook_id, user_id, event, callback_uri, created: now, due: now };
      unit.hold(statements.write, { placement, ...row });
    },
    async settleMail(id, wasSent, now) {
      await database.write(wasSent ? statements.sent : statements.again, { ...idOf(id), now });
    },
  };
}

export function mailStatements(dialect: Dialect) {
  const one = `${dialect.placed('m', '@placement')} AND m.id = @id`;
  const columns = ['id', 'webhook_id', 'user_id', 'event', 'callback_uri', 'created', 'due'];
  const delay = dialect.least(`(m.failed + 1) * ${MAIL_RETRY}`, `${MAIL_RETRY_LIMIT}`);
  return {
    write: `${dialect.insertInto('webhook_mail', columns)} ON CONFLICT DO NOTHING`,
    sent: `UPDATE webhook_mail AS m SET due = NULL, sent = @now WHERE ${one}`,
    again: `UPDATE webhook_mail AS m SET failed = m.failed + 1, due = @now + ${delay} WHERE ${one} AND m.sent IS NULL`,
  };
}

/** The columns of a DueMail from a row `m` of `webhook_mail`, and the join of its user. @param from its alias in the join */
export function mailColumns(dialect: Dialect, principal: AnyDefinition, from = 'm') {
  const address = fieldFor(principal, 'email');
  const email = address === null ? 'NULL' : `u.${quoted(address)}`;
  const isUser = `${dialect.placed('u', dialect.placement(from))} AND u.id = ${from}.user_id`;
  return {
    list: `m.id, m.webhook_id AS hook, m.event, m.callback_uri AS "callbackUri", m.user_id AS "user", u.username,
      ${email} AS email, m.failed, m.created`,
    join: `LEFT JOIN ${rowsOf(principal, 'u')} ON ${isUser}`,
  };
}
