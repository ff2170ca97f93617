// Mails to the creators of hooks: writes and sends those that outcomes have put into the outbox, apart from deliveries and
// their counters (S8), so that a mail server that hangs delays nothing but mails. No timers, no clock of its own.

import { DELETE_AT, HOLD_AT, NOTICE_AT } from '../../rules/delivery.js';
import type { DueMail, Mails } from '../../store/outbox.js';
import type { MailTransport } from './transport.js';

export interface NotifierOptions {
  readonly mails: Mails;
  readonly transport: MailTransport;
  /** Epoch milliseconds. */
  readonly clock: () => number;
  readonly observer?: MailObserver;
}

/** For metrics and the log. */
export interface MailObserver {
  sent?(notice: Notice): void;
  /** It is tried again later. */
  failed?(notice: Notice, error: unknown): void;
}

export interface Notifier {
  /**
   * Tries the mails that are due, a few at a time; resolves when these are settled, or immediately after `stop`.
   * @returns when to run next, epoch milliseconds; null: when something is due
   */
  runOnce(now: number): Promise<number | null>;
  /** Mails under way are tried again after the next start. */
  stop(): void;
}

/** How many mails are tried together. */
const BATCH = 10;

export function createNotifier({ mails, transport, clock, observer = {} }: NotifierOptions): Notifier {
  let stop: () => void = () => undefined;
  let stopped = false;
  const stopping = new Promise<void>((resolve) => {
    stop = resolve;
  });
  /** Sent and not settled yet: prevents sending the same mail every second while the outbox cannot be written. */
  const accepted = new Set<string>();
  const send = async (mail: DueMail): Promise<void> => {
    const notice = noticeOf(mail);
    try {
      if (!accepted.has(mail.id)) await transport.post(notice);
    } catch (error) {
      if (stopped) return;
      observer.failed?.(notice, error);
      await mails.settleMail(mail.id, false, clock());
      return;
    }
    if (stopped) return;
    accepted.add(mail.id);
    await mails.settleMail(mail.id, true, clock());
    accepted.delete(mail.id);
    observer.sent?.(notice);
  };
  return {
    async runOnce(now) {
      if (stopped) return null;
      const due = await mails.dueMails(now, BATCH);
      if (due.length === 0) return null;
      await Promise.race([Promise.all(due.map(send)), stopping]);
      return due.length === BATCH ? now : null;
    },
    stop() {
      stopped = true;
      stop();
      transport.close();
    },
  };
}

export interface Notice {
  /** Identifies the mail; the same each time it is tried. */
  readonly id: string;
  /** One address; null: the creator has none, or it is not valid. */
  readonly address: string | null;
  readonly name: string | null;
  readonly subject: string;
  readonly text: string;
  /** When it was written, epoch milliseconds. */
  readonly created: number;
}

function noticeOf({ id, hook, event, callbackUri, username, email, created }: DueMail): Notice {
  return {
    id,
    address: email !== null && ADDRESS.test(email) ? email : null,
    name: username,
    subject: `Your web hook for ${event} has failed ${NOTICE_AT} times in a row`,
    text: `Hello${username === null ? '' : ` ${username}`},

the last ${NOTICE_AT} callbacks of your web hook ${hook} have failed.

  Event:    ${event}
  Address:  ${callbackUri}

A callback succeeds when your server answers it with HTTP status 200; everything else is a failure, and so is no
answer. What failed is sent again, later after each further failure. Any success sets the count back to 0.

  ${HOLD_AT} failures in a row: events that failed before wait until a callback succeeds; only new events are tried.
  ${DELETE_AT} failures in a row: the web hook deletes itself.

To see whether it works again, send a test callback: POST /api/webhook/${hook}/test
The address can be changed: PUT /api/webhook/${hook}

This is the only mail that is sent about this web hook.
`,
    created,
  };
}

/** Excludes everything that mail programs read as several addresses, or as more than an address. */
const ADDRESS = /^[^\s@,;:<>()[\]"\\]+@[^\s@,;:<>()[\]"\\]+$/;
