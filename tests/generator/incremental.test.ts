// gen that remembers makes the same bytes as gen that does not, and does only the work of what changed.

import { cpSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { type Cache, openCache } from '../../generator/cache.js';
import { createDesk } from '../../generator/desk.js';
import { createFileHashes } from '../../generator/file-hashes.js';
import { genWith } from '../../generator/gen.js';
import { type Generation, generate, type Source } from '../../generator/generate.js';
import { readSpec, write } from '../../generator/io.js';
import { hash, type Output } from '../../generator/output.js';
import { regenerate } from '../../generator/regenerate.js';
import { count } from '../support/counts.js';
import { ROOT, temporaryFolder } from '../support/paths.js';

const SPEC = join(ROOT, 'spec');
const KIT = '../runtime/kit.js';

/** Edits of the project's spec, right and wrong ones; each is a file, what is looked for and what it becomes. */
const EDITS: readonly (readonly [file: string, from: string | RegExp, to: string])[] = [
  ['resources/boxtop.yaml', 'Image printed on the top part.', 'What the top shows.'],
  ['resources/boxtop.yaml', 'title: Box top', 'title: Lid'],
  ['resources/boxtop.yaml', 'fields:\n', 'fields:\n  weight: { kind: integer, min: 1 }\n'],
  ['resources/boxtop.yaml', 'kind: image', 'kind: imagge'],
  ['resources/boxtop.yaml', 'resource: boxtop', 'resource: [boxtop'],
  ['resources/boxtop.yaml', /$/, '# A note.\n'],
  ['resources/game.yaml', 'title: Game', 'title: Play'],
  ['resources/game.yaml', /brief: \[.*\]/, 'brief: [name]'],
  ['resources/user.yaml', 'title: User', 'title: Person'],
  ['resources/twosidedsluggedset.yaml', 'back: { kind: image', 'front: { kind: image'],
  ['resources/scorepad.yaml', 'page_count:', 'sheet_count:'],
  ['resources/scorepad.yaml', 'paths: { all: /scorepad }', 'paths: { all: /pads }'],
  ['resources/folder.yaml', 'title: Folder', 'title: "Folder ’n more"'],
  ['resources/file.yaml', 'title: File', 'title: Upload'],
  ['conventions.yaml', 'max: 99', 'max: 98'],
  ['conventions.yaml', 'version: 0.1.0', 'version: 0.2.0'],
  ['conventions.yaml', 'edit: [game]', 'edit: []'],
  ['events.yaml', /summary: .*/, 'summary: Something took place.'],
];

/** The spec with some edits done. */
function sourceWith(edits: ReadonlySet<number>, ledger: Source['ledger'], missing: boolean): Source {
  const { files } = readSpec(SPEC);
  const edited = files.map((file) => {
    const own = [...edits].flatMap((at) => EDITS[at] ?? []).length;
    if (own === 0) return file;
    const text = [...edits]
      .flatMap((at) => [EDITS[at] as (typeof EDITS)[number]])
      .filter(([path]) => file.path === `spec/${path}`)
      .reduce((before, [, from, to]) => before.replace(from, to), file.text);
    return { ...file, text };
  });
  return { files: edited.filter(({ path }) => !missing || !path.endsWith('/boxtop.yaml')), ledger };
}

function texts(outputs: readonly Output[]): Readonly<Record<string, string>> {
  return Object.fromEntries(outputs.map(({ path, text }) => [path, text]));
}

function shown(generation: Omit<Extract<Generation, { ok: true }>, 'model'> | Extract<Generation, { ok: false }>) {
  const diagnostics = generation.diagnostics.map(({ path, start, end, code, message }) => [
    path,
    start,
    end,
    code,
    message,
  ]);
  if (!generation.ok) return { diagnostics };
  return { diagnostics, outputs: texts(generation.outputs), specOutputs: texts(generation.specOutputs) };
}

const open = (root: string): Cache =>
  openCache({ root, spec: SPEC, out: root, version: 'test', now: () => 1_800_000_000_000 });

describe('random sequences of edits', () => {
  const step = fc.record({
    edit: fc.nat(EDITS.length - 1),
    undo: fc.boolean(),
    missing: fc.boolean(),
    damage: fc.nat(9),
  });

  test('MakeTheSameAsFromScratch', () => {
    fc.assert(
      fc.property(fc.array(step, { minLength: 3, maxLength: 6 }), (steps) => {
        const root = temporaryFolder('memory');
        const edits = new Set<number>();
        let ledger = readSpec(SPEC).ledger;
        for (const { edit, undo, missing, damage } of steps) {
          if (undo) edits.delete([...edits][0] ?? -1);
          else edits.add(edit);
          const source = sourceWith(edits, ledger, missing && damage === 0);
          const cache = open(root);
          const scratch = generate(source, KIT);
          const incremental = regenerate(source, KIT, createDesk(cache.memo));
          expect(shown(incremental)).toEqual(shown(scratch));
          cache.save(damage % 2 === 0);
          if (damage === 1) harm(root);
          if (scratch.ok) ledger = JSON.parse(texts(scratch.specOutputs)['ledger.json'] ?? '');
        }
        rmSync(root, { recursive: true, force: true });
      }),
      { numRuns: count(6, 200) },
    );
  });
});

/** Cuts every remembered file in the middle, or writes over its end. */
function harm(root: string): void {
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).map((name) => join(root, name));
  for (const [at, file] of files.filter((one) => statSync(one).isFile()).entries()) {
    if (at % 2 === 0) truncateSync(file, Math.floor(statSync(file).size / 2));
    else writeFileSync(file, readFileSync(file, 'utf8').replace(/[a-z](?=[^a-z]*$)/, 'Z'));
  }
}

