// What an operator can configure about web hooks when the server starts, and the settings that follow from it.

import { isIP } from 'node:net';
import { dirname, join, resolve } from 'node:path';
import { InvalidArgumentError, Option } from 'commander';
import { StartError } from '../../store/sqlite/start-error.js';
import { createGuard, type Guard } from '../rules/address.js';

/** As the command line has them; what is absent has its default. */
export interface WebhookOptions {
  /** Address ranges that callbacks may go to besides the public ones. */
  readonly webhookAllowCidrs?: readonly string[];
  /** Milliseconds of one step of the retry delay. */
  readonly webhookRetryUnitMs?: number;
  /** Where mails go: `smtp://host:port?from=service@example.org`. */
  readonly smtpUrl?: string;
  /** Folder that mails are written to while there is no mail server. */
  readonly mailOutbox?: string;
}

/** The options of `serve`. */
export function webhookServeOptions(): readonly Option[] {
  const option = (flags: string, text: string, env: string): Option => new Option(flags, text).env(env);
  return [
    option(
      '--webhook-allow-cidrs <ranges>',
      'non-public address ranges, separated by commas, that web hooks may call; none unless given, this machine with --demo',
      'WEBHOOK_ALLOW_CIDRS',
    ).argParser((text) => text.split(/[\s,]+/).filter((range) => range !== '')),
    option(
      '--webhook-retry-unit-ms <number>',
      'milliseconds by which each further failure delays the retry; an hour unless given',
      'WEBHOOK_RETRY_UNIT_MS',
    ).argParser(milliseconds),
    option('--smtp-url <url>', 'mail server, smtp://user:password@host:port?from=address', 'SMTP_URL'),
    option(
      '--mail-outbox <folder>',
      'folder for mails while there is no mail server; `outbox` beside the database unless given',
      'MAIL_OUTBOX',
    ),
  ];
}

function milliseconds(text: string): number {
  const number = Number(text);
  if (/^\d+$/.test(text) && number >= 1 && number <= MOST) return number;
  throw new InvalidArgumentError(`It must be a whole number from 1 to ${MOST}.`);
}

/** A year: with more, times could leave the range of dates. */
const MOST = 366 * 24 * 3_600_000;

/** How the server is reached, as far as it decides whom web hooks may call. */
export interface Exposure {
  /** The address that the server listens on. */
  readonly host: string;
  /** Number of proxies in front of it: behind one, a server on loopback has callers from anywhere. */
  readonly trustProxy: number;
  /** The server was started as a demo. */
  readonly demo?: boolean;
}

/**
 * The guard of callback addresses (S41): the ranges that the operator configures; without any, only a demo that
 * nobody else can reach may call this machine. Throws StartError for what is not a range.
 */
export function guardOf({ webhookAllowCidrs }: WebhookOptions, { host, trustProxy, demo = false }: Exposure): Guard {
  const unreachable = demo && trustProxy === 0 && isLoopback(host);
  try {
    return createGuard(webhookAllowCidrs ?? (unreachable ? LOOPBACK : []));
  } catch (error) {
    throw new StartError(`--webhook-allow-cidrs: ${(error as Error).message}`);
  }
}

const LOOPBACK = ['127.0.0.0/8', '::1/128'];

/** Whether an address that a server listens on can only be reached from this machine. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || (isIP(host) === 4 ? host.startsWith('127.') : host === '::1');
}

/** The folder for mails without a mail server. @param database path of the database file */
export function mailFolder({ mailOutbox }: WebhookOptions, database: string): string {
  return resolve(mailOutbox ?? join(dirname(database), 'outbox'));
}
