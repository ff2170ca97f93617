// Limits failed logins per minute (D39): for one name from one address, and for all names from one address.
import { createRateLimit } from '../http/rate-limit.js';

export interface LoginAttempt {
  /** The key that the address is counted under. */
  readonly client: string;
  readonly name: string;
}

/** `check` and `count` throw `rate_limited`, with Retry-After. `now` in epoch milliseconds. */
export interface LoginLimit {
  /** Refuses a client that has failed too often, before it waits for a hash. */
  check(attempt: LoginAttempt, now: number): void;
  /** Counts the attempt as failed until the password proves to be right. */
  count(attempt: LoginAttempt, now: number): void;
  uncount(attempt: LoginAttempt, now: number): void;
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
    check(attempt, now) {
      addresses.check(attempt.client, now);
      names.check(keyOf(attempt), now);
    },
    count(attempt, now) {
      addresses.check(attempt.client, now);
      names.count(keyOf(attempt), now);
      addresses.count(attempt.client, now);
    },
    uncount(attempt, now) {
      names.add(keyOf(attempt), -1, now);
      addresses.add(attempt.client, -1, now);
    },
  };
}

function keyOf({ client, name }: LoginAttempt): string {
  return `${client} ${name}`;
}
