// A server killed at any moment has kept every write that it acknowledged, uploaded bytes included.

import { join } from 'node:path';
import { seedOfRun } from '../support/chance.js';
import { count } from '../support/counts.js';
import { crash, prepare } from './rounds.js';

const seed = seedOfRun();

test(
  'acknowledged writes survive kills',
  async () => {
    const kills = count(2, 150);
    const { answers, losses } = await crash(await prepare(), kills, seed, null);
    console.log(`${kills} kills, ${answers} acknowledged writes, PUNCHBOARD_SEED=${seed}`);
    expect(losses).toEqual([]);
    expect(answers).toBeGreaterThan(kills * 20);
  },
  count(300_000, 900_000),
);

test(
  'acknowledged writes survive kills of serving and writing processes',
  async () => {
    const kills = count(1, 20);
    const { answers, losses } = await crash(await prepare(2), kills, seed, null);
    console.log(`${kills} kills of 2 processes and a writer, ${answers} acknowledged writes, PUNCHBOARD_SEED=${seed}`);
    expect(losses).toEqual([]);
    expect(answers).toBeGreaterThan(kills * 10);
  },
  count(300_000, 900_000),
);

// The null controls: the same harness must see it when a server answers before the commit, or before the bytes are there.
test.each([
  ['early-commit.js', /^(boxtop|twosidedsluggedset|twosidedslugged) /m],
  ['early-bytes.js', /^file .*without its bytes/m],
])(
  'E: the mistake of %s is seen, however the processes are scheduled',
  async (preload, pattern) => {
    const { losses } = await crash(await prepare(), 1, seed, join(__dirname, preload));
    expect(losses.join('\n')).toMatch(pattern);
  },
  120_000,
);
