// The engine on SQLite: one connection and one queue of writes, and everything behind the interface built on them.
import { resolve } from 'node:path';
import type { Database } from 'better-sqlite3';
import { memoize } from '../../memoize.js';
import { hasWebhooks, isAccountEvent } from '../../webhooks/rules/hooks.js';
import type { Engine, EngineOptions } from '../engine.js';
import { createAuditLog, createWriteAudit, type WriteAudit } from './audit.js';
import { bringToSchema } from './bring-to-schema.js';
import { connectInMemory } from './driver.js';
import { createFileIndex } from './file-index.js';
import { createGroupCommit, type GroupCommit } from './group-commit.js';
import { createIdentity, prepareEndSessions } from './identity.js';
import { makeMissing } from './made-records.js';
import { createPruneOnce } from './once.js';
import { explained, lockServer, type Opened, openDatabase, openForReading } from './open.js';
import { createOutbox, type SqliteOutbox } from './outbox/outbox.js';
import { createPresence } from './presence.js';
import { createSqliteRecords, type SqliteRecords } from './records.js';
import { createSharedReads } from './shared-reads.js';
import { engineTables } from './tables.js';

/** What is behind the interface; only tests use it directly. */
export interface SqliteEngine extends Engine {
  readonly db: Database;
  readonly commits: GroupCommit;
  readonly records: SqliteRecords;
  readonly outbox: SqliteOutbox | null;
  close(): void;
}

/** Opens the database and brings it to the schema. Throws StartError. @param now epoch milliseconds */
export function openSqliteEngine(options: EngineOptions, now: number): SqliteEngine {
  const { database, server } = options;
  const opened = database === null ? openInMemory() : openDatabase(database, { owner: server !== null });
  try {
    const alone = database === null || server !== null ? {} : { alone: () => lockServer(resolve(database)) };
    const extraDdl = engineTables(options.definitions);
    bringToSchema(opened.db, options.schema, now, { extraDdl, migrate: options.migrate, ...alone });
    makeMissing(opened.db, options.definitions, options, now);
    return assemble(opened, options);
  } catch (error) {
    opened.close();
    throw explained(error, database ?? ':memory:');
  }
}

/**
 * An engine of a database that another process has opened for this schema, and alone writes to: whatever would write is
 * rejected. Throws StartError.
 */
export function openSqliteReader(options: EngineOptions): SqliteEngine {
  const opened = openForReading(options.database ?? '');
  try {
    return assemble(opened, options, READS_ONLY);
  } catch (error) {
    opened.close();
    throw explained(error, options.database ?? '');
  }
}

const READS_ONLY: GroupCommit = {
  submit: () => Promise.reject(new Error('this connection only reads')),
  close: () => undefined,
};

function openInMemory(): Opened {
  const db = connectInMemory();
  return { db, close: () => void db.close() };
}

function assemble({ db, close }: Opened, options: EngineOptions, queue?: GroupCommit): SqliteEngine {
  const { definitions, database } = options;
  const present = createPresence(db);
  const reads = createSharedReads(db);
  const commits = queue ?? createGroupCommit(db, { present, reads });
  const writeAudit = createWriteAudit(db, options.ids);
  const { records, outbox } = assembleRecords({ db, commits, writeAudit }, options);
  // Loaded and created on first use: requests never need it.
  const keeper = memoize(() => {
    const { createSchemaKeeper } = require('./schema-keeper.js') as typeof import('./schema-keeper.js');
    return createSchemaKeeper({ db, database: database ?? ':memory:', tables: engineTables(definitions) });
  });
  return {
    db,
    commits,
    records,
    outbox,
    identity: createIdentity({ ...options, db, submit: commits.submit }),
    files: createFileIndex({ db, commits, definitions }),
    get schema() {
      return keeper('');
    },
    upkeep: {
      health: present,
      pruneOnce: createPruneOnce(db, commits.submit),
      ...createAuditLog({ db, write: writeAudit, submit: commits.submit }),
    },
    reads,
    databaseServer: null,
    close() {
      commits.close();
      close();
    },
  };
}

/** Each needs the other: a change publishes events, and an event may have a record as its payload. */
function assembleRecords(
  { db, commits, writeAudit }: Pick<SqliteEngine, 'db' | 'commits'> & { readonly writeAudit: WriteAudit },
  options: EngineOptions,
): { readonly records: SqliteRecords; readonly outbox: SqliteOutbox | null } {
  const { definitions, principal, events, ids, retryUnit: unit, decide } = options;
  let outbox: SqliteOutbox | null = null;
  const endSessions = prepareEndSessions(db);
  const publish = (published: readonly unknown[], now: number): void => {
    for (const event of published) if (isAccountEvent(event)) endSessions.run(event.id);
    outbox?.publishWithin(published, now);
  };
  const records = createSqliteRecords({ ...options, db, commits, publish, writeAudit });
  if (hasWebhooks(definitions)) {
    const byName = new Map(definitions.map((definition) => [definition.name, definition]));
    const { rowsOf } = records;
    const own = { db, commits, definitions: byName, rowsOf, writeAudit };
    outbox = createOutbox({ ...own, principal, events, ids, decide, unit });
  }
  return { records, outbox };
}
