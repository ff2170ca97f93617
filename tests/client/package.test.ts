// The client as a package: `npm pack` in its folder, installed in a fresh project, whose program the strict compiler checks;
// the program in its README compiles too, and runs against a service.

import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gen } from '../../generator/commands/gen.js';
import { ROOT, temporaryFolder } from '../support/paths.js';
import { PASSWORD, startService } from '../support/service.js';
import { writeFiles } from '../support/write-files.js';

const PROGRAM = `
import { type BoxtopRecord, Punchboard, PunchboardError, verifyCallback } from 'game-component-service-client';

export async function main(baseUrl: string, bytes: Blob, signal: AbortSignal): Promise<string | undefined> {
  const api = await Punchboard.login({ baseUrl, username: 'ada', password: 'x', onIgnored: (names) => names.length });
  const art = await api.file.upload(bytes, { name: 'top.png' });
  const game = await api.game.create({ name: 'Harbour Lights', designer_id: 'd' }, { idempotencyKey: 'k', signal });
  const box: BoxtopRecord = await api.boxtop.create({ game_id: game.id, name: 'Box', identity: 'LargeStoutBoxTop', top_id: art.id });
  await api.boxtop.update(box.id, { quantity: null, name: 'Other' });
  const page = await api.game.boxtops(game.id, { _items_per_page: 10, _order_by: 'name' });
  const names: string[] = page.items.map(({ name }) => name);
  for await (const one of api.game.boxtops(game.id)) names.push(one.identity);
  const shown = await api.boxtop.get(box.id, { _include_related_objects: ['game'] });
  const receipt = await api.receipt.create({ user_id: 'u', items: [{ game_id: game.id, price_each: '19.99' }] });
  await api.receipt.ship(receipt.id, { shipments: [{ carrier: 'UPS' }] });
  const { identity } = await api.boxtop.options();
  if (await verifyCallback({ epoch: '1', message: '{}', hmac: 'x' }, 'key')) return identity[0] ?? shown.game?.name;
  try {
    await api.boxtop.delete(box.id);
  } catch (error) {
    if (error instanceof PunchboardError) return error.field('quantity')?.message;
  }
  return api.session.user_id ?? receipt.items[0]?.game_id;
}
`;

/** Each line is a mistake that the compiler has to report. */
const MISTAKES = [
  "await api.boxtop.create({ name: 'Box' });",
  "await api.boxtop.create({ name: 'Box', game_id: 'g', identity: 'HugeBox' });",
  "await api.boxtop.create({ name: 'Box', game_id: 'g', colour: 'red' });",
  'await api.boxtop.update("b", { name: null });',
  "await api.webhook.update('w', { callback_uri: 'https://example.com' });",
  "await api.game.boxtops('g', { _order_by: 'top_id' });",
  "await api.receipt.delete('r');",
  'for await (const box of api.game.boxtops("g")) box.nmae;',
];

/** Installs the package of the folder in a new project. */
function projectWith(client: string): string {
  const folder = temporaryFolder('fresh');
  const env = { ...process.env, npm_config_update_notifier: 'false' };
  const packed = execFileSync('npm', ['pack', '--json', '--pack-destination', folder], {
    cwd: client,
    encoding: 'utf8',
    env,
  });
  const [{ filename }] = JSON.parse(packed.slice(packed.indexOf('['))) as [{ filename: string }];
  writeFileSync(join(folder, 'package.json'), '{ "name": "fresh", "private": true, "type": "module" }');
  execFileSync('npm', ['install', '--offline', '--no-audit', '--no-fund', `./${filename}`], {
    cwd: folder,
    env,
    stdio: 'pipe',
  });
  return folder;
}

/** The program in the README of a client. */
function printedProgram(client: string): string {
  return /```ts\n(.*?)```/s.exec(readFileSync(join(client, 'README.md'), 'utf8'))?.[1] ?? '';
}

/** The compiler's messages about one program, with the types of browsers and without those of Node. */
function mistakes(folder: string, program: string): string {
  writeFileSync(join(folder, 'main.ts'), program);
  const tsc = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');
  const options = [
    '--ignoreConfig',
    '--noEmit',
    '--strict',
    '--exactOptionalPropertyTypes',
    '--noUncheckedIndexedAccess',
  ];
  const target = ['--module', 'nodenext', '--target', 'es2023', '--lib', 'es2023,dom,dom.iterable', '--types', ''];
  return spawnSync(process.execPath, [tsc, ...options, ...target, 'main.ts'], { cwd: folder, encoding: 'utf8' }).stdout;
}

