// The engines that an outbox suite runs on: SQLite, and PostgreSQL where there are binaries of it.

import { hasPostgres, startPostgres, type TestPostgres } from '../support/postgres.js';
import { type Ground, groundOnSqlite, groundsOnPostgres, type PostgresGrounds } from './outbox-ground.js';

/** To be called at the top of a suite: it starts and stops the server. */
export function outboxEngines(): readonly (readonly [engine: string, open: () => Promise<Ground>])[] {
  let server: TestPostgres | null = null;
  let grounds: PostgresGrounds | null = null;
  beforeAll(async () => {
    if (!hasPostgres) return;
    server = await startPostgres();
    grounds = await groundsOnPostgres(server);
  });
  afterAll(async () => {
    await grounds?.close();
    await server?.stop();
  });
  const onPostgres = async (): Promise<Ground> => {
    if (grounds === null) throw new Error('there is no PostgreSQL');
    return grounds.open();
  };
  return [['SQLite', groundOnSqlite], ...(hasPostgres ? [['PostgreSQL', onPostgres] as const] : [])];
}
