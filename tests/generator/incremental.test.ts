// gen with remembered results writes the same bytes as gen without, and detects when there is nothing to do.

import { cpSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import fc from 'fast-check';
import type { SpecSource } from '../../generator/check/project.js';
import { genWith } from '../../generator/commands/gen.js';
import type { Output } from '../../generator/emit/output.js';
import { type Generation, generate } from '../../generator/generate.js';
import type { SourceFile } from '../../generator/load/load.js';
import { type Cache, openCache } from '../../generator/write/cache.js';
import { readSpec } from '../../generator/write/read-spec.js';
import { count } from '../support/counts.js';
import { neededTypes } from '../support/fewer-types.js';
import { ROOT, temporaryFolder } from '../support/paths.js';

const SPEC = join(ROOT, 'spec');
const KIT = '../runtime/contract/kit.js';

/** Edits of the project's spec, valid and invalid: a file, the text to find, and its replacement. */
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
  ['resources/user.yaml', 'min: 1, max: 60', 'min: 1, max: 50'],
  [
    'resources/boxtop.yaml',
    'fields:\n',
    'fields:\n  box: { kind: reference, to: crate, required: true }\n  label: { kind: computed, copy: box.label }\n',
  ],
];

/** The edited types, and one that copies from an edited type. */
const KEPT = [...EDITS.map(([file]) => basename(file, '.yaml')), 'twosidedslugged'];

/** A type that games have a list of; its name and the length of its labels vary. */
const added = (name: string, max: number): SourceFile => ({
  path: `spec/resources/${name}.yaml`,
  text: `resource: ${name}
title: Crate
summary: A crate.
plural: ${name}s
fields: { game: { kind: reference, parent: true }, label: { kind: text, max: ${max} } }
`,
});
const CRATES = [null, added('crate', 40), added('chest', 40), added('crate', 80)];

/** The spec with some of the edits applied. */
function sourceWith(edits: ReadonlySet<number>, ledger: SpecSource['ledger'], missing: boolean): SpecSource {
  const files = neededTypes(readSpec(SPEC).files, KEPT);
  const edited = files.map((file) => {
    const applied = [...edits].flatMap((at) => EDITS[at] ?? []).length;
    if (applied === 0) return file;
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

function comparable(generation: Generation) {
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

const open = (root: string): Cache => openCache({ root, spec: SPEC, out: root, version: 'test' });

describe('random sequences of edits', () => {
  const step = fc.record({
    edit: fc.nat(EDITS.length - 1),
    undo: fc.boolean(),
    missing: fc.boolean(),
    damage: fc.nat(9),
  });

  const watched = fc.record({
    edit: fc.nat(EDITS.length - 1),
    undo: fc.boolean(),
    missing: fc.nat(4).map((draw) => draw === 0),
    crate: fc.constantFrom(0, 1, 2, 3),
  });
  const plain = { edit: 19, undo: false, missing: false, crate: 0 };
  /** What other types show of a game: its lists, its brief form, its title, a copied name, and what conventions give. */
  const reaching = [
    { ...plain, edit: 5 },
    { ...plain, edit: 5, crate: 1 },
    { ...plain, edit: 7, crate: 2 },
    { ...plain, edit: 6 },
    { ...plain, edit: 18 },
    { ...plain, edit: 14, missing: true },
  ];
  /** Step 1 edits the box top. Its copied label is a mistake without a crate, and as long as the label of the crate otherwise. */
  const copying = [plain, { ...plain, crate: 1 }, { ...plain, crate: 3 }, { ...plain, crate: 1 }, plain];

  test('a watch generates the same as a run from scratch', () => {
    fc.assert(
      fc.property(fc.array(watched, { minLength: 4, maxLength: 8 }), (steps) => {
        const root = temporaryFolder('watched');
        const cache = open(root);
        const edits = new Set<number>();
        let { ledger } = readSpec(SPEC);
        for (const { edit, undo, missing, crate } of steps) {
          if (undo) edits.delete([...edits][0] ?? -1);
          else edits.add(edit);
          const source = sourceWith(edits, ledger, missing);
          const files = [...source.files, ...[CRATES[crate] ?? []].flat()];
          // Copies, so that no remembered result matches them.
          const scratch = generate({ ledger, files: files.map((file) => ({ ...file })) }, KIT);
          const incremental = generate(cache.kept({ ledger, files }), KIT, cache.remember);
          expect(comparable(incremental)).toEqual(comparable(scratch));
          if (scratch.ok) ledger = JSON.parse(texts(scratch.specOutputs)['ledger.json'] ?? '');
        }
        rmSync(root, { recursive: true, force: true });
      }),
      // Examples count as runs; the short form runs nothing else.
      { numRuns: count(2, 200), examples: [[reaching], [copying]] },
    );
  });

  test('separate runs generate the same as a run from scratch', () => {
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
          const scratch = generate({ ...source, files: source.files.map((file) => ({ ...file })) }, KIT);
          const incremental = generate(source, KIT, cache.remember);
          expect(comparable(incremental)).toEqual(comparable(scratch));
          cache.save(null);
          if (damage === 1) damageMemory(root);
          if (scratch.ok) ledger = JSON.parse(texts(scratch.specOutputs)['ledger.json'] ?? '');
        }
        rmSync(root, { recursive: true, force: true });
      }),
      { numRuns: count(1, 200) },
    );
  });
});

