// gen does not overwrite hand-edited files: it shows the edit, explains where it belongs, and overwrites only by name.

import { cpSync, existsSync, mkdirSync, readFileSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { gen } from '../../generator/commands/gen.js';
import { hash } from '../../generator/emit/output.js';
import * as compiler from '../../generator/write/compile.js';
import { programName } from '../../runtime/project/command-line.js';
import { ROOT, temporaryFolder } from '../support/paths.js';
import { writeFiles } from '../support/write-files.js';
import { textsIn } from './project-files.js';

const GOLDEN = join(ROOT, 'tests', 'generator', 'golden', 'spec');
const first = temporaryFolder('made');

const LID = 'resource: lid\ntitle: Lid\nsummary: A lid.\nplural: lids\nfields:\n  name: text\n';

beforeAll(() => {
  cpSync(GOLDEN, join(first, 'spec'), { recursive: true });
  writeFileSync(join(first, 'spec', 'resources', 'lid.yaml'), LID);
  const result = gen({ spec: join(first, 'spec'), out: join(first, 'generated'), check: false, handwritten: true });
  expect(result).toMatchObject({ code: 0 });
});

const { compile, transpile } = compiler;

/** These tests are about the texts of files, so their types are not checked; the check would take ten times as long. */
const compiles = jest.spyOn(compiler, 'compile');
beforeEach(() => {
  compiles.mockImplementation((out, sources) => {
    transpile(out, sources);
    return '';
  });
});

/** A copy of the spec and of its generated files. */
function openCopy() {
  const folder = temporaryFolder('edited');
  cpSync(first, folder, { recursive: true });
  const [spec, out] = [join(folder, 'spec'), join(folder, 'generated')];
  return {
    out,
    read: (path: string) => readFileSync(join(folder, path), 'utf8'),
    write: (path: string, text: string) => writeFileSync(join(folder, path), text),
    change(path: string, from: string, to: string) {
      const text = readFileSync(join(folder, path), 'utf8');
      expect(text).toContain(from);
      writeFileSync(join(folder, path), text.replace(from, to));
    },
    remove: (path: string) => rmSync(join(folder, path)),
    has: (path: string) => existsSync(join(folder, path)),
    gen: (options: { check?: boolean; force?: readonly string[] } = {}) =>
      gen({
        spec,
        out,
        check: false,
        handwritten: true,
        ...options,
        force: (options.force ?? []).map((path) => join(folder, path)),
      }),
    tree: () => textsIn(folder),
  };
}

/** Written as JavaScript; the other outputs are compiled. */
const CLIENT = /^generated\/client\/(?:callbacks|core|index)\.js$/;

const CRATE = 'generated/resources/crate.ts';
/** A line inside the function create of a crate. */
const BY_HAND = ['label: input.label', 'label: input.label.trim()'] as const;

describe('the manifest', () => {
  test('lists every output but itself', () => {
    const { out, tree } = openCopy();
    const files = JSON.parse(readFileSync(join(out, 'manifest.json'), 'utf8')).files as Record<string, string>;
    const outputPaths = Object.keys(tree())
      .filter((path) => path.startsWith('generated/') && (!path.endsWith('.js') || CLIENT.test(path)))
      .map((path) => relative('generated', path))
      .filter((path) => path !== 'manifest.json');
    expect(Object.keys(files)).toEqual(outputPaths);
    expect(Object.values(files).filter((hash) => !/^[0-9a-f]{32}$/.test(hash))).toEqual([]);
  });
  test('has one line for each output', () => {
    const lines = openCopy().read('generated/manifest.json').split('\n');
    expect(lines.filter((line) => line.includes('resources/crate.ts'))).toHaveLength(1);
    expect(lines.filter((line) => line.includes('schema.json'))).toHaveLength(1);
  });
});

describe('an edited file', () => {
  test.each([false, true])('is refused (check: %s)', (check) => {
    const copy = openCopy();
    copy.change(CRATE, ...BY_HAND);
    copy.change('spec/resources/parcel.yaml', 'title: Parcel', 'title: Packet');
    const before = copy.tree();
    const { code, stdout, stderr } = copy.gen({ check });
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain('-    label: input.label,\n+    label: input.label.trim(),\n');
    expect(stderr).toContain('the function beforeCreate of spec/functions/');
    expect(stderr).toContain('1 generated file was edited by hand; nothing was written.');
    expect(stderr).toContain(`${programName()} gen --force ${join(copy.out, 'resources', 'crate.ts')}`);
    expect(copy.tree()).toEqual(before);
  });

  test('is overwritten by --force with its name', () => {
    const copy = openCopy();
    const original = copy.read(CRATE);
    copy.change(CRATE, ...BY_HAND);
    expect(copy.gen({ force: [CRATE] })).toMatchObject({ code: 0 });
    expect(copy.read(CRATE)).toBe(original);
    expect(copy.gen()).toMatchObject({ code: 0, stdout: 'Up to date.\n' });
  });

  test('is refused if --force names only another file', () => {
    const copy = openCopy();
    copy.change(CRATE, ...BY_HAND);
    copy.change('generated/schema.sql', 'CREATE TABLE', 'CREATE  TABLE');
    const { code, stderr } = copy.gen({ force: [CRATE] });
    expect(code).toBe(1);
    expect(stderr).not.toContain('crate.ts');
    expect(stderr).toContain('the fields of spec/resources/, which determine the tables');
  });

  test('is accepted where gen would write the same', () => {
    const copy = openCopy();
    copy.change(CRATE, 'Crate: Box that', 'Crate: Chest that');
    copy.change('spec/resources/crate.yaml', 'summary: Box that', 'summary: Chest that');
    expect(copy.gen()).toMatchObject({ code: 0 });
  });

  test('is not deleted with its descriptor', () => {
    const copy = openCopy();
    copy.change('generated/validators/lid.ts', 'export', '// mine\nexport');
    copy.remove('spec/resources/lid.yaml');
    expect(copy.gen().stderr).toContain('+// mine');
    expect(copy.has('generated/validators/lid.ts')).toBe(true);
    expect(copy.gen({ force: ['generated/validators/lid.ts'] })).toMatchObject({ code: 0 });
    expect(copy.has('generated/validators/lid.ts')).toBe(false);
  });

  test('is refused in the place of a new output', () => {
    const copy = openCopy();
    copy.write('spec/resources/cap.yaml', LID.replaceAll('lid', 'cap'));
    copy.write('generated/resources/cap.ts', 'export const mine = 1;\n');
    expect(copy.gen()).toMatchObject({ code: 1, stderr: expect.stringContaining('+export const mine = 1;') });
  });
});

describe('changes that are not edits', () => {
  test('line endings of Windows', () => {
    const copy = openCopy();
    for (const path of Object.keys(copy.tree())) copy.write(path, copy.read(path).replaceAll('\n', '\r\n'));
    expect(copy.gen({ check: true })).toMatchObject({ code: 0, stdout: 'Up to date.\n' });
    copy.change('spec/resources/crate.yaml', 'title: Crate', 'title: Box');
    expect(copy.gen()).toMatchObject({ code: 0 });
  });

  test('a missing file, which is written again', () => {
    const copy = openCopy();
    const original = copy.read(CRATE);
    copy.remove(CRATE);
    expect(copy.gen()).toMatchObject({ code: 0, stdout: expect.stringMatching(/^created .*crate\.ts\n$/) });
    expect(copy.read(CRATE)).toBe(original);
  });

  test('a merge in progress', () => {
    const copy = openCopy();
    const [original, listed] = [copy.read(CRATE), copy.read('generated/manifest.json')];
    copy.write(CRATE, `<<<<<<< HEAD\n${original}=======\n// theirs\n>>>>>>> theirs\n`);
    copy.write(
      'generated/manifest.json',
      listed.replace(/^( {4}"schema.json".*)$/m, '<<<<<<< HEAD\n$1\n=======\n>>>>>>> x'),
    );
    expect(copy.gen()).toMatchObject({ code: 0 });
    expect([copy.read(CRATE), copy.read('generated/manifest.json')]).toEqual([original, listed]);
  });

  test('a gen that was stopped between two files', () => {
    const copy = openCopy();
    copy.change('spec/resources/crate.yaml', 'title: Crate', 'title: Box');
    const inTheWay = `${join(copy.out, 'resources', 'crate.ts')}.${process.pid}`;
    mkdirSync(inTheWay);
    expect(copy.gen()).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('crate.ts cannot be written ('),
    });
    expect(copy.read('generated/openapi.json')).toContain('Box');
    rmdirSync(inTheWay);
    copy.change('spec/resources/crate.yaml', 'title: Box', 'title: Chest');
    expect(copy.gen()).toMatchObject({ code: 0 });
    expect(JSON.parse(copy.read('generated/manifest.json'))).toHaveProperty('files');
  });

  test('a gen that was stopped while it compiled', () => {
    compiles.mockImplementation(compile);
    const copy = openCopy();
    copy.remove('generated/compiled.js');
    copy.remove('generated/resources/crate.js');
    expect(copy.gen()).toMatchObject({ code: 0, stdout: 'Up to date.\n' });
    expect(copy.has('generated/resources/crate.js')).toBe(true);
  });

  test('a gen that was stopped before it checked types', () => {
    compiles.mockImplementation(compile);
    const copy = openCopy();
    copy.write('generated/unchecked.js', '');
    copy.remove('generated/resources/crate.js');
    expect(copy.gen()).toMatchObject({ code: 0, stdout: 'Up to date.\n' });
    expect(copy.has('generated/resources/crate.js')).toBe(true);
    expect(copy.has('generated/unchecked.js')).toBe(false);
  });
});

