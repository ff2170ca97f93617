// Verifies callbacks for receivers of web hooks; a module of its own, so that bundles of other programs leave it out. `gen` copies it,
// compiled, into the client's package. It depends on nothing but WebCrypto, and decides as `punchboard/webhooks/verify` does.

/** The three parameters of a callback as they arrived, decoded from the form and nothing else. */
export interface Callback {
  readonly epoch: string;
  readonly message: string;
  readonly hmac: string;
}

/** A callback as it arrived, in either format. */
export interface ReceivedCallback {
  readonly headers:
    | Readonly<Record<string, string | readonly string[] | undefined>>
    | Iterable<readonly [name: string, value: string]>;
  /** Not parsed, and not serialized again. */
  readonly body: string | Uint8Array;
}

export interface VerifyOptions {
  /** The receiver's clock, milliseconds since 1970; the present by default. */
  readonly now?: number;
  /** Seconds by which the time of a callback may differ from the clock; 300 by default. */
  readonly tolerance?: number;
}

/**
 * Whether a callback was signed just now with one of the secrets: the private key of the API key, or the `whsec_…` secret of the
 * web hook. Pass both the old and the new secret while one replaces the other. A callback with the header `webhook-signature` is
 * verified by it (Standard Webhooks); any other is a form with an `hmac`, which only the private key verifies. The result is false
 * for anything else; the promise never rejects.
 */
export async function verifyCallback(
  callback: Partial<Callback> | ReceivedCallback,
  secrets: string | readonly string[],
  { now = Date.now(), tolerance = 300 }: VerifyOptions = {},
): Promise<boolean> {
  const signed = 'headers' in callback ? signedRequest(callback) : signedForm(callback);
  if (signed === null) return false;
  const usable = [secrets].flat().filter((one) => typeof one === 'string' && one !== '');
  const checks = usable.map((secret) => signed.accepts(secret).catch(() => false));
  return (await Promise.all(checks)).includes(true) && Math.abs(now / 1000 - Number(signed.epoch)) <= tolerance;
}

/** A well-formed callback whose signature can be checked. */
interface SignedCallback {
  readonly epoch: string;
  /** Whether a secret has signed it; rejects for a text that cannot be a secret. */
  accepts(secret: string): Promise<boolean>;
}

const EPOCH = /^(0|[1-9]\d{0,14})$/;
const PREFIX = 'whsec_';
const HMAC = { name: 'HMAC', hash: 'SHA-256' };

/** Null for a malformed one. Types are checked at run time too: form parsers return lists for repeated names. */
function signedForm({ epoch, message, hmac }: Partial<Callback>): SignedCallback | null {
  if (typeof epoch !== 'string' || typeof message !== 'string' || typeof hmac !== 'string') return null;
  if (!EPOCH.test(epoch) || !/^[0-9a-f]{64}$/.test(hmac)) return null;
  const signature = Uint8Array.from(hmac.match(/../g) ?? [], (hex) => Number.parseInt(hex, 16));
  return {
    epoch,
    accepts: async (secret) =>
      !secret.startsWith(PREFIX) && verified(await keyOf(bytesOf(secret)), signature, bytesOf(`${epoch}.${message}`)),
  };
}

function signedRequest({ headers, body }: ReceivedCallback): SignedCallback | null {
  if (typeof headers !== 'object' || headers === null) return null;
  if (typeof body !== 'string' && !(body instanceof Uint8Array)) return null;
  const all: Iterable<readonly [string, unknown]> =
    Symbol.iterator in headers ? (headers as Iterable<readonly [string, string]>) : Object.entries(headers);
  const named: Record<string, unknown> = Object.fromEntries(
    Array.from(all, ([name, value]) => [name.toLowerCase(), value]),
  );
  const { 'webhook-id': id, 'webhook-timestamp': epoch, 'webhook-signature': signature } = named;
  if (signature === undefined) {
    const text = typeof body === 'string' ? body : new TextDecoder().decode(body);
    return signedForm(Object.fromEntries(new URLSearchParams(text)));
  }
  if (typeof id !== 'string' || typeof epoch !== 'string' || typeof signature !== 'string') return null;
  // There may be signatures of later versions beside ours.
  const signatures = signature.split(' ').filter((one) => one.startsWith('v1,'));
  if (id === '' || !EPOCH.test(epoch) || signatures.length === 0) return null;
  const text = joined(bytesOf(`${id}.${epoch}.`), typeof body === 'string' ? bytesOf(body) : body);
  return {
    epoch,
    async accepts(secret) {
      const key = await standardKey(secret);
      const checks = signatures.map(async (one) => verified(key, decoded(one.slice(3)), text));
      return (await Promise.all(checks.map((check) => check.catch(() => false)))).includes(true);
    },
  };
}

/** @param secret a `whsec_…`, or a private key, from which a `whsec_…` is derived */
async function standardKey(secret: string): Promise<Key> {
  if (secret.startsWith(PREFIX)) return keyOf(decoded(secret.slice(PREFIX.length)));
  return keyOf(new Uint8Array(await crypto.subtle.sign('HMAC', await keyOf(bytesOf(secret)), bytesOf('whsec'))));
}

type Bytes = Uint8Array<ArrayBuffer>;
type Key = Awaited<ReturnType<typeof crypto.subtle.importKey>>;

function keyOf(bytes: Bytes): Promise<Key> {
  return crypto.subtle.importKey('raw', bytes, HMAC, false, ['sign', 'verify']);
}

/** Takes the same time wherever the signatures differ. */
function verified(key: Key, signature: Bytes, text: Bytes): Promise<boolean> {
  return crypto.subtle.verify('HMAC', key, signature, text);
}

function bytesOf(text: string): Bytes {
  return new TextEncoder().encode(text) as Bytes;
}

/** The bytes of a text in base64. */
function decoded(text: string): Bytes {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}

function joined(first: Uint8Array, second: Uint8Array): Bytes {
  const both = new Uint8Array(first.length + second.length);
  both.set(first);
  both.set(second, first.length);
  return both;
}
