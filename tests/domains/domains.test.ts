// Whatever `check` accepts compiles, starts, and passes its generated tests, whatever its names and fields: random domains.
import { rmSync } from 'node:fs';
import { seedOfRun } from '../support/chance.js';
import { count } from '../support/counts.js';
import { onPostgres } from '../support/on-postgres.js';
import { temporaryFolder } from '../support/paths.js';
import { compileAll, type Domain, makeDomain, prepare, wrongIn } from './bench.js';

const DOMAINS = count(4, 500);
const TIMEOUT = count(300_000, 7_200_000);
/** Seeds of domains that failed once. */
const FAILED: readonly number[] = [];

const seed = seedOfRun(5000);
const folder = temporaryFolder('domains');
afterAll(() => {
  process.stdout.write(`${DOMAINS} random domains, seed ${seed} (PUNCHBOARD_SEED)\n`);
  rmSync(folder, { recursive: true, force: true });
});

/** The domains of the kept seeds and of those from `seed` on, as far as `check` finds them right. */
function domains(): readonly Domain[] {
  const found = FAILED.flatMap((kept) => makeDomain(kept, folder) ?? []);
  for (let at = 0; found.length < DOMAINS && at < 3 * DOMAINS; at++) {
    const domain = FAILED.includes(seed + at) ? null : makeDomain(seed + at, folder);
    if (domain !== null) found.push(domain);
  }
  return found;
}

/** In the short form one of a domain's resources; who logs in is one of ten, as hashing passwords takes its time. */
function tried({ project, seed: own }: Domain): readonly string[] {
  const one = project.resources.filter(({ principal }) => (principal === true) === (own % 10 === 0));
  const chosen = one.slice(own % one.length).slice(0, 1);
  return count(0, 1) === 1 ? project.resources.map(({ resource }) => resource) : chosen.map(({ resource }) => resource);
}

let all: readonly Domain[] = [];
beforeAll(() => {
  prepare(folder);
  all = domains();
  expect(all).toHaveLength(DOMAINS);
  expect(compileAll(all)).toBe('');
}, TIMEOUT);

async function wrongInAll(domains: readonly Domain[]): Promise<readonly string[]> {
  const wrong: string[] = [];
  for (const domain of domains) {
    for (const resource of tried(domain)) wrong.push(...(await wrongIn(domain, resource)));
  }
  return wrong;
}

test(
  'every domain that check finds right compiles starts and passes its tests',
  async () => {
    expect(await wrongInAll(all)).toEqual([]);
  },
  TIMEOUT,
);

onPostgres(() => {
  test(
    'domains pass their tests there',
    async () => {
      expect(await wrongInAll(all.slice(0, count(1, DOMAINS)))).toEqual([]);
    },
    TIMEOUT,
  );
});
