// The signature of a callback and the form that carries it, made anew for every attempt (S25). Reads no clock.

import { createHmac } from 'node:crypto';

/** The moment an attempt starts in the document's unit: whole seconds since 1970. @param now epoch milliseconds */
export function epochOf(now: number): number {
  return Math.floor(now / 1000);
}

/**
 * HMAC with SHA-256 over `epoch.message`, lower-case hex. Throws an Error on an empty key: a callback without a real
 * signature must not leave (S14).
 */
export function signatureOf(epoch: number, message: string, key: string): string {
  if (key === '') throw new Error('a callback is never signed with an empty key');
  return createHmac('sha256', key).update(`${epoch}.${message}`).digest('hex');
}

/**
 * The body of the POST, application/x-www-form-urlencoded (S27).
 * @param now when the attempt starts, epoch milliseconds
 */
export function signedForm({ message, key }: { readonly message: string; readonly key: string }, now: number): string {
  const epoch = epochOf(now);
  return new URLSearchParams({ epoch: String(epoch), message, hmac: signatureOf(epoch, message, key) }).toString();
}
