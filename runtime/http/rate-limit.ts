// How many requests a minute one session or address may make of this process (D39).
import { isIPv6 } from 'node:net';
// Not through the package's index, which loads a limiter for every database there is.
import RateLimiterMemory from 'rate-limiter-flexible/lib/RateLimiterMemory.js';
import RateLimiterRes from 'rate-limiter-flexible/lib/RateLimiterRes.js';
import { ServiceError } from '../errors.js';

/** Counts one request. Rejects with `rate_limited` and Retry-After in seconds. */
export type RateLimit = (key: string) => Promise<void>;

/** @param perMinute 0: no limit, the answer is null */
export function createRateLimit(perMinute: number): RateLimit | null {
  if (perMinute === 0) return null;
  const limiter = new RateLimiterMemory({ points: perMinute, duration: 60 });
  return async (key) => {
    try {
      await limiter.consume(key);
    } catch (refused) {
      if (!(refused instanceof RateLimiterRes)) throw refused;
      const seconds = String(Math.max(1, Math.ceil(refused.msBeforeNext / 1000)));
      const message = `Only ${perMinute} requests a minute are answered.`;
      throw new ServiceError('rate_limited', message, [], { 'Retry-After': seconds });
    }
  };
}

/** What an address is counted under: an IPv6 client owns a whole /64, an IPv4 client one address in either form. */
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
