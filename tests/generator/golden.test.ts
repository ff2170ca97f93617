// A small spec and everything that gen generates from it, byte by byte; PUNCHBOARD_UPDATE_GOLDEN=1 rewrites it.

import { spawnSync } from 'node:child_process';
import { cpSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gen } from '../../generator/commands/gen.js';
import { generate } from '../../generator/generate.js';
import { readSpec } from '../../generator/write/read-spec.js';
import { withoutIdentity } from '../support/identified.js';
import { ROOT, temporaryFolder } from '../support/paths.js';
import { writeFiles } from '../support/write-files.js';
import { textsIn } from './project-files.js';

const GOLDEN = join(ROOT, 'tests', 'generator', 'golden');
const EXPECTED = join(GOLDEN, 'expected');
/** The kit, seen from the expected files, which are compiled with the tests. */
const KIT = '../../../../runtime/contract/kit.js';
/** The API document is too long to read and has tests of its own; the files that are the same in every client are copies. */
const LEFT_OUT = [
  'openapi.json',
  ...['core', 'callbacks'].flatMap((part) => [`client/${part}.js`, `client/${part}.d.ts`]),
];

type Tree = Readonly<Record<string, string>>;

function generateTree(): Tree {
  const generation = generate({ ...readSpec(join(GOLDEN, 'spec')), code: 'given' }, KIT);
  if (!generation.ok) throw new Error(generation.diagnostics.map(({ message }) => message).join('\n'));
  // The identity differs whenever anything else does, and would be the only difference of its files.
  const compared = withoutIdentity(generation).filter(({ path }) => !LEFT_OUT.includes(path));
  return Object.fromEntries(compared.map(({ path, text }) => [path, text]));
}

function write(folder: string, files: Tree): void {
  rmSync(folder, { recursive: true, force: true });
  writeFiles(folder, files);
}

describe('golden', () => {
  const outputs = generateTree();
  if (process.env.PUNCHBOARD_UPDATE_GOLDEN === '1') write(EXPECTED, outputs);
  const expected = textsIn(EXPECTED);

  test('gen writes the expected files', () => expect(Object.keys(outputs).sort()).toEqual(Object.keys(expected)));
  test.each(Object.keys(expected))('%s', (path) => expect(outputs[path]).toBe(expected[path]));
});

describe('the output of gen for the golden spec', () => {
  const folder = temporaryFolder('golden');
  const out = join(folder, 'generated');

  beforeAll(() => {
    cpSync(join(GOLDEN, 'spec'), join(folder, 'spec'), { recursive: true });
    // `handwritten` makes gen type-check what it wrote.
    const { code, stderr } = gen({ spec: join(folder, 'spec'), out, check: false, handwritten: true });
    expect(code).toBe(0);
    expect(stderr).toBe('');
  });

  /** The errors of the compiler for a hand-written file beside the output. */
  function compileErrors(text: string): string {
    const file = join(out, 'handwritten.ts');
    writeFileSync(file, text);
    const compiler = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');
    const flags = ['--ignoreConfig', '--noEmit', '--strict', '--skipLibCheck', '--module', 'nodenext'];
    const types = ['--target', 'es2023', '--types', 'node', '--typeRoots', join(ROOT, 'node_modules', '@types')];
    return spawnSync(process.execPath, [compiler, ...flags, ...types, file], { encoding: 'utf8' }).stdout;
  }
  const actions = (written: string) =>
    compileErrors(`import type { Actions } from './behaviour.js';\nexport const actions: Actions = { ${written} };\n`);

  test('compiles if all actions are written', () => {
    expect(actions('crate: { weigh: (_, { scale }) => ({ changes: { label: scale } }), open: () => undefined }')).toBe(
      '',
    );
  });
  test('a missing action is named', () => {
    expect(actions('crate: { weigh: () => undefined }')).toMatch(/error TS\d+: Property 'open' is missing/);
  });
  test('changes are typed', () => {
    const errors = actions('crate: { weigh: () => ({ changes: { colour: 1 } }), open: () => undefined }');
    expect(errors).toMatch(/'colour' does not exist in type/);
  });
  test('parameters are typed', () => {
    const errors = actions('crate: { weigh: (_, { colour }) => undefined, open: () => undefined }');
    expect(errors).toMatch(/Property 'colour' does not exist on type/);
  });
  test('a missing lifecycle function is named', () => {
    const errors = compileErrors(
      `import type { Lifecycles } from './behaviour.js';\nexport const all: Lifecycles['crate'] = {\n` +
        '  beforeCreate: () => undefined,\n  beforeUpdate: () => undefined,\n  beforeDelete: () => undefined,\n};\n',
    );
    expect(errors).toMatch(/error TS\d+: Property 'afterUpdate' is missing/);
  });
});
