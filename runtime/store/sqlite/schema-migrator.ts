// The schema migrator of SQLite. Each access opens its own connection: read-only, or with servers locked out.
import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type Database from 'better-sqlite3';
import { CommandError } from '../../contract/command-error.js';
import { createIds } from '../../contract/ids.js';
import type { SchemaStep } from '../../schema/plan.js';
import type { Schema } from '../../schema/schema.js';
import { migratedAudit } from '../audit.js';
import { createAuditStatement } from '../audit-log.js';
import { readHistory } from '../migrate/metadata.js';
import { permitAllowed, permitRehearsal } from '../migration-permits.js';
import type { Progress } from '../progress.js';
import type { MigratorAccess, SchemaMigrator } from '../schema-migrator.js';
import { StartError } from '../start-error.js';
import { createWriteAudit } from './audit.js';
import { createQueries } from './database.js';
import { SQLITE } from './dialect.js';
import { applyTo } from './migrate/apply.js';
import { listDropped, purgeDropped } from './migrate/dropped.js';
import { pendingOf } from './migrate/pending.js';
import { rehearse } from './migrate/rehearse.js';
import { restore } from './migrate/restore.js';
import { explainError, openDatabase, openForReading } from './open.js';
import { onSession } from './session.js';
import { engineTables } from './tables.js';

export interface OpenMigrator extends SchemaMigrator {
  close(): void;
}

/** Throws StartError if there is no such database: only serving creates a database, and a mistyped path must not look empty. */
export function openSqliteMigrator(database: string, { access, definitions, progress }: MigratorAccess): OpenMigrator {
  if (!existsSync(database)) throw new StartError(`there is no database ${database}: choose another with --database`);
  const { db, close } = access === 'read' ? openForReading(database) : openDatabase(database, { owner: true });
  return { ...createSchemaMigrator({ db, database, tables: engineTables(definitions), progress }), close };
}

interface MigratorParts {
  readonly db: Database.Database;
  /** The path of the database, beside which rehearsals put their copies. */
  readonly database: string;
  /** Repeatable statements for the engine's own tables. */
  readonly tables: readonly string[];
  readonly progress?: Progress | undefined;
}

export function createSchemaMigrator({ db, database, tables: extraDdl, progress }: MigratorParts): SchemaMigrator {
  const explaining = <T>(work: () => T): T => {
    try {
      return work();
    } catch (error) {
      throw explainError(error, database);
    }
  };
  const target = (schema: Schema, now: number) => ({ schema, extraDdl, now, progress });
  return {
    current: () => explaining(() => ({ applied: onSession(readHistory)(db), kept: listDropped(db) })),
    plan: (next, adopt = false) => explaining(() => pendingOf(db, next, { extraDdl, adopt })),
    apply(next, allow, change, { distribute = false, adopt = false } = {}) {
      if (distribute) throw new CommandError('SQLite keeps all tables in one file: --distribute is for Citus');
      const applied = (steps: readonly SchemaStep[]): void => {
        createWriteAudit(
          createQueries(db),
          createAuditStatement(SQLITE, createIds(randomBytes)),
        )(migratedAudit(steps, allow, change));
      };
      return explaining(() =>
        applyTo(db, { ...target(next, change.now), adopt, permit: permitAllowed(allow), applied }),
      );
    },
    rehearse: (schema, now) =>
      explaining(() => {
        removeLeft(database);
        const copy = `${database}-rehearsal-${process.pid}`;
        const apply = (copied: Database.Database): void => {
          applyTo(copied, { ...target(schema, now), permit: permitRehearsal });
        };
        return rehearse(db, { schema, copy, apply, progress, tick: () => performance.now() });
      }),
    restore: (name) => explaining(() => restore(db, name)),
    purge: (before) => explaining(() => purgeDropped(db, before)),
  };
}

/** Removes the copies of killed rehearsals: they hold all the data, and nothing else removes them. */
function removeLeft(database: string): void {
  const folder = dirname(database);
  const start = `${basename(database)}-rehearsal-`;
  for (const name of readdirSync(folder)) {
    const [, number] = (name.startsWith(start) && /^(\d+)(?:-\w+)?$/.exec(name.slice(start.length))) || [];
    if (number !== undefined && !isRunning(Number(number))) rmSync(join(folder, name), { force: true });
  }
}

function isRunning(id: number): boolean {
  try {
    process.kill(id, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
