// Commands on a database in a file. Each loads the modules that only it needs.
import type { Closable, FileCommands } from '../commands.js';
import { createOperatorReports } from '../operator-reports.js';
import { createCheckedReports } from '../outbox/checked-reports.js';
import type { Database } from '../unit.js';
import { createDatabase } from './database.js';
import { sqliteCode } from './engine-error.js';
import { openForReading } from './open.js';

export function sqliteCommands(file: string): FileCommands {
  return {
    schema(access) {
      const { openSqliteMigrator } = require('./schema-migrator.js') as typeof import('./schema-migrator.js');
      return openSqliteMigrator(file, access);
    },
    hooks: () => reading(file, (database) => createCheckedReports(database, isUnknown)),
    operators: (access) => reading(file, async (database) => createOperatorReports(database, access, isUnknown)),
    copyFrom: (access, work) => transfer().withSqliteSource(file, access, work),
    copyTo: (access, copying) => transfer().withSqliteTarget(file, access, copying),
    snapshot: (work) => backup().withSnapshot(file, work),
    check: (uploads) => backup().checkCopy(file, uploads),
    sum: () => backup().sumOfFile(file),
    rows() {
      const counting = require('./count-rows.js') as typeof import('./count-rows.js');
      return counting.openRows(file);
    },
  };
}

function transfer() {
  return require('./transfer.js') as typeof import('./transfer.js');
}

function backup() {
  return require('./backup.js') as typeof import('./backup.js');
}

/** Throws StartError if there is no such database. */
async function reading<T>(file: string, open: (database: Database) => Promise<T>): Promise<T & Closable> {
  const { db, close } = openForReading(file);
  try {
    return { ...(await open(createDatabase(db))), close };
  } catch (error) {
    close();
    throw error;
  }
}

/** True for the error about a table or a column that does not exist. */
function isUnknown(error: unknown): boolean {
  return sqliteCode(error) === 'SQLITE_ERROR';
}
