// The mails to creators: written with the outcome that causes them, sent later and apart from the counter (S7, S8).
import { hasField } from '../check-needs.js';
import { placementOf } from '../ids.js';
import type { HookRow } from './hook-events.js';
import type { OutboxParts } from './parts.js';

/** A mail to be sent. */
export interface DueMail {
  readonly id: string;
  readonly hook: string;
  readonly event: string;
  /** Of the time the mail was written. */
  readonly callbackUri: string;
  readonly user: string;
  readonly username: string | null;
  /** As it is now; null: the user has none, or is gone. */
  readonly email: string | null;
  /** Tries that failed. */
  readonly failed: number;
  /** Epoch milliseconds. */
  readonly created: number;
}

export interface Mails {
  /** The oldest mails to be sent at `now`, at most `limit`. */
  dueMails(now: number, limit: number): readonly DueMail[];
  /** Sent, or to be tried again later; never dropped. */
  settleMail(id: string, ok: boolean, now: number): Promise<void>;
}

/** Used within the transaction of an outcome. */
export interface MailRows extends Mails {
  /** When the mail of the hook was written; null: never. There is at most one (S7). */
  written(hook: string): number | null;
  write(hook: HookRow, now: number): void;
}

/** Milliseconds to the next try after the n-th failed one: n of them, up to an hour. */
const MAIL_RETRY = 5 * 60_000;
const MAIL_RETRY_LIMIT = 60 * 60_000;

export function createMails({ db, commits, ids, definitions }: OutboxParts): MailRows {
  const principal = [...definitions.values()].find((definition) => definition.principal);
  if (principal === undefined) throw new Error('nobody can be written to: no definition is the principal');
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
    settleMail: (id, ok, now) => commits.submit(() => void (ok ? sent : again).run({ id, now })),
  };
}
