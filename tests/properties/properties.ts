// The test of one resource under jest: one service for the file, one test for each section. Only generated tests call it.
import { join, resolve, sep } from 'node:path';
import { BUILD_FOLDER } from '../../runtime/project/compiled.js';
import type { Difference } from '../access/findings.js';
import { seedOfRun } from '../support/chance.js';
import { ROOT } from '../support/paths.js';
import { attempt, type Examination, openTrial, SECTIONS } from './examine.js';
import { type Facts, readFacts } from './facts.js';
import { fieldsOf } from './reading.js';

/** The source of compiled code: the inverse of `codeFolderOf`. */
function sourceFolderOf(code: string): string {
  const [repository = '', below] = code.split(`${sep}${BUILD_FOLDER}${sep}`);
  return below === undefined ? code : join(repository, below);
}

/**
 * Declares the tests of `resource`.
 * @param folder of the compiled generated test; the service next to it is tested
 */
export function properties(resource: string, folder: string): void {
  const output = sourceFolderOf(resolve(folder, '..'));
  const generated = output === join(ROOT, 'dist', 'generated') ? null : output;
  const project = readFacts(generated);
  const seed = seedOfRun();

  describe(resource, () => {
    let trial: Examination;
    beforeAll(async () => {
      trial = await openTrial({ resource, project, generated, seed });
    });
    afterAll(async () => {
      await trial?.stop();
      process.stdout.write(summary(trial));
    });

    test.each(Object.entries(SECTIONS))('%s', async (name, section) => {
      const before = trial.findings.differences.length;
      await attempt(trial, name, section);
      const differences = trial.findings.differences.slice(before);
      expect(differences.map((difference) => sentence(trial.facts, difference))).toEqual([]);
    });
  });

  function summary({ findings, left }: Examination): string {
    const lines = [...left].map((note) => `  not tested: ${note}\n`).join('');
    return `${resource}: ${findings.probes} probes, seed ${seed} (PUNCHBOARD_SEED)\n${lines}`;
  }
}

/** The probe, the expected outcome and the actual one, with the parts of the descriptor that they are about. */
function sentence(facts: Facts, { probe, expected, got }: Difference): string {
  const mentioned = Object.entries(fieldsOf(facts)).filter(([name]) =>
    new RegExp(`\\b(has_proofed_)?${name}(_id)?\\b`).test(`${probe} ${expected} ${got}`),
  );
  const words = mentioned.slice(0, 3).map(([name, field]) => `\n  said of ${name}: ${JSON.stringify(field)}`);
  return `${probe}\n  expected: ${expected}\n  came: ${got}${words.join('')}`;
}
