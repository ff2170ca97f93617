// The interface between the service and a database, all of it: each method is one operation of the service, not one
// statement, answers at once or with a promise, and takes and returns plain data that could cross to another process.

import type { Actions, Behaviours } from '../behaviour.js';
import type { AnyDefinition, EventDefinition } from '../definition.js';
import type { Ids, Random } from '../ids.js';
import type { MaybePromise } from '../maybe-promise.js';
import type { Schema } from '../schema/schema.js';
import type { decide } from '../webhooks/rules/policy.js';
import type { Outbox } from './outbox.js';
import type { Records, WireFormats } from './records.js';
import type { SchemaKeeper } from './schema-keeper.js';

/** What an engine is opened with: where its data are, and what it has to know of the service. */
export interface EngineOptions {
  /** Path of the database file; null: in memory, gone when it is closed. */
  readonly database: string | null;
  /** Name of the server that it is opened for; null: a command beside a server. */
  readonly server: string | null;
  readonly schema: Schema;
  /** What is done to a database of an older schema. */
  readonly migrate: Migrate;
  /** All that were generated. */
  readonly definitions: readonly AnyDefinition[];
  readonly events: Readonly<Record<string, EventDefinition>>;
  /** Whose table holds username, password and, where there are administrators, admin. */
  readonly principal: AnyDefinition;
  /** Whose records are API keys of the principal in user_id; null in a project without them. */
  readonly apiKeys: AnyDefinition | null;
  readonly profile: WireFormats;
  /** Hand-written code, by the names that changes and actions go by. */
  readonly behaviours: Behaviours;
  readonly actions: Actions;
  /** What follows from the outcome of a delivery. */
  readonly decide: typeof decide;
  /** Milliseconds of one step of the retry delay. */
  readonly retryUnit: number;
  readonly ids: Ids;
  readonly random: Random;
}

/** What a start applies by itself: safe (nothing is lost and no row stands in the way) or none. */
export type Migrate = 'safe' | 'none';

export interface Engine {
  readonly records: Records;
  readonly identity: Identity;
  readonly files: FileIndex;
  /** Null in a project without web hooks. */
  readonly outbox: Outbox | null;
  readonly schema: SchemaKeeper;
  readonly upkeep: Upkeep;
  /** Writes what is queued and lets go of the database. */
  close(): MaybePromise<void>;
}

/** Accounts and sessions (D13). What writes answers once that is durable. */
export interface Identity {
  /** Null when there is no such session, it is over, or the account's password has changed since. */
  caller(session: SessionKey, now: number): MaybePromise<LiveSession | null>;
  account(username: string): MaybePromise<Account | null>;
  /** True when there is at least one account. */
  hasAccounts(): MaybePromise<boolean>;
  /** Whether the API key is the user's; null in a project without API keys. */
  ownsKey(user: string, key: string): MaybePromise<boolean | null>;
  /** Stores a session, and deletes those of the same user that are over. */
  openSession(session: StoredSession): MaybePromise<void>;
  /** Records that a session was used, and when it will be over. */
  touch(session: SessionKey, used: number, expires: number): MaybePromise<void>;
  /** Succeeds also when there is no such session. */
  endSession(session: SessionKey): MaybePromise<void>;
  /** Deletes at most `limit` sessions that are over. @returns how many it deleted */
  prune(now: number, limit: number): MaybePromise<number>;
}

export interface SessionKey {
  /** SHA-256 of the id in hex; the id itself is stored nowhere. */
  readonly idHash: string;
  /** The first characters of the id: a session is placed with its user (D37). */
  readonly placement: string;
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
export interface StoredSession extends SessionKey {
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
  /** Nobody may need these bytes any more. Answers once that is durable. */
  release(hashes: readonly string[]): MaybePromise<void>;
  /** Releases after that one, oldest first; the same hash may come several times. */
  released(after: number, limit: number): MaybePromise<readonly Release[]>;
  /** Whether a committed record holds the bytes. */
  held(hash: string): MaybePromise<boolean>;
  /** These releases are done with. */
  forget(releases: readonly Release[]): MaybePromise<void>;
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

export interface Upkeep {
  /** Whether the database can be used: false when it was moved or replaced under the server. */
  health(): MaybePromise<boolean>;
}
