// One edited line of a descriptor changes a bounded number of generated lines, only in the files of its resource and the indexes.

import { join } from 'node:path';
import { structuredPatch } from 'diff';
import { type Content, withHash } from '../../generator/emit/output.js';
import { type Generation, generate } from '../../generator/generate.js';
import { manifestText } from '../../generator/write/manifest.js';
import { readSpec } from '../../generator/write/read-spec.js';
import { count } from '../support/counts.js';
import { ROOT } from '../support/paths.js';
import { createMemory } from '../support/remember.js';
import { LINE_EDITS, type LineEdit } from './edits.js';

const KIT = '../runtime/contract/kit.js';
const source = readSpec(join(ROOT, 'spec'));

/** Files that cover all resources, in the output folder and in the spec folder. */
const INDEXES = [
  'behaviour.ts',
  'build.ts',
  'client/README.md',
  'client/index.d.ts',
  'client/index.js',
  'client/package.json',
  'index.ts',
  'manifest.json',
  'openapi.json',
  'schema.json',
  'schema.sql',
  'tests/facts.json',
  'validators/_events.ts',
  'descriptor.schema.json',
  'ledger.json',
];

/** Who reads a changed line: people in a review, or machines, whose longest file is the API document. */
const TIERS: readonly (readonly [name: keyof Figures, paths: RegExp])[] = [
  ['read by people', /^(?!validators\/|build\.ts$).*\.(ts|sql)$/],
  ['without the API document', /^(?!openapi\.json$)/],
  ['all', /^/],
];

interface Figures {
  readonly 'read by people': number;
  readonly 'without the API document': number;
  readonly all: number;
}

/** The most lines removed and added; the API document names a game in each operation of the fifty types that belong to one. */
const BOUNDS: Figures = { 'read by people': 50, 'without the API document': 260, all: 900 };

/** Outputs that several edits leave the same are generated once. */
const remember = createMemory();

type Tree = ReadonlyMap<string, Content>;

function generateTree(files: typeof source.files): Tree {
  const generation: Generation = generate({ ...source, files }, KIT, remember);
  if (!generation.ok) throw new Error(generation.diagnostics.map(({ message }) => message).join('\n'));
  const outputs = [...generation.outputs, ...generation.specOutputs];
  const manifest = {
    path: 'manifest.json',
    text: manifestText(outputs.map(withHash), { build: generation.build.identity, spec: '../spec' }),
  };
  return new Map([...outputs, manifest].map((output) => [output.path, withHash(output)]));
}

function generateEdited({ resource, from, to }: LineEdit): Tree {
  return generateTree(
    source.files.map((file) => {
      if (!file.path.endsWith(`/${resource}.yaml`)) return file;
      expect(file.text).toContain(from);
      return { ...file, text: file.text.replace(from, () => to) };
    }),
  );
}

/** Number of lines removed and added, by file. */
function changedLines(before: Tree, after: Tree): ReadonlyMap<string, number> {
  const paths = [...new Set([...before.keys(), ...after.keys()])];
  const changed = paths.filter((path) => before.get(path)?.hash !== after.get(path)?.hash);
  return new Map(changed.map((path) => [path, lines(before.get(path)?.text ?? '', after.get(path)?.text ?? '')]));
}

function lines(before: string, after: string): number {
  const { hunks } = structuredPatch('a', 'b', before, after, '', '', { context: 0 });
  return hunks.flatMap((hunk) => hunk.lines).filter((line) => /^[+-]/.test(line)).length;
}

/** The files of the edited resource and of the resources that the edit is known to reach. */
function mayChange({ resource, reaches }: LineEdit): readonly string[] {
  const owners = [resource, ...(reaches?.files ?? [])];
  const files = owners.flatMap((name) => [
    `resources/${name}.ts`,
    `client/resources/${name}.d.ts`,
    `validators/${name}.ts`,
    `tests/${name}.ts`,
    `tests/${name}.test.ts`,
  ]);
  return [...files, ...INDEXES];
}

const figures: (readonly [name: string, counts: Figures])[] = [];
const before = generateTree(source.files);

/** The short form takes every fourth edit. */
describe.each(LINE_EDITS.filter((_, at) => at % count(4, 1) === 0))('$name of $resource', (edit) => {
  let changed: ReadonlyMap<string, number> = new Map();
  beforeAll(() => {
    changed = changedLines(before, generateEdited(edit));
  });

  test('changes only its own files', () => {
    expect([...changed.keys()].filter((path) => !mayChange(edit).includes(path))).toEqual([]);
    expect(changed.size).toBeGreaterThan(0);
  });

  test('changes a bounded number of lines', () => {
    const counts = Object.fromEntries(TIERS.map(([tier, paths]) => [tier, sum(changed, paths)])) as unknown as Figures;
    figures.push([`${edit.name} of ${edit.resource}`, counts]);
    for (const [tier] of TIERS)
      expect([tier, counts[tier] <= BOUNDS[tier], counts[tier]]).toEqual([tier, true, counts[tier]]);
  });
});

function sum(changed: ReadonlyMap<string, number>, paths: RegExp): number {
  return [...changed].filter(([path]) => paths.test(path)).reduce((total, [, count]) => total + count, 0);
}

afterAll(() => {
  const rows = TIERS.map(([tier]) => {
    const sorted = [...figures].sort(([, a], [, b]) => a[tier] - b[tier]);
    const [worst, counts] = sorted.at(-1) ?? ['none', BOUNDS];
    return `${tier}: median ${sorted[Math.floor(sorted.length / 2)]?.[1][tier]}, most ${counts[tier]} (${worst})`;
  });
  process.stdout.write(`Generated lines changed by ${figures.length} edits of one line\n  ${rows.join('\n  ')}\n`);
});
