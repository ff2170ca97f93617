// The whole interface between the service and a database. Each method is one operation of the service, not one statement,
// returns immediately or with a promise, and takes and returns plain data that could cross to another process.

import type { Actions, Behaviours } from '../contract/behaviour.js';
import type { AnyDefinition, EventDefinition } from '../contract/definition.js';
import type { Ids, Random } from '../contract/ids.js';
import type { MaybePromise } from '../contract/maybe-promise.js';
import type { TokenParts } from '../contract/tokens.js';
import type { decide } from '../rules/policy.js';
import type { Schema } from '../schema/schema.js';
import type { AuditLog } from './audit.js';
import type { DatabaseServer, ServerLimits } from './database-server.js';
import type { FigureLog } from './figures.js';
import type { Outbox, ShowMessage } from './outbox.js';
import type { Quota, StoredBytes } from './quota.js';
import type { Caller, Records, WireFormats } from './records.js';
import type { CountRemembered } from './remembered.js';
import type { SchemaMigrator } from './schema-migrator.js';

/** Options of an engine: the location of its data, and what it must know about the service. */
export interface EngineOptions {
  /** Path of the database file, or URL of a PostgreSQL database; null: in memory, lost when it is closed. */
  readonly database: string | null;
  /** Name of the server that opens the engine; null: a command that runs beside a server. */
  readonly server: string | null;
  readonly schema: Schema;
  /** Which migrations to apply to a database with an older schema. */
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
  /** Decides what follows from the outcome of a delivery. */
  readonly decide: typeof decide;
  /** Milliseconds of one step of the retry delay. */
  readonly retryUnit: number;
  readonly ids: Ids;
  readonly random: Random;
  /** The limit on the bytes of a user's files; absent: none. */
  readonly quota?: Pick<Quota, 'failure'>;
  /** Absent: messages of web hooks have the current names. */
  readonly showMessage?: ShowMessage;
  /** Limits for the use of the database server that the operator has set. */
  readonly serverLimits?: Partial<ServerLimits>;
}

/** Which migrations a start applies by itself: safe ones (nothing is lost and no row prevents them) or none. */
export type Migrate = 'safe' | 'none';

export interface Engine {
  readonly records: Records;
  readonly identity: Identity;
  readonly files: FileIndex;
  /** Null in a project without web hooks. */
  readonly outbox: Outbox | null;
  readonly schema: SchemaMigrator;
  readonly upkeep: Upkeep;
  /** Null: each read is a round trip of its own. */
  readonly reads: SharedReads | null;
  /** Null: the database is a file. */
  readonly databaseServer: DatabaseServer | null;
  /** Writes what is queued and closes the database. */
  close(): MaybePromise<void>;
}

/** Reads that may all see one state of the database; by default each sees what was committed before it. */
export interface SharedReads {
  /** Called for each request: from the second one to the end of this turn of the event loop, reads see the same state. */
  begin(): void;
  /** Later reads see what has been committed meanwhile. */
  end(): void;
}

/** Accounts and sessions (D13). Methods that write return once the write is durable. */
export interface Identity {
  /** Null if there is no such session, it has expired, or the account has been disabled or has a new password. */
  caller(session: SessionKey, now: number): MaybePromise<LiveSession | null>;
  /** Null if there is no such token, its key has expired, or the account is disabled; undefined in a project without tokens. */
  token(token: TokenParts, now: number): MaybePromise<LiveKey | null | undefined>;
  /** Records that the token of a key was used. */
  touchKey(id: string, used: number): MaybePromise<void>;
  account(username: string): MaybePromise<Account | null>;
  /** True when there is at least one account. */
  hasAccounts(): MaybePromise<boolean>;
  /** The API version of a key of the user; null: the key is not the user's; undefined in a project without API keys. */
  keyOf(user: string, key: string): MaybePromise<Pick<LiveSession, 'version'> | null | undefined>;
  /** Stores a session, and deletes expired sessions of the same user. */
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
  /** Epoch milliseconds of its last use; null: never, or not recorded. */
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
  /** The last name of the previous page; null: the first page. */
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
  /** The last session of the previous page; null: the first page. */
  readonly after: Pick<ListedSession, 'created' | 'idHash'> | null;
  readonly now: number;
  readonly limit: number;
}

export interface LiveSession {
  readonly user: string;
  readonly admin: boolean;
  readonly apiKey: string | null;
  /** The API version that the session remembers, or `newest` (D68); null: none. */
  readonly version: string | null;
  /** Epoch milliseconds. */
  readonly created: number;
  /** Epoch milliseconds of the last recorded use. */
  readonly used: number;
}

/** Dates are epoch milliseconds. */
export interface StoredSession extends SessionKey {
  readonly user: string;
  /** The password hash that was verified; the session ends when the account gets a new one. */
  readonly password: string;
  readonly created: number;
  readonly expires: number;
  readonly apiKey: string | null;
  readonly version: string | null;
}

/** The bytes that records hold or have released: bytes and rows cannot be committed together. */
export interface FileIndex {
  /** What is needed to send a file; null if there is no such file. */
  findFile(id: string): MaybePromise<ServedFile | null>;
  /** Records that these bytes may no longer be needed. Returns once the record is durable. */
  release(hashes: readonly string[]): MaybePromise<void>;
  /** Releases after that sequence number, oldest first; the same hash may occur several times. */
  listReleases(after: number, limit: number): MaybePromise<readonly Release[]>;
  /** Whether a committed record holds the bytes. */
  isHeld(hash: string): MaybePromise<boolean>;
  /** Whether a backup is under way, during which no bytes may be deleted. */
  isPaused(now: number): MaybePromise<boolean>;
  /** All users whose files take that many bytes or more. It reads all files: no request may wait for it. */
  listUsersAbove(bytes: number): MaybePromise<readonly StoredBytes[]>;
  /** Deletes releases that have been handled. */
  deleteReleases(releases: readonly Release[]): MaybePromise<void>;
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
  /** Whether the database can be used: false if the file was moved or replaced while the server runs. */
  health(): MaybePromise<boolean>;
  /** Deletes some of the expired answers of requests with a key (D50). @returns true: there may be more */
  pruneOnce(now: number): MaybePromise<boolean>;
  countRemembered: CountRemembered;
  /** Rewrites some of the words (D44) that a server of an earlier rule has written. @returns true: there may be more */
  renewWords(): MaybePromise<boolean>;
}
