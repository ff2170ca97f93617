// Compares a database with a schema: the plan, and the rows that prevent it. Only reads.
import type Database from 'better-sqlite3';
import { type Adoption, adopt, foreignNumbers } from '../../../schema/adopt.js';
import { matchSchemas } from '../../../schema/match.js';
import type { Schema } from '../../../schema/schema.js';
import type { SqlitePlan, SqliteStep } from '../../../schema/sqlite/plan.js';
import { newValueSql, type SqliteRisk } from '../../../schema/sqlite/risks.js';
import { computedRisks } from '../../migrate/computed.js';
import { readMetadata } from '../../migrate/metadata.js';
import { countRisk, NO_STEPS } from '../../migrate/pending.js';
import { refuseNewer } from '../../migration-permits.js';
import { type CountedRisk, isBlocking, type PendingMigration } from '../../schema-migrator.js';
import { StartError } from '../../start-error.js';
import { runSync } from '../../unit.js';
import { registerJsonFunction } from '../json-function.js';
import { onSession, sessionOf } from '../session.js';
import { findManualConflicts } from './manual-objects.js';

export interface SqlitePending extends PendingMigration {
  readonly plan: SqlitePlan;
  /** A risk has the SQL of all its rows if SQL finds them. */
  readonly broken: readonly (CountedRisk & Partial<SqliteRisk>)[];
  /** Whether the database has another schema. */
  readonly changed: boolean;
  /** The match by names; null: the database was matched by numbers. */
  readonly adoption: Adoption | null;
}

/** The options of a plan. */
export interface PlanOptions {
  /** Statements that run after the steps: the tables of modules. */
  readonly extraDdl?: readonly string[];
  /** Matches the database by names, since another branch has migrated it. */
  readonly adopt?: boolean;
}

/** Null if the database is empty. Throws StartError if it belongs to another program or to a newer schema. */
export function pendingOf(db: Database.Database, schema: Schema, planning: PlanOptions = {}): SqlitePending | null {
  const text = onSession(readMetadata)(db)?.get('schema');
  if (text === undefined) {
    refuseForeign(db);
    return null;
  }
  const wanted = JSON.stringify(schema);
  // Most starts need not parse the schema, since it is equal.
  const stored = text === wanted ? schema : (JSON.parse(text) as Schema);
  if (!planning.adopt) refuseNewer(stored, schema);
  const changed = stored !== schema && JSON.stringify(stored) !== wanted;
  const adoption = planning.adopt && changed ? adopt(stored, schema) : null;
  const { from, to } = adoption ?? { from: stored, to: schema };
  const plan = changed ? planned(from, to, adoption) : NO_STEPS;
  if (plan.risks.length > 0) registerJsonFunction(db);
  const session = sessionOf(db);
  const risks = plan.risks.map((risk): CountedRisk => runSync(countRisk(session, risk, risk.rows)));
  if (changed) risks.push(...runSync(computedRisks(session, matchSchemas(from, to), newValueSql)));
  const manualConflicts = findManualConflicts(db, { from, to, steps: plan.steps, extraDdl: planning.extraDdl ?? [] });
  const foreign = adoption === null && changed ? foreignNumbers(from, to) : [];
  return {
    from,
    plan,
    changed,
    adoption,
    foreign,
    risks,
    broken: risks.filter(isBlocking),
    manualConflicts,
    offline: [],
  };
}

function planned(from: Schema, to: Schema, adoption: Adoption | null): SqlitePlan {
  const plan = loadPlanner().planSqlite(from, to);
  const names = adoption?.renumbered ?? [];
  if (names.length === 0) return plan;
  const first: SqliteStep = { class: 'online', says: `matched by name: ${names.join(', ')}`, sql: [] };
  return { ...plan, steps: [first, ...plan.steps] };
}

/** The planner is loaded on demand, since most starts have nothing to plan. */
function loadPlanner() {
  return require('../../../schema/sqlite/plan.js') as typeof import('../../../schema/sqlite/plan.js');
}

function refuseForeign(db: Database.Database): void {
  const foreign = db.prepare<[], string>(`SELECT name FROM sqlite_schema WHERE name NOT LIKE 'sqlite!_%' ESCAPE '!'`);
  const [name] = foreign.pluck().all();
  if (name !== undefined) {
    throw new StartError(`the database holds ${name}, which this program did not create: choose another path`);
  }
}
