// How a database differs from a schema: the plan, and the rows that prevent it. Only reads.
import type Database from 'better-sqlite3';
import type { Schema } from '../../../schema/schema.js';
import type { SqlitePlan } from '../../../schema/sqlite/plan.js';
import type { SqliteRisk } from '../../../schema/sqlite/risks.js';
import { refuseNewer } from '../../allowed.js';
import { type Counted, inTheWay, type Pending } from '../../schema-keeper.js';
import { StartError } from '../../start-error.js';
import { teachJsonSchema } from '../json-fits.js';
import { handMadeInTheWay } from './hand-made.js';
import { rememberedText } from './memory.js';

const NAMED = 10;
const NOTHING: SqlitePlan = { changes: [], risks: [], steps: [], drops: [] };

export interface SqlitePending extends Pending {
  readonly plan: SqlitePlan;
  readonly broken: readonly CountedRows[];
  /** Whether the database was last brought to another schema. */
  readonly changed: boolean;
}

type CountedRows = Counted & SqliteRisk;

/**
 * Null if the database is empty. Throws StartError if it belongs to another program or to a newer schema.
 * @param extraDdl statements that run after the steps: the tables of modules
 */
export function pendingOf(
  db: Database.Database,
  schema: Schema,
  extraDdl: readonly string[] = [],
): SqlitePending | null {
  const text = rememberedText(db);
  if (text === null) {
    refuseForeign(db);
    return null;
  }
  const wanted = JSON.stringify(schema);
  // As for most starts, which need not read it then.
  const from = text === wanted ? schema : (JSON.parse(text) as Schema);
  refuseNewer(from, schema);
  const changed = from !== schema && JSON.stringify(from) !== wanted;
  const plan = changed ? loadPlanner().planSqlite(from, schema) : NOTHING;
  if (plan.risks.length > 0) teachJsonSchema(db);
  const risks = plan.risks.map((risk) => counted(db, risk));
  const handMade = handMadeInTheWay(db, { from, to: schema, steps: plan.steps, extraDdl });
  return { from, plan, changed, risks, broken: risks.filter(inTheWay), handMade, offline: [] };
}

/** Most starts have nothing to plan. */
function loadPlanner() {
  return require('../../../schema/sqlite/plan.js') as typeof import('../../../schema/sqlite/plan.js');
}

function counted(db: Database.Database, risk: SqliteRisk): CountedRows {
  const count = db.prepare<[], number>(`SELECT count(*) FROM (${risk.rows})`).pluck().get() ?? 0;
  const ids = count === 0 ? [] : db.prepare<[], string>(`${risk.rows} ORDER BY "id" LIMIT ${NAMED}`).pluck().all();
  return { ...risk, count, ids };
}

function refuseForeign(db: Database.Database): void {
  const foreign = db.prepare<[], string>(`SELECT name FROM sqlite_schema WHERE name NOT LIKE 'sqlite!_%' ESCAPE '!'`);
  const [name] = foreign.pluck().all();
  if (name !== undefined) {
    throw new StartError(`the database holds ${name}, which this program did not create: choose another path`);
  }
}
