// Several servers on one PostgreSQL, killed at any moment: no acknowledged write and no event is lost, and only what was in
// flight at a kill is sent again. `engine/outbox-servers` tests what two claimers of one hook get.

import { join } from 'node:path';
import { seedOfRun } from '../support/chance.js';
import { count } from '../support/counts.js';
import { hasPostgres } from '../support/postgres.js';
import { crashServers, sellAtFaulty } from './crash-rounds.js';

const seed = seedOfRun();

(hasPostgres ? describe : describe.skip)('three servers on one PostgreSQL', () => {
  test(
    'S24, I11: kills lose no acknowledged write and no event, and only what was in flight is sent again',
    async () => {
      const { lost, unsigned, unexplained, losses, ...figures } = await crashServers(count(2, 60), seed, []);
      console.log(`${JSON.stringify(figures)}, PUNCHBOARD_SEED=${seed}`);
      expect({ lost, unsigned, unexplained, losses }).toEqual({ lost: [], unsigned: 0, unexplained: [], losses: [] });
      expect(figures.repeated).toBeLessThanOrEqual(figures.inFlight);
    },
    count(300_000, 900_000),
  );

  // Null control: the same checks must detect losses and duplicates.
  test('without leases, and with an acknowledgement before the commit, duplicates and losses are reported', async () => {
    const { lost, losses, unexplained } = await sellAtFaulty(join(__dirname, 'faulty-server.js'));
    expect([lost.length, losses]).toEqual([6, [expect.stringMatching(/^receipt \S+: 404$/)]]);
    expect(unexplained).not.toEqual([]);
  }, 120_000);
});
