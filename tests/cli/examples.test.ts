// The example in the help of each command runs as it is printed, in a repository that `init` wrote, beside the server of the
// example of `serve`. Where it names a port, another one is used.

import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { EXAMPLES } from '../../generator/examples.js';
import { clientOf } from '../support/client.js';
import { git, makeRepository } from '../support/git.js';
import { runHere } from '../support/in-process.js';
import { runMaintainers } from '../support/maintainers-here.js';
import { BIN, ROOT, temporaryFolder } from '../support/paths.js';
import { CHEAP_PASSWORDS_SCRIPT, preloading } from '../support/preload.js';
import { runIn } from './processes.js';

const INSTALLED = ['typescript', 'jest', 'fast-check', '@types/node', '@types/jest'];
const folder = join(temporaryFolder('examples'), 'my-service');
const programs = join(dirname(folder), 'programs');

/** The environment of the examples; IDs are added when the records exist. */
const env: Record<string, string> = {
  PATH: `${programs}:${process.env.PATH}`,
  NODE_OPTIONS: preloading(CHEAP_PASSWORDS_SCRIPT),
  PORT: '0',
  LOG_LEVEL: 'error',
};
/** Process groups of the processes that have been started. */
const started: number[] = [];
/** The examples that have run. */
const done = new Set<string>();

interface Running {
  readonly process: ChildProcess;
  /** Its exit code, once it has ended. */
  readonly ended: Promise<number | null>;
  /** The address at which it listens. */
  readonly address: string;
}