test('ANumberThatJsonCannotSayIsToldTheSameAgain', () => {
  const root = temporaryFolder('memory');
  const { files, ledger } = sourceWith(new Set(), null, false);
  const text = 'resource: lid\ntitle: Lid\nsummary: A lid.\nplural: lids\nfields:\n  n: { kind: integer, min: .inf }\n';
  const source = { files: [...files, { path: 'spec/resources/lid.yaml', text }], ledger };
  const cache = open(root);
  for (const _time of ['first', 'again']) {
    const { diagnostics } = regenerate(source, KIT, createDesk(cache.memo));
    expect(diagnostics.map(({ message }) => message)).toEqual([expect.stringContaining('the number Infinity')]);
  }
  rmSync(root, { recursive: true, force: true });
});

test('WhatAnotherGenWroteMeanwhileIsNotTakenForOnesOwn', () => {
  const root = temporaryFolder('hashes');
  const path = join(root, 'index.ts');
  const hashes = createFileHashes(new Map(), Date.now);
  const own = write(path, 'own');
  write(path, 'its');
  hashes.wrote(path, hash('own'), own);
  expect(hashes.of(path)).toBe(hash('its'));
  rmSync(root, { recursive: true, force: true });
});

describe('the work that is done', () => {
  const folder = temporaryFolder('work');
  const options = { spec: join(folder, 'spec'), out: join(folder, 'out'), check: false };
  const boxtop = join(options.spec, 'resources', 'boxtop.yaml');
  /** A process of its own each time, as far as memory goes. */
  const run = () => {
    const { code, stderr, work } = genWith(
      options,
      openCache({ ...options, root: join(folder, 'memory'), version: 'test', now: Date.now }),
    );
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    return work;
  };
  const below = (paths: readonly string[]) => paths.map((path) => path.replace(`${folder}/`, '')).sort();
  /** The outputs that are about all resources. */
  const INDEXES = ['behaviour.ts', 'events.ts', 'index.ts', 'openapi.json', 'schema.json', 'schema.sql'];

  beforeAll(() => cpSync(SPEC, options.spec, { recursive: true }));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test('AllOfItAtFirst', () => {
    const { parsed, rendered } = run();
    expect(parsed).toHaveLength(readSpec(options.spec).files.length);
    expect(rendered).toEqual(expect.arrayContaining(['resources/game.ts', 'openapi.json#game', ...INDEXES]));
  });

  test('NoneWithoutAChange', () => expect(run()).toEqual({ parsed: [], rendered: [], written: [] }));

  test('OneTypeAfterOneEdit', () => {
    writeFileSync(boxtop, readFileSync(boxtop, 'utf8').replace('Image printed on the top part.', 'What is on top.'));
    const { parsed, rendered, written } = run();
    expect(parsed).toEqual(['spec/resources/boxtop.yaml']);
    const own = rendered.filter((path) => !INDEXES.includes(path) && !/\/_\w+\.ts$/.test(path));
    expect(own.filter((path) => !/[/#]boxtop(\.test)?(\.ts)?$/.test(path))).toEqual([]);
    expect(own).toEqual(expect.arrayContaining(['resources/boxtop.ts', 'validators/boxtop.ts', 'openapi.json#boxtop']));
    // A description is in the record's type and in the document, and nowhere else.
    expect(below(written)).toEqual(['out/manifest.json', 'out/openapi.json', 'out/resources/boxtop.ts']);
  });

  test('NothingRenderedForAComment', () => {
    writeFileSync(boxtop, `${readFileSync(boxtop, 'utf8')}# A note.\n`);
    expect(run()).toEqual({ parsed: ['spec/resources/boxtop.yaml'], rendered: [], written: [] });
  });

  test('WhatReadsAnotherIsDoneAgain', () => {
    // The editors of a component are those of its game: the title stands in the lists that hang on it.
    const game = join(options.spec, 'resources', 'game.yaml');
    writeFileSync(game, readFileSync(game, 'utf8').replace('title: Game', 'title: Play'));
    const { parsed, rendered } = run();
    expect(parsed).toEqual(['spec/resources/game.yaml']);
    expect(rendered).toEqual(expect.arrayContaining(['openapi.json#boxtop', 'resources/game.ts']));
    expect(rendered).not.toContain('resources/boxtop.ts');
  });

  test('F50: AnEditCompilesOneTypeAlsoWithoutEvents', () => {
    rmSync(join(options.spec, 'events.yaml'));
    run();
    const emitted = (path: string) => statSync(join(options.out, path), { bigint: true }).mtimeNs;
    const before = [emitted('resources/boxtop.js'), emitted('resources/game.js'), emitted('validators/_events.js')];
    writeFileSync(boxtop, readFileSync(boxtop, 'utf8').replace('summary: Box', 'summary: Open box'));
    run();
    const after = [emitted('resources/boxtop.js'), emitted('resources/game.js'), emitted('validators/_events.js')];
    expect(after.map((at, index) => at === before[index])).toEqual([false, true, true]);
  });

  test('AMissingFileIsRenderedAlone', () => {
    rmSync(join(options.out, 'validators', 'boxtop.ts'));
    const { parsed, rendered, written } = run();
    expect(parsed).toEqual([]);
    expect(rendered.filter((path) => !path.includes('boxtop'))).toEqual([]);
    expect(below(written)).toEqual(['out/validators/boxtop.ts']);
  });
});
