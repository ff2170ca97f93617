// The table of outputs: each file that gen writes has exactly one row, and .gitattributes says who reads it.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { OUTPUTS, outputAt } from '../../generator/emit/outputs.js';
import { ROOT } from '../support/paths.js';

const { files } = JSON.parse(readFileSync(join(ROOT, 'generated', 'manifest.json'), 'utf8'));
/** This project has no version yet. */
const VERSION = 'versions/2027-01-15.json';
const paths: readonly string[] = [...Object.keys(files), 'manifest.json', VERSION];

/** The patterns of .gitattributes for files that diffs collapse. */
const collapsed = readFileSync(join(ROOT, '.gitattributes'), 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('generated/') && line.endsWith(' linguist-generated'))
  .map((line) => new RegExp(`^${line.split(' ')[0]?.replaceAll('.', '\\.').replaceAll(/\*+/g, '.*')}$`));

test('every output has a row, and every row has an output', () => {
  expect(paths.filter((path) => outputAt(path) === null)).toEqual([]);
  const rows = new Set(paths.map((path) => outputAt(path)?.row));
  expect(OUTPUTS.filter((row) => !rows.has(row))).toEqual([]);
});

test.each([
  ['resources/deck.ts', 'resources/*.ts', 'deck'],
  ['tests/deck.test.ts', 'tests/*.test.ts', 'deck'],
  ['validators/_events.ts', 'validators/_events.ts', ''],
])('%s belongs to the row %s', (path, row, resource) => {
  expect(outputAt(path)).toMatchObject({ row: { path: row }, resource });
});

test('a file that gen does not write has no row', () => {
  expect(['resources/a/b.ts', 'notes.md', 'client/resources/a.ts'].map(outputAt)).toEqual([null, null, null]);
});

test('git collapses exactly the outputs for machines in diffs', () => {
  const machine = paths.filter((path) => outputAt(path)?.row.readers === 'machines');
  expect(machine.length).toBeGreaterThan(50);
  expect(paths.filter((path) => collapsed.some((pattern) => pattern.test(`generated/${path}`)))).toEqual(machine);
});
