// Passwords as memory-hard hashes (D13). Never stores, logs or returns a password.

import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto';
import { atMost, type Door } from './at-most.js';

export interface Cost {
  /** Memory factor, a power of two: 128 * n * r bytes are used. */
  readonly n: number;
  readonly r: number;
  /** Rounds, one after another. */
  readonly p: number;
}

export interface Passwords {
  /** `scrypt$N$r$p$salt$hash`, salt and hash in base64url. */
  hash(password: string): Promise<string>;
  /** `stored` null, for an unknown user, takes the time of a wrong password and is false. */
  verify(password: string, stored: string | null): Promise<boolean>;
}

/** 32 MiB and about a quarter of a second each. */
const COST: Cost = { n: 2 ** 15, r: 8, p: 3 };
const RUNNING = 2;
const WAITING = 200;
const SALT_BYTES = 16;
const HASH_BYTES = 32;

/**
 * At most two hashes are computed at a time, so that logins cannot take all memory and threads.
 * Both functions throw `unavailable` when too many wait.
 */
export function createPasswords(cost: Cost = COST, door: Door = atMost(RUNNING, WAITING)): Passwords {
  const unknown = written(cost, randomBytes(SALT_BYTES), randomBytes(HASH_BYTES));
  return {
    async hash(password) {
      const salt = randomBytes(SALT_BYTES);
      return written(cost, salt, await door(() => derive(password, salt, cost)));
    },
    async verify(password, stored) {
      const known = read(stored ?? unknown);
      if (known === null) return false;
      const hash = await door(() => derive(password, known.salt, known.cost));
      return timingSafeEqual(hash, known.hash) && stored !== null;
    },
  };
}

function written(cost: Cost, salt: Buffer, hash: Buffer): string {
  return ['scrypt', cost.n, cost.r, cost.p, salt.toString('base64url'), hash.toString('base64url')].join('$');
}

function read(stored: string): { cost: Cost; salt: Buffer; hash: Buffer } | null {
  const [scheme, n, r, p, salt, hash] = stored.split('$');
  if (scheme !== 'scrypt' || salt === undefined || hash === undefined) return null;
  const bytes = Buffer.from(hash, 'base64url');
  if (bytes.length !== HASH_BYTES) return null;
  return { cost: { n: Number(n), r: Number(r), p: Number(p) }, salt: Buffer.from(salt, 'base64url'), hash: bytes };
}

function derive(password: string, salt: Buffer, cost: Cost): Promise<Buffer> {
  const options: ScryptOptions = { N: cost.n, r: cost.r, p: cost.p, maxmem: 256 * cost.n * cost.r };
  return new Promise((resolve, reject) => {
    scrypt(password.normalize('NFC'), salt, HASH_BYTES, options, (error, hash) =>
      error ? reject(error) : resolve(hash),
    );
  });
}
