// Limits failed logins per minute (D39): for one name from one address, and for all names from one address.
import { createRateLimit } from '../http/rate-limit.js';

export interface Attempt {
  /** What the address is counted under. */
  readonly client: string;
  readonly name: string;
}

/** `check` and `count` throw `rate_limited`, with Retry-After. */
export interface LoginLimit {
  /** Refuses whoever has failed too often, before they wait for a hash. */
  check(attempt: Attempt): Promise<void>;
  /** Counts the attempt as failed, until it turns out right. */
  count(attempt: Attempt): Promise<void>;
  uncount(attempt: Attempt): Promise<void>;
}

/** Names that one address may get wrong as often as one name. */
const NAMES = 6;
const REASON = 'Too many logins have failed';

/** @param perName failed logins a minute of one address and name; 0: no limit, the answer is null */
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
