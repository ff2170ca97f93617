// The matrix can fail: with any one access clause removed from a descriptor or from the code, it finds a difference.
// In CI a sample, another one of the same size each day would not be repeatable: every so-manieth mutant, and always the same.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readSpec } from '../../generator/io.js';
import { count } from '../support/counts.js';
import { ROOT } from '../support/paths.js';
import { BROKEN } from './matrix.js';
import { build, ownModel } from './mutants/build.js';
import { codeMutants } from './mutants/code.js';
import { descriptorMutants } from './mutants/descriptors.js';
import type { Mutant, Verdict } from './mutants/mutant.js';
import { runMutants } from './mutants/run.js';
import { SPEC } from './project.js';

const MINUTE = 60_000;

test('EveryEditOfTheCodeHasItsPlace', () => {
  const misplaced = codeMutants.flatMap(({ name, edits }) =>
    edits
      .filter(({ file, find }) => readFileSync(join(ROOT, 'dist', 'runtime', file), 'utf8').split(find).length !== 2)
      .map(({ file, find }) => `${name}: ${file} does not hold exactly one \`${find}\``),
  );
  expect(misplaced).toEqual([]);
});

test(
  'WithoutAClauseOfADescriptorItFails',
  async () => {
    const mutants = descriptorMutants(readSpec(SPEC));
    const told = mutants.filter(({ equivalent }) => equivalent === undefined);
    const { jobs, refused } = build(sample(told, count(6, told.length)));
    report('descriptors', mutants, [...refused, ...(await runMutants(jobs))]);
  },
  count(2, 40) * MINUTE,
);

test(
  'WithoutACheckOfTheCodeItFails',
  async () => {
    const told = codeMutants.filter(({ equivalent }) => equivalent === undefined);
    const model = ownModel();
    const chosen = sample(told, count(6, told.length));
    const verdicts = await runMutants(chosen.map(({ name, edits }) => ({ name, edits, generated: null, model })));
    report('code', codeMutants, verdicts);
  },
  count(2, 40) * MINUTE,
);

/** `size` of them, evenly spread. */
function sample<T>(all: readonly T[], size: number): readonly T[] {
  return all.filter((_, at) => Math.floor((at * size) / all.length) !== Math.floor(((at - 1) * size) / all.length));
}

function report(of: string, all: readonly Mutant[], verdicts: readonly Verdict[]): void {
  const survivors = verdicts.filter(({ found }) => found.length === 0).map(({ name }) => name);
  const equivalent = all.flatMap(({ name, equivalent: reason }) =>
    reason === undefined ? [] : [`  ${name}: ${reason}`],
  );
  const refused = verdicts.filter(({ probes }) => probes === 0).length;
  process.stdout.write(
    `mutants of the ${of}: ${all.length}, ${equivalent.length} of them equivalent; run ${verdicts.length}, ` +
      `caught ${verdicts.length - survivors.length} (${refused} before the first probe)\n` +
      `${equivalent.map((line) => `${line}\n`).join('')}`,
  );
  expect(survivors).toEqual([]);
  // A mutant that falls over has not been found out.
  expect(verdicts.filter(({ found }) => found.some((one) => one.startsWith(BROKEN)))).toEqual([]);
}
