// Limits failed logins per minute (D39): for one name from one address, and for all names from one address.
import { createRateLimit } from '../http/rate-limit.js';

export interface Attempt {
  /** The key that the address is counted under. */
  readonly client: string;
  readonly name: string;
}

/** `check` and `count` throw `rate_limited`, with Retry-After. */
export interface LoginLimit {
  /** Refuses a client that has failed too often, before it waits for a hash. */
  check(attempt: Attempt): Promise<void>;
  /** Counts the attempt as failed until the password proves to be right. */
  count(attempt: Attempt): Promise<void>;
  uncount(attempt: Attempt): Promise<void>;
}

/** An address may fail this many times as often as one name from it. */
const NAMES = 6;
const REASON = 'Too many logins have failed';

/** @param perName failed logins a minute for an address and name; 0: no limit, and the result is null */
export function createLoginLimit(perName: number): LoginLimit | null {
  const names = createRateLimit(perName, REASON);
  const addresses = createRateLimit(NAMES * perName, REASON);
  if (names === null || addresses === null) return null;
  return {
    async check(attempt) {
      await addresses.check(attempt.client);
      await names.check(keyOf(attempt));
    },
    async count(attempt) {
      await addresses.check(attempt.client);
      await names.count(keyOf(attempt));
      await addresses.count(attempt.client);
    },
    async uncount(attempt) {
      await names.uncount(keyOf(attempt));
      await addresses.uncount(attempt.client);
    },
  };
}

function keyOf({ client, name }: Attempt): string {
  return `${client} ${name}`;
}
