// Runs suites again with their services on Citus, on databases that the command has distributed. Where no cluster is named, they
// count as skipped.
import { apply } from '../../runtime/server/migrate-work.js';
import { hasCitus, startCitus } from './citus.js';
import { openOn } from './engine.js';
import type { TestServer } from './servers.js';

/** @param suites paths of compiled test files, from this folder */
export function onCitus(...suites: readonly string[]): void {
  (hasCitus ? describe : describe.skip)('on Citus', () => {
    let server: TestServer;
    let opened = 0;
    beforeAll(async () => {
      server = await startCitus();
      openOn(async () => {
        opened += 1;
        const database = await server.createDatabase();
        await apply({ database, allow: [], distribute: true }, Date.now());
        return database;
      });
    });
    afterAll(async () => {
      await server.stop();
      // A suite whose services are on SQLite would show nothing.
      expect(opened).toBeGreaterThan(0);
    });
    for (const suite of suites) require(suite);
  });
}
