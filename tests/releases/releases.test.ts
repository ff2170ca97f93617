// The promises of spec/promises.md: with the current Punchboard, each release keeps functions that compile, its ledger numbers,
// its tables but for online additions, and its API document. PUNCHBOARD_RECORD_RELEASE=1 records the files of this version.

import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readSchema } from '../../runtime/schema/compact.js';
import { planSqlite } from '../../runtime/schema/sqlite/plan.js';
import { ROOT, temporaryFolder } from '../support/paths.js';
import { lost, type Surface, surfaceOf } from './surface.js';

const HERE = join(ROOT, 'tests', 'releases');
const releases = readdirSync(HERE, { withFileTypes: true }).flatMap((entry) =>
  entry.isDirectory() ? [entry.name] : [],
);

/** The ledger is part of the spec. */
function place(release: string, file: string): string {
  return join(HERE, release, file === 'ledger.json' ? 'spec' : '', file);
}

test.each(releases)('%s', async (release) => {
  const folder = temporaryFolder('release');
  const recorded = (file: keyof Surface): string => readFileSync(place(release, file), 'utf8');
  const current = await surfaceOf(join(HERE, release, 'spec'), folder);
  if (process.env.PUNCHBOARD_RECORD_RELEASE === '1' && !existsSync(place(release, 'openapi.json'))) {
    for (const [file, text] of Object.entries(current)) writeFileSync(place(release, file), text);
  }
  for (const file of ['openapi.json', 'commands.json'] as const) {
    expect(lost(JSON.parse(recorded(file)), JSON.parse(current[file]))).toEqual([]);
  }
  const [before, after] = [recorded('ledger.json'), current['ledger.json']].map((text) => JSON.parse(text).resources);
  expect(lost(before, after)).toEqual([]);
  const { steps } = planSqlite(readSchema(recorded('schema.json')), readSchema(current['schema.json']));
  expect(steps.filter((step) => step.class !== 'online')).toEqual([]);
});

test('there is a release, and losses are reported', () => {
  expect(releases.length).toBeGreaterThan(0);
  const before = { a: { type: 'text', maxLength: 5, required: ['x'], enum: [1, 2], description: 'x' }, b: 1 };
  expect(
    lost(before, { ...before, a: { ...before.a, maxLength: 9, description: 'y', enum: [1, 2, 3] }, c: 1 }),
  ).toEqual([]);
  const after = { a: { type: 'json', maxLength: 4, required: ['x', 'y'], enum: [1] } };
  expect(lost(before, after)).toEqual([
    '/a/type: "text" became "json"',
    '/a/maxLength: 5 became 4',
    '/a/required: "y"',
    '/a/enum: 2',
    '/b: it is gone',
  ]);
  const named = { properties: { title: { type: 'string' } }, title: 'Crate' };
  expect(lost(named, { properties: {} })).toEqual(['/properties/title: it is gone']);
});
