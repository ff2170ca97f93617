// serve --watch takes up what gen --watch has made while requests stream in: every one of them is answered.

import { type ChildProcess, spawn } from 'node:child_process';
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, get } from 'node:http';
import { join } from 'node:path';
import { BIN, ROOT, temporaryFolder } from '../support/paths.js';
import { run, type Server, serve } from './processes.js';

const folder = temporaryFolder('watch');
const boxtop = join(folder, 'spec', 'resources', 'boxtop.yaml');
let server: Server;
let maker: ChildProcess;

const GEN = ['gen', '--spec', 'spec', '--out', 'generated'];

beforeAll(async () => {
  cpSync(join(ROOT, 'spec'), join(folder, 'spec'), { recursive: true });
  expect(await run(GEN, folder)).toMatchObject({ code: 0 });
  const quiet = ['--log-level', 'silent', '--rate-limit', '0', '--port', '0'];
  server = await serve(['--watch', '--generated', 'generated', ...quiet], folder);
  maker = spawn(process.execPath, [BIN, ...GEN, '--watch'], { cwd: folder });
  await said(maker, /^Watching spec for changes$/m);
});
afterAll(async () => {
  maker.kill('SIGTERM');
  server.process.kill('SIGTERM');
  await server.ended;
  rmSync(folder, { recursive: true, force: true });
});

/** Resolves with what a process says from now on, once it matches. */
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

interface Stream {
  readonly answers: number;
  readonly failures: readonly string[];
  /** The status and body of the last answer. */
  readonly last: string;
}

/** Asks one request after the other until told to stop. */
function stream(agent: Agent): { stop(): Promise<Stream> } {
  let going = true;
  const state = { answers: 0, failures: [] as string[], last: '' };
  const ended = (async () => {
    while (going) {
      await ask(`${server.address}/api/boxtop/_options`, agent).then(
        (last) => {
          state.answers += 1;
          state.last = last;
          if (!last.startsWith('200 ')) state.failures.push(last);
        },
        (error: Error) => state.failures.push(error.message),
      );
    }
    agent.destroy();
    return state;
  })();
  return {
    stop() {
      going = false;
      return ended;
    },
  };
}

function ask(url: string, agent: Agent): Promise<string> {
  return new Promise((resolve, reject) => {
    const request = get(url, { agent }, (response) => {
      let body = '';
      response.on('data', (chunk: Buffer) => (body += chunk.toString()));
      response.on('end', () => resolve(`${response.statusCode} ${body}`));
    });
    request.on('error', reject);
  });
}

function edit(from: string, to: string): void {
  const before = readFileSync(boxtop, 'utf8');
  expect(before).toContain(from);
  writeFileSync(boxtop, before.replace(from, to));
}

test('NoRequestFailsWhileItReloads', async () => {
  const streams = [
    ...Array.from({ length: 3 }, () => stream(new Agent({ keepAlive: true, maxSockets: 1 }))),
    ...Array.from({ length: 3 }, () => stream(new Agent({ keepAlive: false }))),
  ];
  for (const [from, to] of [
    ['fields:\n', 'fields:\n  finish: { kind: enum, values: [matte, glossy], default: matte }\n'],
    ['[matte, glossy]', '[matte, glossy, linen]'],
    ['title: Box top', 'title: Lid'],
  ] as const) {
    const reloaded = said(server.process, /^Punchboard has reloaded/m);
    edit(from, to);
    await reloaded;
  }
  const ended = await Promise.all(streams.map((one) => one.stop()));
  expect(ended.flatMap(({ failures }) => failures)).toEqual([]);
  expect(Math.min(...ended.map(({ answers }) => answers))).toBeGreaterThan(3);
  for (const { last } of ended) expect(last).toContain('"finish":["matte","glossy","linen"]');
});

test('WhatCannotBeLoadedLeavesItRunning', async () => {
  const told = said(server.process, /^punchboard: not reloaded: .*half written/m);
  writeFileSync(join(folder, 'generated', 'resources', 'boxtop.js'), 'throw new Error("half written");\n');
  writeFileSync(join(folder, 'generated', 'compiled.js'), '// again\n');
  await told;
  expect(await ask(`${server.address}/api/boxtop/_options`, new Agent())).toMatch(/^200 /);
});
