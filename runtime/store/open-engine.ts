// Chooses the engine of a database: the only place that knows the implementations.

import type { MaybePromise } from '../contract/maybe-promise.js';
import { assertInstalled } from '../contract/peers.js';
import type { DatabaseCommands, FileCommands } from './commands.js';
import { isServerUrl } from './database-url.js';
import type { Engine, EngineOptions } from './engine.js';

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

/** What commands do with a database. @param database path of a file or URL of a server */
export function commandsOn(database: string): DatabaseCommands {
  if (!isServerUrl(database)) return commandsOnFile(database);
  assertInstalled('pg');
  const { postgresCommands } = require('./postgres/commands.js') as typeof import('./postgres/commands.js');
  return postgresCommands(database);
}

/** The same of a database that is a file. */
export function commandsOnFile(path: string): FileCommands {
  const { sqliteCommands } = require('./sqlite/commands.js') as typeof import('./sqlite/commands.js');
  return sqliteCommands(path);
}

/** Loads what an open engine needs only for the operators' pages. */
export function loadLaterParts(): void {
  require('./sqlite/schema-keeper.js');
}

/** Loads the engine of a database that will be opened. */
export function loadEngine(database: string): void {
  if (isServerUrl(database)) postgres();
  else sqlite();
}

// Each is loaded on demand, so that nobody waits for what only others need.

function sqlite() {
  return require('./sqlite/engine.js') as typeof import('./sqlite/engine.js');
}

function postgres() {
  assertInstalled('pg');
  return require('./postgres/engine.js') as typeof import('./postgres/engine.js');
}
