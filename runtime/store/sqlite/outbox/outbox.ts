// The outbox on SQLite: what all engines have in common, and what depends on the one file.
import type { Database } from 'better-sqlite3';
import { createOutbox, type OutboxOptions, type StoreOutbox } from '../../outbox/create.js';
import { mailColumns } from '../../outbox/mails.js';
import { createPruneOrphans } from '../../outbox/prune.js';
import type { DueMail, Outbox } from '../../outbox.js';
import { createPruneLog } from './prune-log.js';

export interface SqliteOutboxOptions extends OutboxOptions {
  readonly db: Database;
}

/** The tables must exist (OUTBOX_STATEMENTS). */
export function createSqliteOutbox({ db, ...options }: SqliteOutboxOptions): StoreOutbox {
  const { database } = options;
  return {
    ...createOutbox(options),
    othersWrote: watchOthers(db),
    dueMails: createDueMails(options),
    pruneLog: createPruneLog(database),
    pruneOrphans: createPruneOrphans(database),
  };
}

/** Commits of other connections change the version, our own do not. */
function watchOthers(db: Database): Outbox['othersWrote'] {
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
  return (now, limit) => database.read((queries) => queries.rows<DueMail>(due, { now, limit }));
}
