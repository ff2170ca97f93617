// Chooses the engine of a database: the only place that knows the implementations.

import type { AnyDefinition } from '../contract/definition.js';
import type { MaybePromise } from '../contract/maybe-promise.js';
import { isServerUrl } from './database-url.js';
import type { Engine, EngineOptions, OperatorReports } from './engine.js';
import type { HookReports } from './outbox.js';
import type { KeeperAccess, SchemaKeeper } from './schema-keeper.js';
import type { CopyOrigin, TransferAccess, TransferSource, TransferTarget } from './transfer.js';

/** Opens the database and brings it to the schema. Throws StartError. @param now epoch milliseconds */
export function openEngine(options: EngineOptions, now: number): MaybePromise<Engine> {
  const { database } = options;
  if (database === null || !isServerUrl(database)) return sqlite().openSqliteEngine(options, now);
  return postgres().openPostgresEngine({ ...options, database }, now);
}

/**
 * An engine for one of several processes that serve requests together, once another has brought the database to the schema.
 * That of a file only reads: everything else is up to the process that opened it first. Throws StartError.
 */
export function openBesideWriter(options: EngineOptions, now: number): MaybePromise<Engine> {
  const { database } = options;
  if (database === null || !isServerUrl(database)) return sqlite().openSqliteReader(options);
  return postgres().openPostgresEngine({ ...options, database, migrate: 'none' }, now);
}

interface Closable {
  close(): MaybePromise<void>;
}

/** The schema of a database that may have another one. Throws StartError if there is no such database. */
export function openSchemaKeeper(database: string, access: KeeperAccess): MaybePromise<SchemaKeeper & Closable> {
  if (isServerUrl(database)) return postgres().openPostgresKeeper(database, access);
  const keepers = require('./sqlite/schema-keeper.js') as typeof import('./sqlite/schema-keeper.js');
  return keepers.openSqliteKeeper(database, access);
}

/** The reports on web hooks of a database that a server may be running on, without bringing it to a schema. */
export function openHookReports(database: string): MaybePromise<HookReports & Closable> {
  if (isServerUrl(database)) return postgres().openPostgresReports(database);
  return sqlite().openSqliteReports(database);
}

/** The accounts and the audit log of a database that a server may be running on, without bringing it to a schema. */
export function openOperatorReports(
  database: string,
  principal: AnyDefinition,
): MaybePromise<OperatorReports & Closable> {
  if (isServerUrl(database)) return postgres().openPostgresOperatorReports(database, principal);
  return sqlite().openSqliteOperatorReports(database, principal);
}

/** Reads a service that nobody writes to meanwhile. Throws StartError. @param place path of a file or URL of a server */
export function withSource<T>(
  place: string,
  access: TransferAccess,
  work: (source: TransferSource) => Promise<T>,
): Promise<T> {
  return isServerUrl(place)
    ? postgresTransfer().withPostgresSource(place, access, work)
    : sqliteTransfer().withSqliteSource(place, access, work);
}

/** Writes a copy into a new database, or goes on with one that was not finished. Throws StartError. */
export function withTarget<T>(
  place: string,
  access: TransferAccess,
  copying: { readonly origin: CopyOrigin; readonly work: (target: TransferTarget) => Promise<T> },
): Promise<T> {
  return isServerUrl(place)
    ? postgresTransfer().withPostgresTarget(place, access, copying)
    : sqliteTransfer().withSqliteTarget(place, access, copying);
}

/** What a backup of a SQLite database needs; PostgreSQL has tools of its own. */
export function backupParts() {
  const { withSnapshot, sumOfFile, checkCopy } = require('./sqlite/backup.js') as typeof import('./sqlite/backup.js');
  return { withSnapshot, sumOfFile, checkCopy };
}

/** Loads what an open engine needs only for the operators' pages. */
export function loadLaterParts(): void {
  require('./sqlite/schema-keeper.js');
}

// Each is loaded on demand, so that nobody waits for what only others need.

function sqlite() {
  return require('./sqlite/engine.js') as typeof import('./sqlite/engine.js');
}

function sqliteTransfer() {
  return require('./sqlite/transfer.js') as typeof import('./sqlite/transfer.js');
}

function postgres() {
  return require('./postgres/engine.js') as typeof import('./postgres/engine.js');
}

function postgresTransfer() {
  return require('./postgres/transfer.js') as typeof import('./postgres/transfer.js');
}
