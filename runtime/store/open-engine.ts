// Chooses the engine of a database. Only this file knows the implementations.

import type { MaybePromise } from '../contract/maybe-promise.js';
import { assertInstalled } from '../contract/peers.js';
import type { DatabaseCommands, FileCommands } from './commands.js';
import { isServerUrl } from './database-url.js';
import type { Engine, EngineOptions } from './engine.js';
import { STORE_PARTS } from './sql/optional-parts.js';

/** Opens the database and migrates it to the schema. Throws StartError. @param now epoch milliseconds */
export function openEngine(options: EngineOptions, now: number): MaybePromise<Engine> {
  const { database } = options;
  if (database === null || !isServerUrl(database)) return sqlite().openSqliteEngine(options, now);
  return postgres().openPostgresEngine({ ...options, database }, now);
}

/**
 * An engine for one of several processes that serve requests together, once another has migrated the database. On a file it
 * only reads: everything else is done by the process that opened the file first. Throws StartError.
 */
export function openBesideWriter(options: EngineOptions, now: number): MaybePromise<Engine> {
  const { database } = options;
  if (database === null || !isServerUrl(database)) return sqlite().openSqliteReader(options);
  return postgres().openPostgresEngine({ ...options, database, migrate: 'none' }, now);
}

/** The commands on a database. @param database path of a file or URL of a server */
export function commandsOn(database: string): DatabaseCommands {
  if (!isServerUrl(database)) return commandsOnFile(database);
  assertInstalled('pg');
  const { postgresCommands } = require('./postgres/commands.js') as typeof import('./postgres/commands.js');
  return postgresCommands(database);
}

/** The commands on a database that is a file. */
export function commandsOnFile(path: string): FileCommands {
  const { sqliteCommands } = require('./sqlite/commands.js') as typeof import('./sqlite/commands.js');
  return sqliteCommands(path);
}

/** Loads the modules that an open engine needs only for the operators' pages. */
export function loadLaterParts(): void {
  for (const load of Object.values(STORE_PARTS)) load();
  require('./sqlite/schema-migrator.js');
}

/** Loads the module that an open engine needs only for versions of the API. */
export function loadVersionPart(): void {
  STORE_PARTS.remembered();
}

/** Loads the engine of a database that will be opened, and perhaps migrated. */
export function loadEngine(database: string): void {
  if (isServerUrl(database)) return void postgres();
  sqlite();
  require('./sqlite/migrate/at-start.js');
}

// Each engine is loaded on demand, so that nobody waits for an engine they do not use.

function sqlite() {
  return require('./sqlite/engine.js') as typeof import('./sqlite/engine.js');
}

function postgres() {
  assertInstalled('pg');
  return require('./postgres/engine.js') as typeof import('./postgres/engine.js');
}
