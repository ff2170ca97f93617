// The program of a child process: runs the tests of a spec against one mutant at a time. Jobs and verdicts are messages.

import type { Difference } from '../access/findings.js';
import { modelOf } from '../access/project.js';
import { examine } from '../properties/examine.js';
import { type ProjectFacts, projectFacts } from '../properties/facts.js';
import type { SpecJob } from './build.js';
import type { Verdict } from './run.js';

/** The random part is the same for every mutant. */
const SEED = 4;
const projects = new Map<string, ProjectFacts>();

process.on('message', (job: SpecJob) => {
  run(job).then((verdict) => process.send?.(verdict));
});
process.on('disconnect', () => process.exit());

async function run({ name, spec, generated, resources }: SpecJob): Promise<Verdict> {
  const project = projects.get(spec) ?? projectFacts(modelOf(spec));
  projects.set(spec, project);
  let probes = 0;
  const broken: string[] = [];
  for (const resource of resources) {
    try {
      const { findings } = await examine({
        resource,
        project,
        generated: generated === '' ? null : generated,
        seed: SEED,
        first: true,
      });
      probes += findings.probes;
      const compared = findings.differences.filter((one) => !one.broken);
      if (compared.length > 0) return { name, probes, differences: compared.map(differenceText) };
      broken.push(...findings.differences.map(differenceText));
    } catch (error) {
      return { name, probes, differences: [`the service does not start: ${(error as Error).message}`], broken: true };
    }
  }
  return { name, probes, differences: broken, broken: broken.length > 0 };
}

function differenceText({ probe, expected, got }: Difference): string {
  return `${probe}: ${got.split('\n', 1)[0]} instead of ${expected}`;
}
