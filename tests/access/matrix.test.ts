// The access matrix of this project: every resource, operation and reference, by everybody, without a leak or a difference.
// The short form leaves out the types that only belong to a game, which the generated tests cover too.

import { compileSpec } from '../../generator/compile-spec.js';
import { readSpec } from '../../generator/write/read-spec.js';
import { count } from '../support/counts.js';
import { fewerTypes } from '../support/fewer-types.js';
import { runMatrix } from './matrix.js';
import { ok, SPEC } from './project.js';

test('nobody sees or writes what is not theirs', async () => {
  const spec = readSpec(SPEC);
  const files = count(0, 1) === 1 ? spec.files : fewerTypes(spec.files, []);
  const { probes, differences } = await runMatrix(ok(compileSpec({ ...spec, files })).model);
  expect(differences).toEqual([]);
  // A matrix that shrinks unnoticed would prove nothing.
  expect(probes).toBeGreaterThan(3000);
  process.stdout.write(`access matrix: ${probes} probes, 0 leaks\n`);
});
