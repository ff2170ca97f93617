// For receivers of callbacks: is this one authentic and fresh? Imports nothing of the service, so that it can be copied.

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
 * `forged`: the signature is another key's or another text's. `stale`: authentic, but outside the tolerance.
 */
export type Refusal = 'malformed' | 'no_key' | 'forged' | 'stale';

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
 * Within the tolerance the same callback may come twice. Only `Delivery-Id` tells a repetition from an equal event;
 * it is a header and not signed.
 */
export function verifyCallback(callback: Partial<Callback>, privateKey: string, options: VerifyOptions): boolean {
  return refuseCallback(callback, privateKey, options) === null;
}

/** The same check with its reason, for a receiver's log: null when the callback is authentic and fresh. */
export function refuseCallback(
  callback: Partial<Callback>,
  privateKey: string,
  { now, tolerance = TOLERANCE }: VerifyOptions,
): Refusal | null {
  const { epoch, message, hmac } = callback;
  if (typeof privateKey !== 'string' || privateKey === '') return 'no_key';
  // Types are checked at run time too: form parsers give lists for repeated names.
  if (typeof epoch !== 'string' || typeof message !== 'string' || typeof hmac !== 'string') return 'malformed';
  if (!EPOCH.test(epoch) || !HMAC.test(hmac)) return 'malformed';
  const expected = createHmac('sha256', privateKey).update(`${epoch}.${message}`).digest();
  if (!timingSafeEqual(expected, Buffer.from(hmac, 'hex'))) return 'forged';
  // Written so that a clock that is no number refuses.
  return Math.abs(now / 1000 - Number(epoch)) <= tolerance ? null : 'stale';
}
