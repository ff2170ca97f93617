// The reports of operators over a database that a server may be running on: it is read, and never brought to a schema.

import { CommandError } from '../command.js';
import { loadGenerated } from '../load-generated.js';
import { sqliteCode } from '../store/sqlite/engine-error.js';
import { openForReading } from '../store/sqlite/open.js';
import { hasWebhooks } from './open.js';
import { createLooks, type Looks } from './report.js';

interface Place {
  readonly database: string;
  readonly generated?: string;
}

/** Throws CommandError in a project without web hooks, and where the database has no tables of theirs yet. */
export function lookAt<T>({ database, generated }: Place, read: (looks: Looks) => T): T {
  if (!hasWebhooks(loadGenerated(generated ?? null).generated.definitions)) {
    throw new CommandError('there are no web hooks in what was generated');
  }
  const { db, close } = openForReading(database);
  try {
    return read(createLooks(db));
  } catch (error) {
    if (sqliteCode(error) !== 'SQLITE_ERROR') throw error;
    throw new CommandError(
      `the database has another schema than this program (${(error as Error).message}): ` +
        'start the server on it, or run `punchboard migrate apply`',
    );
  } finally {
    close();
  }
}
