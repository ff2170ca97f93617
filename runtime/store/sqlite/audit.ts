// Writes entries of the audit log within a transaction of SQLite.
import type { NewAudit } from '../../contract/audit.js';
import type { AuditStatement } from '../audit-log.js';
import { type Queries, runSync } from '../unit.js';

/** Writes an entry as part of the caller's transaction. */
export type WriteAudit = (entry: NewAudit) => void;

export function createWriteAudit({ rows }: Pick<Queries, 'rows'>, statementOf: AuditStatement): WriteAudit {
  return (entry) => void runSync(rows(...statementOf(entry)));
}
