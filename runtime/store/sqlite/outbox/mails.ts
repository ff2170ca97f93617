// The mails to creators: written with the outcome that causes them, sent later and apart from the counter (S7, S8).

import { hasField } from '../../../check-needs.js';
import { placementOf } from '../../../ids.js';
import { MAIL_RETRY, MAIL_RETRY_LIMIT } from '../../../webhooks/rules/delivery.js';
import type { HookRow } from '../../../webhooks/rules/hooks.js';
import type { DueMail, Mails } from '../../outbox.js';
import type { OutboxContext } from './outbox.js';

/** Used within the transaction of an outcome. */
export interface MailRows extends Mails {
  /** When the mail of the hook was written; null: never. There is at most one (S7). */
  written(hook: string): number | null;
  write(hook: HookRow, now: number): void;
}

export function createMails({ db, commits, ids, principal }: OutboxContext): MailRows {
  const email = hasField(principal, 'email') ? 'u.email' : 'NULL';
  const written = db.prepare<[string], number>('SELECT created FROM webhook_mail WHERE webhook_id = ?').pluck();
  const write = db.prepare(
    `INSERT INTO webhook_mail (id, webhook_id, user_id, event, callback_uri, created, due)
     VALUES (@id, @hook, @user_id, @event, @callback_uri, @now, @now)`,
  );
  const due = db.prepare<[number, number], DueMail>(
    `SELECT m.id, m.webhook_id AS hook, m.event, m.callback_uri AS callbackUri, m.user_id AS user, u.username, ${email} AS email,
       m.failed, m.created
     FROM webhook_mail m LEFT JOIN "${principal.name}" u ON u.id = m.user_id WHERE m.due <= ? ORDER BY m.due LIMIT ?`,
  );
  const sent = db.prepare('UPDATE webhook_mail SET due = NULL, sent = @now WHERE id = @id');
  const again = db.prepare(
    `UPDATE webhook_mail SET failed = failed + 1,
       due = @now + min((failed + 1) * ${MAIL_RETRY}, ${MAIL_RETRY_LIMIT}) WHERE id = @id AND sent IS NULL`,
  );
  return {
    written: (hook) => written.get(hook) ?? null,
    write({ id: hook, user_id, event, callback_uri }, now) {
      const id = ids.next(placementOf(hook), now);
      write.run({ id, hook, user_id, event, callback_uri, now });
    },
    dueMails: (now, limit) => due.all(now, limit),
    settleMail: (id, wasSent, now) => commits.submit(() => void (wasSent ? sent : again).run({ id, now })),
  };
}
