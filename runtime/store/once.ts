// Requests that are carried out once although they are sent several times (D50): the answer of a write is stored in its
// transaction, and given again.

import { hash } from 'node:crypto';
import { ServiceError } from '../errors.js';

/** What a client calls a request, and a hash of what it asks for. */
export interface Once {
  readonly key: string;
  /** The key as it was sent, where that was in quotes. */
  readonly sentAs?: string;
  readonly bodyHash: string;
}

/** Milliseconds for which an answer is stored. */
export const ONCE_KEPT = 24 * 60 * 60 * 1000;

/** Answers that one step of pruning deletes at most. */
export const ONCE_STEP = 500;

/**
 * The ids of the stored answer: keys are each user's own. One that was sent in quotes is stored under both forms: servers
 * from before D60, which may run beside this one on PostgreSQL, look for the quoted one.
 */
function onceIds(user: string, { key, sentAs }: Once): readonly string[] {
  return [key, ...(sentAs === undefined ? [] : [sentAs])].map((one) => hash('sha256', `${user} ${one}`, 'hex'));
}

/** Carries out `write` unless its answer is stored under one of the ids of the request. @param under does so for one id */
export function onceUnder<T>(user: string, once: Once, write: () => T, under: (id: string, write: () => T) => T): T {
  return onceIds(user, once).reduce<() => T>((work, id) => () => under(id, work), write)();
}

/** @param stored the hash with which the key was used first */
export function refuseOtherBody({ bodyHash }: Once, stored: string): void {
  const message = 'This Idempotency-Key was used for another request.';
  if (bodyHash !== stored) throw new ServiceError('idempotency_key_reused', message);
}
