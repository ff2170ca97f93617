// Hand-written functions of a new spec: the example of spec/README.md is checked, compiled and called over HTTP.

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { compiledPath, kitPath } from '../../generator/write/compile.js';
import { run, serve } from '../cli/processes.js';
import { descriptors } from '../readme/descriptors.js';
import { clientOf } from '../support/client.js';
import { runMaintainers } from '../support/maintainers-here.js';
import { ROOT, temporaryFolder } from '../support/paths.js';
import { type ServedSpec, serveSpec } from './generated.js';

const PAGE = readFileSync(join(ROOT, 'spec', 'README.md'), 'utf8');
const SECTION = PAGE.slice(PAGE.indexOf('## Functions written by hand'), PAGE.indexOf('## Events'));
const [DECLARATIONS = '', EVENTS = '', FUNCTIONS = '', READS = '', READING = '', FILL = '', FILLING = ''] = [
  ...SECTION.matchAll(/^```(?:yaml|ts)\n([\s\S]*?)^```$/gm),
].map(([, text = '']) => text);

/** A new folder with the project of four files as `spec`, in which `game` declares functions. */
function declaring(declarations = DECLARATIONS): string {
  const folder = temporaryFolder('functions');
  for (const { path, text } of descriptors(PAGE)) {
    write(join(folder, path), path.endsWith('/game.yaml') ? text + declarations : text);
  }
  if (declarations !== '') write(join(folder, 'spec', 'events.yaml'), EVENTS);
  return folder;
}

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

const GEN = ['gen', '--spec', 'spec', '--out', 'generated'];

describe('a spec that brings its functions, and events without web hooks', () => {
  let served: ServedSpec;
  beforeAll(async () => {
    const folder = declaring();
    const board = join(folder, 'spec', 'resources', 'board.yaml');
    writeFileSync(board, readFileSync(board, 'utf8') + READS);
    write(join(folder, 'spec', 'functions', 'board.ts'), READING);
    const both = FUNCTIONS.replace('{ game: {', '{ board, game: {').replace(
      '\n',
      "\nimport { board } from './board.js';\n",
    );
    write(join(folder, 'spec', 'functions', 'index.ts'), both);
    served = await serveSpec(join(folder, 'spec'));
  });
  afterAll(() => served?.stop());

  test('the lifecycle function and the action change the record', async () => {
    const send = clientOf(served.server.address);
    const { session } = await served.user('ada');
    const created = await send('POST', '/api/game', { session, parameters: { name: '  Chess ' } });
    expect([created.status, created.body.name]).toEqual([201, 'Chess']);
    const path = `/api/game/${created.body.id}`;
    const rename = (name: string) => send('POST', `${path}/rename`, { session, parameters: { name } });
    expect(await rename('Go')).toMatchObject({ status: 200, body: { name: 'Go' } });
    expect((await send('GET', path)).body.name).toBe('Go');
    expect(await rename('Go')).toMatchObject({ status: 409, body: { detail: 'The game already has this name.' } });
  });

  test('a function is refused by other records that it reads, and changes them, as the page says', async () => {
    const send = clientOf(served.server.address);
    const { session } = await served.user('bea');
    const game = await send('POST', '/api/game', { session, parameters: { name: 'Chess' } });
    const add = (name: string, folded: boolean) =>
      send('POST', '/api/board', { session, parameters: { name, folded, game_id: String(game.body.id) } });
    for (const name of ['one', 'two', 'three']) expect((await add(name, false)).status).toBe(201);
    expect(await add('four', false)).toMatchObject({
      status: 409,
      body: { detail: 'The game has three flat boards.' },
    });
    expect((await send('GET', `/api/game/${game.body.id}`)).body.name).toBe('Chess with three');
    expect((await add('five', true)).status).toBe(201);
    expect((await send('GET', `/api/game/${game.body.id}`)).body).toMatchObject({
      name: 'Chess with five',
      board_count: 4,
    });
  });
});

test('a function fills a field of existing rows, if all its values fit, as the page says', async () => {
  const served = await serveSpec(join(declaring(''), 'spec'));
  const { folder } = served;
  const { session } = await served.user('ada');
  const add = (name: string) => clientOf(served.server.address)('POST', '/api/game', { session, parameters: { name } });
  const [go, blank] = [await add('go  for gold'), await add('   ')];
  await served.stop();
  const game = join(folder, 'spec', 'resources', 'game.yaml');
  writeFileSync(game, readFileSync(game, 'utf8').replace('fields:\n', `fields:\n${FILL}`));
  const refused = runMaintainers(['check', '--spec', 'spec'], folder);
  const place = 'write it in functions/index.ts in the spec folder';
  expect(refused.stderr).toContain(`${place}: export const fills: Fills = { game: { initials: (row) => … } }`);

  write(join(folder, 'spec', 'functions', 'index.ts'), FILLING);
  expect(runMaintainers(GEN, folder)).toMatchObject({ code: 0 });
  // As processes, since the functions have changed between them.
  const migrate = (command: string) => run(['migrate', command, '--generated', 'generated'], folder);
  const plan = await migrate('plan');
  expect([plan.code, plan.stdout]).toEqual([1, expect.stringContaining('Refused: rows are in the way.')]);
  expect(plan.stdout).toContain(
    `game.initials gets a value from the function game.initials that does not fit the limit 1 to 20 characters, first "", in 1 row (${blank.body.id}): `,
  );
  expect(plan.stdout).toContain(`game.initials is filled by its function in 1 row (${go.body.id}): each value fits`);
  expect((await migrate('rehearse')).code).toBe(1);
  expect((await migrate('apply')).code).toBe(1);

  write(join(folder, 'spec', 'functions', 'index.ts'), FILLING.replace(".join('')", ".join('') || '?'"));
  expect(runMaintainers(GEN, folder)).toMatchObject({ code: 0 });
  expect(await migrate('rehearse')).toMatchObject({ code: 0 });
  const server = await serve(['--port', '0', '--generated', 'generated', '--log-level', 'silent'], folder);
  const get = async ({ body }: typeof go) =>
    (await clientOf(server.address)('GET', `/api/game/${body.id}`)).body.initials;
  expect([await get(go), await get(blank)]).toEqual(['GFG', '?']);
  await server.end('SIGTERM');
});

