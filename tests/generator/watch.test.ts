// gen --watch regenerates what changed, however an editor saves, and survives mistakes. It waits for runs, never for time.

import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gen, genWith, type Run } from '../../generator/commands/gen.js';
import { openCache } from '../../generator/write/cache.js';
import * as compiler from '../../generator/write/compile.js';
import { type Watcher, watchSpec } from '../../generator/write/watch.js';
import { ROOT, temporaryFolder } from '../support/paths.js';

const folder = temporaryFolder('watched');
const [spec, out] = [join(folder, 'spec'), join(folder, 'generated')];
const crate = join(spec, 'resources', 'crate.yaml');
const runs: Run[] = [];
let notifyRun: () => void = () => undefined;
let watching: Watcher;

/** The next reported run. */
async function next(): Promise<Run> {
  if (runs.length === 0) await new Promise<void>((resolve) => (notifyRun = resolve));
  return runs.shift() ?? next();
}

/** The result of the next run, with paths relative to the folder. */
async function nextResult() {
  const { code, stdout, stderr, written } = await next();
  return { code, stdout, stderr, written: written.map((path) => path.replace(`${folder}/`, '')) };
}

const text = () => readFileSync(crate, 'utf8');
const compiled = () => readFileSync(join(out, 'resources', 'crate.js'), 'utf8');

const { checkTypes } = compiler;
/** Most edits here keep the types correct, and checking them would take longer than everything else. */
const checksTypes = jest.spyOn(compiler, 'checkTypes').mockReturnValue('');

beforeAll(() => {
  cpSync(join(ROOT, 'tests', 'generator', 'golden', 'spec'), spec, { recursive: true });
  const cache = openCache({ root: join(folder, 'memory'), spec, out, version: 'test' });
  watching = watchSpec(spec, {
    run: () => genWith({ spec, out, check: false, handwritten: true, stats: true, transpileFirst: true }, cache),
    say(run) {
      runs.push(run);
      notifyRun();
    },
  });
});
afterAll(() => watching.close());

test('the first run generates everything', async () => {
  const { code, written } = await nextResult();
  expect(code).toBe(0);
  expect(written).toContain('generated/resources/crate.ts');
});

test('an edit regenerates its own files', async () => {
  writeFileSync(crate, text().replace('Box that parcels', 'Chest that parcels'));
  const { code, written, stdout } = await nextResult();
  expect(code).toBe(0);
  expect(written).toEqual([
    'generated/build.ts',
    'generated/client/index.d.ts',
    'generated/client/resources/crate.d.ts',
    'generated/openapi.json',
    'generated/resources/crate.ts',
    'generated/schema.json',
    'generated/manifest.json',
  ]);
  expect(stdout).toMatch(/^changed .*crate\.ts$/m);
  expect(stdout).toMatch(/written 7; gen \d+\.\d\d s, compiler \d+\.\d\d s\n$/);
});

test('a mistake is reported and watching continues', async () => {
  const valid = text();
  writeFileSync(crate, valid.replace('kind: integer', 'kind: integr'));
  const refused = await nextResult();
  expect(refused).toMatchObject({ code: 1, written: [] });
  expect(refused.stderr).toContain('did you mean "integer"?');
  writeFileSync(crate, valid);
  expect(await nextResult()).toMatchObject({ code: 0, written: [] });
});

test('a hand-edited output is detected although its source is unchanged', async () => {
  const path = join(out, 'validators', 'keeper.ts');
  const before = readFileSync(path, 'utf8');
  writeFileSync(path, before.replace('Do not edit', 'Do so edit'));
  writeFileSync(crate, text().replace('Chest that', 'Case that'));
  const refused = await nextResult();
  expect(refused).toMatchObject({ code: 1, written: [] });
  expect(refused.stderr).toContain('1 generated file was edited by hand');
  writeFileSync(path, before);
  writeFileSync(crate, text().replace('Case that', 'Chest that'));
  expect(await nextResult()).toMatchObject({ code: 0, written: [] });
});

test('an editor that writes a temporary file and renames it is supported', async () => {
  writeFileSync(`${crate}~`, text().replace('Chest that', 'Case that'));
  renameSync(`${crate}~`, crate);
  expect(await nextResult()).toMatchObject({ code: 0 });
  expect(readFileSync(join(out, 'resources', 'crate.ts'), 'utf8')).toContain('Case that parcels');
});

