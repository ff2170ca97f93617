// gen --watch regenerates what changed, however an editor saves, and continues after a mistake. Waits for runs, never for time.

import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gen, genWith, type Run } from '../../generator/commands/gen.js';
import { openCache } from '../../generator/write/cache.js';
import { type Watcher, watchSpec } from '../../generator/write/watch.js';
import { ROOT, temporaryFolder } from '../support/paths.js';

const folder = temporaryFolder('watched');
const [spec, out] = [join(folder, 'spec'), join(folder, 'generated')];
const crate = join(spec, 'resources', 'crate.yaml');
const runs: Run[] = [];
let heard: () => void = () => undefined;
let watching: Watcher;

/** The next run that says something. */
async function next(): Promise<Run> {
  if (runs.length === 0) await new Promise<void>((resolve) => (heard = resolve));
  return runs.shift() ?? next();
}

/** What the run said and did; its paths below the folder. */
async function told() {
  const { code, stdout, stderr, written } = await next();
  return { code, stdout, stderr, written: written.map((path) => path.replace(`${folder}/`, '')) };
}

const text = () => readFileSync(crate, 'utf8');
const compiled = () => readFileSync(join(out, 'resources', 'crate.js'), 'utf8');

beforeAll(() => {
  cpSync(join(ROOT, 'tests', 'generator', 'golden', 'spec'), spec, { recursive: true });
  const cache = openCache({ root: join(folder, 'memory'), spec, out, version: 'test' });
  watching = watchSpec(spec, {
    run: () => genWith({ spec, out, check: false, handwritten: true, stats: true, transpileFirst: true }, cache),
    say(run) {
      runs.push(run);
      heard();
    },
  });
});
afterAll(() => {
  watching.close();
  rmSync(folder, { recursive: true, force: true });
});

test('first all is made', async () => {
  const { code, written } = await told();
  expect(code).toBe(0);
  expect(written).toContain('generated/resources/crate.ts');
});

test('an edit makes its own files anew', async () => {
  writeFileSync(crate, text().replace('Box that parcels', 'Chest that parcels'));
  const { code, written, stdout } = await told();
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

test('a mistake is told and watching goes on', async () => {
  const right = text();
  writeFileSync(crate, right.replace('kind: integer', 'kind: integr'));
  const wrong = await told();
  expect(wrong).toMatchObject({ code: 1, written: [] });
  expect(wrong.stderr).toContain('did you mean "integer"?');
  writeFileSync(crate, right);
  expect(await told()).toMatchObject({ code: 0, written: [] });
});

test('an output edited by hand is seen although its source stays as it was', async () => {
  const path = join(out, 'validators', 'keeper.ts');
  const before = readFileSync(path, 'utf8');
  writeFileSync(path, before.replace('Do not edit', 'Do so edit'));
  writeFileSync(crate, text().replace('Chest that', 'Case that'));
  const refused = await told();
  expect(refused).toMatchObject({ code: 1, written: [] });
  expect(refused.stderr).toContain('1 generated file was edited by hand');
  writeFileSync(path, before);
  writeFileSync(crate, text().replace('Case that', 'Chest that'));
  expect(await told()).toMatchObject({ code: 0, written: [] });
});

test('editors that write beside and rename', async () => {
  writeFileSync(`${crate}~`, text().replace('Chest that', 'Case that'));
  renameSync(`${crate}~`, crate);
  expect(await told()).toMatchObject({ code: 0 });
  expect(readFileSync(join(out, 'resources', 'crate.ts'), 'utf8')).toContain('Case that parcels');
});

test('ANewFile', async () => {
  const lid = 'resource: lid\ntitle: Lid\nsummary: A lid.\nplural: lids\nfields:\n  name: text\n';
  writeFileSync(join(spec, 'resources', 'lid.yaml'), lid);
  const { written } = await told();
  expect(written).toContain('generated/resources/lid.ts');
});

test('ARenamedFile', async () => {
  const lid = readFileSync(join(spec, 'resources', 'lid.yaml'), 'utf8');
  renameSync(join(spec, 'resources', 'lid.yaml'), join(spec, 'resources', 'cap.yaml'));
  expect(await told()).toMatchObject({ code: 1, written: [] });
  writeFileSync(join(spec, 'resources', 'cap.yaml'), lid.replaceAll('lid', 'cap').replaceAll('Lid', 'Cap'));
  const { written } = await told();
  expect(written).toEqual(expect.arrayContaining(['generated/resources/cap.ts', 'generated/resources/lid.ts']));
  expect(existsSync(join(out, 'resources', 'lid.ts'))).toBe(false);
});

test('ARemovedFile', async () => {
  rmSync(join(spec, 'resources', 'cap.yaml'));
  await told();
  expect(existsSync(join(out, 'resources', 'cap.ts'))).toBe(false);
});

test('hand written functions', async () => {
  const index = join(spec, 'functions', 'index.ts');
  const written = (actions: string) => `export const lifecycles = {} as never;\nexport const actions = ${actions};\n`;
  mkdirSync(join(spec, 'functions'));
  writeFileSync(index, written('{}'));
  const wrong = await told();
  expect(wrong).toMatchObject({
    code: 1,
    written: ['generated/build.ts', 'generated/index.ts', 'generated/schema.json', 'generated/manifest.json'],
  });
  expect(wrong.stderr).toMatch(/error TS\d+: Property 'crate' is missing/);
  const reads =
    "import type { CrateRow } from '../../generated/resources/crate.js';\nexport const reads = (row: CrateRow): number => row.moves;\n";
  writeFileSync(index, `${reads}${written('{} as never')}`);
  expect(await told()).toMatchObject({ code: 0, written: [] });
  // What is generated is compiled at once; that the functions do not fit is still found.
  const right = text();
  writeFileSync(
    crate,
    right.replace('kind: integer, read_only: true, default: 0', 'kind: text, read_only: true, default: none'),
  );
  const unfit = await told();
  expect(unfit).toMatchObject({ code: 1 });
  expect(unfit.stderr).toMatch(/error TS\d+: Type 'string' is not assignable to type 'number'/);
  expect(compiled()).toContain("'none'");
  writeFileSync(crate, right);
  expect(await told()).toMatchObject({ code: 0 });
  expect(compiled()).not.toContain("'none'");
  rmSync(join(spec, 'functions'), { recursive: true });
  expect((await told()).written).toEqual([
    'generated/build.ts',
    'generated/index.ts',
    'generated/schema.json',
    'generated/manifest.json',
  ]);
});

test('a folder that goes and comes back', async () => {
  renameSync(spec, `${spec}-away`);
  expect(await told()).toMatchObject({ code: 2 });
  renameSync(`${spec}-away`, spec);
  expect(await told()).toMatchObject({ code: 0 });
});

test('all those edits leave what a first gen makes and compiles', () => {
  const cold = temporaryFolder('cold');
  cpSync(spec, join(cold, 'spec'), { recursive: true });
  const options = { spec: join(cold, 'spec'), out: join(cold, 'generated'), check: false, handwritten: true };
  expect(gen(options)).toMatchObject({ code: 0 });
  const texts = (place: string) =>
    readdirSync(place, { recursive: true, encoding: 'utf8', withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name))
      .map((path) => [path.slice(place.length), readFileSync(path, 'utf8')]);
  expect(Object.fromEntries(texts(out))).toEqual(Object.fromEntries(texts(options.out)));
  rmSync(cold, { recursive: true });
});
