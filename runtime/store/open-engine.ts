// Chooses the engine of a database: the only place that knows the implementations. The driver of the other one is not loaded.

import type { MaybePromise } from '../maybe-promise.js';
import { isServerUrl } from './database-url.js';
import type { Engine, EngineOptions } from './engine.js';
import type { HookReports } from './outbox.js';
import type { SchemaKeeper } from './schema-keeper.js';
import type { KeeperAccess } from './sqlite/schema-keeper.js';

/** Opens the database and brings it to the schema. Throws StartError. @param now epoch milliseconds */
export async function openEngine(options: EngineOptions, now: number): Promise<Engine> {
  const { database } = options;
  if (database !== null && isServerUrl(database)) {
    const { openPostgresEngine } = await import('./postgres/engine.js');
    return openPostgresEngine({ ...options, database }, now);
  }
  const { openSqliteEngine } = await import('./sqlite/engine.js');
  return openSqliteEngine(options, now);
}

interface Closable {
  close(): MaybePromise<void>;
}

/** The schema of a database that may have another one. Throws StartError if there is no such database. */
export async function openSchemaKeeper(database: string, access: KeeperAccess): Promise<SchemaKeeper & Closable> {
  if (isServerUrl(database)) {
    const { openPostgresKeeper } = await import('./postgres/schema-keeper.js');
    return openPostgresKeeper(database, access);
  }
  const { openSqliteKeeper } = await import('./sqlite/schema-keeper.js');
  return openSqliteKeeper(database, access);
}

/** The reports on web hooks of a database that a server may be running on, without bringing it to a schema. */
export async function openHookReports(database: string): Promise<HookReports & Closable> {
  if (isServerUrl(database)) {
    const { openPostgresReports } = await import('./postgres/outbox/reports.js');
    return openPostgresReports(database);
  }
  const { openSqliteReports } = await import('./sqlite/outbox/reports.js');
  return openSqliteReports(database);
}
