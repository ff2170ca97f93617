// Writes entries of the audit log within a transaction of SQLite.
import type { NewAudit } from '../../contract/audit.js';
import type { AuditStatement } from '../audit-log.js';
import { immediately, type Queries } from '../unit.js';

/** Writes an entry as part of the caller's transaction. */
export type WriteAudit = (entry: NewAudit) => void;

export function createWriteAudit({ rows }: Pick<Queries, 'rows'>, statementOf: AuditStatement): WriteAudit {
  return (entry) => void immediately(rows(...statementOf(entry)));
}
