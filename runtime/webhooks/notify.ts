// Sends the mails that outcomes have written into the outbox, apart from deliveries and their counters (S8): a mail server
// that hangs delays mails alone. No timers, no clock of its own.

import type { DueMail, Mails } from './mails.js';
import { type Notice, noticeOf } from './notice.js';
import type { Postbox } from './postbox.js';

export interface NotifierParts {
  readonly mails: Mails;
  readonly postbox: Postbox;
  /** Epoch milliseconds. */
  readonly clock: () => number;
  readonly watch?: MailWatch;
}

/** Told of what happens; never asked anything. */
export interface MailWatch {
  sent?(notice: Notice): void;
  /** It is tried again later. */
  failed?(notice: Notice, error: unknown): void;
}

export interface Notifier {
  /**
   * Tries every mail that is due, a handful at a time; resolves when these are settled, or at once after `stop`.
   * @returns when to come again, epoch milliseconds; null: when something is due
   */
  runOnce(now: number): Promise<number | null>;
  /** Mails under way are tried again after the next start. */
  stop(): void;
}

const AT_ONCE = 10;

export function createNotifier({ mails, postbox, clock, watch = {} }: NotifierParts): Notifier {
  let stop: () => void = () => undefined;
  let stopped = false;
  const stopping = new Promise<void>((resolve) => {
    stop = resolve;
  });
  /** Taken by the postbox and not settled yet: while the outbox cannot be written, nobody gets a mail every second. */
  const taken = new Set<string>();
  const send = async (mail: DueMail): Promise<void> => {
    const notice = noticeOf(mail);
    try {
      if (!taken.has(mail.id)) await postbox.post(notice);
    } catch (error) {
      if (stopped) return;
      watch.failed?.(notice, error);
      await mails.settleMail(mail.id, false, clock());
      return;
    }
    if (stopped) return;
    taken.add(mail.id);
    await mails.settleMail(mail.id, true, clock());
    taken.delete(mail.id);
    watch.sent?.(notice);
  };
  return {
    async runOnce(now) {
      if (stopped) return null;
      const due = mails.dueMails(now, AT_ONCE);
      if (due.length === 0) return null;
      await Promise.race([Promise.all(due.map(send)), stopping]);
      return due.length === AT_ONCE ? now : null;
    },
    stop() {
      stopped = true;
      stop();
      postbox.close();
    },
  };
}
