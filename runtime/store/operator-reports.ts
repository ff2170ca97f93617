// Accounts and the audit log of a database that is only read. A database with an older schema may lack either.
import type { AnyDefinition } from '../contract/definition.js';
import { createAudits } from './audit-log.js';
import type { OperatorReports } from './commands.js';
import { createAccounts } from './identity.js';
import { otherSchema } from './start-error.js';
import type { Database } from './unit.js';

/** Its functions throw StartError if the database lacks what they read. @param isUnknown whether an error says that it does */
export function createOperatorReports(
  database: Database,
  principal: AnyDefinition,
  isUnknown: (error: unknown) => boolean,
): OperatorReports {
  const known = async <T>(read: () => T): Promise<Awaited<T>> => {
    try {
      return await read();
    } catch (error) {
      throw isUnknown(error) ? otherSchema(error as Error) : error;
    }
  };
  return {
    accounts: (page) => known(() => createAccounts(database, principal)(page)),
    audits: (page) => known(() => createAudits(database)(page)),
  };
}
