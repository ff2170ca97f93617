// Requests that are carried out once although they are sent several times (D50): the answer of a write is stored in its
// transaction, and given again.

import { hash } from 'node:crypto';
import { ServiceError } from '../errors.js';

/** What a client calls a request, and a hash of what it asks for. */
export interface Once {
  readonly key: string;
  readonly bodyHash: string;
}

/** Milliseconds for which an answer is stored. */
export const ONCE_KEPT = 24 * 60 * 60 * 1000;

/** Answers that one step of pruning deletes at most. */
export const ONCE_STEP = 500;

/** The id of the stored answer: keys are each user's own. */
export function onceId(user: string, { key }: Once): string {
  return hash('sha256', `${user} ${key}`, 'hex');
}

/** @param stored the hash with which the key was used first */
export function refuseOtherBody({ bodyHash }: Once, stored: string): void {
  if (bodyHash !== stored) throw new ServiceError('conflict', 'This Idempotency-Key was used for another request.');
}
