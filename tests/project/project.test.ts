// A separate repository with Punchboard as a dependency: every command concerns the project in which it is called, and does
// nothing outside a project (N13).

import { cpSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type CommandResult, runIn, type Server, serveIn } from '../cli/processes.js';
import { runHere } from '../support/in-process.js';
import { ROOT, temporaryFolder } from '../support/paths.js';
import { CHEAP_PASSWORDS_SCRIPT, preloading } from '../support/preload.js';

const folder = temporaryFolder('project');
const within = join(folder, 'spec', 'resources');
const outside = temporaryFolder('outside');
/** The command as `npx` calls it, by the link in node_modules. */
const program = [process.execPath, join(folder, 'node_modules', '.bin', 'punchboard')] as const;
const env = { NODE_OPTIONS: preloading(CHEAP_PASSWORDS_SCRIPT) };
const punchboard = (args: readonly string[], where = folder, input = ''): Promise<CommandResult> =>
  runIn(args, where, { program, env, input });

beforeAll(async () => {
  cpSync(join(ROOT, 'tests', 'maintainer', 'library'), join(folder, 'spec'), { recursive: true });
  mkdirSync(join(folder, 'node_modules', '.bin'), { recursive: true });
  symlinkSync(ROOT, join(folder, 'node_modules', 'punchboard'));
  symlinkSync('../punchboard/dist/generator/bin.js', program[1]);
  writeFileSync(join(outside, 'event.json'), '{}');
  expect(await punchboard(['gen'], within)).toMatchObject({ code: 0, stderr: '' });
});

const OPERATORS: readonly (readonly string[])[] = [
  ['serve', '--port', '0', '--database', 'a.db', '--files', 'files'],
  ['openapi'],
  ['user', 'add', '--username', 'ada', '--password-stdin'],
  ['user', 'passwd', '--username', 'ada', '--password-stdin'],
  ['user', 'list'],
  ['audit'],
  ['migrate', 'status'],
  ['migrate', 'plan', '--database', 'a.db'],
  ['migrate', 'apply', '--database', 'a.db'],
  ['migrate', 'restore', 'author', '--database', 'a.db'],
  ['copy', '--from', 'a.db', '--to', 'b.db'],
  ['backup', 'saved', '--database', 'a.db'],
  ['restore', 'saved'],
  ['webhooks', 'list'],
  ['webhooks', 'simulate', '--behaviour', 'event.json'],
  ['event', 'publish', '--file', 'event.json'],
];
const MAINTAINERS: readonly (readonly string[])[] = [['gen'], ['dev'], ['impact'], ['new', 'crate'], ['test']];

const REFUSAL =
  /^punchboard: no folder from here upwards is a project, .*: go to the project's folder, or name .* --\w+(; to begin one, run punchboard init)?\n$/;

describe('N13: outside a project every command is refused with one line that says what to do, and changes nothing', () => {
  afterEach(() => expect(readdirSync(outside)).toEqual(['event.json']));

  test.each(OPERATORS)('%s %s', async (...args) => {
    const refusal = { code: 1, stdout: '', stderr: expect.stringMatching(REFUSAL) };
    expect(await runHere(args, outside)).toEqual(refusal);
  });

  test('as processes, including commands for maintainers', async () => {
    const commands = [OPERATORS[0] ?? [], ...MAINTAINERS];
    const ended = await Promise.all(commands.map((args) => punchboard(args, outside)));
    const stderr = expect.stringMatching(REFUSAL);
    expect(ended).toEqual(commands.map((_, at) => ({ code: at === 0 ? 1 : 2, stdout: '', stderr })));
  });
});

test('commands that concern no project work anywhere', async () => {
  expect(await punchboard(['explain', 'E0203'], outside)).toMatchObject({ code: 0, stderr: '' });
  expect(await runHere(['completion', 'bash'], outside)).toMatchObject({ code: 0, stderr: '' });
});

