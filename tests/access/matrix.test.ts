// The access matrix of this project: every resource, operation and reference, by everybody. Not one leak, not one difference.

import { runMatrix } from './matrix.js';
import { modelOf, SPEC } from './project.js';

test('nobody sees or writes what is not theirs', async () => {
  const { probes, differences } = await runMatrix(modelOf(SPEC));
  expect(differences).toEqual([]);
  // A matrix that shrinks without anyone's notice would hold nothing.
  expect(probes).toBeGreaterThan(3000);
  process.stdout.write(`access matrix: ${probes} probes, 0 leaks\n`);
});