test('a new file is generated', async () => {
  const lid = 'resource: lid\ntitle: Lid\nsummary: A lid.\nplural: lids\nfields:\n  name: text\n';
  writeFileSync(join(spec, 'resources', 'lid.yaml'), lid);
  const { written } = await nextResult();
  expect(written).toContain('generated/resources/lid.ts');
});

test('a renamed file is generated under its new name', async () => {
  const lid = readFileSync(join(spec, 'resources', 'lid.yaml'), 'utf8');
  renameSync(join(spec, 'resources', 'lid.yaml'), join(spec, 'resources', 'cap.yaml'));
  expect(await nextResult()).toMatchObject({ code: 1, written: [] });
  writeFileSync(join(spec, 'resources', 'cap.yaml'), lid.replaceAll('lid', 'cap').replaceAll('Lid', 'Cap'));
  const { written } = await nextResult();
  expect(written).toEqual(expect.arrayContaining(['generated/resources/cap.ts', 'generated/resources/lid.ts']));
  expect(existsSync(join(out, 'resources', 'lid.ts'))).toBe(false);
});

test('the outputs of a removed file are removed', async () => {
  rmSync(join(spec, 'resources', 'cap.yaml'));
  await nextResult();
  expect(existsSync(join(out, 'resources', 'cap.ts'))).toBe(false);
});

test('hand-written functions are type-checked', async () => {
  checksTypes.mockImplementation(checkTypes);
  const index = join(spec, 'functions', 'index.ts');
  const written = (actions: string) => `export const lifecycles = {} as never;\nexport const actions = ${actions};\n`;
  mkdirSync(join(spec, 'functions'));
  writeFileSync(index, written('{}'));
  const refused = await nextResult();
  expect(refused).toMatchObject({
    code: 1,
    written: ['generated/build.ts', 'generated/index.ts', 'generated/schema.json', 'generated/manifest.json'],
  });
  expect(refused.stderr).toMatch(/error TS\d+: Property 'crate' is missing/);
  const reads =
    "import type { CrateRow } from '../../generated/resources/crate.js';\nexport const reads = (row: CrateRow): number => row.moves;\n";
  writeFileSync(index, `${reads}${written('{} as never')}`);
  expect(await nextResult()).toMatchObject({ code: 0, written: [] });
  // The generated code is first compiled without a type check, yet functions that do not fit are reported.
  const valid = text();
  writeFileSync(
    crate,
    valid.replace('kind: integer, read_only: true, default: 0', 'kind: text, read_only: true, default: none'),
  );
  const unfit = await nextResult();
  expect(unfit).toMatchObject({ code: 1 });
  expect(unfit.stderr).toMatch(/error TS\d+: Type 'string' is not assignable to type 'number'/);
  expect(compiled()).toContain("'none'");
  writeFileSync(crate, valid);
  expect(await nextResult()).toMatchObject({ code: 0 });
  expect(compiled()).not.toContain("'none'");
  rmSync(join(spec, 'functions'), { recursive: true });
  expect((await nextResult()).written).toEqual([
    'generated/build.ts',
    'generated/index.ts',
    'generated/schema.json',
    'generated/manifest.json',
  ]);
});

test('a spec folder that disappears and comes back is watched again', async () => {
  renameSync(spec, `${spec}-away`);
  expect(await nextResult()).toMatchObject({ code: 2 });
  renameSync(`${spec}-away`, spec);
  expect(await nextResult()).toMatchObject({ code: 0 });
});

test('after all these edits the output equals that of a first gen', () => {
  const cold = temporaryFolder('cold');
  cpSync(spec, join(cold, 'spec'), { recursive: true });
  const options = { spec: join(cold, 'spec'), out: join(cold, 'generated'), check: false, handwritten: true };
  expect(gen(options)).toMatchObject({ code: 0 });
  const texts = (root: string) =>
    readdirSync(root, { recursive: true, encoding: 'utf8', withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name))
      .map((path) => [path.slice(root.length), readFileSync(path, 'utf8')]);
  expect(Object.fromEntries(texts(out))).toEqual(Object.fromEntries(texts(options.out)));
});
