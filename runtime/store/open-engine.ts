// Chooses the engine of a database: the only place that knows the implementations.

import type { MaybePromise } from '../maybe-promise.js';
import type { Engine, EngineOptions } from './engine.js';
import type { HookReports } from './outbox.js';
import type { SchemaKeeper } from './schema-keeper.js';
import { openSqliteEngine } from './sqlite/engine.js';
import { openSqliteReports } from './sqlite/outbox/reports.js';
import { type KeeperAccess, openSqliteKeeper } from './sqlite/schema-keeper.js';

/** Opens the database and brings it to the schema. Throws StartError. @param now epoch milliseconds */
export function openEngine(options: EngineOptions, now: number): MaybePromise<Engine> {
  return openSqliteEngine(options, now);
}

/** A URL instead of the path of a file. */
const POSTGRES = /^postgres(ql)?:\/\//;

interface Closable {
  close(): MaybePromise<void>;
}

/** The schema of a database that may have another one. Throws StartError if there is no such database. */
export function openSchemaKeeper(database: string, access: KeeperAccess): MaybePromise<SchemaKeeper & Closable> {
  return openSqliteKeeper(database, access);
}

/** The reports on web hooks of a database that a server may be running on, without bringing it to a schema. */
export function openHookReports(database: string): MaybePromise<HookReports & Closable> {
  if (!POSTGRES.test(database)) return openSqliteReports(database);
  // Loaded on demand: with SQLite nobody waits for it.
  const postgres = require('./postgres/outbox/reports.js') as typeof import('./postgres/outbox/reports.js');
  return postgres.openPostgresReports(database);
}
