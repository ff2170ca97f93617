// A new repository, as `punchboard init` writes it, works as it is, and mentions nothing of this repository.

import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { validate } from 'dockerfile-utils';
import { catalogue } from '../../generator/diagnostics/catalogue.js';
import { runIn, startIn } from '../cli/processes.js';
import { count } from '../support/counts.js';
import { runMaintainers } from '../support/maintainers-here.js';
import { BIN, ROOT, temporaryFolder } from '../support/paths.js';
import { CHEAP_PASSWORDS_SCRIPT, preloading } from '../support/preload.js';

/** The packages that people install in the repository; this project has them already. */
const INSTALLED = ['typescript', 'jest', 'fast-check', '@types/node', '@types/jest'];

const folder = join(temporaryFolder('init'), 'my-service');
/** Runs a command as a process. */
const command = (...args: readonly string[]) => runIn(args, folder);
/** Runs `gen`, `check` or `init` in this process. */
const here = (...args: readonly string[]) => runMaintainers(args, folder);
const env = { NODE_OPTIONS: preloading(CHEAP_PASSWORDS_SCRIPT) };
const read = (path: string): string => readFileSync(join(folder, path), 'utf8');
/** Paths of files, except for installed packages, which are links out of the folder. */
const files = (place = ''): readonly string[] =>
  readdirSync(join(folder, place), { withFileTypes: true })
    .filter(({ name }) => name !== 'node_modules')
    .flatMap((entry) => (entry.isDirectory() ? files(join(place, entry.name)) : [join(place, entry.name)]));

beforeAll(async () => {
  mkdirSync(folder);
  link(ROOT, 'punchboard');
  for (const name of INSTALLED) link(join(ROOT, 'node_modules', name), name);
  writeFileSync(join(folder, 'compose.yaml'), '# ours\n');
  const { code, stdout, stderr } = await command('init');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toContain('created spec/resources/task.yaml\n');
  expect(stdout).toContain('left    compose.yaml, which was there already\n');
});

function link(target: string, name: string): void {
  const place = join(folder, 'node_modules', name);
  mkdirSync(dirname(place), { recursive: true });
  symlinkSync(target, place);
}

test('existing files stay, and a second run writes nothing', () => {
  expect(read('compose.yaml')).toBe('# ours\n');
  const again = here('init');
  expect(again.stdout).not.toContain('created');
  expect(again.stdout).toContain('left    package.json, which was there already\n');
});

const IMAGES: readonly (readonly [manager: string, lock: string, install: string])[] = [
  ['npm/11.0.0 node/v24.1.0', 'package-lock.json', 'npm ci'],
  ['pnpm/9.1.0 npm/? node/v24.1.0', 'pnpm-lock.yaml pnpm-workspace.yaml', 'pnpm install --frozen-lockfile'],
  ['yarn/1.22.22 npm/? node/v24.1.0', 'yarn.lock', 'yarn install --frozen-lockfile'],
  ['another/1.0.0', 'package-lock.json', 'npm ci'],
];

test.each(IMAGES)('image and CI install as %s does, and a linter has nothing to say', (agent, lock, install) => {
  const place = join(dirname(folder), lock);
  const { code } = runMaintainers(['init', place], folder, agent);
  const named = lock.split(' ').filter((path) => !path.includes('lock'));
  expect(readdirSync(place).filter((path) => path.startsWith('pnpm'))).toEqual(named);
  const [image, ci] = ['Dockerfile', '.github/workflows/ci.yml'].map((path) => readFileSync(join(place, path), 'utf8'));
  const [, manager = ''] = /^\$ (\w+) run dev$/m.exec(readFileSync(join(place, 'README.md'), 'utf8')) ?? [];
  expect(install).toMatch(new RegExp(`^${manager} `));
  rmSync(place, { recursive: true });
  expect([code, image, ci]).toEqual([0, expect.stringContaining(`COPY package.json ${lock} ./\n`), expect.any(String)]);
  for (const text of [image, ci]) expect(text).toMatch(new RegExp(`(RUN|run:) .*${install}"?\n`));
  expect(validate(image ?? '')).toEqual([]);
  expect(validate((image ?? '').replace('USER node', 'USER'))).toHaveLength(1);
});

test('the package manager is the one that calls the command', async () => {
  const place = join(dirname(folder), 'by-yarn');
  await runIn(['init', place], folder, { env: { npm_config_user_agent: 'yarn/1.22.22 npm/? node/v24.1.0' } });
  expect(readFileSync(join(place, 'README.md'), 'utf8')).toContain('\n$ yarn run dev\n');
  rmSync(place, { recursive: true });
});

test('a path that is not a folder is refused, and nothing is written', () => {
  expect(here('init', 'compose.yaml')).toEqual({
    code: 1,
    stdout: '',
    stderr: 'compose.yaml is not a folder\n',
  });
});

