// Migrates a database to the server's schema, as far as a start may; otherwise refuses, naming the command to run.
import type Database from 'better-sqlite3';
import type { Schema } from '../../schema/schema.js';
import type { Migrate } from '../engine.js';
import { refuseModuleNames } from '../engine-tables.js';
import { readMetadata } from '../migrate/metadata.js';
import { onSession } from './session.js';
import { createModuleTables } from './tables.js';

export interface StartOptions {
  readonly extraDdl?: readonly string[];
  readonly migrate?: Migrate;
  /** Locks servers out while more than additions are applied; throws StartError. The owner needs no such lock. */
  readonly alone?: () => { close(): void };
}

/**
 * Creates the tables of a new database, leaves a database with this schema alone, applies safe changes to an older one, and
 * refuses any other with StartError. All in one transaction.
 * @param now epoch milliseconds
 */
export function ensureSchema(db: Database.Database, schema: Schema, now: number, start: StartOptions = {}): void {
  // Most starts end here, without loading the modules that plan, permit and apply a migration.
  if (onSession(readMetadata)(db)?.get('schema') === JSON.stringify(schema)) {
    const { extraDdl = [] } = start;
    refuseModuleNames(schema, extraDdl);
    db.transaction(() => createModuleTables(db, extraDdl)).immediate();
    return;
  }
  const { migrateAtStart } = require('./migrate/at-start.js') as typeof import('./migrate/at-start.js');
  migrateAtStart(db, schema, now, start);
}
