// Applies a pending migration in one transaction, so that the database is unchanged if the process is killed at any step. The
// caller decides what may be applied.
import type Database from 'better-sqlite3';
import { matchSchemas } from '../../../schema/match.js';
import type { Schema } from '../../../schema/schema.js';
import { sqliteDdl } from '../../../schema/sqlite/ddl.js';
import type { SqliteStep } from '../../../schema/sqlite/plan.js';
import { refuseModuleNames } from '../../engine-tables.js';
import { assertPermitted, stepCounter } from '../../migrate/pending.js';
import { type Progress, withProgress, withSingleStepProgress } from '../../progress.js';
import type { PendingMigration } from '../../schema-migrator.js';
import { StartError } from '../../start-error.js';
import { createModuleTables } from '../tables.js';
import { adoptDropped, keepDropped } from './dropped.js';
import { registerFillFunctions } from './functions.js';
import { dropManualObjects, listManualObjects, recreateManualObjects } from './manual-objects.js';
import { storeSchema } from './metadata.js';
import { pendingOf } from './pending.js';
import { stopWatching, watchWrites } from './written.js';

export interface MigrationTarget {
  readonly schema: Schema;
  /** Epoch milliseconds. */
  readonly now: number;
  /** Repeatable statements for the tables of modules, `CREATE TABLE IF NOT EXISTS ...`. */
  readonly extraDdl: readonly string[];
  /** Matches the database by names, since another branch has migrated it. */
  readonly adopt?: boolean;
  /** Throws if the plan must not be applied. Called in the transaction, before anything changes. */
  readonly permit: (pending: PendingMigration) => void;
  /** Called in the transaction with the steps that were applied, once the tables exist. */
  readonly applied?: (steps: readonly SqliteStep[]) => void;
  /** Undefined: nobody watches. */
  readonly progress?: Progress | undefined;
  /** Called after every statement, with its number; for tests that kill the process there. */
  readonly onStep?: (step: number) => void;
}

/** Migrates a database to a schema, creating all tables of an empty database. Returns the steps that were applied. */
export function applyTo(db: Database.Database, target: MigrationTarget): readonly SqliteStep[] {
  refuseModuleNames(target.schema, target.extraDdl);
  registerFillFunctions(db, target.schema);
  const countStep = stepCounter(target.onStep);
  return withoutForeignKeys(db, () => {
    const migrate = db.transaction(() => migrateTo(db, target, countStep));
    const steps = migrate.immediate();
    countStep();
    return steps;
  });
}

function migrateTo(db: Database.Database, target: MigrationTarget, countStep: () => void): readonly SqliteStep[] {
  const { progress } = target;
  const pending = pendingOf(db, target.schema, target);
  const steps = pending === null ? [creationStep(target.schema)] : pending.plan.steps;
  if (pending !== null) assertPermitted(target, pending);
  countStep();
  const changed = pending === null || pending.changed;
  if (pending !== null && changed) {
    stopWatching(db, pending.from);
    if (pending.adoption !== null) adoptDropped(db, pending.adoption);
    const to = pending.adoption?.to ?? target.schema;
    const keep = (): void => keepDropped(db, matchSchemas(pending.from, to), target.now, countStep);
    if (pending.plan.drops.length > 0) withSingleStepProgress(progress, 'dropped values kept aside', keep);
    else keep();
  }
  const rebuilt = steps.some((step) => step.class !== 'online');
  const added = rebuilt && pending !== null ? listManualObjects(db, pending.from) : [];
  dropManualObjects(db, added);
  for (const { says, sql } of steps) {
    withProgress(progress, { label: says, total: sql.length }, () => {
      for (const one of sql) {
        db.exec(one);
        countStep();
        progress?.advance(1);
      }
    });
  }
  for (const sql of target.extraDdl) {
    createModuleTables(db, [sql]);
    countStep();
  }
  recreateManualObjects(db, added);
  if (rebuilt) checkReferences(db);
  if (changed) {
    storeSchema(db, target.schema, steps, target.now);
    watchWrites(db, target.schema);
    target.applied?.(steps);
  }
  countStep();
  return steps;
}

function creationStep(schema: Schema): SqliteStep {
  return { class: 'online', says: 'all tables: created', sql: sqliteDdl(schema) };
}

/**
 * Foreign keys are off for the whole transaction, and on again afterwards, even if it fails. With them on, rebuilding a table
 * would silently delete the rows of its children; and inside a transaction the pragma has no effect.
 */
function withoutForeignKeys<T>(db: Database.Database, work: () => T): T {
  db.exec('PRAGMA foreign_keys = OFF');
  // With this setting, renames also update the references of other tables, including those of modules.
  db.exec('PRAGMA legacy_alter_table = OFF');
  try {
    if (db.prepare('PRAGMA foreign_keys').pluck().get() !== 0) {
      throw new Error('foreign keys cannot be switched off: a transaction is open');
    }
    return work();
  } finally {
    db.exec('PRAGMA foreign_keys = ON');
  }
}

interface Violation {
  readonly table: string;
  readonly parent: string;
}

function checkReferences(db: Database.Database): void {
  const broken = db.prepare<[], Violation>('PRAGMA foreign_key_check').all();
  const [first] = broken;
  if (first === undefined) return;
  const rows = `${broken.length} ${broken.length === 1 ? 'row' : 'rows'}`;
  throw new StartError(
    `${rows} would refer to nothing, the first from ${first.table} to ${first.parent}: nothing was changed`,
  );
}
