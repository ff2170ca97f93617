// Compares a database with a schema: the plan, and the rows that prevent it. Only reads.
import { type Adoption, adopt, foreignNumbers } from '../../../schema/adopt.js';
import { matchSchemas } from '../../../schema/match.js';
import type { Change, Plan, SchemaStep } from '../../../schema/plan.js';
import { adoptionSteps } from '../../../schema/postgres/adopt.js';
import { planPostgres } from '../../../schema/postgres/plan.js';
import { newValueSql, type PostgresRisk } from '../../../schema/postgres/risks.js';
import type { PostgresStep } from '../../../schema/postgres/steps.js';
import type { Schema } from '../../../schema/schema.js';
import { computedRisks } from '../../migrate/computed.js';
import { countRisk, MAX_NAMED_ROWS, NO_STEPS } from '../../migrate/pending.js';
import { refuseNewer } from '../../migration-permits.js';
import { type CountedRisk, isBlocking, type PendingMigration } from '../../schema-migrator.js';
import { StartError } from '../../start-error.js';
import { runAsync } from '../../unit.js';
import type { Query } from '../connections.js';
import { sessionOf } from '../session.js';
import { isDistributed } from './distribute.js';
import { adoptDropped } from './dropped.js';
import { findInvalidRows } from './json-check.js';
import { findManualConflicts } from './manual-objects.js';
import { type Metadata, schemaIn } from './metadata.js';

/** A migration that was begun: its steps stay the same until the last is done, whichever server continues it. */
export interface Migration {
  readonly schema: Schema;
  readonly steps: readonly PostgresStep[];
  readonly changes: readonly Change[];
  readonly risks: readonly CountedRisk[];
  readonly drops: readonly string[];
  /** The database was matched by names: afterwards it has the revision of the schema instead of its own. */
  readonly adopts?: true;
}

export interface PostgresPending extends PendingMigration {
  readonly plan: Steps;
  readonly adopts?: true;
}

interface Steps extends Plan {
  readonly steps: readonly PostgresStep[];
}

/**
 * Throws StartError if the database has a newer schema, or if a migration to another schema was begun and is not finished.
 * @param adopts matches the database by names, since another branch has migrated it
 */
export async function pendingOf(
  query: Query,
  metadata: Metadata,
  schema: Schema,
  adopts = false,
): Promise<PostgresPending> {
  const stored = schemaIn(metadata);
  const begun = migrationIn(metadata);
  if (begun !== null) return continued(stored, schema, { begun, done: stepsDone(metadata) });
  if (!adopts) refuseNewer(stored, schema);
  const adoption = adopts ? adopt(stored, schema) : null;
  const { from, to } = adoption ?? { from: stored, to: schema };
  const plan = isSame(stored, schema) ? NO_STEPS : planPostgres(from, to, { distributed: await isDistributed(query) });
  const first = adoption === null ? [] : await adopting(query, stored, adoption);
  const risks: CountedRisk[] = [];
  for (const risk of plan.risks) risks.push(await countRiskRows(query, risk));
  if (plan !== NO_STEPS)
    risks.push(...(await runAsync(computedRisks(sessionOf(query), matchSchemas(from, to), newValueSql))));
  const manualConflicts = plan.steps.length === 0 ? [] : await findManualConflicts(query, from, to);
  const broken = risks.filter(isBlocking);
  const steps = [...first, ...plan.steps];
  const foreign = adoption === null ? foreignNumbers(from, to) : [];
  const pending = {
    from,
    plan: { ...plan, steps },
    risks,
    broken,
    manualConflicts,
    foreign,
    offline: offlineOf(steps),
  };
  return adopts ? { ...pending, adopts: true } : pending;
}

async function adopting(query: Query, before: Schema, adoption: Adoption): Promise<readonly PostgresStep[]> {
  const { renumbered } = adoption;
  if (renumbered.length === 0) return [];
  return adoptionSteps({
    ...{ before, now: adoption.from, says: `matched by name: ${renumbered.join(', ')}` },
    sql: await adoptDropped(query, adoption),
    triggers: !(await isDistributed(query)),
  });
}

export function isSame(one: Schema, other: Schema): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

export function migrationIn(metadata: Metadata): Migration | null {
  const text = metadata.get('migration');
  return text === undefined ? null : (JSON.parse(text) as Migration);
}

export function stepsDone(metadata: Metadata): number {
  return Number(metadata.get('steps_done') ?? 0);
}

/** True if servers of the previous version keep working during every step. */
export function isOnline(steps: readonly SchemaStep[]): boolean {
  return offlineOf(steps).length === 0;
}

function offlineOf<S extends SchemaStep>(steps: readonly S[]): readonly S[] {
  return steps.filter((step) => step.class !== 'online' && !step.beside);
}

interface Begun {
  readonly begun: Migration;
  readonly done: number;
}

/** Continuing needs the same permissions again; the rows were counted before the first step. */
function continued(from: Schema, schema: Schema, { begun, done }: Begun): PostgresPending {
  const { changes, drops, risks } = begun;
  if (!isSame(begun.schema, schema)) {
    throw new StartError(
      `a migration to another schema (revision ${begun.schema.revision}) was begun and is not finished: ` +
        'run `punchboard migrate apply` of the version that began it',
    );
  }
  const broken = risks.filter(isBlocking);
  const steps = begun.steps.slice(done);
  const plan = { changes, risks, drops, steps };
  return { from, plan, risks, broken, manualConflicts: [], foreign: [], offline: offlineOf(steps) };
}

async function countRiskRows(query: Query, risk: PostgresRisk): Promise<CountedRisk> {
  const { rows, jsonCheck, ...rest } = risk;
  if (jsonCheck !== null) {
    const ids = (await findInvalidRows(query, rows, jsonCheck)).map(({ id }) => String(id)).sort();
    return { ...rest, count: ids.length, ids: ids.slice(0, MAX_NAMED_ROWS) };
  }
  return runAsync(countRisk(sessionOf(query), rest, rows));
}
