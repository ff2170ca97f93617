// Writes entries of the audit log within a transaction of PostgreSQL.

import type { NewAudit } from '../../contract/audit.js';
import { memoize } from '../../contract/memoize.js';
import type { AuditStatement } from '../audit-log.js';
import type { Connections } from './connections.js';
import { prepareNamed, type Query, run } from './database.js';

/** Writes an entry as part of the transaction of `query`. */
export type WriteAudit = (query: Query, entry: NewAudit) => Promise<void>;

export function createWriteAudit(connections: Connections, statementOf: AuditStatement): WriteAudit {
  const prepare = memoize((sql: string) => prepareNamed(connections, sql));
  return async (query, entry) => {
    const [sql, values] = statementOf(entry);
    await run(query, prepare(sql)(values));
  };
}
