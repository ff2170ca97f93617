// The program of a child process: runs the matrix against one mutant after the other. Jobs come in and verdicts go as messages.
import { readFileSync } from 'node:fs';
import Module from 'node:module';
import { join } from 'node:path';
import type * as Main from '../../../runtime/main.js';
import type * as Operations from '../../../runtime/operations/operations.js';
import { ROOT } from '../../support/paths.js';
import { codeOf } from '../code.js';
import { BROKEN, runMatrix } from '../matrix.js';
import type { Code } from '../world.js';
import type { Edit, Job, Verdict } from './mutant.js';

const RUNTIME = join(ROOT, 'dist', 'runtime');
/** Loaded anew for each mutant. */
const FRESH = [RUNTIME, join(ROOT, 'dist', 'generated')];
/** Node's own step from a file's text to a module; where a mutant of the code comes to be. */
type Compile = (this: unknown, text: string, file: string, ...more: unknown[]) => unknown;
const loader = Module.prototype as unknown as { _compile: Compile };
const compile = loader._compile;

process.on('message', (job: Job) => {
  run(job).then(
    (verdict) => process.send?.(verdict),
    (error: Error) => process.send?.({ name: job.name, probes: 0, found: [`${BROKEN}: ${error.message}`] }),
  );
});
process.on('disconnect', () => process.exit());

async function run({ name, edits, generated, model }: Job): Promise<Verdict> {
  const code = load(edits);
  const findings = await runMatrix(code, { model: JSON.parse(readFileSync(model, 'utf8')), generated, first: true });
  const found = findings.differences.map(({ probe, expected, got }) => `${probe}: ${got} instead of ${expected}`);
  return { name, probes: findings.probes, found };
}

/** Loads the runtime anew, with the edits in it. The files on disk stay as they are. */
function load(edits: readonly Edit[]): Code {
  for (const file of Object.keys(require.cache))
    if (FRESH.some((folder) => file.startsWith(folder))) delete require.cache[file];
  loader._compile = function (text, file, ...more) {
    return compile.call(this, edited(text, file, edits), file, ...more);
  };
  const { start } = require(join(RUNTIME, 'main.js')) as typeof Main;
  const { createOperations } = require(join(RUNTIME, 'operations', 'operations.js')) as typeof Operations;
  return codeOf(start, createOperations);
}

function edited(text: string, file: string, edits: readonly Edit[]): string {
  return edits
    .filter((edit) => file === join(RUNTIME, edit.file))
    .reduce((before, { find, replace }) => before.replace(find, () => replace), text);
}
