// The engine on SQLite: one connection and one queue of writes, with everything that is behind the interface over them.
import { resolve } from 'node:path';
import type { Database } from 'better-sqlite3';
import type { AnyDefinition } from '../../definition.js';
import type { Schema } from '../../schema/schema.js';
import type { Engine } from '../engine.js';
import { bringToSchema, type Migrate } from './bring-to-schema.js';
import { createFileIndex, fileIndexDdl } from './file-index.js';
import { createGroupCommit, type GroupCommit } from './group-commit.js';
import { createIdentity, SESSION_TABLE } from './identity.js';
import { explained, lockServer, openDatabase } from './open.js';
import { createPresence, type Presence } from './presence.js';
import { createSqliteStore, type SqliteStore, type SqliteStoreOptions } from './store.js';

export interface SqliteEngineOptions extends Omit<SqliteStoreOptions, 'db' | 'commits'> {
  /** Path of the database file. */
  readonly database: string;
  /** True: the one server of this database. */
  readonly owner: boolean;
  readonly schema: Schema;
  /** What is done to a database of an older schema. */
  readonly migrate: Migrate;
  /** Tables of modules that keep their own, as statements that may be repeated. */
  readonly tables: readonly string[];
  readonly principal: AnyDefinition;
  /** The resource of the principal's API keys; null in a project without them. */
  readonly apiKeys: AnyDefinition | null;
}

/** Also what the web hooks use, whose tables are not behind the interface yet. */
export interface SqliteEngine extends Engine {
  readonly records: SqliteStore;
  readonly db: Database;
  readonly commits: GroupCommit;
  /** Whether the database file is still the one that was opened. */
  readonly present: Presence;
  close(): void;
}

/** Opens the database and brings it to the schema. Throws StartError. @param now epoch milliseconds */
export function openSqliteEngine(options: SqliteEngineOptions, now: number): SqliteEngine {
  const { database, owner } = options;
  const opened = openDatabase(database, { owner });
  try {
    const { definitions, schema, migrate, tables } = options;
    const alone = owner ? {} : { alone: () => lockServer(resolve(database)) };
    const extraDdl = [...engineTables(definitions), ...tables];
    bringToSchema(opened.db, schema, now, { extraDdl, migrate, ...alone });
    return assemble(opened, options);
  } catch (error) {
    opened.close();
    throw explained(error, database);
  }
}

/** The engine's own tables, as statements that may be repeated. */
export function engineTables(definitions: readonly AnyDefinition[]): readonly string[] {
  return [SESSION_TABLE, fileIndexDdl(definitions)];
}

function assemble(opened: ReturnType<typeof openDatabase>, options: SqliteEngineOptions): SqliteEngine {
  const { db } = opened;
  const { definitions, principal, apiKeys } = options;
  const present = createPresence(db);
  const commits = createGroupCommit(db, { present });
  return {
    db,
    commits,
    present,
    records: createSqliteStore({ ...options, db, commits }),
    identity: createIdentity({ db, submit: commits.submit, apiKeys, principal }),
    files: createFileIndex({ db, commits, definitions }),
    close() {
      commits.close();
      opened.close();
    },
  };
}
