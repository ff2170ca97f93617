// Limits how often a minute something may happen under one key: requests of a user or address (D39), failed logins.
import { isIPv6 } from 'node:net';
import { ServiceError } from '../contract/errors.js';

/** `now` in epoch milliseconds. Both refusals are `rate_limited`, with Retry-After. */
export interface RateLimit {
  /** Counts one event. Throws if that is one too many. */
  count(key: string, now: number): void;
  /** Throws if another event would be too many, and counts nothing. */
  check(key: string, now: number): void;
  /** Adds to the count without refusing: what another process has counted, or -1 to take one back. */
  add(key: string, count: number, now: number): void;
}

/** Milliseconds. A key's minute begins with the first event that is counted under it. */
const MINUTE = 60_000;

/**
 * Answers synchronously: a promise for every request costs as much as looking up what it asks for.
 * @param perMinute 0: no limit, and the result is null
 * @param reason the beginning of the refusal, such as "Only 10 requests a minute are allowed"
 */
export function createRateLimit(perMinute: number, reason: string): RateLimit | null {
  if (perMinute === 0) return null;
  const { find, begin } = createMinutes();
  const check: RateLimit['check'] = (key, now) => {
    const minute = find(key, now);
    if (minute !== undefined && minute.count >= perMinute) throw refusal(reason, minute.begun + MINUTE - now);
  };
  return {
    check,
    count(key, now) {
      check(key, now);
      const minute = find(key, now) ?? begin(key, now);
      minute.count += 1;
    },
    add(key, count, now) {
      const minute = find(key, now) ?? (count > 0 ? begin(key, now) : undefined);
      if (minute !== undefined) minute.count = Math.max(0, minute.count + count);
    },
  };
}

/** The limit of requests (D39); null: there is none. */
export function requestLimit(perMinute: number): RateLimit | null {
  return createRateLimit(perMinute, `Only ${perMinute} requests a minute are allowed`);
}

interface MinuteCount {
  readonly begun: number;
  count: number;
}

/** The current minute of each key. Minutes that are over are dropped together, once a minute, without a timer. */
function createMinutes() {
  let begun = Number.NEGATIVE_INFINITY;
  let recent = new Map<string, MinuteCount>();
  let older = new Map<string, MinuteCount>();
  return {
    find(key: string, now: number): MinuteCount | undefined {
      const minute = recent.get(key) ?? older.get(key);
      return minute !== undefined && isWithin(minute, now) ? minute : undefined;
    },
    begin(key: string, now: number): MinuteCount {
      if (!isWithin({ begun }, now)) {
        // Everything in `older` began more than a minute ago.
        older = recent;
        recent = new Map();
        begun = now;
      }
      const minute = { begun: now, count: 0 };
      recent.set(key, minute);
      return minute;
    },
  };
}

/** An attempt that had to wait may be counted after a later one; a clock that was set back further ends the minute too. */
function isWithin({ begun }: Pick<MinuteCount, 'begun'>, now: number): boolean {
  return Math.abs(now - begun) < MINUTE;
}

function refusal(reason: string, milliseconds: number): ServiceError {
  const seconds = Math.max(1, Math.ceil(milliseconds / 1000));
  const message = `${reason}; try again in ${seconds} second${seconds === 1 ? '' : 's'}.`;
  return new ServiceError('rate_limited', message, [], { 'Retry-After': String(seconds) });
}

/** The key of an address: an IPv6 client owns a whole /64, an IPv4 client one address in either form. */
export function addressKey(address: string): string {
  // This is the usual case; both patterns below take as long as everything else in this limit.
  if (!address.includes(':')) return address;
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
