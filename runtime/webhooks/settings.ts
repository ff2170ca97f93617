// What the operator's options come to: the addresses that callbacks may go to, and the folder of mails. Opens nothing.

import { isIP } from 'node:net';
import { dirname, join, resolve } from 'node:path';
import { StartError } from '../store/sqlite/start-error.js';
import { createGuard, type Guard } from './address.js';
import type { WebhookOptions } from './serve-options.js';

/**
 * The guard of callback addresses (S41): this machine is allowed unless ranges are given, when nobody else can reach the
 * server. Throws StartError for what is no range. @param host that the server listens on
 */
export function guardOf({ webhookAllowCidrs }: WebhookOptions, host: string): Guard {
  try {
    return createGuard(webhookAllowCidrs ?? (isLoopback(host) ? LOOPBACK : []));
  } catch (error) {
    throw new StartError(`--webhook-allow-cidrs: ${(error as Error).message}`);
  }
}

const LOOPBACK = ['127.0.0.0/8', '::1/128'];

/** Whether an address that a server listens on is reached from this machine alone. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || (isIP(host) === 4 ? host.startsWith('127.') : host === '::1');
}

/** The folder for mails without a mail server. @param database path of the database file */
export function mailFolder({ mailOutbox }: WebhookOptions, database: string): string {
  return resolve(mailOutbox ?? join(dirname(database), 'outbox'));
}
