// The access matrix of this project: every resource, operation and reference, by everybody. Not one leak, not one difference.

import { createOperations } from '../../runtime/operations/operations.js';
import { start } from '../../runtime/server/main.js';
import { codeOf } from './code.js';
import { runMatrix } from './matrix.js';
import { modelOf, SPEC } from './project.js';

const code = codeOf(start, createOperations);

test('NobodySeesOrWritesWhatIsNotTheirs', async () => {
  const { probes, differences } = await runMatrix(code, { model: modelOf(SPEC), generated: null });
  expect(differences).toEqual([]);
  // A matrix that shrinks without anyone's notice would hold nothing.
  expect(probes).toBeGreaterThan(3000);
  process.stdout.write(`access matrix: ${probes} probes, 0 leaks\n`);
});
