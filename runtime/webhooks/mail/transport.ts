// Sends mails: through an SMTP server, or without one, as files in a folder.

import { mkdir, open, rename } from 'node:fs/promises';
import { join } from 'node:path';
import type { SendMailOptions, Transporter } from 'nodemailer';
import { SENDING } from '../../contract/defaults.js';
import { assertInstalled, isInstalled } from '../../contract/peers.js';
import type { Notice } from './notifier.js';

export interface MailTransport {
  /** Resolves when the mail is accepted, durably as far as we can tell; rejects otherwise. */
  post(notice: Notice): Promise<void>;
  /** Mails under way are rejected. */
  close(): void;
}

/**
 * @param url `smtp://user:password@host:port?from=service@example.org` or `smtps://...`; `from` is the sender,
 *   `punchboard@host` by default. Throws an Error for any other URL, and where no library for mails is installed.
 * @param patience milliseconds
 */
export function createSmtpTransport(url: string, patience: number = SENDING.mailServer): MailTransport {
  const { hostname, from } = smtpUrl(url);
  assertInstalled('nodemailer');
  const limits = {
    connectionTimeout: patience,
    greetingTimeout: patience,
    dnsTimeout: patience,
    socketTimeout: patience,
  };
  // Without retries of its own: ours are durable.
  const options = { ...limits, ...NO_EXTERNAL_CONTENT, url, pool: true as const, maxConnections: 2, maxRequeues: 0 };
  let transport: Transporter | null = null;
  return {
    async post(notice) {
      if (notice.address === null) throw new Error('the creator has no mail address');
      transport ??= mailer().createTransport(options);
      await transport.sendMail({
        ...contents(notice, { sender: from, host: hostname }),
        envelope: { from, to: notice.address },
      });
    },
    close: () => transport?.close(),
  };
}

/**
 * Mails as `<id>.eml` files, which mail programs open; as `<id>.txt` where no library for mails is installed. A mail that is
 * written again replaces its own file.
 * @param folder created with the first mail
 * @param log called with the path of each
 * @param isComposed whether there is a library that composes mails
 */
export function createFolderTransport(
  folder: string,
  log: (path: string, notice: Notice) => void,
  isComposed = isInstalled('nodemailer'),
): MailTransport {
  return {
    async post(notice) {
      await mkdir(folder, { recursive: true });
      const path = join(folder, `${notice.id}.${isComposed ? 'eml' : 'txt'}`);
      await writeDurably(path, isComposed ? await composed(notice) : plain(notice));
      log(path, notice);
    },
    close: () => undefined,
  };
}

async function composed(notice: Notice): Promise<Buffer> {
  const composer = mailer().createTransport({ ...NO_EXTERNAL_CONTENT, streamTransport: true, buffer: true });
  const { message } = await composer.sendMail(contents(notice, { sender: 'punchboard@localhost', host: 'localhost' }));
  return message as Buffer;
}

function plain({ address, name, subject, text }: Notice): Buffer {
  return Buffer.from(`To: ${address ?? nobody(name)}\nSubject: ${subject}\n\n${text}\n`);
}

/** A mail never includes the content of a file or a URL. */
const NO_EXTERNAL_CONTENT = { disableFileAccess: true, disableUrlAccess: true } as const;

/** Loaded with the first mail. */
function mailer(): typeof import('nodemailer') {
  return require('nodemailer') as typeof import('nodemailer');
}

function smtpUrl(text: string): { readonly hostname: string; readonly from: string } {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^smtps?:$/.test(url.protocol) || url.hostname === '') {
    throw new Error('the mail server must be smtp://host:port or smtps://host:port');
  }
  return { hostname: url.hostname, from: url.searchParams.get('from') ?? `punchboard@${url.hostname}` };
}

function contents(
  notice: Notice,
  { sender, host }: { readonly sender: string; readonly host: string },
): SendMailOptions {
  const { id, address, name, subject, text, created } = notice;
  // As an object the address is used as it is: a comma in it does not make it two.
  const to = address === null ? nobody(name) : { name: name ?? '', address };
  return {
    messageId: `<${id}@${host}>`,
    date: new Date(created),
    from: sender,
    to,
    subject,
    text,
    headers: { 'Auto-Submitted': 'auto-generated' },
  };
}

/** A group without members: anyone who opens the file sees whom it is for. */
function nobody(name: string | null): string {
  return `"${(name ?? 'unknown').replace(/[^\w .-]/g, '_')} (no address)":;`;
}

async function writeDurably(path: string, bytes: Uint8Array): Promise<void> {
  const unfinished = `${path}.part`;
  const file = await open(unfinished, 'w', 0o600);
  try {
    await file.writeFile(bytes);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(unfinished, path);
}