/** Truncates every other remembered file in the middle, and damages the end of the others. */
function damageMemory(root: string): void {
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).map((name) => join(root, name));
  for (const [at, file] of files.filter((path) => statSync(path).isFile()).entries()) {
    if (at % 2 === 0) truncateSync(file, Math.floor(statSync(file).size / 2));
    else writeFileSync(file, readFileSync(file, 'utf8').replace(/[a-z](?=[^a-z]*$)/, 'Z'));
  }
}

describe('a run', () => {
  const folder = temporaryFolder('work');
  const options = { spec: join(folder, 'spec'), out: join(folder, 'out'), check: false, handwritten: true };
  const boxtop = join(options.spec, 'resources', 'boxtop.yaml');
  /** Runs with an empty memory of its own, as a new process does. */
  const run = () => {
    const { code, stdout, stderr, written } = genWith(
      options,
      openCache({ ...options, root: join(folder, 'memory'), version: 'test' }),
    );
    // Removals are only warnings.
    expect({ code, errors: /\berror\b/.exec(stderr) }).toEqual({ code: 0, errors: null });
    return { stdout, written: written.map((path) => path.replace(`${folder}/`, '')).sort() };
  };
  const unchanged = { stdout: 'Up to date.\n', written: [] };

  beforeAll(() => {
    cpSync(SPEC, options.spec, { recursive: true });
    const needed = new Set(neededTypes(readSpec(SPEC).files, ['boxtop']).map(({ path }) => path));
    for (const name of readdirSync(join(options.spec, 'resources')))
      if (!needed.has(`spec/resources/${name}`)) rmSync(join(options.spec, 'resources', name));
    run();
  });

  test('writes nothing without a change', () => expect(run()).toEqual(unchanged));

  test('writes only what one edit changes', () => {
    writeFileSync(boxtop, readFileSync(boxtop, 'utf8').replace('Image printed on the top part.', 'What is on top.'));
    // A description appears in the types of the client and in the document only.
    expect(run().written).toEqual([
      'out/build.ts',
      'out/client/resources/boxtop.d.ts',
      'out/manifest.json',
      'out/openapi.json',
      'out/schema.json',
    ]);
  });

  test('writes nothing for a comment', () => {
    writeFileSync(boxtop, `${readFileSync(boxtop, 'utf8')}# A note.\n`);
    expect(run()).toEqual(unchanged);
  });

  test('writes a file that is missing, and that file alone', () => {
    rmSync(join(options.out, 'validators', 'boxtop.ts'));
    expect(run().written).toEqual(['out/validators/boxtop.ts']);
    expect(run()).toEqual(unchanged);
  });

  test('detects an edited output although the spec is unchanged', () => {
    const index = join(options.out, 'index.ts');
    const text = readFileSync(index, 'utf8');
    writeFileSync(index, `${text}// Mine.\n`);
    expect(genWith(options, openCache({ ...options, root: join(folder, 'memory'), version: 'test' })).code).toBe(1);
    writeFileSync(index, text);
  });

  test('F50: compiles one type after one edit, also without events', () => {
    for (const file of ['events.yaml', 'resources/receipt.yaml']) rmSync(join(options.spec, file));
    run();
    const emitted = (path: string) => statSync(join(options.out, path), { bigint: true }).mtimeNs;
    const before = [emitted('resources/boxtop.js'), emitted('resources/game.js'), emitted('validators/_events.js')];
    writeFileSync(boxtop, readFileSync(boxtop, 'utf8').replace('summary: Box', 'summary: Open box'));
    run();
    const after = [emitted('resources/boxtop.js'), emitted('resources/game.js'), emitted('validators/_events.js')];
    expect(after.map((at, index) => at === before[index])).toEqual([false, true, true]);
  });
});
