// Two callers work at the same time, each with its own process or server: no acknowledged edit is lost if tags are sent (D57),
// nothing is lent twice, and the counts of functions match the answers that the callers got.

import { count } from '../../support/counts.js';
import { arrangements, generate, type Pair } from './arrangements.js';
import { interleave } from './interleavings.js';

const INTERLEAVINGS = count(16, 10_000);
/** Enough to see that words are lost without tags. */
const UNTAGGED = count(12, 500);
const PAIRS = count(4, 8);
const SEED = Number(process.env.PUNCHBOARD_SEED ?? 57);
const LONG = 7_200_000;

let folder: string;
beforeAll(async () => {
  folder = await generate();
}, 60_000);

/** Only the long form tries one process, which tests/engine/neighbours covers, too. */
const ARRANGEMENTS = arrangements(() => folder).slice(count(1, 0));

describe.each(ARRANGEMENTS)('two callers on $name', ({ name, begin, end }) => {
  let pairs: readonly Pair[];
  beforeAll(async () => {
    pairs = await begin(PAIRS);
  }, 60_000);
  afterAll(end);

  test(
    `with tags, ${INTERLEAVINGS} interleavings lose nothing, miscount nothing and lend nothing twice`,
    async () => {
      const started = performance.now();
      const tally = await interleave(pairs, { seed: SEED, interleavings: INTERLEAVINGS, isTagged: true });
      const seconds = Math.round((performance.now() - started) / 1000);
      if (INTERLEAVINGS > 1000) console.log(`${name}, ${seconds} s, PUNCHBOARD_SEED=${SEED}: ${JSON.stringify(tally)}`);
      expect(tally).toMatchObject({ interleavings: INTERLEAVINGS, lostWords: 0, lentTwice: 0, miscounted: 0 });
      expect(tally.abandoned).toBeLessThanOrEqual(INTERLEAVINGS / 100);
      expect(Math.min(tally.stale, tally.lentAlready)).toBeGreaterThan(INTERLEAVINGS / 10);
    },
    LONG,
  );

  test(
    'without tags, some words are lost, but nothing else',
    async () => {
      const tally = await interleave(pairs, { seed: SEED, interleavings: UNTAGGED, isTagged: false });
      expect(tally).toMatchObject({ lentTwice: 0, miscounted: 0, stale: 0 });
      expect(tally.lostWords).toBeGreaterThan(UNTAGGED / 10);
    },
    LONG,
  );
});
