// D68: after a chain of random edits with a cut between each two, every version is answered as its service was.

import { seedOfRun } from '../support/chance.js';
import { count } from '../support/counts.js';
import { onPostgres } from '../support/on-postgres.js';
import { type Compared, createChains, sumOf } from './chain.js';

const CHAINS = count(30, 1000);
const CUTS = count(3, 10);
/** Chains whose services are compiled at once, and whose modules are forgotten afterwards. */
const BATCH = 10;
const seed = seedOfRun(68);

/** Declares the tests of the first chains of the run. */
function describeChains(chains: number): void {
  const all: Compared[] = [];
  let compare: ReturnType<typeof createChains>;
  beforeAll(() => {
    compare = createChains(CUTS);
  });
  afterAll(() => {
    const { versions, answers, skipped } = sumOf(all);
    process.stdout.write(
      `${chains} chains of ${CUTS} cuts, seed ${seed} (PUNCHBOARD_SEED): ${answers} answers of ${versions} versions compared, ${skipped} versions left out whose callers see several edits together\n`,
    );
  });
  const firsts = Array.from({ length: Math.ceil(chains / BATCH) }, (_, at) => at * BATCH);
  test.each(firsts)(
    'chains from number %s on',
    async (first) => {
      const length = Math.min(BATCH, chains - first);
      const found = await compare(Array.from({ length }, (_, at) => seed + first + at));
      all.push(found);
      expect(found.differences).toEqual([]);
    },
    600_000,
  );
}

describeChains(CHAINS);
onPostgres(() => describeChains(count(1, 20)));
