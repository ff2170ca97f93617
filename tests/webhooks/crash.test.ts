// S24, I11: a server killed at any moment loses no event of an acknowledged sale, and sends again only what was in flight.

import { join } from 'node:path';
import { seedOfRun } from '../support/chance.js';
import { count } from '../support/counts.js';
import { crash } from './crash-rounds.js';

const seed = seedOfRun();

test.each([
  [2, 150, []],
  [1, 20, ['--processes', '2']],
])(
  'no event is lost and only what was in flight is sent again: %s kills, in the long form %s, with options %j',
  async (short, long, options) => {
    const kills = count(short, long);
    const { lost, unsigned, unexplained, ...figures } = await crash(kills, seed, null, options);
    console.log(`${kills} kills, ${JSON.stringify(figures)}, PUNCHBOARD_SEED=${seed}`);
    expect({ lost, unsigned, unexplained }).toEqual({ lost: [], unsigned: 0, unexplained: [] });
    expect(figures.repeated).toBeLessThanOrEqual(figures.inFlight);
    expect(figures.sales).toBeGreaterThanOrEqual(kills * 10);
  },
  count(300_000, 900_000),
);

// The null control: the same harness must detect a sale that is acknowledged before it is durable. One kill loses all but the first.
test('a lost event is detected', async () => {
  const preload = join(__dirname, '..', 'crash', 'early-commit.js');
  expect((await crash(1, seed, preload)).lost).not.toEqual([]);
});
