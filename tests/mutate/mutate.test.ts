// The generated tests can fail: they catch a few slips in descriptors, and pass for the project itself. `npm run mutate:spec`
// takes a larger sample, or all of them.
import { join } from 'node:path';
import { readSpec } from '../../generator/write/read-spec.js';
import { SPEC } from '../access/project.js';
import { count } from '../support/counts.js';
import { temporaryFolder } from '../support/paths.js';
import { buildMutants } from './build.js';
import { specMutants } from './edits.js';
import { runMutants } from './run.js';

const WORKER = join(__dirname, 'worker.js');

/** One of each kind of slip that spec/promises names; the short form takes one in eight. */
const SLIPS = [
  'conventions component: quantity no min',
  'bookletpage: sequence_number max: 19',
  'scorepad: page_count values without 80',
  'designerassociate: unique',
  'gamedownload: download by receipt without where',
  'boxtop: top read_only: true',
  'game: edit without designerassociate',
  'folder: folder on_delete: "cascade"',
  'twosidedslugged: back_from_set no default',
  'webhook: no hidden',
  'part: search without keywords',
];

const folder = temporaryFolder('slips');

test('every slip is caught, and the project itself passes', async () => {
  const source = readSpec(SPEC);
  const all = new Map(specMutants(source).map((mutant) => [mutant.name, mutant]));
  const slips = SLIPS.filter((_, at) => at % count(8, 1) === 0).map(
    (name) => all.get(name) ?? { name: `unknown slip: ${name}`, source },
  );
  const { jobs, refused, same } = buildMutants(slips, folder);
  expect([...refused, ...same]).toEqual([]);
  const control = {
    name: 'the project',
    spec: SPEC,
    generated: '',
    resources: ['boxtop', 'designerassociate'],
    equivalent: null,
  };
  const verdicts = await runMutants([control, ...jobs], WORKER);
  expect(verdicts.filter(({ differences }) => differences.length === 0).map(({ name }) => name)).toEqual([
    'the project',
  ]);
  expect(verdicts.filter(({ probes }) => probes === 0)).toEqual([]);
});
