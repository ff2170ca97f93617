// The signature of a callback: how the service signs, and how receivers verify. Imports nothing but node:crypto, so that
// receivers can copy this file. Reads no clock.

import { createHmac, timingSafeEqual } from 'node:crypto';

/** The three form parameters as they arrived, decoded from the form and not parsed any further. */
export interface Callback {
  /** Seconds since 1970, as text. */
  readonly epoch: string;
  /** The JSON text itself: verify first, then parse exactly this text. */
  readonly message: string;
  readonly hmac: string;
}

export interface VerifyOptions {
  /** The receiver's clock, milliseconds since 1970: `Date.now()`. */
  readonly now: number;
  /** Seconds by which epoch may differ from the clock in either direction. Default 300. */
  readonly tolerance?: number;
}

/**
 * `malformed`: a parameter is missing or not what the service sends. `no_key`: the private key is empty.
 * `forged`: the signature is of another key or another text. `stale`: authentic, but outside the tolerance.
 */
export type SignatureFailure = 'malformed' | 'no_key' | 'forged' | 'stale';

const TOLERANCE = 300;
const EPOCH = /^(0|[1-9][0-9]{0,14})$/;
const HMAC = /^[0-9a-f]{64}$/;

/**
 * True when the callback was signed with `privateKey` and its epoch is within the tolerance of `now`; false for
 * anything else, never an exception. The comparison takes the same time wherever the signatures differ.
 *
 *     const form = Object.fromEntries(new URLSearchParams(body));
 *     if (!verifyCallback(form, privateKey, { now: Date.now() })) return 401;
 *     const { event, type, payload } = JSON.parse(form.message);
 *
 * Within the tolerance the same callback may come twice. Only `Delivery-Id` distinguishes a repetition from an
 * equal event; it is a header and not signed.
 */
export function verifyCallback(callback: Partial<Callback>, privateKey: string, options: VerifyOptions): boolean {
  return refuseCallback(callback, privateKey, options) === null;
}

/** The same check with its reason, for a receiver's log: null when the callback is authentic and fresh. */
export function refuseCallback(
  callback: Partial<Callback>,
  privateKey: string,
  { now, tolerance = TOLERANCE }: VerifyOptions,
): SignatureFailure | null {
  const { epoch, message, hmac } = callback;
  if (typeof privateKey !== 'string' || privateKey === '') return 'no_key';
  // Types are checked at run time too: form parsers return lists for repeated names.
  if (typeof epoch !== 'string' || typeof message !== 'string' || typeof hmac !== 'string') return 'malformed';
  if (!EPOCH.test(epoch) || !HMAC.test(hmac)) return 'malformed';
  const expected = createHmac('sha256', privateKey).update(`${epoch}.${message}`).digest();
  if (!timingSafeEqual(expected, Buffer.from(hmac, 'hex'))) return 'forged';
  // Written so that a clock that is NaN refuses.
  return Math.abs(now / 1000 - Number(epoch)) <= tolerance ? null : 'stale';
}

/**
 * The body of the POST, application/x-www-form-urlencoded (S27).
 * @param now when the attempt starts, epoch milliseconds
 */
export function signedForm({ message, key }: { readonly message: string; readonly key: string }, now: number): string {
  const epoch = epochOf(now);
  return new URLSearchParams({ epoch: String(epoch), message, hmac: signatureOf(epoch, message, key) }).toString();
}

/** The unit of callbacks: whole seconds since 1970. @param now epoch milliseconds */
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
