// D68: after a chain of random edits with a cut between each two, every version is answered as its service was.

import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { seedOfRun } from '../support/chance.js';
import { count } from '../support/counts.js';
import { onPostgres } from '../support/on-postgres.js';
import { WORKER_OPTIONS } from '../support/worker-options.js';
import { type Compared, createChains, sumOf } from './chain.js';

const CHAINS = count(12, 1000);
const CUTS = count(3, 10);
/** Chains of a process: what it keeps of services that have stopped would be too much after hundreds. */
const BATCH = count(12, 20);
const CHILD = join(__dirname, 'chains-child.js');
const seed = seedOfRun(68);

function inChild(seeds: readonly number[]): Promise<Compared> {
  const words = [...WORKER_OPTIONS, CHILD, ...[seeds[0], seeds.length, CUTS].map(String)];
  return new Promise((resolve, reject) =>
    execFile(process.execPath, words, { maxBuffer: 2 ** 28 }, (error, stdout) =>
      error === null ? resolve(JSON.parse(stdout) as Compared) : reject(error),
    ),
  );
}

/** Declares the tests of the first chains of the run. */
function describeChains(chains: number, compare: (seeds: readonly number[]) => Promise<Compared>): void {
  const all: Compared[] = [];
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
    1_800_000,
  );
}

describeChains(CHAINS, inChild);
onPostgres(() => describeChains(count(1, 20), (seeds) => createChains(CUTS)(seeds)));
