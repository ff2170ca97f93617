// Runs suites again with their services on PostgreSQL or Citus. If these cannot be started, the suites count as skipped.
import { apply } from '../../runtime/admin/commands/migrate-work.js';
import { hasCitus, startCitus } from './citus.js';
import { openOn } from './engine.js';
import { hasPostgres, sharePostgres } from './postgres.js';
import type { TestServer } from './servers.js';

/** @param suite declares tests, or requires a file of tests */
export function onPostgres(suite: () => void): void {
  (hasPostgres ? describe : describe.skip)('on PostgreSQL', () => {
    openOnServer(sharePostgres, (server) => server.createDatabase());
    suite();
  });
}

/** Runs the suite on databases that the migrate command has distributed. */
export function onCitus(suite: () => void): void {
  (hasCitus ? describe : describe.skip)('on Citus', () => {
    openOnServer(startCitus, async (server) => {
      const database = await server.createDatabase();
      const clock = { now: Date.now, tick: () => performance.now() };
      await apply({ database, allow: [], distribute: true, format: 'text' }, clock);
      return database;
    });
    suite();
  });
}

function openOnServer(start: () => Promise<TestServer>, create: (server: TestServer) => Promise<string>): void {
  let server: TestServer;
  let opened = 0;
  beforeAll(async () => {
    server = await start();
    openOn(() => {
      opened += 1;
      return create(server);
    });
  });
  afterAll(async () => {
    openOn(null);
    await server.stop();
    // A suite whose services are still on SQLite would prove nothing.
    expect(opened).toBeGreaterThan(0);
  });
}
