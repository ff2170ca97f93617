// The engine on SQLite: implements the interface on one connection and one queue of writes.

import { resolve } from 'node:path';
import type { Database } from 'better-sqlite3';
import type { AnyDefinition } from '../../contract/definition.js';
import { memoize } from '../../contract/memoize.js';
import { hasWebhooks } from '../../rules/hooks.js';
import { createAuditLog, createAuditStatement } from '../audit-log.js';
import type { Engine, EngineOptions } from '../engine.js';
import { createPruneOnce } from '../idempotency.js';
import { createIdentity, type IdentityParts } from '../identity.js';
import type { StoreOutbox } from '../outbox/create.js';
import { createPublisher } from '../outbox/publish.js';
import { createOptionalUpkeep } from '../sql/optional-parts.js';
import type { Database as Statements } from '../unit.js';
import { createWriteAudit, type WriteAudit } from './audit.js';
import { createDatabase, createQueries, readsOnly } from './database.js';
import { SQLITE } from './dialect.js';
import { connectInMemory } from './driver.js';
import { ensureSchema } from './ensure-schema.js';
import { createSqliteFiles } from './file-index.js';
import { createGroupCommit, createPresence, createSharedReads, type GroupCommit } from './group-commit.js';
import { type Log, openLog, SYNCED_BY_SQLITE } from './log.js';
import { explainError, lockServer, type OpenedDatabase, openDatabase, openForReading } from './open.js';
import { createSqliteOutbox } from './outbox/outbox.js';
import { createMissingTargets, createSqliteRecords, type SqliteRecords, withValue } from './records.js';
import { engineTables } from './tables.js';

/** The engine with its parts, which only tests use directly. */
export interface SqliteEngine extends Engine {
  readonly db: Database;
  readonly commits: GroupCommit;
  readonly records: SqliteRecords;
  readonly outbox: StoreOutbox | null;
  close(): void;
}

/** Opens the database and migrates it to the schema. Throws StartError. @param now epoch milliseconds */
export function openSqliteEngine(options: EngineOptions, now: number): SqliteEngine {
  const { database, server } = options;
  const opened = database === null ? openInMemory() : openDatabase(database, { owner: server !== null });
  try {
    const alone = database === null || server !== null ? {} : { alone: () => lockServer(resolve(database)) };
    const extraDdl = engineTables(options.definitions);
    ensureSchema(opened.db, options.schema, now, { extraDdl, migrate: options.migrate, ...alone });
    createMissingTargets({ ...options, db: opened.db }, now);
    // A command that runs beside a server is not in a hurry: its commits wait for the disk themselves.
    const log = server === null || database === null ? SYNCED_BY_SQLITE : openLog(opened.db);
    return assemble(opened, options, { log });
  } catch (error) {
    opened.close();
    throw explainError(error, database ?? ':memory:');
  }
}

/**
 * An engine on a database that another process has opened for this schema; only that process writes to it, and methods that
 * would write reject here. Throws StartError.
 */
export function openSqliteReader(options: EngineOptions): SqliteEngine {
  const opened = openForReading(options.database ?? '');
  try {
    return assemble(opened, options, { queue: READS_ONLY });
  } catch (error) {
    opened.close();
    throw explainError(error, options.database ?? '');
  }
}

const READS_ONLY: GroupCommit = {
  submit: readsOnly,
  close: () => undefined,
};

function openInMemory(): OpenedDatabase {
  const db = connectInMemory();
  return { db, close: () => void db.close() };
}

interface Writing {
  readonly log?: Log;
  readonly queue?: GroupCommit;
}

function assemble(
  { db, close }: OpenedDatabase,
  options: EngineOptions,
  { log = SYNCED_BY_SQLITE, queue }: Writing,
): SqliteEngine {
  const { definitions, database } = options;
  const present = createPresence(db);
  const reads = createSharedReads(db);
  const commits = queue ?? createGroupCommit(db, { present, reads, log });
  const statements = createDatabase(db, commits.submit);
  const auditStatement = createAuditStatement(SQLITE, options.ids);
  const writeAudit = createWriteAudit(createQueries(db), auditStatement);
  const { records, outbox } = assembleRecords({ db, commits, own: statements, writeAudit }, options);
  // The migrator is loaded and created on first use, since requests never need it.
  const migrator = memoize(() => {
    const { createSchemaMigrator } = require('./schema-migrator.js') as typeof import('./schema-migrator.js');
    return createSchemaMigrator({ db, database: database ?? ':memory:', tables: engineTables(definitions) });
  });
  return {
    db,
    commits,
    records,
    outbox,
    identity: createIdentity({ ...options, database: statements, userNamed: userNamed(options.principal) }),
    files: createSqliteFiles({ db, database: statements, definitions }),
    get schema() {
      return migrator('');
    },
    upkeep: {
      health: present,
      pruneOnce: createPruneOnce(SQLITE, records.transact),
      renewWords: () => false,
      ...createAuditLog(statements, auditStatement),
      ...createOptionalUpkeep(statements, definitions),
    },
    reads,
    databaseServer: null,
    close() {
      commits.close();
      close();
    },
  };
}

/** Finds a user by the index of the unique constraint. */
export function userNamed(principal: AnyDefinition): IdentityParts['userNamed'] {
  return (queries, username) => withValue(queries, principal, 'username', username);
}

interface WritingParts extends Pick<SqliteEngine, 'db' | 'commits'> {
  readonly own: Statements;
  readonly writeAudit: WriteAudit;
}

/** Records and outbox need each other: a change publishes events, and an event may have a record as its payload. */
function assembleRecords(
  { db, commits, own: database, writeAudit }: WritingParts,
  options: EngineOptions,
): { readonly records: SqliteRecords; readonly outbox: StoreOutbox | null } {
  const publisher = createPublisher(SQLITE);
  const { publish } = publisher;
  const records = createSqliteRecords({ ...options, db, commits, publish, writeAudit });
  const definitions = new Map(options.definitions.map((definition) => [definition.name, definition]));
  const outbox = hasWebhooks(options.definitions)
    ? createSqliteOutbox({ ...options, db, database, transact: records.transact, definitions })
    : null;
  if (outbox !== null) publisher.passTo(outbox);
  return { records, outbox };
}
