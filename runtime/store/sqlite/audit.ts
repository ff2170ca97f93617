// The audit log in SQLite.
import type Database from 'better-sqlite3';
import type { Ids } from '../../ids.js';
import {
  AUDIT_PLACEMENT,
  AUDIT_STEP,
  type AuditEntry,
  type AuditLog,
  type AuditPage,
  type NewAudit,
} from '../audit.js';

/** The table, as a statement that may be run at every start. Dates are epoch milliseconds. */
export const AUDIT_TABLE = `
CREATE TABLE IF NOT EXISTS audit_entry (
  id TEXT PRIMARY KEY,
  at INTEGER NOT NULL,
  user_id TEXT,
  name TEXT NOT NULL,
  action TEXT NOT NULL,
  resource TEXT,
  record_id TEXT,
  before TEXT,
  after TEXT
) STRICT, WITHOUT ROWID;
`;

/** Writes an entry, as part of the caller's transaction. */
export type WriteAudit = (entry: NewAudit) => void;

export function createWriteAudit(db: Database.Database, ids: Ids): WriteAudit {
  const insert = db.prepare(
    `INSERT INTO audit_entry (id, at, user_id, name, action, resource, record_id, before, after)
     VALUES (@id, @now, @user, @name, @action, @resource, @record, @before, @after)`,
  );
  return ({ author: { user, name }, now, action, resource, record, before, after }) => {
    const id = ids.next(AUDIT_PLACEMENT, now);
    const values = { before: before && JSON.stringify(before), after: after && JSON.stringify(after) };
    insert.run({ id, now, user, name, action, resource, record, ...values });
  };
}

export interface AuditParts {
  readonly db: Database.Database;
  readonly write: WriteAudit;
  /** Runs one write in the queue of `db`; resolves when it is durable. */
  readonly submit: <T>(work: () => T) => Promise<T>;
}

type Stored = Omit<AuditEntry, 'before' | 'after'> & { readonly before: string | null; readonly after: string | null };

export function createAuditLog({ db, write, submit }: AuditParts): AuditLog {
  const prune = db.prepare<[number]>(
    `DELETE FROM audit_entry WHERE id IN (SELECT id FROM audit_entry WHERE at < ? ORDER BY id LIMIT ${AUDIT_STEP})`,
  );
  return {
    audit: (entry) => submit(() => write(entry)),
    audits: createAudits(db),
    pruneAudits: (before) => submit(() => prune.run(before).changes === AUDIT_STEP),
  };
}

/** Only reads. */
export function createAudits(db: Database.Database): (page: AuditPage) => readonly AuditEntry[] {
  const page = db.prepare<object, Stored>(
    `SELECT id, at, user_id AS user, name, action, resource, record_id AS record, before, after FROM audit_entry
     WHERE (@after IS NULL OR id < @after) AND (@record IS NULL OR record_id = @record) AND (@name IS NULL OR name = @name)
     ORDER BY id DESC LIMIT @limit`,
  );
  return (wanted) => page.all(wanted).map(parsed);
}

function parsed({ before, after, ...entry }: Stored): AuditEntry {
  return {
    ...entry,
    before: before === null ? null : JSON.parse(before),
    after: after === null ? null : JSON.parse(after),
  };
}
