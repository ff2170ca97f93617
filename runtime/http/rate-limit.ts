// Limits how often a minute something may happen under one key: requests of a session or address (D39), failed logins.
import { isIPv6 } from 'node:net';
// Imported by path, because the package's index would load a limiter for every database.
import RateLimiterMemory from 'rate-limiter-flexible/lib/RateLimiterMemory.js';
import RateLimiterRes from 'rate-limiter-flexible/lib/RateLimiterRes.js';
import { ServiceError } from '../errors.js';

/** Both refusals are `rate_limited`, with Retry-After. */
export interface RateLimit {
  /** Counts one. Rejects if that is one too many. */
  count(key: string): Promise<void>;
  /** Rejects if one more would be too many, and counts nothing. */
  check(key: string): Promise<void>;
  /** Takes back one that was counted. */
  uncount(key: string): Promise<void>;
}

/**
 * @param perMinute 0: no limit, and the result is null
 * @param reason the beginning of the refusal, such as "Only 10 requests a minute are allowed"
 */
export function createRateLimit(perMinute: number, reason: string): RateLimit | null {
  if (perMinute === 0) return null;
  const limiter = new RateLimiterMemory({ points: perMinute, duration: 60 });
  return {
    async count(key) {
      try {
        await limiter.consume(key);
      } catch (refused) {
        throw refused instanceof RateLimiterRes ? refusal(reason, refused) : refused;
      }
    },
    async check(key) {
      const state = await limiter.get(key);
      if (state !== null && state.remainingPoints <= 0) throw refusal(reason, state);
    },
    async uncount(key) {
      await limiter.reward(key);
    },
  };
}

function refusal(reason: string, { msBeforeNext }: RateLimiterRes): ServiceError {
  const seconds = Math.max(1, Math.ceil(msBeforeNext / 1000));
  const message = `${reason}; try again in ${seconds} second${seconds === 1 ? '' : 's'}.`;
  return new ServiceError('rate_limited', message, [], { 'Retry-After': String(seconds) });
}

/** The key of an address: an IPv6 client owns a whole /64, an IPv4 client one address in either form. */
export function addressKey(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address);
  if (mapped?.[1] !== undefined) return mapped[1];
  if (!isIPv6(address)) return address;
  const [head = '', tail] = (address.split('%', 1)[0] ?? '').toLowerCase().split('::');
  const front = groups(head);
  const back = groups(tail ?? '');
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - front.length - back.length);
  const all = [...front, ...Array<string>(zeros).fill('0'), ...back];
  return `${all.slice(0, 4).join(':')}::/64`;
}

function groups(text: string): readonly string[] {
  return text === '' ? [] : text.split(':').map((group) => group.replace(/^0+(?=.)/, ''));
}
