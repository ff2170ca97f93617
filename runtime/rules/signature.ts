// The signatures of a callback: how the service signs, and how receivers verify. Imports nothing but node:crypto, so that
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

/** A callback as it arrived, in either form. */
export interface ReceivedCallback {
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** Not parsed, and not serialized again. */
  readonly body: string | Uint8Array;
}

export interface VerifyOptions {
  /** The receiver's clock, milliseconds since 1970: `Date.now()`. */
  readonly now: number;
  /** Seconds by which epoch may differ from the clock in either direction. Default 300. */
  readonly tolerance?: number;
}

/**
 * Private keys of API keys, and secrets of web hooks (`whsec_…`). There are several while one replaces another: one of them
 * must have signed.
 */
export type Secrets = string | readonly string[];

/**
 * `malformed`: a parameter or header is missing or not what the service sends. `no_key`: there is no secret for this form.
 * `forged`: the signature is of another secret or another text. `stale`: authentic, but outside the tolerance.
 */
export type SignatureFailure = 'malformed' | 'no_key' | 'forged' | 'stale';

const TOLERANCE = 300;
const EPOCH = /^(0|[1-9][0-9]{0,14})$/;
const HMAC = /^[0-9a-f]{64}$/;
const PREFIX = 'whsec_';

/**
 * True when the callback was signed with one of the secrets and its time is within the tolerance of `now`; false for
 * anything else, never an exception. The comparison takes the same time wherever the signatures differ.
 *
 *     if (!verifyCallback({ headers: request.headers, body }, secret, { now: Date.now() })) return 401;
 *
 * A callback with the header `webhook-signature` is verified by that (Standard Webhooks), over the bytes of its body; any
 * other is a form, and verified by its `hmac`, for which the private key is needed. The form's parameters can be given instead:
 *
 *     const form = Object.fromEntries(new URLSearchParams(body));
 *     if (!verifyCallback(form, privateKey, { now: Date.now() })) return 401;
 *     const { event, type, payload } = JSON.parse(form.message);
 *
 * Within the tolerance the same callback may come twice: `webhook-id`, which is signed, identifies it. `hmac` covers no header.
 */
export function verifyCallback(
  callback: Partial<Callback> | ReceivedCallback,
  secrets: Secrets,
  options: VerifyOptions,
): boolean {
  return refuseCallback(callback, secrets, options) === null;
}

/** The same check with its reason, for a receiver's log: null when the callback is authentic and fresh. */
export function refuseCallback(
  callback: Partial<Callback> | ReceivedCallback,
  secrets: Secrets,
  { now, tolerance = TOLERANCE }: VerifyOptions,
): SignatureFailure | null {
  const given = typeof secrets === 'string' ? [secrets] : Array.isArray(secrets) ? secrets : [];
  const signed = 'headers' in callback ? signedRequest(callback) : signedParameters(callback);
  const usable = given.filter((one) => typeof one === 'string' && one !== '' && (signed?.accepts(one) ?? true));
  if (usable.length === 0) return 'no_key';
  if (signed === null) return 'malformed';
  const { epoch, signatures, sign } = signed;
  // Every pair is compared, so that the time does not reveal which of the secrets fits.
  const pairs = usable.map(sign).flatMap((expected) => signatures.map((one) => isEqual(expected, one)));
  if (!pairs.includes(true)) return 'forged';
  // Written so that a clock that is NaN refuses.
  return Math.abs(now / 1000 - Number(epoch)) <= tolerance ? null : 'stale';
}

/** The signed text of a callback and its signatures, one of which must belong to a secret. */
interface SignedContent {
  readonly epoch: string;
  readonly signatures: readonly string[];
  /** Whether the secret can have signed it. */
  accepts(secret: string): boolean;
  sign(secret: string): string;
}

function isEqual(expected: string, given: string): boolean {
  return given.length === expected.length && timingSafeEqual(Buffer.from(expected), Buffer.from(given));
}

