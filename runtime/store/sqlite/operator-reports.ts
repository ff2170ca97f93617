// Accounts and the audit log of a SQLite database that is only read. Of one with an older schema either may be missing.
import type { AnyDefinition } from '../../definition.js';
import type { OperatorReports } from '../engine.js';
import { otherSchema } from '../start-error.js';
import { createAudits } from './audit.js';
import { sqliteCode } from './engine-error.js';
import { createAccounts } from './identity.js';
import { openForReading } from './open.js';

/** Throws StartError if there is no such database; its functions do if it lacks what they read. */
export function openSqliteOperatorReports(
  database: string,
  principal: AnyDefinition,
): OperatorReports & { close(): void } {
  const { db, close } = openForReading(database);
  return {
    accounts: (page) => known(() => createAccounts(db, principal)(page)),
    audits: (page) => known(() => createAudits(db)(page)),
    close,
  };
}

function known<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw sqliteCode(error) === 'SQLITE_ERROR' ? otherSchema(error as Error) : error;
  }
}
