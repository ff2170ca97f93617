// Brings a database to the schema the server was built with, as far as a start may; otherwise refuses and names the command.
import type Database from 'better-sqlite3';
import type { Schema } from '../../schema/schema.js';
import { starting } from '../allowed.js';
import type { Migrate } from '../engine.js';
import type { Pending } from '../schema-keeper.js';
import { applyTo } from './migrate/apply.js';

export interface AtStart {
  readonly extraDdl?: readonly string[];
  readonly migrate?: Migrate;
  /** Keeps servers out while more than additions are applied; throws StartError. The owner needs none. */
  readonly alone?: () => { close(): void };
}

/**
 * Creates the tables of a new database, leaves one with this schema alone, applies what is safe to an older one, and
 * refuses any other with StartError. All in one transaction.
 * @param now epoch milliseconds
 */
export function bringToSchema(db: Database.Database, schema: Schema, now: number, start: AtStart = {}): void {
  const { extraDdl = [], migrate = 'safe', alone } = start;
  let held: { close(): void } | undefined;
  const permit = (pending: Pending): void => {
    starting(migrate)(pending);
    if (pending.plan.steps.some((step) => step.class !== 'online')) held = alone?.();
  };
  try {
    applyTo(db, { schema, now, extraDdl, permit });
  } finally {
    held?.close();
  }
}