/** Null: it is malformed. Types are checked at run time too: form parsers return lists for repeated names. */
function signedParameters({ epoch, message, hmac }: Partial<Callback>): SignedContent | null {
  if (typeof epoch !== 'string' || typeof message !== 'string' || typeof hmac !== 'string') return null;
  if (!EPOCH.test(epoch) || !HMAC.test(hmac)) return null;
  return {
    epoch,
    signatures: [hmac],
    accepts: (secret) => !secret.startsWith(PREFIX),
    sign: (key) => signatureOf(Number(epoch), message, key),
  };
}

function signedRequest({ headers, body }: ReceivedCallback): SignedContent | null {
  if (typeof headers !== 'object' || headers === null) return null;
  if (typeof body !== 'string' && !(body instanceof Uint8Array)) return null;
  const named = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
  const { 'webhook-id': id, 'webhook-timestamp': epoch, 'webhook-signature': signature } = named;
  if (signature === undefined)
    return signedParameters(Object.fromEntries(new URLSearchParams(Buffer.from(body).toString())));
  if (typeof id !== 'string' || typeof epoch !== 'string' || typeof signature !== 'string') return null;
  // Signatures of later versions may appear beside ours.
  const signatures = signature.split(' ').filter((one) => one.startsWith('v1,'));
  if (id === '' || !EPOCH.test(epoch) || signatures.length === 0) return null;
  return {
    epoch,
    signatures,
    accepts: (secret) => standardKey(secret).length > 0,
    sign: (secret) => standardSignature(`${id}.${epoch}.`, body, secret),
  };
}

/** The first key of a message shows which of the two formats it has. */
export function isStandard(message: string): boolean {
  return message.startsWith('{"type":');
}

/** The keys that sign an attempt. */
export interface SigningKeys {
  /** The private key of the form. */
  readonly key: string;
  /** Secrets of Standard Webhooks, the newest first. */
  readonly secrets: readonly string[];
}

/**
 * The POST of an attempt: the form of the document, or the JSON text itself; both have the headers of Standard Webhooks (D63).
 * @param id of the delivery
 * @param now when the attempt starts, epoch milliseconds
 */
export function signedPost(id: string, message: string, { key, secrets }: SigningKeys, now: number) {
  const isJson = isStandard(message);
  const body = isJson ? message : signedForm({ message, key }, now);
  const type = isJson ? 'application/json' : 'application/x-www-form-urlencoded';
  return { body, headers: { 'content-type': type, ...standardHeaders({ id, body, secrets }, now) } };
}

/**
 * The body of the POST, application/x-www-form-urlencoded (S27).
 * @param now when the attempt starts, epoch milliseconds
 */
export function signedForm({ message, key }: { readonly message: string; readonly key: string }, now: number): string {
  const epoch = epochOf(now);
  return new URLSearchParams({ epoch: String(epoch), message, hmac: signatureOf(epoch, message, key) }).toString();
}

/**
 * The headers of Standard Webhooks for a body, exactly as it is sent.
 * @param secrets each signs, in this order
 * @param now when the attempt starts, epoch milliseconds
 */
export function standardHeaders(
  { id, body, secrets }: { readonly id: string; readonly body: string; readonly secrets: readonly string[] },
  now: number,
): Readonly<Record<'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string>> {
  const epoch = String(epochOf(now));
  const signatures = secrets.map((secret) => standardSignature(`${id}.${epoch}.`, body, secret));
  return { 'webhook-id': id, 'webhook-timestamp': epoch, 'webhook-signature': signatures.join(' ') };
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

/**
 * The secret of a web hook that has none of its own, as Standard Webhooks writes it: 32 bytes derived from the private key.
 * Throws an Error on an empty key.
 */
export function standardSecret(key: string): string {
  if (key === '') throw new Error('a secret never follows from an empty key');
  return PREFIX + createHmac('sha256', key).update('whsec').digest('base64');
}

function standardSignature(head: string, body: string | Uint8Array, secret: string): string {
  return `v1,${createHmac('sha256', standardKey(secret)).update(head).update(body).digest('base64')}`;
}

/**
 * @param secret a `whsec_…` secret, or a private key that a secret is derived from
 * @returns the bytes of the key; none for a `whsec_` that has none
 */
function standardKey(secret: string): Buffer {
  const whole = secret.startsWith(PREFIX) ? secret : standardSecret(secret);
  return Buffer.from(whole.slice(PREFIX.length), 'base64');
}
