// The interface between the service and a database, all of it: each method is one operation of the service, not one
// statement, returns immediately or with a promise, and takes and returns plain data that could cross to another process.

import type { Actions, Behaviours } from '../contract/behaviour.js';
import type { AnyDefinition, EventDefinition } from '../contract/definition.js';
import type { Ids, Random } from '../contract/ids.js';
import type { MaybePromise } from '../contract/maybe-promise.js';
import type { TokenParts } from '../contract/tokens.js';
import type { decide } from '../rules/policy.js';
import type { Schema } from '../schema/schema.js';
import type { AuditLog } from './audit.js';
import type { DatabaseServer, Reach } from './database-server.js';
import type { FigureLog } from './figures.js';
import type { Outbox, ShowMessage } from './outbox.js';
import type { Quota, StoredBytes } from './quota.js';
import type { Caller, Records, WireFormats } from './records.js';
import type { CountRemembered } from './remembered.js';
import type { SchemaKeeper } from './schema-keeper.js';

/** Options of an engine: where its data are, and what it must know about the service. */
export interface EngineOptions {
  /** Path of the database file, or URL of a PostgreSQL database; null: in memory, lost when it is closed. */
  readonly database: string | null;
  /** Name of the server for which it is opened; null: a command that runs alongside a server. */
  readonly server: string | null;
  readonly schema: Schema;
  /** What to do with a database that has an older schema. */
  readonly migrate: Migrate;
  /** All generated definitions. */
  readonly definitions: readonly AnyDefinition[];
  readonly events: Readonly<Record<string, EventDefinition>>;
  /** The resource whose table holds username, password and, if there are administrators, admin. */
  readonly principal: AnyDefinition;
  /** The resource whose records are API keys of the user in user_id; null in a project without API keys. */
  readonly apiKeys: AnyDefinition | null;
  readonly profile: WireFormats;
  /** Hand-written code, by the names of resources and actions. */
  readonly behaviours: Behaviours;
  readonly actions: Actions;
  /** What follows from the outcome of a delivery. */
  readonly decide: typeof decide;
  /** Milliseconds of one step of the retry delay. */
  readonly retryUnit: number;
  readonly ids: Ids;
  readonly random: Random;
  /** What the files of a user may take; absent: any number of bytes. */
  readonly quota?: Pick<Quota, 'failure'>;
  /** Absent: the messages of web hooks have the names of today. */
  readonly showMessage?: ShowMessage;
  /** How the server of a database is used, where the operator has said so. */
  readonly reach?: Partial<Reach>;
}

/** Which migrations a start applies by itself: safe ones (nothing is lost and no row prevents them) or none. */
export type Migrate = 'safe' | 'none';

export interface Engine {
  readonly records: Records;
  readonly identity: Identity;
  readonly files: FileIndex;
  /** Null in a project without web hooks. */
  readonly outbox: Outbox | null;
  readonly schema: SchemaKeeper;
  readonly upkeep: Upkeep;
  readonly reads: SharedReads;
  /** Null: the database is a file. */
  readonly databaseServer: DatabaseServer | null;
  /** Writes what is queued and closes the database. */
  close(): MaybePromise<void>;
}

/** Reads that may all see one state of the database; by default each sees what was committed before it. */
export interface SharedReads {
  /** Called for each request: from the second one to the end of this turn of the event loop, reads see the same state. */
  begin(): void;
  /** What is read next sees what has been committed meanwhile. */
  end(): void;
}

/** Accounts and sessions (D13). Methods that write return once the write is durable. */
export interface Identity {
  /** Null if there is no such session, it has expired, or the account is disabled or has another password since. */
  caller(session: SessionKey, now: number): MaybePromise<LiveSession | null>;
  /** Null if there is no such token, its key has expired, or the account is disabled; undefined in a project without tokens. */
  token(token: TokenParts, now: number): MaybePromise<LiveKey | null | undefined>;
  /** Records that the token of a key was used. */
  touchKey(id: string, used: number): MaybePromise<void>;
  account(username: string): MaybePromise<Account | null>;
  /** True when there is at least one account. */
  hasAccounts(): MaybePromise<boolean>;
  /** The version that an API key of the user remembers; null: it is not the user's; undefined in a project without API keys. */
  keyOf(user: string, key: string): MaybePromise<Pick<LiveSession, 'version'> | null | undefined>;
  /** Stores a session, and deletes expired ones of the same user. */
  openSession(session: StoredSession): MaybePromise<void>;
  /** Records that a session was used, and when it will expire. */
  touch(session: SessionKey, used: number, expires: number): MaybePromise<void>;
  /** Also succeeds if there is no such session. */
  endSession(session: SessionKey): MaybePromise<void>;
  /** Ends all sessions of a user. @returns how many there were */
  endSessions(user: string): MaybePromise<number>;
  /** Live sessions, newest first. */
  sessions(page: SessionPage): MaybePromise<readonly ListedSession[]>;
  /** Accounts in the order of their names. */
  accounts(page: AccountPage): MaybePromise<readonly ListedAccount[]>;
  /** Deletes at most `limit` expired sessions. @returns how many it deleted */
  prune(now: number, limit: number): MaybePromise<number>;
}

