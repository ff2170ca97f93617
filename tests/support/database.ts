// Looks behind the engine's interface: the connection of a service on SQLite, for tests that read and write rows.
import type { Database } from 'better-sqlite3';
import type { Engine } from '../../runtime/store/engine.js';
import type { SqliteEngine } from '../../runtime/store/sqlite/engine.js';

/** What is behind the interface of an engine on SQLite. */
export function insideOf({ engine }: { readonly engine: Engine }): SqliteEngine {
  return engine as SqliteEngine;
}

/** The service's own connection. */
export function databaseOf(service: { readonly engine: Engine }): Database {
  return insideOf(service).db;
}
