// After a loss of power, which destroys everything that was not synced, the database has every acknowledged write and every event
// that was sent to a web hook. PUNCHBOARD_SEED=N tries other losses, in another recording.

import { join } from 'node:path';
import { seedOfRun } from '../../support/chance.js';
import { count } from '../../support/counts.js';
import { hasCompiler } from '../faults/native.js';
import { experiment } from './rounds.js';

const SEED = seedOfRun();
const TIME = count(120_000, 1_800_000);

(hasCompiler ? describe : describe.skip)('a loss of power', () => {
  test.each(Array.from({ length: count(1, 10) }, (_, at) => SEED + at))(
    'destroys nothing that was acknowledged or sent, seed %p',
    async (seed) => {
      // Long enough for the log to be written from its beginning again, several times in the long form.
      const rounds = count(8, 50);
      const { sent, lost, copies } = await experiment({ seed, rounds, answers: count(1200, 3000), bytes: 60_000 });
      console.log(`${rounds} losses of power, ${sent} records and messages, the log began anew ${copies} times`);
      expect(lost).toEqual([]);
      expect([sent > 300, copies > 0]).toEqual([true, true]);
    },
    TIME,
  );

  test(
    'destroys writes that are answered before the log is synced (null control)',
    async () => {
      const planted = [join(__dirname, 'early-answer.js')];
      const { lost } = await experiment({ seed: SEED, rounds: 5, answers: 100, bytes: 100, planted });
      expect(lost.join('\n')).toMatch(/w\d+-\d+$/m);
    },
    TIME,
  );
});
