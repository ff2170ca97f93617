// Brings a database to the schema the server was built with, as far as a start may; otherwise refuses and names the command.
import type Database from 'better-sqlite3';
import type { Schema } from '../../schema/schema.js';
import type { Migrate } from '../engine.js';
import { brokenText, type Pending } from '../schema-keeper.js';
import { StartError } from '../start-error.js';
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
    refuse(pending, migrate);
    if (pending.plan.steps.some((step) => step.class !== 'online')) held = alone?.();
  };
  try {
    applyTo(db, { schema, now, extraDdl, permit });
  } finally {
    held?.close();
  }
}

function refuse({ plan, broken }: Pending, migrate: Migrate): void {
  const reasons = broken.map((one) => `${brokenText(one)}: ${one.remedy}`);
  if (plan.drops.length > 0) {
    const allowed = plan.drops.map((name) => ` --allow drop:${name}`).join('');
    reasons.push(`the schema drops ${plan.drops.join(', ')}: run \`punchboard migrate apply${allowed}\``);
  } else if (broken.length === 0 && migrate === 'none' && plan.steps.length > 0) {
    reasons.push('the database has an older schema, and a start may not change it: run `punchboard migrate apply`');
  }
  if (reasons.length > 0) throw new StartError(`${reasons.join('; ')} (\`punchboard migrate plan\` shows all of it)`);
}
