// Reports on accounts, API keys and the audit log of a database that is only read. An older schema may lack any of them.
import { createAudits } from './audit-log.js';
import type { OperatorAccess, OperatorReports } from './commands.js';
import { createAccounts, createUserKeys } from './identity.js';
import { otherSchema } from './start-error.js';
import type { Database } from './unit.js';

/** The reports throw StartError if the schema lacks their tables or columns. @param isUnknown whether an error says so */
export function createOperatorReports(
  database: Database,
  { principal, apiKeys }: OperatorAccess,
  isUnknown: (error: unknown) => boolean,
): OperatorReports {
  const explaining = async <T>(read: () => T): Promise<Awaited<T>> => {
    try {
      return await read();
    } catch (error) {
      throw isUnknown(error) ? otherSchema(error as Error) : error;
    }
  };
  const keys = createUserKeys(database, principal, apiKeys);
  return {
    keys: keys && ((username) => explaining(() => keys(username))),
    accounts: (page) => explaining(() => createAccounts(database, principal)(page)),
    audits: (page) => explaining(() => createAudits(database)(page)),
  };
}