describe('in a fresh project', () => {
  const folder = projectWith(join(ROOT, 'generated', 'client'));

  test('a program compiles, and the package can be imported', () => {
    expect(mistakes(folder, PROGRAM)).toBe('');
    const run =
      "import('game-component-service-client').then(({ Punchboard }) => console.log(typeof Punchboard.login))";
    expect(execFileSync(process.execPath, ['-e', run], { cwd: folder, encoding: 'utf8' })).toBe('function\n');
  });

  test('the program in its README compiles and runs', async () => {
    const printed = printedProgram(join(ROOT, 'generated', 'client'));
    expect(mistakes(folder, `${printed}\ndeclare const console: { log(...values: unknown[]): void };\n`)).toBe('');
    const { user, address, stop } = await startService();
    await user('ada');
    const program = printed.replace('http://127.0.0.1:3000', address).replace('correct horse', PASSWORD);
    writeFileSync(join(folder, 'printed.mjs'), program);
    const { stdout, stderr } = await promisify(execFile)(process.execPath, ['printed.mjs'], { cwd: folder });
    await stop();
    expect([stdout, stderr]).toEqual([expect.stringMatching(/^\w{10,} \d{4}-\S+\n$/), '']);
  });

  test('the package holds its licence and README', () => {
    const [installed, client] = [
      join(folder, 'node_modules', 'game-component-service-client'),
      join(ROOT, 'generated', 'client'),
    ];
    for (const file of ['LICENSE', 'README.md']) {
      expect(readFileSync(join(installed, file), 'utf8')).toBe(readFileSync(join(client, file), 'utf8'));
    }
    expect(readFileSync(join(client, 'LICENSE'), 'utf8')).toBe(readFileSync(join(ROOT, 'LICENSE'), 'utf8'));
  });

  test('the compiler reports mistakes', () => {
    const lines = MISTAKES.map((line) => `async () => { ${line} };`).join('\n');
    const output = mistakes(
      folder,
      `import type { Punchboard } from 'game-component-service-client';\ndeclare const api: Punchboard;\n${lines}\n`,
    );
    const places = new Set([...output.matchAll(/^main\.ts\((\d+),/gm)].map(([, line]) => Number(line) - 3));
    expect([...places]).toEqual(MISTAKES.map((_, at) => at));
  });

  test('the package has no dependencies', () => {
    const { dependencies } = JSON.parse(readFileSync(join(ROOT, 'generated', 'client', 'package.json'), 'utf8')) as {
      dependencies?: object;
    };
    expect(dependencies).toBeUndefined();
  });
});

/** Names that the client's own members and parameters have, that TypeScript reserves, or that two of its methods would get. */
const ODD: Readonly<Record<string, string>> = {
  'conventions.yaml': 'title: "Odd: names!"\nversion: one\nsummary: Odd names.\nimage_types: [image/png]\n',
  'resources/user.yaml':
    'resource: user\ntitle: User\nsummary: User.\nplural: users\nprincipal: true\nfields:\n  username: { kind: text, required: true, unique: true }\n  password: { kind: password, required: true }\n',
  'resources/index.yaml': `
resource: index
title: Index
summary: "Ends with */ a comment"
plural: delete
fields:
  user: { kind: reference, to: user, place: true, default: session.user, list: get }
  index: { kind: reference, to: index, list: true }
  query: { kind: enum, values: [a, b, "it's"] }
  if: { kind: text, unique: named }
  call: { kind: text, unique: called }
  data: { kind: json, schema: { type: object, required: [a-b], properties: { a-b: { type: [string, "null"] }, c: { type: array, items: { enum: [1, 2] } } } } }
access: { read: anyone, edit: [user] }
`,
};

test('other domains have a client too, whatever their names', () => {
  const folder = temporaryFolder('odd');
  writeFiles(join(folder, 'spec'), ODD);
  const { code, stderr } = gen({ spec: join(folder, 'spec'), out: join(folder, 'out'), check: false });
  expect([code, stderr]).toEqual([0, '']);
  const project = projectWith(join(folder, 'out', 'client'));
  const program = `
    import { type IndexRecord, Punchboard } from 'odd-names-client';
    const api = new Punchboard({ baseUrl: 'http://localhost' });
    export const one: Promise<IndexRecord> = api.index.create({ data: { 'a-b': null, c: [1] }, query: "it's" });
    export const all: AsyncIterable<IndexRecord> = api.index.delete_('i', { _items_per_page: 1 });
    export const some: AsyncIterable<IndexRecord> = api.user.get_('u');
    export const gone: Promise<{ success: 1 }> = api.index.delete('i');
    export const named: Promise<IndexRecord> = api.index.by_named('x', {}, {});
    export const called: Promise<IndexRecord> = api.index.by_called('y');
  `;
  expect(mistakes(project, program)).toBe('');
  const printed = printedProgram(join(folder, 'out', 'client'));
  expect(printed).toContain('api.index.create({}');
  expect(mistakes(project, `${printed}\ndeclare const console: { log(...values: unknown[]): void };\n`)).toBe('');
});
