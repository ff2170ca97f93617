// Passwords as memory-hard hashes (D13). Never stores, logs or returns a password.

import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto';
import { createFairQueue, type FairQueue } from './fair-queue.js';

export interface Cost {
  /** Memory factor, a power of two: 128 * n * r bytes are used. */
  readonly n: number;
  readonly r: number;
  /** Rounds, one after another. */
  readonly p: number;
}

export interface Passwords {
  /** `scrypt$N$r$p$salt$hash`, salt and hash in base64url. */
  hash(password: string, client?: string): Promise<string>;
  /** `stored` null, for an unknown user, takes the time of a wrong password and is false. */
  verify(password: string, stored: string | null, turn?: Turn): Promise<boolean>;
}

/** Whose turn it is, and what is to be checked when it comes. */
export interface Turn {
  /** Whoever wants many hashes waits behind their own. */
  readonly client: string;
  /** May throw: then nothing is computed. */
  begin?(): Promise<void>;
}

/** 32 MiB and about a quarter of a second each. */
const COST: Cost = { n: 2 ** 15, r: 8, p: 3 };
/** `each`: of one client. */
const QUEUE = { running: 2, waiting: 1000, each: 50 };
const SALT_BYTES = 16;
const HASH_BYTES = 32;

/**
 * At most two hashes are computed at a time, so that logins cannot take all memory and threads.
 * Both functions throw `unavailable` when too many wait.
 */
export function createPasswords(cost: Cost = COST, queue: FairQueue = createFairQueue(QUEUE)): Passwords {
  const unknown = written(cost, randomBytes(SALT_BYTES), randomBytes(HASH_BYTES));
  return {
    async hash(password, client = '') {
      const salt = randomBytes(SALT_BYTES);
      return written(cost, salt, await queue(client, () => derive(password, salt, cost)));
    },
    async verify(password, stored, { client, begin } = { client: '' }) {
      const known = read(stored ?? unknown);
      if (known === null) return false;
      const hash = await queue(client, async () => {
        await begin?.();
        return derive(password, known.salt, known.cost);
      });
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