test('no file names a resource of this repository, and none has an open placeholder', () => {
  const ours = readdirSync(join(ROOT, 'spec', 'resources')).map((file) => file.replace('.yaml', ''));
  // Every service has the first three; the others are common words in a README.
  const shared = ['user', 'webhook', 'apikey', 'document', 'file', 'folder', 'part'];
  const names = new RegExp(`\\b(${ours.filter((name) => !shared.includes(name)).join('|')})\\b`);
  const written = ['spec', 'tests', '.github', 'README.md', 'compose.yaml', 'Dockerfile', 'package.json'];
  const texts = files()
    .filter((path) => written.some((one) => path.startsWith(one)))
    .map((path) => [path, read(path)] as const);
  expect(texts.length).toBeGreaterThan(10);
  expect(texts.filter(([, text]) => names.test(text))).toEqual([]);
  expect(texts.filter(([, text]) => /(?<!\$)\{\{\w+\}\}/.test(text))).toEqual([]);
  expect(read('package.json')).toContain('"name": "my-service"');
});

test('AGENTS.md lists every command and every diagnostic', async () => {
  const { stdout } = await command('--help');
  const commands = [...stdout.matchAll(/^ {2}([a-z]+)(?= [ [<]|$)/gm)].map(([, name]) => name ?? '');
  const text = read('AGENTS.md');
  expect(commands.length).toBeGreaterThan(15);
  const missing = commands.filter((name) => name !== 'help' && !text.includes(`- \`punchboard ${name}\`: `));
  expect([missing, Object.keys(catalogue).filter((code) => !text.includes(`- ${code}: `))]).toEqual([[], []]);
});

/** Runs the README's commands in one shell, with the server's address. @returns the output of the last command */
function walked(address: string): string {
  const [, walk = ''] = [...read('README.md').matchAll(/^```console\n(.*?)^```/gms)].map(([, block = '']) => block);
  const script = walk.replace(/^\$ /gm, '').replaceAll('http://127.0.0.1:3000', address);
  return execFileSync('bash', ['-ec', script.replaceAll('npx punchboard', `${process.execPath} ${BIN}`)], {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, ...env },
  });
}

describe('generated', () => {
  beforeAll(async () => {
    expect(await command('gen')).toMatchObject({ code: 0, stderr: '' });
  });

  test('code imports the package by its name, and is compiled apart from its sources', () => {
    expect(read('generated/resources/task.ts')).toContain("from 'punchboard/kit'");
    expect(read('generated/tests/task.test.ts')).toContain("from 'punchboard/testing'");
    const beside = files().filter((path) => path.endsWith('.js') && !path.startsWith('.punchboard'));
    expect(beside.filter((path) => !path.startsWith('generated/client/'))).toEqual([]);
    expect(read('.punchboard/spec/functions/index.js')).toContain('TaskFinished');
    expect(here('gen', '--check')).toMatchObject({ code: 0, stdout: 'Up to date.\n' });
  });

  test('the compiler knows the types of functions', () => {
    const path = join(folder, 'spec', 'functions', 'index.ts');
    const text = readFileSync(path, 'utf8');
    writeFileSync(path, text.replace('title: row.title, days', 'title: 7'));
    const { code, stderr } = here('gen');
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^spec\/functions\/index\.ts\(\d+,\d+\): error TS/)]);
    writeFileSync(path, text);
    expect(here('gen')).toMatchObject({ code: 0 });
  });

  test('its own test and those that gen wrote pass, and one that fails is reported', async () => {
    const wrong = read('tests/finish.test.ts').replace("toBe('conflict')", "toBe('ok')");
    writeFileSync(join(folder, 'tests', 'wrong.test.ts'), wrong);
    // Those of web hooks take half the time; maintainer/lending runs them in the short form, too.
    const left = ['apikey', 'webhook'].slice(0, count(2, 0));
    const compiled = left.map((name) => join(folder, '.punchboard', 'generated', 'tests', `${name}.test.js`));
    for (const path of compiled) renameSync(path, `${path}.left`);
    const { code, stderr } = await command('test');
    for (const path of compiled) renameSync(`${path}.left`, path);
    const passed = 6 - left.length;
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining(`Suites: 1 failed, ${passed} passed, ${passed + 1} total\n`),
    ]);
    expect(stderr).toMatch(/^FAIL .*wrong\.test\.js/m);
  });

  test('`dev` serves the pages, and again what an edit has changed', async () => {
    // A terminal also gives it a separate process group: Ctrl-C is a signal to the whole group.
    const program = ['setsid', process.execPath, BIN] as const;
    const server = await startIn(['dev', '--port', '0'], folder, { program, env });
    try {
      expect((await fetch(`${server.address}/docs/`)).status).toBe(200);
      const [, url = '', session = ''] = /^curl '(\S+session_id=([\w-]+))'$/.exec(await server.line(/^curl '/)) ?? [];
      expect(await (await fetch(url)).json()).toMatchObject({ object_type: 'task', title: 'Water the plants' });
      expect(walked(server.address)).toMatch(/"title":"Water the plants",.*"finished":"20/);
      const path = join(folder, 'spec', 'resources', 'task.yaml');
      const again = server.line(/^gen has compiled: the server is started again$/);
      writeFileSync(path, readFileSync(path, 'utf8').replace('max: 200', 'max: 300'));
      await again;
      // Each start opens a new session.
      await server.line(new RegExp(`^curl '(?!.*${session})`));
      expect(await (await fetch(`${server.address}/openapi.json`)).text()).toMatch(/"maxLength": ?300/);
      expect(server.process.exitCode).toBe(null);
    } finally {
      process.kill(-(server.process.pid ?? Number.NaN), 'SIGINT');
    }
    expect((await server.ended).code).toBe(0);
  });
});
