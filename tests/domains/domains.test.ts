// What `check` finds right compiles and starts, whatever it is called and made of: random domains.
import { rmSync } from 'node:fs';
import { openTrial } from '../properties/examine.js';
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

test(
  'EveryDomainThatCheckFindsRightCompilesAndStarts',
  async () => {
    prepare(folder);
    const all = domains();
    expect(all).toHaveLength(DOMAINS);
    expect(compileAll(all)).toBe('');
    for (const { project, generated, seed: own } of all) {
      const resource = project.resources[own % project.resources.length]?.resource ?? '';
      // Starts the service, and makes its users and a record of the resource.
      const trial = await openTrial({ resource, project, generated, seed: own });
      try {
        await trial.world.make(resource, trial.world.owner);
      } catch (error) {
        throw new Error(`seed ${own}, ${resource}: ${(error as Error).message}`);
      } finally {
        await trial.stop();
      }
    }
  },
  count(300_000, 3_600_000),
);
