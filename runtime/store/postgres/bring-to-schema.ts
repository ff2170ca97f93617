// Brings a database to the schema the server was built with, as far as a start may; otherwise refuses and names the command.
import type { Schema } from '../../schema/schema.js';
import { refuseModuleNames, refuseNewer } from '../allowed.js';
import type { Migrate } from '../engine.js';
import { StartError } from '../start-error.js';
import type { Connections, Query } from './connections.js';
import { createModuleTables, createTables } from './migrate/create.js';
import { memoryOf, type Remembered, schemaIn } from './migrate/memory.js';

export interface AtStart {
  readonly connections: Connections;
  readonly schema: Schema;
  /** Statements that may be repeated, `CREATE TABLE IF NOT EXISTS ...`: the tables of modules. */
  readonly extraDdl: readonly string[];
  readonly migrate: Migrate;
  /** Epoch milliseconds. */
  readonly now: number;
}

/**
 * Creates the tables of a new database, leaves one with this schema alone, applies what is safe to an older one, and
 * refuses any other with StartError. Several servers may do so at the same time.
 */
export async function bringToSchema({ connections, ...start }: AtStart): Promise<void> {
  refuseModuleNames(start.schema, start.extraDdl);
  await connections.session(async (query) => {
    const memory = (await memoryOf(query)) ?? (await createTables(query, start));
    if (memory !== null) await bring(query, memory, start);
  });
}

async function bring(
  query: Query,
  memory: ReadonlyMap<Remembered, string>,
  { schema, extraDdl }: Omit<AtStart, 'connections'>,
): Promise<void> {
  const from = schemaIn(memory);
  if (JSON.stringify(from) === JSON.stringify(schema)) return createModuleTables(query, memory, extraDdl);
  refuseNewer(from, schema);
  throw new StartError('the database has an older schema: run `punchboard migrate apply`');
}
