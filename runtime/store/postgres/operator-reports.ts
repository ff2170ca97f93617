// Accounts and the audit log of a PostgreSQL database that is only read. Of one with an older schema either may be missing.
import { DatabaseError } from 'pg';
import type { AnyDefinition } from '../../definition.js';
import type { OperatorReports } from '../engine.js';
import { otherSchema } from '../start-error.js';
import { createAudits } from './audit.js';
import type { Connections } from './connections.js';
import { createListings } from './identity.js';

/** Its functions throw StartError if the database lacks what they read. */
export function createOperatorReports(connections: Connections, principal: AnyDefinition): OperatorReports {
  const audits = createAudits(connections);
  const { accounts } = createListings((text) => {
    const statement = connections.prepare(text);
    return (...values) => connections.query(statement, values);
  }, principal);
  return {
    accounts: (page) => known(async () => accounts(page)),
    audits: (page) => known(() => audits(page)),
  };
}

/** What PostgreSQL says of a table or a column that does not exist. */
const UNDEFINED = ['42P01', '42703'];

async function known<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    throw error instanceof DatabaseError && UNDEFINED.includes(error.code ?? '') ? otherSchema(error) : error;
  }
}
