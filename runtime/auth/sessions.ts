// Sessions (D13): opening, looking up and ending them. Only hashes of their ids are stored.

import { hash } from 'node:crypto';
import { chain, type MaybePromise } from '../contract/maybe-promise.js';
import type { Identity, LiveSession, SessionKey } from '../store/engine.js';
import type { Caller } from '../store/records.js';
import { createFindToken } from './tokens.js';

const LIFETIME = 7 * 24 * 60 * 60 * 1000;
/** A session in use is extended at most this often, so that reading does not write. */
export const EXTENSION = 60 * 60 * 1000;

export interface Session {
  readonly id: string;
  readonly user: string;
  readonly apiKey: string | null;
}

export interface NewSession {
  readonly user: string;
  /** The password hash that was verified; a different one ends the session. */
  readonly password: string;
  readonly apiKey: string | null;
  /** The version of the API that it remembers, or `newest` (D68); null or absent: none. */
  readonly version?: string | null;
}

/** Takes the place of an API key in sessions that were opened at the operators' pages: the API does not accept them. */
export const OPERATORS_PAGES = '@pages';

/** A session as the operators' pages see it. */
export interface OperatorSession {
  readonly caller: Caller;
  /** When its password was entered, in epoch milliseconds. */
  readonly opened: number;
}

export interface Sessions {
  /** The user of the session; null if it does not exist, has expired, or the password has changed since. Also takes tokens. */
  caller(id: string, now: number): MaybePromise<Caller | null>;
  /** The same for the operators' pages, which also accept their own sessions. */
  operator(id: string, now: number): MaybePromise<OperatorSession | null>;
  open(session: NewSession, now: number): Promise<Session>;
  get(id: string, now: number): MaybePromise<Session | null>;
  /** Ends the session, if it exists. */
  remove(id: string): Promise<void>;
  /** Deletes some of the expired sessions. @returns true: there may be more */
  prune(now: number): Promise<boolean>;
}

/** @param secret creates fresh URL-safe text of at least 160 random bits */
export function createSessions(identity: Identity, secret: () => string): Sessions {
  const extending = new Set<string>();
  const findToken = createFindToken(identity);

  const extend = async (session: SessionKey, now: number): Promise<void> => {
    const { idHash } = session;
    if (extending.has(idHash)) return;
    extending.add(idHash);
    try {
      await identity.touch(session, now, now + LIFETIME);
    } catch {
      // If this fails, the next use tries again.
    } finally {
      extending.delete(idHash);
    }
  };
  const find = <T>(id: string, now: number, view: (session: LiveSession) => T): MaybePromise<T | null> => {
    if (!SHAPE.test(id)) return null;
    const key = keyOf(id);
    return chain(identity.caller(key, now), (session) => {
      if (session === null) return null;
      if (now - session.used > EXTENSION) void extend(key, now);
      return view(session);
    });
  };

  return {
    caller: (id, now) => (SHAPE.test(id) ? find(id, now, callerOf) : findToken(id, now)),
    operator: (id, now) =>
      find(id, now, ({ user, admin, created }) => ({ caller: { user, admin, apiKey: null }, opened: created })),
    get: (id, now) => find(id, now, ({ user, apiKey }) => (apiKey === OPERATORS_PAGES ? null : { id, user, apiKey })),
    async open({ user, password, apiKey, version = null }, now) {
      const id = user.slice(0, PLACEMENT) + secret();
      const key = keyOf(id);
      await identity.openSession({ ...key, user, password, apiKey, version, created: now, expires: now + LIFETIME });
      return { id, user, apiKey };
    },
    async remove(id) {
      if (SHAPE.test(id)) await identity.endSession(keyOf(id));
    },
    prune: async (now) => (await identity.prune(now, PRUNE_LIMIT)) === PRUNE_LIMIT,
  };
}

function callerOf({ user, admin, apiKey, version }: LiveSession): Caller | null {
  if (apiKey === OPERATORS_PAGES) return null;
  return version === null ? { user, admin, apiKey } : { user, admin, apiKey, version };
}

/** Characters of an id that hold its placement (D37); a session is placed with its user. */
const PLACEMENT = 2;
/** The most sessions that one step deletes. */
const PRUNE_LIMIT = 500;
/** The form of a session's id, which no token has, since tokens contain a full stop. */
const SHAPE = /^[\w-]{24,80}$/;

function keyOf(id: string): SessionKey {
  return { idHash: hash('sha256', id, 'hex'), placement: id.slice(0, PLACEMENT) };
}
