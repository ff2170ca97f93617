// The audit log on every engine. All entries are on one shard.

import type { NewAudit } from '../contract/audit.js';
import type { Row } from '../contract/definition.js';
import type { Ids } from '../contract/ids.js';
import type { MaybePromise } from '../contract/maybe-promise.js';
import type { AuditEntry, AuditLog, AuditPage } from './audit.js';
import { allOf } from './sql/conditions.js';
import type { Dialect } from './sql/dialect.js';
import type { BoundStatement, Database } from './unit.js';

/** The placement of all entries: the first characters of their ids. */
const AUDIT_PLACEMENT = '00';

/** The most entries that one step of `pruneAudits` deletes. */
const AUDIT_STEP = 500;

/** The statement that writes an entry, with its values. */
export type AuditStatement = (entry: NewAudit) => BoundStatement;

export function createAuditStatement(dialect: Dialect, ids: Ids): AuditStatement {
  const { insert } = auditStatements(dialect);
  return ({ author, now, action, resource, record, before, after }) => [
    insert,
    {
      ...{ placement: AUDIT_PLACEMENT, id: ids.next(AUDIT_PLACEMENT, now), at: now },
      ...{ user_id: author.user, name: author.name, action, resource, record_id: record },
      ...{ before: before && JSON.stringify(before), after: after && JSON.stringify(after) },
    },
  ];
}

export function createAuditLog(database: Database, statementOf: AuditStatement): AuditLog {
  const { prune } = auditStatements(database.dialect);
  return {
    audit: async (entry) => void (await database.write(...statementOf(entry))),
    audits: createAudits(database),
    pruneAudits: async (before) =>
      (await database.write(prune, { placement: AUDIT_PLACEMENT, before })).length === AUDIT_STEP,
  };
}

/** Only reads. */
export function createAudits({ read, dialect }: Database): (page: AuditPage) => MaybePromise<readonly AuditEntry[]> {
  const { page } = auditStatements(dialect);
  return ({ after, limit, record, name }) =>
    read(function* (queries) {
      const rows = yield* queries.rows(page, { placement: AUDIT_PLACEMENT, after, limit, record, name });
      return rows.map(parsed);
    });
}

function parsed({ before, after, ...entry }: Row): AuditEntry {
  const valuesOf = (text: Row[string] = null) => (text === null ? null : JSON.parse(String(text)));
  return { ...(entry as unknown as AuditEntry), before: valuesOf(before), after: valuesOf(after) };
}

export function auditStatements(dialect: Dialect) {
  const placed = dialect.placed('a', '@placement');
  const columns = ['id', 'at', 'user_id', 'name', 'action', 'resource', 'record_id', 'before', 'after'];
  const ifBound = (parameter: string, condition: string) => `(${dialect.text(parameter)} IS NULL OR ${condition})`;
  const conditions = [
    placed,
    ifBound('@after', 'a.id < @after'),
    ifBound('@record', 'a.record_id = @record'),
    ifBound('@name', 'a.name = @name'),
  ];
  const old = `SELECT a.id FROM audit_entry a WHERE ${allOf([placed, 'a.at < @before'])} ORDER BY a.id LIMIT ${AUDIT_STEP}`;
  return {
    insert: dialect.insertInto('audit_entry', columns),
    page:
      'SELECT a.id, a.at, a.user_id AS "user", a.name, a.action, a.resource, a.record_id AS record, a.before, a.after ' +
      `FROM audit_entry a WHERE ${allOf(conditions)} ORDER BY a.id DESC LIMIT @limit`,
    prune: `DELETE FROM audit_entry AS a WHERE ${allOf([placed, `a.id IN (${old})`])} RETURNING id`,
  };
}
