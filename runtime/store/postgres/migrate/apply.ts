// Applies a pending migration step by step, so that another migrator can continue after one was killed. The caller decides what
// may be applied.

import { ServiceError } from '../../../contract/errors.js';
import type { SchemaStep } from '../../../schema/plan.js';
import type { PostgresStep } from '../../../schema/postgres/steps.js';
import type { Schema } from '../../../schema/schema.js';
import { refuseModuleNames } from '../../engine-tables.js';
import { assertPermitted, stepCounter } from '../../migrate/pending.js';
import type { Progress } from '../../progress.js';
import type { PendingMigration } from '../../schema-migrator.js';
import { StartError } from '../../start-error.js';
import type { Connections, Query } from '../connections.js';
import { CREATION, createModuleTables, createTables, runModules } from './create.js';
import { changeShardsInTurn, distribute, hasAddedTables, refuseWithoutCitus } from './distribute.js';
import { watchRestoredColumns } from './dropped.js';
import { type Lease, type LeaseRequest, MigrationInProgress, withLease } from './lease.js';
import { deleteMetadata, type Metadata, putMetadata, readMetadata, recordStep, schemaIn } from './metadata.js';
import { endOutdated } from './older-servers.js';
import { isOnline, isSame, migrationIn, type PostgresPending, pendingOf, stepsDone } from './pending.js';
import { runStep } from './steps.js';
import { codeOf, transaction } from './transaction.js';

export interface MigrationTarget {
  readonly connections: Connections;
  readonly schema: Schema;
  /** Epoch milliseconds at the beginning. */
  readonly now: number;
  /** Milliseconds of a monotonic clock. */
  readonly tick: () => number;
  /** Repeatable statements for the tables of modules, `CREATE TABLE IF NOT EXISTS ...`. */
  readonly extraDdl: readonly string[];
  /** The unique name of this migrator in messages to others. */
  readonly holder: string;
  /** Throws if the plan must not be applied. Called before anything changes. */
  readonly permit: (pending: PendingMigration) => void;
  /** Distributes the tables over the nodes of Citus afterwards; tables added to distributed ones are always distributed. */
  readonly distribute?: boolean;
  /** Matches the database by names, since another branch has migrated it. */
  readonly adopt?: boolean;
  /** Called in the last transaction with the steps that were applied. */
  readonly applied?: (query: Query, steps: readonly SchemaStep[]) => Promise<void>;
  /** Undefined: nobody watches. */
  readonly progress?: Progress | undefined;
  /** Called around every commit, with its number; for tests that kill the process there. */
  readonly onStep?: (step: number) => void;
}

/**
 * Migrates a database to a schema, creating all tables of an empty database. Returns the steps that were applied. Throws
 * StartError while another migrator is at work.
 */
export async function applyTo(query: Query, target: MigrationTarget): Promise<readonly SchemaStep[]> {
  refuseModuleNames(target.schema, target.extraDdl);
  if (target.distribute) await refuseWithoutCitus(query);
  await changeShardsInTurn(query);
  const applied = await migrateOrCreate(query, target);
  return target.distribute || (await hasAddedTables(query))
    ? [...applied, ...(await withLease(query, taking(target), (lease) => spread(query, target, lease)))]
    : applied;
}

async function migrateOrCreate(query: Query, target: MigrationTarget): Promise<readonly SchemaStep[]> {
  const { schema, extraDdl } = target;
  const metadata = (await readMetadata(query)) ?? (await createTables(query, target));
  if (metadata === null) return [CREATION];
  if (isSame(schemaIn(metadata), schema) && migrationIn(metadata) === null) {
    await createModuleTables(query, metadata, extraDdl);
    // A killed migrator may not have done this.
    await endOutdated(query, metadata);
    return [];
  }
  return withLease(query, taking(target), (lease) => migrate(query, { ...target, lease }));
}

function taking({ connections, holder, now, tick }: MigrationTarget): LeaseRequest {
  const started = tick();
  return { connections, holder, clock: () => now + Math.round(tick() - started) };
}

async function spread(query: Query, { now }: MigrationTarget, lease: Lease): Promise<readonly SchemaStep[]> {
  const steps = await distribute(query, () => lease.renew(query));
  for (const step of steps) await recordStep(query, step, now);
  return steps;
}

interface MigrationRun extends MigrationTarget {
  readonly lease: Lease;
}

async function migrate(query: Query, target: MigrationRun): Promise<readonly SchemaStep[]> {
  const { lease, now, progress } = target;
  // Another migrator may have finished the migration before the lease was taken.
  const metadata = (await readMetadata(query)) as Metadata;
  const pending = await pendingOf(query, metadata, target.schema, target.adopt);
  assertPermitted(target, pending);
  if (migrationIn(metadata) === null) await transaction(query, () => begin(query, pending, target));
  const onStep = stepCounter(target.onStep);
  onStep();
  const running = { query, lease, schema: target.schema, now, progress, onStep };
  for (const [at, step] of pending.plan.steps.entries()) {
    await explaining(step, () =>
      runStep(step, running, async () => {
        await recordStep(query, step, now);
        await putMetadata(query, 'steps_done', String(stepsDone(metadata) + at + 1));
      }),
    );
  }
  await transaction(query, async () => {
    await finish(query, metadata, target);
    await target.applied?.(query, pending.plan.steps);
  });
  onStep();
  await endOutdated(query, metadata);
  return pending.plan.steps;
}

async function begin(query: Query, pending: PostgresPending, { schema, lease }: MigrationRun): Promise<void> {
  await lease.renew(query);
  const { plan, risks, adopts } = pending;
  await putMetadata(query, 'migration', JSON.stringify({ schema, ...plan, risks, adopts }));
  await putMetadata(query, 'steps_done', '0');
}

async function finish(query: Query, before: Metadata, { schema, extraDdl, now, lease }: MigrationRun): Promise<void> {
  await lease.renew(query);
  const metadata = (await readMetadata(query)) as Metadata;
  const { steps = [], adopts = false } = migrationIn(metadata) ?? {};
  if (metadata.get('extra_ddl') !== JSON.stringify(extraDdl)) {
    await runModules(query, extraDdl, 'the tables are migrated, but the last step is missing');
  }
  if (adopts || !isOnline(steps)) await putMetadata(query, 'lowest_revision', String(schema.revision));
  if (!isSame(schemaIn(before), schema)) await putMetadata(query, 'schema', JSON.stringify(schema));
  await watchRestoredColumns(query, schema, now);
  await putMetadata(query, 'brought_at', String(now));
  await deleteMetadata(query, 'migration');
  await deleteMetadata(query, 'steps_done');
}

/** Explains the failure of a step that could not be foreseen: rows that servers wrote meanwhile, or something added by hand. */
async function explaining(step: PostgresStep, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    // Another migrator is at work now: there is nothing to put right.
    if (error instanceof MigrationInProgress || error instanceof ServiceError) throw error;
    if (codeOf(error) === '' && !(error instanceof StartError)) throw error;
    throw new StartError(
      `stopped before the step "${step.says}" (${(error as Error).message}): ` +
        'put that right and run the command again, which goes on from there',
    );
  }
}
