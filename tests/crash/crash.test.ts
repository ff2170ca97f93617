// A server killed at any moment has kept every write that it acknowledged, uploaded bytes included.

import { join } from 'node:path';
import { freshSeed } from '../support/chance.js';
import { count } from '../support/counts.js';
import { crash, prepare } from './rounds.js';

const seed = freshSeed();

test('AcknowledgedWritesSurviveKills', async () => {
  const kills = count(20, 150);
  const { answers, losses } = await crash(await prepare(), kills, seed, null);
  console.log(`${kills} kills, ${answers} acknowledged writes, PUNCHBOARD_SEED=${seed}`);
  expect(losses).toEqual([]);
  expect(answers).toBeGreaterThan(kills * 20);
}, 900_000);

// The null control: the same harness must see it when a server answers before the commit.
test('EarlyAcknowledgementIsSeen', async () => {
  const { losses } = await crash(await prepare(), 4, seed, join(__dirname, 'early-acknowledge.js'));
  const said = losses.join('\n');
  expect(said).toMatch(/^(boxtop|twosidedsluggedset|twosidedslugged) /m);
  expect(said).toMatch(/^file .*without its bytes/m);
}, 120_000);