/** An API key whose token was sent. */
export interface LiveKey {
  /** Its user, narrowed by its scope. */
  readonly caller: Caller;
  /** Epoch milliseconds; null: never, or it is not kept. */
  readonly used: number | null;
}

export interface SessionKey {
  /** SHA-256 of the id in hex; the id itself is not stored. */
  readonly idHash: string;
  /** The first characters of the id: a session is placed with its user (D37). */
  readonly placement: string;
}

export interface Account {
  readonly id: string;
  /** The stored hash. */
  readonly password: string;
  /** The user cannot log in, and has no sessions (D49). */
  readonly disabled: boolean;
}

export interface ListedAccount {
  readonly id: string;
  readonly username: string;
  readonly admin: boolean;
  readonly disabled: boolean;
  /** The role on the operators' pages (D65), which administrators do not need; null: none. */
  readonly operator_role: string | null;
}

/** An API key without its secrets; null: the field is not set, or the project's keys do not have it. */
export interface ListedKey {
  readonly id: string;
  readonly name: string | null;
  readonly scope: string | null;
  readonly resources: readonly string[] | null;
  readonly expires: string | null;
  readonly last_used: string | null;
  readonly api_version: string | null;
}

export interface AccountPage {
  /** The name after which the page begins; null: the first page. */
  readonly after: string | null;
  readonly limit: number;
}

/** Dates are epoch milliseconds. */
export interface ListedSession extends SessionKey {
  readonly user: string;
  readonly username: string;
  readonly created: number;
  readonly used: number;
  readonly expires: number;
  readonly apiKey: string | null;
  readonly version: string | null;
}

export interface SessionPage {
  /** The user whose sessions are listed; null: all. */
  readonly user: string | null;
  /** The last session of the page before; null: the first page. */
  readonly after: Pick<ListedSession, 'created' | 'idHash'> | null;
  readonly now: number;
  readonly limit: number;
}

export interface LiveSession {
  readonly user: string;
  readonly admin: boolean;
  readonly apiKey: string | null;
  /** The version of the API that it remembers, or `newest` (D68); null: none. */
  readonly version: string | null;
  /** Epoch milliseconds. */
  readonly created: number;
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
  readonly version: string | null;
}

/** Which bytes the records hold, and which they have released: bytes and rows cannot be committed together. */
export interface FileIndex {
  /** What is needed to send a file; null if there is no such file. */
  served(id: string): MaybePromise<ServedFile | null>;
  /** Records that these bytes may no longer be needed. Returns once that is durable. */
  release(hashes: readonly string[]): MaybePromise<void>;
  /** Releases after that one, oldest first; the same hash may come several times. */
  released(after: number, limit: number): MaybePromise<readonly Release[]>;
  /** Whether a committed record holds the bytes. */
  held(hash: string): MaybePromise<boolean>;
  /** Whether a backup is under way, for which bytes must stay. */
  paused(now: number): MaybePromise<boolean>;
  /** The users whose files take that many bytes or more, all of them. It reads all files: no request may wait for it. */
  taking(bytes: number): MaybePromise<readonly StoredBytes[]>;
  /** Forgets these releases, which have been handled. */
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

export interface Upkeep extends AuditLog, FigureLog {
  /** Whether the database can be used: false when it was moved or replaced under the server. */
  health(): MaybePromise<boolean>;
  /** Deletes some of the stored answers of requests with a key (D50) that are too old. @returns true: there may be more */
  pruneOnce(now: number): MaybePromise<boolean>;
  countRemembered: CountRemembered;
  /** Writes the words of records (D44) again that a server of an earlier rule wrote, some at a time. @returns true: there may be more */
  renewWords(): MaybePromise<boolean>;
}
