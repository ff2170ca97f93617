// Chooses the engine of a database: the only place that knows the implementations.

import type { AnyDefinition } from '../definition.js';
import type { MaybePromise } from '../maybe-promise.js';
import { isServerUrl } from './database-url.js';
import type { Engine, EngineOptions, OperatorReports } from './engine.js';
import type { HookReports } from './outbox.js';
import type { KeeperAccess, SchemaKeeper } from './schema-keeper.js';
import { openSqliteEngine, openSqliteReader } from './sqlite/engine.js';
import { openSqliteOperatorReports } from './sqlite/operator-reports.js';
import { openSqliteReports } from './sqlite/outbox/reports.js';
import { openSqliteKeeper } from './sqlite/schema-keeper.js';
import { withSqliteSource, withSqliteTarget } from './sqlite/transfer.js';
import type { Origin, Source, Target, TransferAccess } from './transfer.js';

/** Opens the database and brings it to the schema. Throws StartError. @param now epoch milliseconds */
export function openEngine(options: EngineOptions, now: number): MaybePromise<Engine> {
  const { database } = options;
  if (database === null || !isServerUrl(database)) return openSqliteEngine(options, now);
  return postgres().openPostgresEngine({ ...options, database }, now);
}

/**
 * An engine for one of several processes that serve requests together, once another has brought the database to the schema.
 * That of a file only reads: everything else is up to the process that opened it first. Throws StartError.
 */
export function openBesideWriter(options: EngineOptions, now: number): MaybePromise<Engine> {
  const { database } = options;
  if (database === null || !isServerUrl(database)) return openSqliteReader(options);
  return postgres().openPostgresEngine({ ...options, database, migrate: 'none' }, now);
}

interface Closable {
  close(): MaybePromise<void>;
}

/** The schema of a database that may have another one. Throws StartError if there is no such database. */
export function openSchemaKeeper(database: string, access: KeeperAccess): MaybePromise<SchemaKeeper & Closable> {
  return isServerUrl(database) ? postgres().openPostgresKeeper(database, access) : openSqliteKeeper(database, access);
}

/** The reports on web hooks of a database that a server may be running on, without bringing it to a schema. */
export function openHookReports(database: string): MaybePromise<HookReports & Closable> {
  return isServerUrl(database) ? postgres().openPostgresReports(database) : openSqliteReports(database);
}

/** The accounts and the audit log of a database that a server may be running on, without bringing it to a schema. */
export function openOperatorReports(
  database: string,
  principal: AnyDefinition,
): MaybePromise<OperatorReports & Closable> {
  return isServerUrl(database)
    ? postgres().openPostgresOperatorReports(database, principal)
    : openSqliteOperatorReports(database, principal);
}

/** Reads a service that nobody writes to meanwhile. Throws StartError. @param place path of a file or URL of a server */
export function withSource<T>(place: string, access: TransferAccess, work: (source: Source) => Promise<T>): Promise<T> {
  return isServerUrl(place)
    ? postgresTransfer().withPostgresSource(place, access, work)
    : withSqliteSource(place, access, work);
}

/** Writes a copy into a new database, or goes on with one that was not finished. Throws StartError. */
export function withTarget<T>(
  place: string,
  access: TransferAccess,
  copying: { readonly origin: Origin; readonly work: (target: Target) => Promise<T> },
): Promise<T> {
  return isServerUrl(place)
    ? postgresTransfer().withPostgresTarget(place, access, copying)
    : withSqliteTarget(place, access, copying);
}

/** What a backup of a SQLite database needs; PostgreSQL has tools of its own. */
export function backupParts() {
  const { withSqliteBackup, sumOfFile, check, hashesOf } =
    require('./sqlite/backup.js') as typeof import('./sqlite/backup.js');
  return { withSqliteBackup, sumOfFile, check, hashesOf };
}

// Loaded on demand, so that nobody else waits for the driver.

function postgres() {
  return require('./postgres/engine.js') as typeof import('./postgres/engine.js');
}

function postgresTransfer() {
  return require('./postgres/transfer.js') as typeof import('./postgres/transfer.js');
}
