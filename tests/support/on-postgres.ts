// Runs suites again with their services on PostgreSQL. Where it has no binaries for the platform, they count as skipped.
import { openOn } from './engine.js';
import { hasPostgres, startPostgres, type TestPostgres } from './postgres.js';

/** @param suite declares tests, or requires a file of tests */
export function onPostgres(suite: () => void): void {
  const on = hasPostgres ? describe : describe.skip;
  on('on PostgreSQL', () => {
    let server: TestPostgres;
    let opened = 0;
    beforeAll(async () => {
      server = await startPostgres();
      openOn(() => {
        opened += 1;
        return server.createDatabase();
      });
    });
    afterAll(async () => {
      openOn(null);
      await server.stop();
      // A suite whose services are on SQLite would show nothing.
      expect(opened).toBeGreaterThan(0);
    });
    suite();
  });
}
