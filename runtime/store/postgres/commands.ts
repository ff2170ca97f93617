// Commands on a PostgreSQL database.
import { DatabaseError } from 'pg';
import type { MaybePromise } from '../../contract/maybe-promise.js';
import type { DatabaseCommands } from '../commands.js';
import { createOperatorReports } from '../operator-reports.js';
import { createCheckedReports } from '../outbox/checked-reports.js';
import type { SchemaMigrator } from '../schema-migrator.js';
import { createDatabase } from './database.js';
import { connected } from './engine.js';
import { explainError } from './explain-error.js';
import { refuseOlder } from './oldest-versions.js';
import { createSchemaMigrator } from './schema-migrator.js';
import { engineTables } from './tables.js';
import { withPostgresSource, withPostgresTarget } from './transfer.js';

export function postgresCommands(url: string): DatabaseCommands {
  const database = { database: url };
  return {
    schema: ({ definitions, progress }) =>
      connected(database, async (connections) => {
        await connections.session(refuseOlder);
        const extraDdl = engineTables(definitions);
        const migrator = createSchemaMigrator({ connections, extraDdl, clock: Date.now, progress });
        await migrator.current();
        return { ...explaining(migrator, url), close: connections.close };
      }),
    hooks: () =>
      connected(database, async (connections) => ({
        ...(await createCheckedReports(createDatabase(connections), isUnknown)),
        close: connections.close,
      })),
    operators: (access) =>
      connected(database, async (connections) => {
        // Connects, so that a server that cannot be used is explained.
        await connections.query(connections.prepare('SELECT 1 AS "one"'), []);
        return {
          ...createOperatorReports(createDatabase(connections), access, isUnknown),
          close: connections.close,
        };
      }),
    copyFrom: (access, work) => withPostgresSource(url, access, work),
    copyTo: (access, copying) => withPostgresTarget(url, access, copying),
  };
}

/** The migrator, with StartErrors that give advice in place of errors that an operator can fix. */
function explaining(migrator: SchemaMigrator, url: string): SchemaMigrator {
  const explained = async <T>(work: MaybePromise<T>): Promise<T> => {
    try {
      return await work;
    } catch (error) {
      throw explainError(error, url);
    }
  };
  return {
    current: () => explained(migrator.current()),
    plan: (...args) => explained(migrator.plan(...args)),
    apply: (...args) => explained(migrator.apply(...args)),
    rehearse: (...args) => explained(migrator.rehearse(...args)),
    restore: (...args) => explained(migrator.restore(...args)),
    purge: (...args) => explained(migrator.purge(...args)),
  };
}

/** The error codes for a table or a column that does not exist. */
const UNDEFINED = ['42P01', '42703'];

function isUnknown(error: unknown): boolean {
  return error instanceof DatabaseError && UNDEFINED.includes(error.code ?? '');
}
