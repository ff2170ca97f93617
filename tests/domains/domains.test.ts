// Random domains: whatever `check` accepts compiles, starts, and passes its generated tests, with any names and fields.
import { seedOfRun } from '../support/chance.js';
import { count } from '../support/counts.js';
import { onPostgres } from '../support/on-postgres.js';
import { temporaryFolder } from '../support/paths.js';
import { compileAll, type Domain, makeDomain, prepare, wrongIn } from './bench.js';

const DOMAINS = count(4, 500);
const TIMEOUT = count(300_000, 7_200_000);
/** Seeds of domains that once failed. */
const FAILED: readonly number[] = [];

const seed = seedOfRun(5000);
const folder = temporaryFolder('domains');
afterAll(() => process.stdout.write(`${DOMAINS} random domains, seed ${seed} (PUNCHBOARD_SEED)\n`));

/** The domains of the kept seeds and of the seeds from `seed` on, as far as `check` accepts them. */
function domains(): readonly Domain[] {
  const accepted = FAILED.flatMap((kept) => makeDomain(kept, folder) ?? []);
  for (let at = 0; accepted.length < DOMAINS && at < 10 * DOMAINS; at++) {
    const domain = FAILED.includes(seed + at) ? null : makeDomain(seed + at, folder);
    if (domain !== null) accepted.push(domain);
  }
  return accepted;
}

/** The short form tests one resource of each domain; for the principal in one of ten, since hashing passwords is slow. */
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
  'every domain that check accepts compiles, starts and passes its tests',
  async () => {
    expect(await wrongInAll(all)).toEqual([]);
  },
  TIMEOUT,
);

onPostgres(() => {
  test(
    'domains pass their tests on PostgreSQL',
    async () => {
      expect(await wrongInAll(all.slice(0, count(1, DOMAINS)))).toEqual([]);
    },
    TIMEOUT,
  );
});
