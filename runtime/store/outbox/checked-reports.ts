// Reports on the web hooks of a database that is only read, and whose schema may be an older one.
import { explainUnknown, type IsUnknown } from '../operator-reports.js';
import type { HookReports } from '../outbox.js';
import type { Database } from '../unit.js';
import { createReports, reportStatements } from './reports.js';

/** Throws StartError if the schema lacks tables or columns of the reports. */
export async function createCheckedReports(database: Database, isUnknown: IsUnknown): Promise<HookReports> {
  const explaining = explainUnknown(isUnknown);
  for (const sql of Object.values(reportStatements(database.dialect)))
    await explaining(() => database.read((queries) => queries.rows(sql, ABOUT_NO_HOOK)));
  return createReports(database);
}

const ABOUT_NO_HOOK = {
  ...{ placement: '', id: '', hook: '', delivery: '' },
  ...{ from: 0, below: 0, paused: 0, after: null, failures: 0, states: [], limit: 0, user: '' },
  ...{ most: 0, open: 1, over: 1, at: 0, before: '', last: '' },
};
