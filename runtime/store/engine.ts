// The interface between the service and a database. Each method is one operation of the service, not one statement, and
// takes and returns plain data. The outbox of the web hooks and the schema are not behind it yet.

import type { MaybePromise, Store } from './store.js';

export interface Engine {
  readonly records: Store;
  readonly identity: Identity;
  readonly files: FileIndex;
  /** Writes what is queued and lets go of the database. */
  close(): MaybePromise<void>;
}

/** Accounts and sessions (D13). What writes resolves when that is durable. */
export interface Identity {
  /** Null when there is no such session, it is over, or the account's password has changed since. */
  caller(idHash: string, now: number): MaybePromise<LiveSession | null>;
  account(username: string): MaybePromise<Account | null>;
  /** True when there is at least one account. */
  hasAccounts(): MaybePromise<boolean>;
  /** Whether the API key is the user's; null in a project without API keys. */
  ownsKey(user: string, key: string): MaybePromise<boolean | null>;
  /** Stores a session, and deletes those of the same user that are over. */
  openSession(session: StoredSession): Promise<void>;
  /** Records that a session was used, and when it will be over. */
  touch(idHash: string, used: number, expires: number): Promise<void>;
  /** Succeeds also when there is no such session. */
  endSession(idHash: string): Promise<void>;
  /** Deletes at most `limit` sessions that are over. @returns how many it deleted */
  prune(now: number, limit: number): Promise<number>;
}

export interface Account {
  readonly id: string;
  /** The stored hash. */
  readonly password: string;
}

export interface LiveSession {
  readonly user: string;
  readonly admin: boolean;
  readonly apiKey: string | null;
  /** Epoch milliseconds of the last recorded use. */
  readonly used: number;
}

/** Dates are epoch milliseconds. */
export interface StoredSession {
  /** SHA-256 of the id in hex; the id itself is stored nowhere. */
  readonly idHash: string;
  readonly user: string;
  /** The password hash that was verified; the session ends when the account gets another one. */
  readonly password: string;
  readonly created: number;
  readonly expires: number;
  readonly apiKey: string | null;
}

/** Which bytes the records hold, and which they have released: bytes and rows cannot be committed together. */
export interface FileIndex {
  /** What sending a file takes; null when there is no such file. */
  served(id: string): MaybePromise<ServedFile | null>;
  /** Nobody may need these bytes any more. Resolves when that is durable. */
  release(hashes: readonly string[]): Promise<void>;
  /** Releases after that one, oldest first; the same hash may come several times. */
  released(after: number, limit: number): MaybePromise<readonly Release[]>;
  /** Whether a committed record holds the bytes. */
  held(hash: string): MaybePromise<boolean>;
  /** These releases are done with. */
  forget(releases: readonly Release[]): Promise<void>;
}

export interface ServedFile {
  readonly name: string;
  /** Media type. */
  readonly type: string;
  readonly hash: string;
  /** The secret part of the address. */
  readonly key: string;
}

export interface Release {
  readonly sequence: number;
  readonly hash: string;
}
