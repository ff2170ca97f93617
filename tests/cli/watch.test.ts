// `serve --watch` starts the server again with what `gen --watch` has compiled, on the same port.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { Agent, get } from 'node:http';
import { join } from 'node:path';
import { BIN, ROOT, temporaryFolder } from '../support/paths.js';
import { CHEAP_PASSWORDS_SCRIPT, preloading } from '../support/preload.js';
import { run, type Server, serve } from './processes.js';

const folder = temporaryFolder('watch');
const author = join(folder, 'spec', 'resources', 'author.yaml');
let server: Server;
let maker: ChildProcess;

/** A module that each server loads, like that of a library. */
const library = join(folder, 'library.js');
const loads = (version: string) =>
  writeFileSync(library, `if (process.argv.includes('--standby')) process.stdout.write('loads ${version}\\n');\n`);
let output = '';
const times = (pattern: RegExp): number => output.match(pattern)?.length ?? 0;
/** Resolves when one more server has loaded its program than has begun to serve. */
const oneStandsBy = async (): Promise<void> => {
  while (times(/^loads/gm) <= times(/^Punchboard listens/gm)) await once(server.process.stdout ?? maker, 'data');
};

const GEN = ['gen', '--spec', 'spec', '--out', 'generated'];

beforeAll(async () => {
  cpSync(join(ROOT, 'tests', 'maintainer', 'library'), join(folder, 'spec'), { recursive: true });
  expect(await run(GEN, folder)).toMatchObject({ code: 0 });
  const quiet = ['--log-level', 'silent', '--rate-limit', '0', '--port', '0'];
  loads('1');
  server = await serve(['--watch', '--generated', 'generated', ...quiet], folder, {
    NODE_OPTIONS: preloading(CHEAP_PASSWORDS_SCRIPT, library),
  });
  output = 'loads 1\nPunchboard listens\n';
  server.process.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  maker = spawn(process.execPath, [BIN, ...GEN, '--watch'], { cwd: folder });
  await said(maker, /^Watching spec for changes$/m);
});
afterAll(async () => {
  maker.kill('SIGTERM');
  await server.end('SIGTERM');
});

/** Resolves with the output of a process from now on when it matches. */
function said({ stdout, stderr }: ChildProcess, pattern: RegExp): Promise<string> {
  let heard = '';
  return new Promise((resolve) => {
    const listen = (chunk: Buffer): void => {
      heard += chunk.toString();
      if (!pattern.test(heard)) return;
      stdout?.off('data', listen);
      stderr?.off('data', listen);
      resolve(heard);
    };
    stdout?.on('data', listen);
    stderr?.on('data', listen);
  });
}

const startedAgain = () => said(server.process, /^Punchboard listens on/m);

/** The status and body of the answer, or the code of the error. */
function ask(agent: Agent): Promise<string> {
  return new Promise((resolve) => {
    const request = get(`${server.address}/api/author/_options`, { agent }, (response) => {
      let body = '';
      response.on('data', (chunk: Buffer) => (body += chunk.toString()));
      response.on('end', () => resolve(`${response.statusCode} ${body}`));
    });
    request.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
  });
}

/** Sends one request after another until stopped. @returns a function that stops, and resolves with the answers */
function stream(agent: Agent): () => Promise<readonly string[]> {
  let going = true;
  const answers: string[] = [];
  const ended = (async () => {
    while (going) answers.push(await ask(agent));
    agent.destroy();
    return answers;
  })();
  return () => {
    going = false;
    return ended;
  };
}

function edit(from: string, to: string): void {
  const before = readFileSync(author, 'utf8');
  expect(before).toContain(from);
  writeFileSync(author, before.replace(from, to));
}

test('responses are complete while it restarts: requests can at most be refused a connection', async () => {
  const stops = [true, false].map((keepAlive) => stream(new Agent({ keepAlive, maxSockets: 1 })));
  const started = startedAgain();
  edit('fields:\n', 'fields:\n  finish: { kind: enum, values: [matte, glossy], default: matte }\n');
  const listens = `Punchboard listens on ${server.address}`;
  expect(await started).toMatch(
    new RegExp(`gen has compiled: the server is started again\n((Stopping|loads).*\n)*${listens}\n`),
  );
  const ended = (await Promise.all(stops.map((stop) => stop()))).flat();
  expect(ended.filter((one) => !/^(200 |ECONNREFUSED$|ECONNRESET$)/.test(one))).toEqual([]);
  expect(await ask(new Agent())).toContain('"finish":["matte","glossy"]');
});

test('the server that stands by is not used where the program has changed since', async () => {
  await oneStandsBy();
  const started = startedAgain();
  edit('matte, glossy', 'matte, shiny');
  expect(await started).not.toContain('loads');
  await oneStandsBy();
  loads('2');
  const fresh = startedAgain();
  edit('matte, shiny', 'matte, plain');
  expect(await fresh).toMatch(/^loads 2\nPunchboard listens/m);
  expect(await ask(new Agent())).toContain('"finish":["matte","plain"]');
});

test('a mistake in a descriptor leaves the server running', async () => {
  const reported = said(maker, /error E0203/);
  edit('kind: enum', 'kind: enumm');
  await reported;
  expect(await ask(new Agent())).toMatch(/^200 /);
  edit('kind: enumm', 'kind: enum');
});

test('a server that cannot start reports why, and is started again after the next gen', async () => {
  // The test writes the compiled code, which the running gen would otherwise overwrite.
  maker.kill('SIGTERM');
  await once(maker, 'exit');
  const reported = said(server.process, /(?=(.|\n)*half written)(?=(.|\n)*is started again when gen has compiled)/);
  const compiled = join(folder, 'generated', 'resources', 'author.js');
  const before = readFileSync(compiled, 'utf8');
  writeFileSync(compiled, 'throw new Error("half written");\n');
  writeFileSync(join(folder, 'generated', 'compiled.js'), '// again\n');
  await reported;
  const started = startedAgain();
  writeFileSync(compiled, before);
  writeFileSync(join(folder, 'generated', 'compiled.js'), '// and again\n');
  await started;
  expect(await ask(new Agent())).toMatch(/^200 /);
});

test('the server ends with the process that started it', async () => {
  const other = await serve(['--watch', '--generated', 'generated', '--port', '0', '--database', 'other.db'], folder);
  other.process.kill('SIGKILL');
  // The pipes stay open as long as the server itself writes to them.
  await other.ended;
  const { code, stderr } = await run(
    ['migrate', 'apply', '--generated', 'generated', '--database', 'other.db'],
    folder,
  );
  expect([code, stderr]).toEqual([0, '']);
});
