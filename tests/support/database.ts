// Access behind the engine's interface, for tests that read and write rows.
import type { Database } from 'better-sqlite3';
import type { Engine } from '../../runtime/store/engine.js';
import type { PostgresEngine } from '../../runtime/store/postgres/engine.js';
import type { SqliteEngine } from '../../runtime/store/sqlite/engine.js';

interface OverEngine {
  readonly engine: Engine;
}

/** The internals of an engine on SQLite. */
export function insideOf({ engine }: OverEngine): SqliteEngine {
  return engine as SqliteEngine;
}

/** The service's own connection on SQLite. */
export function databaseOf(service: OverEngine): Database {
  return insideOf(service).db;
}

type Value = string | number | null;
type Row = Readonly<Record<string, Value>>;

/** Runs a statement on either engine; each `?` is a parameter. @returns its rows */
export async function runSql(
  { engine }: OverEngine,
  text: string,
  ...values: readonly Value[]
): Promise<readonly Row[]> {
  if (!isOnPostgres(engine)) {
    const statement = (engine as SqliteEngine).db.prepare<Value[], Row>(text);
    if (statement.reader) return statement.all(...values);
    statement.run(...values);
    return [];
  }
  let count = 0;
  const { connections } = engine;
  return connections.query(connections.prepare(text.replaceAll('?', () => `$${++count}`)), values);
}

/** Another suite tests what survives a power cut. */
export function forgetPowerCuts({ engine }: OverEngine): void {
  if (!isOnPostgres(engine)) (engine as SqliteEngine).db.pragma('synchronous = OFF');
}

export function isOnPostgres(engine: Engine): engine is PostgresEngine {
  return 'connections' in engine;
}
