// Compares a database with a schema: the plan, and the rows that prevent it. Only reads.
import type Database from 'better-sqlite3';
import { type Adoption, adopt, foreignNumbers } from '../../../schema/adopt.js';
import { matchSchemas } from '../../../schema/match.js';
import type { Schema } from '../../../schema/schema.js';
import type { SqlitePlan, SqliteStep } from '../../../schema/sqlite/plan.js';
import { carried, type SqliteRisk } from '../../../schema/sqlite/risks.js';
import { refuseNewer } from '../../allowed.js';
import { computedRisks } from '../../migrate/computed.js';
import { memoryOf } from '../../migrate/memory.js';
import { countRisk, NO_STEPS } from '../../migrate/pending.js';
import { type CountedRisk, inTheWay, type PendingMigration } from '../../schema-keeper.js';
import { StartError } from '../../start-error.js';
import { immediately } from '../../unit.js';
import { teachJsonSchema } from '../json-fits.js';
import { onSession, sessionOf } from '../session.js';
import { handMadeInTheWay } from './hand-made.js';

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
  const text = onSession(memoryOf)(db)?.get('schema');
  if (text === undefined) {
    refuseForeign(db);
    return null;
  }
  const wanted = JSON.stringify(schema);
  // Most starts need not parse the schema, since it is equal.
  const remembered = text === wanted ? schema : (JSON.parse(text) as Schema);
  if (!planning.adopt) refuseNewer(remembered, schema);
  const changed = remembered !== schema && JSON.stringify(remembered) !== wanted;
  const adoption = planning.adopt && changed ? adopt(remembered, schema) : null;
  const { from, to } = adoption ?? { from: remembered, to: schema };
  const plan = changed ? planned(from, to, adoption) : NO_STEPS;
  if (plan.risks.length > 0) teachJsonSchema(db);
  const session = sessionOf(db);
  const risks = plan.risks.map((risk): CountedRisk => immediately(countRisk(session, risk, risk.rows)));
  if (changed) risks.push(...immediately(computedRisks(session, matchSchemas(from, to), carried)));
  const handMade = handMadeInTheWay(db, { from, to, steps: plan.steps, extraDdl: planning.extraDdl ?? [] });
  const foreign = adoption === null && changed ? foreignNumbers(from, to) : [];
  return { from, plan, changed, adoption, foreign, risks, broken: risks.filter(inTheWay), handMade, offline: [] };
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
