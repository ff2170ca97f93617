// Hashes and verifies passwords with a memory-hard function (D13). Passwords are never stored, logged or returned.

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
  /** If `stored` is null, for an unknown user, it takes as long as for a wrong password and returns false. */
  verify(password: string, stored: string | null, turn?: QueueTurn): Promise<boolean>;
}

/** A place in the queue, and a check to make when the turn comes. */
export interface QueueTurn {
  /** Jobs of the same client wait behind each other. */
  readonly client: string;
  /** May throw; then no hash is computed. */
  begin?(): void;
}

/** 32 MiB and about a quarter of a second each. */
const COST: Cost = { n: 2 ** 15, r: 8, p: 3 };
/** `each`: for one client. */
const QUEUE = { running: 2, waiting: 1000, each: 50 };
const SALT_BYTES = 16;
const HASH_BYTES = 32;

/**
 * At most two hashes are computed at a time, so that logins cannot take all memory and threads.
 * Both functions throw `unavailable` if too many are waiting.
 */
export function createPasswords(cost: Cost = COST, queue: FairQueue = createFairQueue(QUEUE)): Passwords {
  const unknown = encode(cost, randomBytes(SALT_BYTES), randomBytes(HASH_BYTES));
  return {
    async hash(password, client = '') {
      const salt = randomBytes(SALT_BYTES);
      return encode(cost, salt, await queue(client, () => derive(password, salt, cost)));
    },
    async verify(password, stored, { client, begin } = { client: '' }) {
      const parsed = read(stored ?? unknown);
      if (parsed === null) return false;
      const hash = await queue(client, async () => {
        begin?.();
        return derive(password, parsed.salt, parsed.cost);
      });
      return timingSafeEqual(hash, parsed.hash) && stored !== null;
    },
  };
}

function encode(cost: Cost, salt: Buffer, hash: Buffer): string {
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
