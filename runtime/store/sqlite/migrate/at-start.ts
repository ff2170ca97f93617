// Applies what a start may apply to a database with another schema, or with none.
import type Database from 'better-sqlite3';
import type { Schema } from '../../../schema/schema.js';
import { permitAtStart } from '../../migration-permits.js';
import type { StartOptions } from '../ensure-schema.js';
import { applyTo } from './apply.js';

/** Throws StartError for a migration that a start does not apply. @param now epoch milliseconds */
export function migrateAtStart(db: Database.Database, schema: Schema, now: number, start: StartOptions): void {
  const { extraDdl = [], migrate = 'safe', alone } = start;
  const permit = permitAtStart(migrate);
  let held: { close(): void } | undefined;
  try {
    applyTo(db, {
      ...{ schema, now, extraDdl },
      permit(pending) {
        permit(pending);
        if (pending.plan.steps.some((step) => step.class !== 'online')) held = alone?.();
      },
    });
  } finally {
    held?.close();
  }
}