function bash(command: string, place: string) {
  // A terminal also gives each command a separate group.
  const child = spawn('bash', ['-c', command], { cwd: place, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  started.push(child.pid ?? Number.NaN);
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  return { child, ended, said: () => said };
}

function exampleOf(name: string): string {
  done.add(name);
  return (EXAMPLES[name] ?? `no example of ${name}`).replace(' 8080', ' 0').replace('punchboard listen', '$& --port 0');
}

/** Runs the examples at the same time, and waits until all have ended. */
async function run(...names: readonly string[]): Promise<void> {
  const ended = names.map(async (name) => {
    const { ended, said } = bash(exampleOf(name), name === 'init' ? dirname(folder) : folder);
    const code = await ended;
    return code === 0 ? [] : [`${name}: exit code ${code}: ${said()}`];
  });
  expect((await Promise.all(ended)).flat()).toEqual([]);
}

/** Runs a maintainers' command that prepares the next examples. */
function prepare(...words: readonly string[]): void {
  expect(runMaintainers(words, folder)).toMatchObject({ code: 0 });
}

/** Starts an example that keeps running, and waits until it listens. */
async function start(name: string): Promise<Running> {
  const { child, ended, said } = bash(exampleOf(name), folder);
  const address = new Promise<string>((resolve) => {
    const look = (): void => {
      const listening = /(?:Punchboard listens on|Waiting for callbacks at) (http:\/\/[\d.:]+)/.exec(said())?.[1];
      if (listening !== undefined) resolve(listening);
    };
    child.stdout.on('data', look);
  });
  const failed = ended.then((code) => Promise.reject(new Error(`${name}: exit code ${code}: ${said()}`)));
  failed.catch(() => undefined);
  return { process: child, ended, address: await Promise.race([address, failed]) };
}

/** Stops it as Ctrl-C does. */
async function stop({ process: { pid = Number.NaN }, ended }: Running): Promise<void> {
  process.kill(-pid, 'SIGINT');
  expect(await ended).toBe(0);
}

function edit(path: string, from: RegExp, to: string): void {
  const text = readFileSync(join(folder, path), 'utf8');
  expect(text).toMatch(from);
  writeFileSync(join(folder, path), text.replace(from, to));
}

let server: Running;
let send: ReturnType<typeof clientOf>;

beforeAll(() => {
  mkdirSync(programs);
  writeFileSync(join(programs, 'punchboard'), `#!/bin/sh\nexec "${process.execPath}" "${BIN}" "$@"\n`);
  chmodSync(join(programs, 'punchboard'), 0o755);
});
afterAll(() => {
  for (const pid of started) quietly(() => process.kill(-pid, 'SIGKILL'));
});

/** Ignores errors, since most of the processes to kill have ended. */
function quietly(work: () => unknown): void {
  try {
    work();
  } catch {}
}

test('a repository', async () => {
  await run('init');
  await run('', 'completion');
  for (const [target, name] of [
    [ROOT, 'punchboard'],
    ...INSTALLED.map((one) => [join(ROOT, 'node_modules', one), one]),
  ]) {
    const place = join(folder, 'node_modules', name ?? '');
    mkdirSync(dirname(place), { recursive: true });
    symlinkSync(target ?? '', place);
  }
  await stop(await start('dev'));
  rmSync(join(folder, 'data'), { recursive: true });
  makeRepository(folder);
});

test('what maintainers do', async () => {
  await run('gen', 'check', 'explain', 'list', 'graph', 'openapi', 'impact', 'test');
  prepare('version', 'cut', '2025-01-15', '--sunset', '2025-06-30');
  await run('version cut');
  await run('version list', 'version show', 'version diff', 'version drop');
  expect(readdirSync(join(folder, 'spec', 'versions'))).toEqual(['2027-01-15.json']);
  rmSync(join(folder, 'spec', 'versions'), { recursive: true });
  prepare('gen');
});

test('users, keys and web hooks, beside a server', async () => {
  server = await start('serve');
  send = clientOf(server.address);
  await run('user add');
  const bob = ['user', 'add', '--username', 'bob', '--password-stdin'];
  expect(await runHere(bob, folder, { input: 'correct horse\n' })).toMatchObject({ code: 0 });
  const login = await send('POST', '/api/session', { parameters: { username: 'ada', password: 'correct horse' } });
  const { id: session, user_id } = login.body;
  const key = (await send('POST', '/api/apikey', { session, parameters: { name: 'shop' } })).body;
  const other = (await send('POST', '/api/apikey', { session, parameters: { name: 'other' } })).body;
  Object.assign(env, { SECRET: key.private_key, KEY: other.id });
  const listener = await start('listen');
  const of = { event: 'TaskFinished', owner_class: 'User', owner_id: user_id };
  const hook = { ...of, callback_uri: `${listener.address}/finished`, api_key_id: key.id };
  env.HOOK = (await send('POST', '/api/webhook', { session, parameters: hook })).body.id;
  // `listen` answers 500 first, and ends after its second answer.
  const failures = async () =>
    (await send('GET', `/api/webhook/${env.HOOK}`, { session })).body.failures_since_last_success;
  while ((await failures()) === 0);
  const { stdout } = await runHere(['webhooks', 'deliveries', env.HOOK ?? '', '--format', 'json'], folder);
  env.DELIVERY = JSON.parse(stdout)[0].id;
  writeFileSync(join(folder, 'event.json'), JSON.stringify({ ...of, payload: { title: 'Water the plants' } }));
  writeFileSync(join(folder, 'behaviour.json'), '{ "events": [{ "at": "0h" }], "answers": [500, 200] }');
  await run(
    'webhooks list',
    'webhooks show',
    'webhooks log',
    'webhooks deliveries',
    'webhooks message',
    'webhooks simulate',
  );
  await run('webhooks retry');
  expect(await listener.ended).toBe(0);
  await run('webhooks pause', 'event publish', 'key add', 'user admin');
  await run('webhooks resume', 'key list', 'key renew', 'user passwd', 'user disable');
  await run('key revoke', 'user list', 'user enable', 'user role', 'audit');
  writeFileSync(join(folder, 'records.ndjson'), '{"object_type":"task","id":"t1","title":"Water the plants"}\n');
  await run('import', 'backup', 'migrate status', 'migrate plan', 'migrate rehearse');
  await send('PUT', `/api/user/${user_id}`, { session, parameters: { email: 'ada@example.com' } });
  await stop(server);
});

test('databases, once the server has stopped', async () => {
  await run('restore', 'copy');
  await run('migrate adopt');
  await run('migrate purge');
  edit('spec/resources/user.yaml', /^ {2}email: .*\n/m, '');
  prepare('gen');
  await run('migrate apply');
  git(folder, 'checkout', '-q', 'spec/resources');
  edit('spec/resources/user.yaml', /email: \{/, 'email: { was: email,');
  prepare('gen');
  expect(await runIn(['migrate', 'apply'], folder)).toMatchObject({ code: 0 });
  await run('migrate restore', 'new');
});

test('every command has an example, which has run', async () => {
  const { stdout } = await runIn(['completion', 'bash'], folder);
  const commands = [...stdout.matchAll(/^ {4}"(.*)"\*\) words="(.*)" ;;$/gm)].map(([, name = '', words = '']) => ({
    name: name.trim(),
    isGroup: /^[a-z]/.test(words) && name.trim() !== '',
  }));
  expect(commands.length).toBeGreaterThan(40);
  const single = commands.filter(({ isGroup }) => !isGroup).map(({ name }) => name);
  expect(Object.keys(EXAMPLES).sort()).toEqual(single.sort());
  expect([...done].sort()).toEqual(single);
});

test.each([
  [
    ['key', 'add', '--help'],
    '\n\nExample:\n  $ punchboard key add --username ada --name "Nightly export" --scope write\n',
  ],
  [['help', 'serve'], '\n\nExample:\n  $ punchboard serve --console --webhook-allow-cidrs 127.0.0.0/8\n'],
  [['help', 'event'], '\n\nExample:\n  $ punchboard event publish --file event.json\n'],
  [['help', 'key'], '\n\nExamples:\n  $ punchboard key add '],
  [['--help'], '\n\nExample:\n  $ punchboard help user add\n'],
])('%j shows them', async (args, shown) => {
  const { stdout } = await runIn(args, dirname(folder));
  expect(stdout).toContain(shown);
});