/** A folder with files of other origin, and the golden spec beside it. */
function foreign(files: Readonly<Record<string, string>>) {
  const folder = temporaryFolder('foreign');
  cpSync(GOLDEN, join(folder, 'spec'), { recursive: true });
  const out = join(folder, 'src');
  writeFiles(out, files);
  return {
    out,
    tree: () => textsIn(out),
    gen: (force: readonly string[] = []) =>
      gen({
        spec: join(folder, 'spec'),
        out,
        check: false,
        handwritten: true,
        force: force.map((path) => join(out, path)),
      }),
  };
}

describe('F01: without a manifest gen touches nothing that it did not write', () => {
  test('files with the names of outputs are refused and listed', () => {
    const { out, tree, gen } = foreign({ 'index.ts': 'mine\n', 'resources/crate.ts': 'mine\n', 'notes.ts': 'mine\n' });
    const before = tree();
    const { code, stdout, stderr } = gen();
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain(`${join(out, 'index.ts')}\n${join(out, 'resources/crate.ts')}\n2 files are in the way`);
    expect(stderr).toContain(`${programName()} gen --force ${join(out, 'index.ts')} --force`);
    expect(tree()).toEqual(before);
  });
  test('other files are kept', () => {
    const mine = {
      'resources/other.ts': 'export {};\n',
      'validators/other.ts': 'export {};\n',
      'tests/own.ts': '1 +;\n',
    };
    const { tree, gen } = foreign(mine);
    expect(gen()).toMatchObject({ code: 0, stdout: expect.not.stringContaining('removed') });
    expect(tree()).toMatchObject(mine);
    expect(Object.keys(tree())).not.toContain('tests/own.js');
  });
  test("another program's manifest and compiled code are kept", () => {
    const mine = { 'manifest.json': '{ "name": "app" }\n', 'index.js': 'mine\n' };
    const { out, tree, gen } = foreign(mine);
    expect(gen()).toMatchObject({ code: 1, stderr: expect.stringContaining(join(out, 'index.js')) });
    expect(tree()).toEqual(mine);
    expect(gen(['manifest.json', 'index.js'])).toMatchObject({ code: 0 });
  });
  test('a lost manifest is written again if nothing else differs', () => {
    const copy = openCopy();
    copy.remove('generated/manifest.json');
    expect(copy.gen()).toMatchObject({ code: 0 });
    expect(copy.has('generated/manifest.json')).toBe(true);
    copy.remove('generated/manifest.json');
    copy.change(CRATE, ...BY_HAND);
    expect(copy.gen()).toMatchObject({ code: 1, stderr: expect.stringContaining('from version control') });
    expect(copy.gen({ force: [CRATE] })).toMatchObject({ code: 0 });
  });
  test('a first gen that was stopped is finished by the next', () => {
    const { out, gen } = foreign({});
    const inTheWay = `${join(out, 'resources', 'crate.ts')}.${process.pid}`;
    mkdirSync(inTheWay, { recursive: true });
    expect(gen()).toMatchObject({ code: 1, stderr: expect.stringContaining('crate.ts cannot be written (') });
    rmdirSync(inTheWay);
    writeFileSync(join(out, '..', 'spec', 'resources', 'lid.yaml'), LID);
    expect(gen()).toMatchObject({ code: 0 });
  });
  test('a manifest cannot name files outside its folder', () => {
    const copy = openCopy();
    copy.write('mine.ts', 'mine\n');
    copy.change('generated/manifest.json', '"files": {', `"files": {\n    "../mine.ts": "${hash('mine\n')}",`);
    expect(copy.gen()).toMatchObject({ code: 0 });
    expect(copy.read('mine.ts')).toBe('mine\n');
  });
});

