// Identifies the client of a request and applies its rate limit (D39): by the head before a body is read, and again when
// the body names another session.
import { chain, type MaybePromise } from '../maybe-promise.js';
import type { Caller } from '../store/records.js';
import { addressKey, type RateLimit } from './rate-limit.js';

export interface Sessions {
  /** Who the session speaks for; null when it is dead. `now` in epoch milliseconds. */
  caller(sessionId: string, now: number): MaybePromise<Caller | null>;
}

/** Who a request is from, as far as is known. */
export interface Visitor {
  readonly caller: Caller;
  /** The session id as the client sent it, alive or not; null without. */
  readonly session: string | null;
  readonly address: string;
  /** What it is counted under: a live session or an address. Made-up sessions would be a way around the limit. */
  readonly key: string;
}

export interface Head {
  readonly address: string;
  readonly session: string | null;
  /** Epoch milliseconds. */
  readonly now: number;
}

/** Both throw `rate_limited`. */
export interface Limits {
  /** The visitor that the head names, counted: what is refused here costs no reading. */
  head(head: Head): MaybePromise<Visitor>;
  /** The visitor once the session is known that the whole request names; may be called again. */
  whole(visitor: Visitor, session: string | null, now: number): MaybePromise<Visitor>;
}

const ANONYMOUS: Caller = { user: null, admin: false };

export function createLimits(sessions: Sessions, rateLimit: RateLimit | null): Limits {
  const counted = (visitor: Visitor): MaybePromise<Visitor> =>
    rateLimit === null ? visitor : chain(rateLimit.count(visitor.key), () => visitor);
  return {
    head: (head) => chain(identify(sessions, head), counted),

    whole(visitor, session, now) {
      if (session === visitor.session) return visitor;
      const { address, key } = visitor;
      return chain(identify(sessions, { session, address, now }), (named) => {
        if (named.caller.user === null) return named;
        // The address is counted until here, and still is when the session has used up its requests: else bodies that
        // name such a session would be read for ever.
        if (visitor.caller.user !== null || rateLimit === null) return counted(named);
        return chain(rateLimit.count(named.key), () => chain(rateLimit.uncount(key), () => named));
      });
    },
  };
}

/** A dead session is no session (D14). */
function identify(sessions: Sessions, { session, address, now }: Head): MaybePromise<Visitor> {
  const anonymous = () => ({ caller: ANONYMOUS, session, address, key: addressKey(address) });
  if (session === null) return anonymous();
  return chain(sessions.caller(session, now), (caller) =>
    caller === null ? anonymous() : { caller, session, address, key: `session ${session}` },
  );
}
