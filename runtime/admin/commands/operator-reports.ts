// Lets commands read a database that a server may be running on. They work with any schema, and do not change the database.

import type { OperatorReports } from '../../store/commands.js';
import { refuseMissing } from './command.js';

/** What a command needs to open a database. */
export interface DatabaseOptions {
  /** Path of the file, or URL. */
  readonly database: string;
  /** Output folder of the generator; the project's own by default. */
  readonly generated?: string;
}

/** Throws StartError and CommandError. */
export async function withReports<T>(
  { database, generated }: DatabaseOptions,
  read: (reports: OperatorReports) => Promise<T>,
): Promise<T> {
  refuseMissing(database);
  // Loaded on demand: other commands do not wait for it.
  const [{ loadGenerated, principalOf }, { commandsOn }, { apiKeysOf }] = await Promise.all([
    import('../../server/load-generated.js'),
    import('../../store/open-engine.js'),
    import('../../auth/login.js'),
  ]);
  const service = loadGenerated(generated ?? null).generated;
  const principal = principalOf(service);
  const apiKeys = apiKeysOf(service.definitions, principal);
  const reports = await commandsOn(database).operators({ principal, apiKeys });
  try {
    return await read(reports);
  } finally {
    await reports.close();
  }
}
