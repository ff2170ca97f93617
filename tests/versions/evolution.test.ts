// D68: after an edit, the answers under the earlier version equal those before the edit, byte for byte; and after a chain of
// random edits with a cut after every few edits, the answers under each version equal those of the service from which it was cut.
// Both are in one file since they share the list of edits that callers do not notice, which takes seconds to compute.

import { execFile } from 'node:child_process';
import { join } from 'node:path';
import type { StartOptions } from '../../runtime/server/main.js';
import { seedOfRun } from '../support/chance.js';
import { count } from '../support/counts.js';
import { onPostgres } from '../support/on-postgres.js';
import { temporaryFolder } from '../support/paths.js';
import { WORKER_OPTIONS } from '../support/worker-options.js';
import { answers, type BuiltService, compileAll, make, prepare, VERSION } from './bench.js';
import { type Compared, createChains, sumOf } from './chain.js';
import { type Group, groupsOf } from './groups.js';

describe('one edit', () => {
  const groups = groupsOf();
  const folder = temporaryFolder('versions');
  let services: readonly { readonly group: Group; readonly old: BuiltService; readonly now: BuiltService }[] = [];

  beforeAll(() => {
    prepare(folder);
    services = groups.map((group, at) => ({
      group,
      old: make(join(folder, `old${at}`), group.old, group.old.ledger, {}),
      now: make(join(folder, `now${at}`), group.now, group.old.ledger, { [VERSION]: group.old }),
    }));
    compileAll(services.flatMap(({ old, now }) => [old, now]));
  }, 300_000);

  /** The requests that get another answer, each with both answers. */
  async function differences(at: number, options: Partial<StartOptions>): Promise<readonly unknown[]> {
    const { old, now } = services[at] ?? {};
    if (old === undefined || now === undefined) throw new Error('the services were not built');
    const [before, after] = [await answers(old, null, options), await answers(now, VERSION, options)];
    expect(before.length).toBeGreaterThan(30);
    return before.flatMap(({ request, answer }, index) =>
      after[index]?.answer === answer && after[index]?.request === request
        ? []
        : [{ request, before: answer, after: after[index]?.answer }],
    );
  }

  const NAMED = groups.map((group, at) => [`${group.names.length} edits, the first: ${group.names[0]}`, at] as const);

  describe.each([['plain'], ['wing']] as const)('%s', (wire) => {
    test.each(NAMED)('%s', async (_, at) => expect(await differences(at, { wire })).toEqual([]), 120_000);
  });

  onPostgres(() => {
    test.each(NAMED)('%s', async (_, at) => expect(await differences(at, {})).toEqual([]), 240_000);
  });
});

const CHAINS = count(12, 1000);
const CUTS = count(3, 10);
const BATCH = count(12, 20);
const CHILD = join(__dirname, 'chains-child.js');
const seed = seedOfRun(68);

type CompareChains = ReturnType<typeof createChains>;

/** Compares in a separate process, since a process keeps some memory of each of the hundreds of services that it has stopped. */
function inChild(seeds: readonly number[]): Promise<Compared> {
  const args = [...WORKER_OPTIONS, CHILD, ...[seeds[0], seeds.length, CUTS].map(String)];
  return new Promise((resolve, reject) =>
    execFile(process.execPath, args, { maxBuffer: 2 ** 28 }, (error, stdout) =>
      error === null ? resolve(JSON.parse(stdout) as Compared) : reject(error),
    ),
  );
}

const inThisProcess: CompareChains = (seeds) => createChains(CUTS)(seeds);

/** Declares the tests of the first chains of the run. */
function describeChains(chains: number, compare: CompareChains): void {
  const results: Compared[] = [];
  afterAll(() => {
    const { versions, answers: compared, skipped } = sumOf(results);
    process.stdout.write(
      `${chains} chains of ${CUTS} cuts, seed ${seed} (PUNCHBOARD_SEED): ${compared} answers of ${versions} versions compared, ${skipped} versions left out whose callers see several edits together\n`,
    );
  });
  const firsts = Array.from({ length: Math.ceil(chains / BATCH) }, (_, at) => at * BATCH);
  test.each(firsts)(
    'chains from number %s on',
    async (first) => {
      const length = Math.min(BATCH, chains - first);
      const compared = await compare(Array.from({ length }, (_, at) => seed + first + at));
      results.push(compared);
      expect(compared.differences).toEqual([]);
    },
    1_800_000,
  );
}

describe('chains of edits', () => {
  describeChains(CHAINS, CHAINS > BATCH ? inChild : inThisProcess);
  onPostgres(() => describeChains(count(1, 20), inThisProcess));
});
