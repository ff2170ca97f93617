// Must-hold 5: what `check` finds right compiles, starts, and passes its generated tests, whatever it is called and made of.
import { rmSync } from 'node:fs';
import { type Examination, examine } from '../properties/examine.js';
import { freshSeed } from '../support/chance.js';
import { count } from '../support/counts.js';
import { temporaryFolder } from '../support/paths.js';
import { compileAll, type Domain, makeDomain, prepare } from './bench.js';

const DOMAINS = count(30, 500);
/** Seeds of domains that failed once. */
const FAILED: readonly number[] = [];

const seed = freshSeed();
const folder = temporaryFolder('domains');
afterAll(() => {
  process.stdout.write(`${DOMAINS} random domains, seed ${seed} (PUNCHBOARD_SEED)\n`);
  rmSync(folder, { recursive: true, force: true });
});

/** The domains of the seeds from here on that `check` finds right. */
function domains(): readonly Domain[] {
  const found: Domain[] = [];
  for (let at = 0; found.length < DOMAINS && at < 3 * DOMAINS; at++) {
    const domain = makeDomain(FAILED[at] ?? seed + at, folder);
    if (domain !== null) found.push(domain);
  }
  return found;
}

/** In CI one of a domain's resources is put on trial, another one in each; the service has to start with all of them. */
function tried({ project, seed: own }: Domain): readonly string[] {
  const names = project.resources.map(({ resource }) => resource);
  return count(0, 1) === 1 ? names : names.slice(own % names.length).slice(0, 1);
}

test(
  'EveryDomainThatCheckFindsRightCompilesStartsAndPassesItsTests',
  async () => {
    prepare(folder);
    const all = domains();
    expect(all).toHaveLength(DOMAINS);
    expect(compileAll(all)).toBe('');
    const wrong: string[] = [];
    for (const domain of all) {
      for (const resource of tried(domain)) {
        const { findings } = await onTrial(domain, resource);
        wrong.push(
          ...findings.differences.map(
            ({ probe, expected, got }) => `seed ${domain.seed}: ${probe}\n  expected: ${expected}\n  came: ${got}`,
          ),
        );
      }
    }
    expect(wrong).toEqual([]);
  },
  count(600_000, 7_200_000),
);

function onTrial({ project, generated, seed: own }: Domain, resource: string): Promise<Examination> {
  return examine({ resource, project, generated, seed: own });
}