describe('what the commands report about functions', () => {
  const folder = declaring();
  const index = join(folder, 'spec', 'functions', 'index.ts');
  const compiled = index.replace(/\.ts$/, '.js');
  const without = FUNCTIONS.replace(/ {4}rename\([\s\S]*?^ {4}\},\n/m, '');
  const gen = () => runMaintainers(GEN, folder);

  test('without the file the declarations are refused', async () => {
    const { code, stderr } = runMaintainers(['check', '--spec', 'spec'], folder);
    expect(code).toBe(1);
    expect([...stderr.matchAll(/E\d{4}: .*/g)].map(String)).toEqual([
      'E0703: game declares the lifecycle function beforeCreate, but there is no code for it',
      'E0703: game declares the action "rename", but there is no code for it',
    ]);
    const place = 'write it in functions/index.ts in the spec folder';
    expect(stderr).toContain(
      `${place}: export const lifecycles: Lifecycles = { game: { beforeCreate: (old, row, now) => undefined } }`,
    );
    expect(stderr).toContain(
      `${place}: export const actions: Actions = { game: { rename: (row, input, now) => undefined } }`,
    );
    expect(gen().code).toBe(1);
    expect(existsSync(join(folder, 'generated'))).toBe(false);
  });

  test('a missing function is named', async () => {
    write(index, without);
    expect(runMaintainers(['check', '--spec', 'spec'], folder).code).toBe(0);
    const { code, stderr } = gen();
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/^spec\/functions\/index\.ts\(\d+,\d+\): error TS\d+: Property 'rename' is missing/),
    ]);
  });

  test('N11: an event of a wrong form does not compile, and neither does what only browsers have', async () => {
    const of = "of: { resource: 'game', id: row.id }";
    const right = `{ event: 'GameRenamed', ${of}, payload: { name: '' } }`;
    const wrong = [
      `{ event: 'GameRenamd', ${of}, payload: { name: '' } }`,
      `{ event: 'GameRenamed', ${of}, payload: { former: '' } }`,
      `{ event: 'GameRenamed', ${of}, payload: { name: 1 } }`,
      `{ event: 'GameRenamed', ${of}, payload: 'record' }`,
      "{ event: 'GameRenamed', of: { resource: 'bord', id: row.id }, payload: { name: '' } }",
      "{ event: 'GameRenamed', owner_class: 'User', owner_id: row.user_id, payload: { name: '' } }",
      "'GameRenamed'",
    ];
    const functions = [right, ...wrong].map((event) => `{ beforeCreate: (_old, row) => ({ events: [${event}] }) },`);
    const lines = [
      '',
      "export const several: Lifecycles['game'][] = [",
      ...functions,
      '];',
      'export const width = window.innerWidth;',
    ];
    write(index, FUNCTIONS + lines.join('\n'));
    const { code, stderr } = gen();
    const places = [...stderr.matchAll(/^spec\/functions\/index\.ts\((\d+),\d+\): error TS\d+: /gm)].map(
      ([, line]) => line,
    );
    // The wrong events follow the line with the right one.
    const first = FUNCTIONS.split('\n').length + 3;
    const ofBrowsers = String(first + wrong.length + 1);
    expect([code, places]).toEqual([1, [...wrong.map((_, at) => String(first + at)), ofBrowsers]]);
  });

  test('functions are compiled when they alone change', async () => {
    write(index, FUNCTIONS);
    expect(gen()).toMatchObject({ code: 0, stderr: '' });
    write(index, FUNCTIONS.replace('already has', 'still has'));
    expect(gen()).toMatchObject({ code: 0, stderr: '' });
    expect(readFileSync(compiled, 'utf8')).toContain('still has');
    expect(gen()).toMatchObject({ code: 0, stdout: 'Up to date.\n' });
  });

  test('functions changed back after a mistake are compiled again', async () => {
    // The test before this one has compiled them.
    const whole = readFileSync(index, 'utf8');
    write(index, without);
    expect(gen().code).toBe(1);
    write(index, whole);
    expect(gen()).toMatchObject({ code: 0, stdout: 'Up to date.\n' });
    expect(readFileSync(compiled, 'utf8')).toContain('rename(');
  });
});

test('only our own output is compiled into dist: a spec inside the project folder is compiled where it is', () => {
  const ours = join(ROOT, 'generated');
  const other = join(ROOT, 'library', 'generated');
  expect([kitPath(ours), kitPath(other)]).toEqual(['punchboard/kit', 'punchboard/kit']);
  expect([ours, other, `${ours}-2`].map((out) => compiledPath(join(out, 'index.ts')))).toEqual([
    join(ROOT, 'dist', 'generated', 'index.js'),
    join(other, 'index.js'),
    join(`${ours}-2`, 'index.js'),
  ]);
});
