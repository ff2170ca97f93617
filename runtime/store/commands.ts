// The interface between commands, maintainers' and operators', and a database that they open beside a server or without one.
// What a command does as the service would, it does with an Engine.

import type { MaybePromise } from '../contract/maybe-promise.js';
import type { AuditLog } from './audit.js';
import type { EngineOptions, Identity, ListedKey } from './engine.js';
import type { HookReports } from './outbox.js';
import type { KeeperAccess, SchemaKeeper } from './schema-keeper.js';
import type { CopyOrigin, TransferAccess, TransferSource, TransferTarget } from './transfer.js';

/** What must be closed after use. */
export interface Closable {
  close(): MaybePromise<void>;
}

/** Commands on one database. Each of them throws StartError if it cannot be opened. */
export interface DatabaseCommands {
  /** The schema of a database that may have another one than the program; there must be a database. */
  schema(access: KeeperAccess): MaybePromise<SchemaKeeper & Closable>;
  /** The reports on web hooks, without bringing the database to a schema. */
  hooks(): MaybePromise<HookReports & Closable>;
  /** The accounts, their keys and the audit log, without bringing the database to a schema. */
  operators(access: OperatorAccess): MaybePromise<OperatorReports & Closable>;
  /** Reads a service that nobody writes to meanwhile. */
  copyFrom<T>(access: TransferAccess, work: (source: TransferSource) => Promise<T>): Promise<T>;
  /** Writes a copy into a new database, or goes on with one that was not finished. */
  copyTo<T>(access: TransferAccess, copying: CopyingTo<T>): Promise<T>;
}

export interface CopyingTo<T> {
  readonly origin: CopyOrigin;
  readonly work: (target: TransferTarget) => Promise<T>;
}

/** The same of a file; a database server has tools of its own for the rest. */
export interface FileCommands extends DatabaseCommands {
  /** The database as it is when `work` begins. No server deletes bytes of files until it is done. */
  snapshot<T>(work: (snapshot: Snapshot) => Promise<T>): Promise<T>;
  /**
   * Throws StartError for a copy that is damaged.
   * @param uploads names of the tables whose records hold bytes of files
   * @returns the hash of every file that a record holds
   */
  check(uploads: readonly string[]): readonly string[];
  /** Makes the file durable. The same content has the same sum under any name. */
  sum(): Promise<{ readonly bytes: number; readonly sum: string }>;
  /** Null: there is no file at the path, or it is not a database. */
  rows(): Rows | null;
}

/** A database at one moment, which is copied while servers write. */
export interface Snapshot {
  /** Bytes of the database. */
  readonly bytes: number;
  /** Copies it. @param to path of a new file @param advance called with the share of it that was copied, of 1 */
  copyTo(to: string, advance: (share: number) => void): Promise<void>;
}

/** What commands read that do not bring a database to a schema. */
export interface OperatorReports extends Pick<Identity, 'accounts'>, Pick<AuditLog, 'audits'> {
  /** Lists the API keys of a user; null: there is no such user. The function is null in a project whose keys have no tokens. */
  readonly keys: ((username: string) => MaybePromise<readonly ListedKey[] | null>) | null;
}

/** The resources that such reports are about. */
export type OperatorAccess = Pick<EngineOptions, 'principal' | 'apiKeys'>;

export interface Rows {
  /** @returns how many rows a query returns; a text to show after `rows` if this database cannot answer it */
  count(select: string): number | string;
  close(): void;
}
