// The outbox on SQLite: the common outbox with what depends on the file.
import type { Database } from 'better-sqlite3';
import { chain } from '../../../contract/maybe-promise.js';
import { createOutbox, type OutboxOptions, type StoreOutbox } from '../../outbox/create.js';
import { mailColumns } from '../../outbox/mails.js';
import { createPruneOrphans } from '../../outbox/prune.js';
import type { DueMail, Outbox } from '../../outbox.js';
import type { Queries } from '../../unit.js';
import { createPruneLog } from './prune-log.js';

export interface SqliteOutboxOptions extends OutboxOptions {
  readonly db: Database;
}

/** The tables must exist (OUTBOX_STATEMENTS). */
export function createSqliteOutbox({ db, ...options }: SqliteOutboxOptions): StoreOutbox {
  const { database } = options;
  return {
    ...createOutbox(options),
    hasForeignWrites: watchOthers(db),
    dueMails: createDueMails(options),
    pruneLog: createPruneLog(database),
    pruneOrphans: createPruneOrphans(database),
  };
}

/** Commits of other connections change the version; our own do not. */
function watchOthers(db: Database): Outbox['hasForeignWrites'] {
  const read = db.prepare('PRAGMA data_version').pluck();
  let version: unknown;
  return () => {
    const before = version;
    version = read.get();
    return version !== before;
  };
}

function createDueMails({ database, principal }: OutboxOptions): Outbox['dueMails'] {
  const { list, join } = mailColumns(database.dialect, principal);
  const due = `SELECT ${list} FROM webhook_mail m ${join} WHERE m.due <= @now ORDER BY m.due LIMIT @limit`;
  return (now, limit) => {
    const verb = (queries: Queries) => queries.rows<DueMail>(due, { now, limit });
    // A mail must be durable before it is sent: the second read is part of a write, which resolves once that is so.
    return chain(database.read(verb), (mails) => (mails.length === 0 ? mails : database.writeSeparately(verb)));
  };
}