describe('a listed output', () => {
  test('is removed with its descriptor', () => {
    const copy = openCopy();
    copy.remove('spec/resources/lid.yaml');
    copy.write('generated/resources/own.ts', 'export {};\n');
    const { stdout } = copy.gen();
    expect(stdout).toMatch(/^removed .*resources\/lid\.ts$/m);
    expect(copy.has('generated/resources/lid.ts')).toBe(false);
    expect(copy.has('generated/validators/lid.js')).toBe(false);
    // The manifest does not list it, so it is not an output of gen.
    expect(copy.has('generated/resources/own.ts')).toBe(true);
    expect(copy.read('generated/manifest.json')).not.toContain('/lid.ts');
  });
});

test('the compiled outputs of this project are in dist', () => {
  const test = compiler.compiledPath(join(ROOT, 'generated', 'tests', 'lid.test.ts'));
  expect(relative(ROOT, test)).toBe('dist/generated/tests/lid.test.js');
});

test('--force with an unknown name is wrong usage', () => {
  const copy = openCopy();
  const { code, stderr } = copy.gen({ force: ['generated/resources/crates.ts'] });
  expect(code).toBe(2);
  expect(stderr).toMatch(
    /^--force .*crates\.ts: gen does not generate this file; did you mean .*generated\/resources\/crate\.ts\?\n$/m,
  );
});

test('a path that cannot be written is named, and gen continues once it can be', () => {
  const { out, gen, tree } = openCopy();
  const before = tree();
  rmSync(join(out, 'resources'), { recursive: true });
  writeFileSync(join(out, 'resources'), '');
  expect(gen()).toMatchObject({
    code: 1,
    stderr: `${join(out, 'resources')} cannot be written (EEXIST: file already exists)\n`,
  });
  rmSync(join(out, 'resources'));
  expect(gen()).toMatchObject({ code: 0 });
  expect(tree()).toEqual(before);
});
