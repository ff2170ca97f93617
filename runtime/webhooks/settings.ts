// What the operator's options come to: the addresses that callbacks may go to, and the folder of mails. Opens nothing.

import { isIP } from 'node:net';
import { dirname, join, resolve } from 'node:path';
import { StartError } from '../store/sqlite/start-error.js';
import { createGuard, type Guard } from './address.js';
import type { WebhookOptions } from './serve-options.js';

/** How the server is reached, as far as it decides whom web hooks may call. */
export interface Exposure {
  /** That the server listens on. */
  readonly host: string;
  /** Proxies in front of it: with one, a server on loopback has callers from anywhere. */
  readonly trustProxy: number;
  /** The server was started to be tried out. */
  readonly demo?: boolean;
}

/**
 * The guard of callback addresses (S41): the ranges that the operator gives; without any, only a demo that nobody else
 * can reach may call this machine. Throws StartError for what is not a range.
 */
export function guardOf({ webhookAllowCidrs }: WebhookOptions, { host, trustProxy, demo = false }: Exposure): Guard {
  const alone = demo && trustProxy === 0 && isLoopback(host);
  try {
    return createGuard(webhookAllowCidrs ?? (alone ? LOOPBACK : []));
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
