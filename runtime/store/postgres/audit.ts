// The audit log in PostgreSQL, all of it on one shard.
import type { Ids } from '../../ids.js';
import {
  AUDIT_PLACEMENT,
  AUDIT_STEP,
  type AuditEntry,
  type AuditLog,
  type AuditPage,
  type NewAudit,
} from '../audit.js';
import type { Connections, Query as TextQuery } from './connections.js';
import { prepareNamed, type Query, run } from './named.js';

const TEXT = 'text COLLATE "C"';

/** The table; dates are epoch milliseconds. */
export const AUDIT_TABLE = `CREATE TABLE IF NOT EXISTS audit_entry (
  _shard ${TEXT} NOT NULL,
  id ${TEXT} NOT NULL,
  at bigint NOT NULL,
  user_id ${TEXT},
  name ${TEXT} NOT NULL,
  action ${TEXT} NOT NULL,
  resource ${TEXT},
  record_id ${TEXT},
  before ${TEXT},
  after ${TEXT},
  CONSTRAINT audit_entry_pkey PRIMARY KEY (_shard, id)
)`;

/** Writes an entry, as part of the transaction that `query` belongs to. */
export type WriteAudit = (query: Query, entry: NewAudit) => Promise<void>;

export function createWriteAudit(connections: Connections, ids: Ids): WriteAudit {
  const insert = prepareNamed(
    connections,
    `INSERT INTO audit_entry (_shard, id, at, user_id, name, action, resource, record_id, before, after)
     VALUES (@shard, @id, @now, @user, @name, @action, @resource, @record, @before, @after)`,
  );
  return async (query, entry) => {
    await run(query, insert(valuesOf(entry, ids)));
  };
}

/** Writes an entry in a transaction of statements that are not prepared, such as that of a migration. */
export async function insertAudit(query: TextQuery, ids: Ids, entry: NewAudit): Promise<void> {
  const values = Object.values(valuesOf(entry, ids));
  const marks = values.map((_, at) => `$${at + 1}`).join(', ');
  await query(
    `INSERT INTO audit_entry (_shard, id, at, user_id, name, action, resource, record_id, before, after) VALUES (${marks})`,
    values,
  );
}

/** In the order of the columns. */
function valuesOf({ author, now, action, resource, record, before, after }: NewAudit, ids: Ids) {
  return {
    ...{ shard: AUDIT_PLACEMENT, id: ids.next(AUDIT_PLACEMENT, now), now },
    ...{ user: author.user, name: author.name, action, resource, record },
    ...{ before: before && JSON.stringify(before), after: after && JSON.stringify(after) },
  };
}

type Stored = Omit<AuditEntry, 'before' | 'after'> & { readonly before: string | null; readonly after: string | null };

export function createAuditLog(connections: Connections, write: WriteAudit): AuditLog {
  const { query } = connections;
  const shard = AUDIT_PLACEMENT;
  const prune = prepareNamed(
    connections,
    `DELETE FROM audit_entry WHERE _shard = @shard AND id = ANY(ARRAY(
       SELECT id FROM audit_entry WHERE _shard = @shard AND at < @before ORDER BY id LIMIT ${AUDIT_STEP})) RETURNING id`,
  );
  return {
    audit: (entry) => connections.interactive((own) => write(own, entry)),
    audits: createAudits(connections),
    pruneAudits: async (before) => (await run(query, prune({ shard, before }))).length === AUDIT_STEP,
  };
}

/** Only reads. */
export function createAudits(connections: Connections): (page: AuditPage) => Promise<readonly AuditEntry[]> {
  const page = prepareNamed(
    connections,
    `SELECT id, at, user_id AS "user", name, action, resource, record_id AS record, before, after FROM audit_entry
     WHERE _shard = @shard AND (@after::text IS NULL OR id < @after) AND (@record::text IS NULL OR record_id = @record)
       AND (@name::text IS NULL OR name = @name) ORDER BY id DESC LIMIT @limit`,
  );
  return async (wanted) => {
    const rows = await run(connections.query, page({ shard: AUDIT_PLACEMENT, ...wanted }));
    return (rows as unknown as readonly Stored[]).map(parsed);
  };
}

function parsed({ before, after, ...entry }: Stored): AuditEntry {
  return {
    ...entry,
    before: before === null ? null : JSON.parse(before),
    after: after === null ? null : JSON.parse(after),
  };
}
