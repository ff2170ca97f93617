// Derives settings from the operator's options: the addresses that callbacks may go to, and the folder of mails.

import { isIP } from 'node:net';
import { dirname, join, resolve } from 'node:path';
import { createGuard, type Guard } from '../rules/address.js';
import { isServerUrl } from '../store/database-url.js';
import { StartError } from '../store/start-error.js';

/** The options of the command line; absent ones have their defaults. */
export interface WebhookOptions {
  /** Address ranges that callbacks may go to besides the public ones. */
  readonly webhookAllowCidrs?: readonly string[];
  /** Milliseconds of one step of the retry delay. */
  readonly webhookRetryUnitMs?: number;
  /** Where mails go: `smtp://host:port?from=service@example.org`. */
  readonly smtpUrl?: string;
  /** Folder that mails are written to while there is no mail server. */
  readonly mailOutbox?: string;
  /** Days for which attempts, answers and messages stay readable. */
  readonly webhookHistoryDays?: number;
}

/** Unless the operator says otherwise (D48). */
export const HISTORY_DAYS = 30;

/** How the server can be reached, which determines whom web hooks may call. */
export interface Exposure {
  /** The address that the server listens on. */
  readonly host: string;
  /** Number of proxies in front of it: behind one, a server on loopback has callers from anywhere. */
  readonly trustProxy: number;
  /** The server was started as a demo. */
  readonly demo?: boolean;
}

/**
 * The guard of callback addresses (S41): the ranges that the operator configures; without any, only a demo that nobody else can
 * reach may call this machine. Throws StartError for a text that is not a range.
 */
export function guardOf({ webhookAllowCidrs, host, trustProxy, demo = false }: WebhookOptions & Exposure): Guard {
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

/** The folder for mails without a mail server. @param database path of the file, or URL */
export function mailFolder({ mailOutbox }: WebhookOptions, database: string): string {
  return resolve(mailOutbox ?? join(isServerUrl(database) ? 'data' : dirname(database), 'outbox'));
}