describe('N13: inside a project and its folders', () => {
  let server: Server;
  beforeAll(async () => {
    server = await serveIn(['--port', '0', '--log-level', 'silent'], within, { program, env });
  });
  afterAll(() => server.end('SIGTERM'));

  test('N47: the command in the hint works as printed', async () => {
    const hint = await server.line(/^There are no users yet/);
    expect(hint).toBe('There are no users yet. To create one: npx punchboard user add --username NAME [--admin]');
    const [, typed = ''] = /npx punchboard (.*) \[--admin\]$/.exec(hint) ?? [];
    const added = await punchboard([...typed.split(' '), '--password-stdin'], within, 'correct horse\n');
    expect(added).toMatchObject({ code: 0, stderr: '' });
  });

  test('every command uses the service and data of the project', async () => {
    const maintained = [['check'], ['gen', '--check'], ['explain', 'GET /api/author/{id}']];
    const checked = await Promise.all(maintained.map((args) => punchboard(args, within)));
    expect(checked.map(({ code, stderr }) => [code, stderr])).toEqual(maintained.map(() => [0, '']));
    const passes = [
      ['user', 'list'],
      ['audit'],
      ['migrate', 'status'],
      ['migrate', 'plan'],
      ['backup', join(folder, 'saved')],
      ['restore', join(folder, 'saved'), '--database', join(folder, 'b.db'), '--files', join(folder, 'files')],
      ['copy', '--from', join(folder, 'b.db'), '--to', join(folder, 'c.db')],
    ];
    const ended: [readonly string[], CommandResult][] = [];
    for (const args of passes) ended.push([args, await runHere(args, within)]);
    expect(ended.filter(([, { code }]) => code !== 0)).toEqual([]);
    expect(ended.filter(([, { stdout }]) => /boxtop|drop:/.test(stdout))).toEqual([]);
    const document = JSON.parse((await runHere(['openapi'], within)).stdout) as { readonly paths: object };
    expect(Object.keys(document.paths)).toContain('/api/author/{id}');
    expect((await fetch(`${server.address}/api/author/_options`)).status).toBe(200);
    expect(readdirSync(folder)).toEqual(expect.arrayContaining(['data', 'generated', 'saved', 'spec']));
    expect(readdirSync(within).filter((name) => !name.endsWith('.yaml'))).toEqual([]);
  });

  test('N47: --demo fills this service from its own examples', async () => {
    const options = ['--port', '0', '--log-level', 'silent', '--demo', '--database', 'demo.db'];
    const demo = await serveIn(options, folder, { program, env });
    try {
      const [, url = ''] = /^curl '(\S+)'$/.exec(await demo.line(/^curl '/)) ?? [];
      expect(await (await fetch(url)).json()).toMatchObject({ object_type: 'loan', id: expect.any(String) });
    } finally {
      demo.process.kill('SIGTERM');
    }
    expect(await demo.ended).toMatchObject({ code: 0, stderr: '' });
  });

  test.each([
    ['user', 'passwd', '--username', 'ada', '--password-stdin'],
    ['user', 'admin', '--username', 'ada'],
    ['user', 'disable', '--username', 'ada'],
    ['user', 'list'],
    ['audit'],
    ['migrate', 'status'],
    ['migrate', 'plan'],
    ['migrate', 'apply'],
    ['migrate', 'restore', 'author'],
    ['migrate', 'purge', '--before', '2020-01-01'],
    ['backup', 'nothing'],
  ])('N47: %s %s makes no database where there is none', async (...args) => {
    const ended = await runHere([...args, '--database', 'mistyped.db'], folder, { input: 'correct horse\n' });
    expect(ended).toMatchObject({ code: 1, stdout: '', stderr: expect.stringMatching(/^punchboard: [^\n]*\n$/) });
    expect(readdirSync(folder).filter((name) => /mistyped|nothing/.test(name))).toEqual([]);
  });
});

test('a folder without a spec that was built elsewhere is a project as well', async () => {
  const built = temporaryFolder('built');
  cpSync(join(folder, 'generated'), join(built, 'generated'), { recursive: true });
  rmSync(join(built, 'generated', 'manifest.json'));
  symlinkSync(join(ROOT, 'node_modules'), join(built, 'node_modules'));
  const { code, stdout } = await runHere(['openapi'], built);
  expect([code, stdout]).toEqual([0, expect.stringContaining('/api/author/{id}')]);
});
