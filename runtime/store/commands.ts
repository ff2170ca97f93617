// The interface between commands, of maintainers and operators, and a database that they open beside a server or without one.
// For what the service itself does, a command uses an Engine.

import type { MaybePromise } from '../contract/maybe-promise.js';
import type { AuditLog } from './audit.js';
import type { EngineOptions, Identity, ListedKey } from './engine.js';
import type { HookReports } from './outbox.js';
import type { MigratorAccess, SchemaMigrator } from './schema-migrator.js';
import type { CopyOrigin, TransferAccess, TransferSource, TransferTarget } from './transfer.js';

/** A resource to close after use. */
export interface Closable {
  close(): MaybePromise<void>;
}

/** Commands on one database. Each throws StartError if the database cannot be opened. */
export interface DatabaseCommands {
  /** The schema of an existing database, which may differ from the program's. */
  schema(access: MigratorAccess): MaybePromise<SchemaMigrator & Closable>;
  /** The reports on web hooks, without migrating the database. */
  hooks(): MaybePromise<HookReports & Closable>;
  /** The accounts, their keys and the audit log, without migrating the database. */
  operators(access: OperatorAccess): MaybePromise<OperatorReports & Closable>;
  /** Reads a service to which nobody writes meanwhile. */
  copyFrom<T>(access: TransferAccess, work: (source: TransferSource) => Promise<T>): Promise<T>;
  /** Writes a copy into a new database, or continues an unfinished copy. */
  copyTo<T>(access: TransferAccess, copying: CopyingTo<T>): Promise<T>;
}

export interface CopyingTo<T> {
  readonly origin: CopyOrigin;
  readonly work: (target: TransferTarget) => Promise<T>;
}

/** Commands on a file, with more than a database server needs, which has its own tools for the rest. */
export interface FileCommands extends DatabaseCommands {
  /** The database as it is when `work` begins. No server deletes bytes of files until `work` is done. */
  snapshot<T>(work: (snapshot: Snapshot) => Promise<T>): Promise<T>;
  /**
   * Throws StartError for a damaged copy.
   * @param uploads names of the tables whose records hold bytes of files
   * @returns the hash of every file that a record holds
   */
  check(uploads: readonly string[]): readonly string[];
  /** Makes the file durable, and returns its size and checksum. */
  sum(): Promise<{ readonly bytes: number; readonly sum: string }>;
  /** Null: there is no file at the path, or it is not a database. */
  rows(): Rows | null;
}

/** A database at one moment, which is copied while servers write. */
export interface Snapshot {
  /** Bytes of the database. */
  readonly bytes: number;
  /** @param to path of a new file @param advance called with the share that has been copied, from 0 to 1 */
  copyTo(to: string, advance: (share: number) => void): Promise<void>;
}

/** Reports for commands that do not migrate the database. */
export interface OperatorReports extends Pick<Identity, 'accounts'>, Pick<AuditLog, 'audits'> {
  /** Lists the API keys of a user; null: there is no such user. The function is null in a project whose keys have no tokens. */
  readonly keys: ((username: string) => MaybePromise<readonly ListedKey[] | null>) | null;
}

/** The resources that such reports read. */
export type OperatorAccess = Pick<EngineOptions, 'principal' | 'apiKeys'>;

export interface Rows {
  /** @returns the number of rows of a query, or a text to show after `rows` if this database cannot answer it */
  count(select: string): number | string;
  close(): void;
}
