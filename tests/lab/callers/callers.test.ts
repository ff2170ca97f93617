// Two callers at work at the same time, each at a process or server of its own: no acknowledged edit is lost when tags are
// sent (D57), nothing is lent twice, and what functions count is what callers were told.

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
      const found = await interleave(pairs, { seed: SEED, interleavings: INTERLEAVINGS, isTagged: true });
      const seconds = Math.round((performance.now() - started) / 1000);
      if (INTERLEAVINGS > 1000) console.log(`${name}, ${seconds} s, PUNCHBOARD_SEED=${SEED}: ${JSON.stringify(found)}`);
      expect(found).toMatchObject({ interleavings: INTERLEAVINGS, lostWords: 0, lentTwice: 0, miscounted: 0 });
      expect(found.abandoned).toBeLessThanOrEqual(INTERLEAVINGS / 100);
      expect(Math.min(found.stale, found.lentAlready)).toBeGreaterThan(INTERLEAVINGS / 10);
    },
    LONG,
  );

  test(
    'without tags, some words are lost, and still nothing else',
    async () => {
      const found = await interleave(pairs, { seed: SEED, interleavings: UNTAGGED, isTagged: false });
      expect(found).toMatchObject({ lentTwice: 0, miscounted: 0, stale: 0 });
      expect(found.lostWords).toBeGreaterThan(UNTAGGED / 10);
    },
    LONG,
  );
});
