// The words of the mail to a hook's creator at the fifth failure (S8). Pure text; sends nothing.

import { DELETE_AT, HOLD_AT, NOTICE_AT } from './delivery.js';
import type { DueMail } from './mails.js';

export interface Notice {
  /** Names the mail, and is the same each time it is tried. */
  readonly id: string;
  /** One address; null: the creator has given none, or what is none. */
  readonly address: string | null;
  readonly name: string | null;
  readonly subject: string;
  readonly text: string;
  /** When it was written, epoch milliseconds. */
  readonly created: number;
}

export function noticeOf({ id, hook, event, callbackUri, username, email, created }: DueMail): Notice {
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

/** Nothing that mail programs read as more than one address, or as more than an address. */
const ADDRESS = /^[^\s@,;:<>()[\]"\\]+@[^\s@,;:<>()[\]"\\]+$/;
