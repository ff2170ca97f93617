// Identifies the client of a request and applies its rate limit (D39): by the head before a body is read, and again if the body
// names another session. A request counts as one, and as more if it takes the time of many (D64).

import type { AnyDefinition } from '../contract/definition.js';
import { ServiceError } from '../contract/errors.js';
import { chain, type MaybePromise } from '../contract/maybe-promise.js';
import { isToken } from '../contract/tokens.js';
import type { Answer } from '../operations/call.js';
import type { Caller } from '../store/records.js';
import { addressKey, type RateLimit } from './rate-limit.js';
import type { RawParameters } from './raw-parameters.js';
import type { Route, RouteRequest } from './routes.js';
import { createTurnQueue } from './turn-queue.js';

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

export interface RequestHead {
  readonly address: string;
  readonly session: string | null;
  /** Epoch milliseconds. */
  readonly now: number;
}

/** All but `charge` throw `rate_limited`. */
export interface Limits {
  /** Identifies and counts the visitor by the head, so that a refused request is not read. */
  countByHead(head: RequestHead): MaybePromise<Visitor>;
  /** Identifies the visitor by another session, which is known only from the whole request; may be called again. */
  countBySession(visitor: Visitor, session: string | null, now: number): MaybePromise<Visitor>;
  /** Adds what a request costs beyond that (D64), without refusing anything. */
  charge(visitor: Visitor, cost: number, now: number): void;
  /** Refuses a visitor who has used up the limit, and counts nothing. */
  check(visitor: Visitor, now: number): void;
}

const ANONYMOUS: Caller = { user: null, admin: false };

export function createLimits(sessions: Sessions, rateLimit: RateLimit | null): Limits {
  return {
    countByHead: (head) =>
      chain(identify(sessions, head), (visitor) => {
        rateLimit?.count(visitor.key, head.now);
        return visitor;
      }),

    countBySession(visitor, session, now) {
      const { address, key } = visitor;
      return chain(identify(sessions, { session, address, now }), (identified) => {
        if (identified.caller.user === null) return identified;
        // The address was counted so far, and stays counted if the session has used up its requests: otherwise bodies
        // that name such a session would be read without limit.
        rateLimit?.count(identified.key, now);
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
function identify(sessions: Sessions, { session, address, now }: RequestHead): MaybePromise<Visitor> {
  const anonymous = () => ({ caller: ANONYMOUS, session, address, key: addressKey(address) });
  if (session === null) return anonymous();
  return chain(sessions.caller(session, now), (caller) =>
    // Made-up tokens count for their address, as made-up sessions do.
    caller === null || caller.user === null
      ? { ...anonymous(), ...(caller && { caller }) }
      : { caller, session, address, key: `user ${caller.user}` },
  );
}

/**
 * The session named by the parameters, or else by the Authorization header (D11), or the token there (D61); null if none. Throws
 * `invalid`, and `malformed` for a session and a token together, or a token that is sent as a session: addresses are logged.
 */
export function sessionOf(parameters: RawParameters, authorization: string | undefined): string | null {
  const sent = parameters.session_id;
  const bearer = authorization === undefined ? null : (/^Bearer +(\S+) *$/i.exec(authorization)?.[1] ?? null);
  if (sent === undefined || sent === null || sent === '') return bearer;
  if (typeof sent !== 'string') throw badSession();
  if (isToken(sent)) throw new ServiceError('malformed', 'Send the token of an API key as Authorization: Bearer.');
  if (bearer !== null && isToken(bearer))
    throw new ServiceError('malformed', 'Send session_id, or the token of an API key, but not both.');
  return sent;
}

function badSession(): ServiceError {
  const message = 'session_id must be a single text.';
  return new ServiceError('invalid', message, [{ field: 'session_id', code: 'invalid', message }]);
}

const MIB = 1024 * 1024;

/** Records that a copy or a bulk create writes in the time of one request: some 0.3 milliseconds of the process. */
const RECORDS = 10;
/** A long write that is refused has read as much as one that is not. */
const REFUSED = 10;
/**
 * A hash takes a quarter of a second of a processor, as long as some 800 requests, but not on the thread that serves them, and
 * one at a time for each client. With this weight an address has at most 120 a minute, half a processor.
 */
const HASH = 10;

/** What the largest long write may add to the database and its log. */
const LONG_BYTES = 4 * MIB;
const NO_ROOM =
  'There is no space for copies and bulk creates: delete files that are no longer needed, or ask the operator for more. Single records can still be created.';

/** Requests of a client that may wait while one of them runs. */
const WAITING = { long: 16, hashes: 50 };

/** How many requests an answer with this many records counts as; up to `RECORDS` of them count as one. */
function costOfRecords(count: number): number {
  return Math.max(1, Math.ceil(count / RECORDS));
}

/** What an upload costs. NaN, for a length that is not known yet, counts as nothing. */
function costOfBytes(bytes: number): number {
  return Math.max(1, Math.ceil(bytes / MIB) || 1);
}

/** How many passwords a request has hashed or compared. */
export type CountHashes = (parameters: RouteRequest['parameters']) => number;

/** Undefined: requests for the operation never have passwords. */
export function hashesOf({ parameters }: AnyDefinition, operation: string): CountHashes | undefined {
  if (operation !== 'create' && operation !== 'update') return undefined;
  const names = Object.keys(parameters).filter((name) => parameters[name]?.kind === 'password');
  return names.length === 0 ? undefined : (sent) => names.filter((name) => sent[name]).length;
}

export interface Costs {
  /** Charges for an upload beyond the request that brings it. */
  chargeUpload(visitor: Visitor, bytes: number): void;
  /** The same route, which is long or takes passwords, with its requests charged to the visitor and taking turns. */
  chargeRoute(route: Route, visitor: Visitor): Route;
}

export interface CostParts {
  readonly limits: Pick<Limits, 'charge' | 'check'>;
  /** Bytes that long writes may still use on the disk of the database. */
  roomForRecords(): MaybePromise<number>;
  now(): number;
}

export function createCosts({ limits, roomForRecords, now }: CostParts): Costs {
  const inTurn = createTurnQueue(WAITING.long, 'copies and bulk creates of a user');
  const hashing = createTurnQueue(WAITING.hashes, 'logins of an address');
  let underWay = 0;
  const charge = (visitor: Visitor, cost: number): void => limits.charge(visitor, cost - 1, now());
  const long = async (route: Route, visitor: Visitor, request: RouteRequest): Promise<Answer> => {
    // Requests before it may have used up the limit.
    limits.check(visitor, now());
    underWay += 1;
    try {
      if ((await roomForRecords()) < underWay * LONG_BYTES) throw new ServiceError('storage_full', NO_ROOM);
      const answer = await route.run(request);
      charge(visitor, costOfRecords(answer.records ?? 1));
      return answer;
    } catch (error) {
      charge(visitor, REFUSED);
      throw error;
    } finally {
      underWay -= 1;
    }
  };
  return {
    chargeUpload: (visitor, bytes) => charge(visitor, costOfBytes(bytes)),
    chargeRoute(route, visitor) {
      const { hashes, isLong } = route;
      if (isLong) return { ...route, run: (request) => inTurn(visitor.key, () => long(route, visitor, request)) };
      const run: Route['run'] = (request) => {
        const count = hashes?.(request.parameters) ?? 0;
        if (count === 0) return route.run(request);
        charge(visitor, count * HASH);
        // Otherwise one client would keep busy all processors that are not serving requests.
        return hashing(visitor.key, async () => route.run(request));
      };
      return { ...route, run };
    },
  };
}
