// Identifies the client of a request and applies its rate limit (D39): by the head before a body is read, and again if
// the body names another session.
import { chain, type MaybePromise } from '../maybe-promise.js';
import type { Caller } from '../store/records.js';
import { addressKey, type RateLimit } from './rate-limit.js';

export interface Sessions {
  /** The user of the session; null if it is not live. `now` in epoch milliseconds. */
  caller(sessionId: string, now: number): MaybePromise<Caller | null>;
}

/** Who sent a request, as far as is known. */
export interface Visitor {
  readonly caller: Caller;
  /** The session id that the client sent, live or not; null if none. */
  readonly session: string | null;
  readonly address: string;
  /**
   * The key it is counted under: the user of a live session, since another session is one login away, or an address,
   * since made-up sessions would evade the limit.
   */
  readonly key: string;
}

export interface Head {
  readonly address: string;
  readonly session: string | null;
  /** Epoch milliseconds. */
  readonly now: number;
}

/** All but `charge` throw `rate_limited`. */
export interface Limits {
  /** Identifies and counts the visitor by the head, so that a refused request is not read. */
  head(head: Head): MaybePromise<Visitor>;
  /** Identifies the visitor by the session that the whole request names; may be called again. */
  whole(visitor: Visitor, session: string | null, now: number): MaybePromise<Visitor>;
  /** Counts what a request takes beyond that (D64), and refuses nothing. */
  charge(visitor: Visitor, cost: number, now: number): void;
  /** Refuses a visitor who has used up the limit, and counts nothing. */
  check(visitor: Visitor, now: number): void;
}

const ANONYMOUS: Caller = { user: null, admin: false };

export function createLimits(sessions: Sessions, rateLimit: RateLimit | null): Limits {
  const count = (visitor: Visitor, now: number): Visitor => {
    rateLimit?.count(visitor.key, now);
    return visitor;
  };
  return {
    head: (head) => chain(identify(sessions, head), (visitor) => count(visitor, head.now)),

    whole(visitor, session, now) {
      if (session === visitor.session) return visitor;
      const { address, key } = visitor;
      return chain(identify(sessions, { session, address, now }), (identified) => {
        if (identified.caller.user === null) return identified;
        // The address was counted so far, and stays counted if the session has used up its requests: otherwise bodies
        // that name such a session would be read without limit.
        count(identified, now);
        if (visitor.caller.user === null) rateLimit?.add(key, -1, now);
        return identified;
      });
    },
    charge({ key }, cost, now) {
      if (cost > 0) rateLimit?.add(key, cost, now);
    },
    check: ({ key }, now) => rateLimit?.check(key, now),
  };
}

/** A session that is not live counts as none (D14). */
function identify(sessions: Sessions, { session, address, now }: Head): MaybePromise<Visitor> {
  const anonymous = () => ({ caller: ANONYMOUS, session, address, key: addressKey(address) });
  if (session === null) return anonymous();
  return chain(sessions.caller(session, now), (caller) =>
    caller === null ? anonymous() : { caller, session, address, key: `user ${caller.user}` },
  );
}
