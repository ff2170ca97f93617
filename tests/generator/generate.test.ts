// gen as a whole: the same bytes in any order and folder, nothing written after mistakes, and --check reports what is stale.

import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { gen } from '../../generator/commands/gen.js';
import { type Generation, generate } from '../../generator/generate.js';
import { readSpec } from '../../generator/write/read-spec.js';
import { loadGenerated } from '../../runtime/server/load-generated.js';
import { count } from '../support/counts.js';
import { neededTypes } from '../support/fewer-types.js';
import { ROOT, temporaryFolder } from '../support/paths.js';
import { textsIn } from './project-files.js';

const SPEC = join(ROOT, 'spec');
const GOLDEN = join(ROOT, 'tests', 'generator', 'golden', 'spec');
const KIT = '../runtime/contract/kit.js';

function texts(generation: Generation): Readonly<Record<string, string>> {
  if (!generation.ok) throw new Error(generation.diagnostics.map(({ message }) => message).join('\n'));
  return Object.fromEntries([...generation.outputs, ...generation.specOutputs].map(({ path, text }) => [path, text]));
}

function copyOfSpec(from = SPEC): string {
  const folder = temporaryFolder('spec');
  cpSync(from, join(folder, 'spec'), { recursive: true });
  return join(folder, 'spec');
}

describe('generate', () => {
  test('any order of files gives the same bytes', () => {
    const source = readSpec(SPEC);
    const expected = texts(generate(source, KIT));
    fc.assert(
      fc.property(fc.shuffledSubarray([...source.files], { minLength: source.files.length }), (files) => {
        expect(texts(generate({ ...source, files }, KIT))).toEqual(expected);
      }),
      { numRuns: count(1, 10) },
    );
  });

  test('numbers stay when resources are added', () => {
    const all = readSpec(SPEC);
    const source = { ...all, files: neededTypes(all.files, ['boxtop', 'game']) };
    const without = {
      ...source,
      ledger: null,
      files: source.files.filter(({ path }) => !path.endsWith('/boxtop.yaml')),
    };
    const first = JSON.parse(texts(generate(without, KIT))['ledger.json'] ?? '');
    const second = JSON.parse(texts(generate({ ...source, ledger: first }, KIT))['ledger.json'] ?? '');
    expect(second.resources).toMatchObject(first.resources);
    const numbers = Object.values(first.resources as Record<string, { number: number }>).map(({ number }) => number);
    expect(numbers).not.toContain(second.resources.boxtop.number);
    expect(second.next).toBe(first.next + 1);
  });

  test('committed files are up to date', () => {
    expect(gen({ spec: SPEC, out: join(ROOT, 'generated'), check: true })).toMatchObject({
      code: 0,
      stdout: 'Up to date.\n',
    });
  });
});

describe('punchboard gen', () => {
  test('any working folder gives the same bytes', () => {
    const spec = copyOfSpec(join(ROOT, 'tests', 'maintainer', 'library'));
    const [here, there] = [temporaryFolder('here'), temporaryFolder('there')];
    const before = process.cwd();
    // Both output folders are equally deep, so the path to the kit is the same text.
    for (const [cwd, out] of [
      [ROOT, here],
      ['/', there],
    ] as const) {
      process.chdir(cwd);
      expect(gen({ spec, out: join(out, 'generated'), check: false })).toMatchObject({ code: 0, stderr: '' });
    }
    process.chdir(before);
    const sources = (folder: string) =>
      Object.fromEntries(Object.entries(textsIn(join(folder, 'generated'))).filter(([path]) => !path.endsWith('.js')));
    expect(sources(there)).toEqual(sources(here));
  });

  test.each(['.hidden', 'other', join('node_modules', 'other')])(
    'a folder of the project that its own compiler ignores is compiled and can be served: %s',
    (name) => {
      const folder = mkdtempSync(join(ROOT, 'dist', 'inside-'));
      try {
        const [spec, out] = [join(folder, 'spec'), join(folder, name)];
        cpSync(GOLDEN, spec, { recursive: true });
        expect(gen({ spec, out, check: false, handwritten: true })).toMatchObject({ code: 0 });
        expect(loadGenerated(out).generated.definitions.map((definition) => definition.name)).toContain('crate');
        expect(gen({ spec, out, check: false, handwritten: true }).stdout).toBe('Up to date.\n');
      } finally {
        rmSync(folder, { recursive: true });
      }
    },
  );

  test('F47: an output folder that was never generated is reported in one line', () => {
    const out = join(temporaryFolder('out'), 'never');
    const { code, stdout, stderr } = gen({ spec: GOLDEN, out, check: true, handwritten: true });
    expect(code).toBe(1);
    expect(stdout).toBe(`missing ${out}: ${/\d+/.exec(stderr)?.[0]} files, nothing has been generated yet\n`);
  });

  test('F47: all stale files are listed, but only those that people read are shown unless --diff is given', () => {
    const spec = copyOfSpec();
    const boxtop = join(spec, 'resources', 'boxtop.yaml');
    writeFileSync(boxtop, readFileSync(boxtop, 'utf8').replace(/^ {2}top: /m, '  lid: '));
    const out = join(ROOT, 'generated');
    const { stdout } = gen({ spec, out, check: true });
    const name = (file: string): string => join(out, file);
    expect(stdout).toContain(`stale    ${name('openapi.json')}\n`);
    expect(stdout).toContain(`--- ${name('resources/boxtop.ts')}\n`);
    expect(stdout).toContain(`--- ${name('schema.sql')}\n`);
    expect(stdout).not.toContain(`--- ${name('openapi.json')}\n`);
    expect(gen({ spec, out, check: true, diff: true }).stdout).toContain(`--- ${name('openapi.json')}\n`);
  });

  test('stale files are reported and nothing is written', () => {
    const spec = copyOfSpec();
    const boxtop = join(spec, 'resources', 'boxtop.yaml');
    writeFileSync(
      boxtop,
      readFileSync(boxtop, 'utf8').replace('summary: Box with a top only.', 'summary: Box with nothing but a top.'),
    );
    const before = textsIn(join(ROOT, 'generated'));
    const result = gen({ spec, out: join(ROOT, 'generated'), check: true });
    expect(result.code).toBe(1);
    expect(result.stdout).toContain('-/** Box top: Box with a top only. */');
    expect(result.stdout).toContain('+/** Box top: Box with nothing but a top. */');
    expect(textsIn(join(ROOT, 'generated'))).toEqual(before);
  });

  test('nothing is written if the spec has mistakes', () => {
    const spec = copyOfSpec();
    const boxtop = join(spec, 'resources', 'boxtop.yaml');
    writeFileSync(boxtop, readFileSync(boxtop, 'utf8').replace('kind: image', 'kind: imagge'));
    const out = temporaryFolder('out');
    const result = gen({ spec, out, check: false });
    expect(result.code).toBe(1);
    expect(result.stderr).toMatch(/spec\/resources\/boxtop\.yaml:\d+:\d+: error E\d{4}: /);
    expect(result.stderr).toContain('did you mean "image"?');
    expect(readdirSync(out)).toEqual([]);
  });

  test('an absent folder is wrong usage', () => {
    expect(gen({ spec: join(temporaryFolder('none'), 'spec'), out: 'x', check: false })).toMatchObject({ code: 2 });
  });
});
