// Commands on a PostgreSQL database.
import { DatabaseError } from 'pg';
import type { DatabaseCommands } from '../commands.js';
import { createOperatorReports } from '../operator-reports.js';
import { createCheckedReports } from '../outbox/checked-reports.js';
import { createDatabase } from './database.js';
import { connected } from './engine.js';
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
        return { ...migrator, close: connections.close };
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

/** The error codes for a table or a column that does not exist. */
const UNDEFINED = ['42P01', '42703'];

function isUnknown(error: unknown): boolean {
  return error instanceof DatabaseError && UNDEFINED.includes(error.code ?? '');
}
