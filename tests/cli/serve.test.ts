// `punchboard serve` as an operator uses it: its output, its options, its end.

import { execFileSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import { join } from 'node:path';
import { runHere } from '../support/in-process.js';
import { BIN, ROOT, temporaryFolder } from '../support/paths.js';
import { preloading } from '../support/preload.js';
import { DATA, run, runUser, type Server, serve } from './processes.js';

let folder: string;
const servers: Server[] = [];

beforeEach(() => {
  folder = temporaryFolder('serve');
});
afterEach(async () => {
  for (const server of servers.splice(0)) {
    await server.end();
  }
});

async function started(args: readonly string[] = [], env: Record<string, string> = {}): Promise<Server> {
  const server = await serve(['--port', '0', ...args], folder, env);
  servers.push(server);
  return server;
}

const STOPPING = 'Stopping: requests under way are finished first\n';

describe('serve', () => {
  test('prints one line, creates its folders, and stops with 0 on SIGTERM and SIGINT', async () => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      const server = await started();
      expect(server.address).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
      expect((await fetch(`${server.address}/readyz`)).status).toBe(200);
      server.process.kill(signal);
      expect(await server.ended).toMatchObject({
        code: 0,
        stdout:
          `Punchboard listens on ${server.address}\n` +
          `There are no users yet. To create one: node ${BIN} user add --username NAME [--admin]\n` +
          STOPPING,
      });
    }
    expect(existsSync(join(folder, 'data/punchboard.db'))).toBe(true);
    expect(existsSync(join(folder, 'data/files'))).toBe(true);
    // No write-ahead log is left to be recovered.
    expect(existsSync(join(folder, 'data/punchboard.db-wal'))).toBe(false);
  });

  test('on a terminal it says where the API can be tried, and how operators and owners get their pages', async () => {
    const asTerminal = join(__dirname, '..', 'support', 'as-terminal.js');
    const { address, line } = await started(['--portal'], { NODE_OPTIONS: preloading(asTerminal) });
    expect(await line(/docs/)).toBe(`The API can be read and tried at ${address}/docs`);
    expect(await line(/Operators/)).toBe("Operators' pages are served with --console");
    expect(await line(/owners/)).toBe(`Pages for owners of web hooks are at ${address}/portal`);
    expect(await (await fetch(`${address}/portal`)).text()).toContain('<h1>Your web hooks</h1>');
  });

  test('a request in flight is answered before it stops; a second signal does not wait', async () => {
    for (const signals of [1, 2]) {
      const server = await started();
      const { port } = new URL(server.address);
      const socket = net.connect(Number(port), '127.0.0.1');
      const answer = new Promise<string>((resolve) => {
        let text = '';
        socket.on('data', (chunk) => (text += chunk.toString()));
        socket.on('error', () => undefined);
        socket.on('close', () => resolve(text));
      });
      const begun =
        'POST /api/session HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{';
      await new Promise<void>((resolve) => socket.write(begun, () => resolve()));
      // An answer on a later connection shows that the server has read what was sent before.
      await fetch(`${server.address}/healthz`);
      server.process.kill('SIGTERM');
      if (signals === 1) {
        // Stopping has begun when new connections are refused.
        while (
          await fetch(`${server.address}/readyz`, { headers: { Connection: 'close' } }).then(
            () => true,
            () => false,
          )
        );
        socket.write('}');
        expect(await answer).toMatch(/^HTTP\/1\.1 422 /);
        expect((await server.ended).code).toBe(0);
      } else {
        while (
          await fetch(`${server.address}/readyz`, { headers: { Connection: 'close' } }).then(
            () => true,
            () => false,
          )
        );
        expect((await server.end('SIGTERM')).code).toBe(1);
        await answer;
      }
    }
  });

  test('every option can come from the environment, and the command line wins', async () => {
    const env = {
      PORT: '1',
      DATABASE: 'a/env.db',
      FILES: 'a/files',
      WIRE: 'wing',
      RATE_LIMIT: '2',
      LOG_LEVEL: 'silent',
    };
    const server = await started([], env);
    expect(existsSync(join(folder, 'a/env.db'))).toBe(true);
    expect(existsSync(join(folder, 'a/files/tmp'))).toBe(true);
    const missing = await fetch(`${server.address}/api/boxtop/none`);
    expect(await missing.json()).toMatchObject({ error: { code: 404 } });
    await fetch(`${server.address}/api/boxtop/none`);
    expect((await fetch(`${server.address}/api/boxtop/none`)).status).toBe(452);
    expect((await server.end('SIGTERM')).stderr).toBe('');
  });

  test.each([
    [['--port', 'x'], /--port/],
    [['--port', '65536'], /--port/],
    [['--port', '-1'], /--port/],
    [['--rate-limit', '1.5'], /--rate-limit/],
    [['--wire', 'xml'], /plain, wing/],
    [['--nonsense'], /--nonsense/],
    [['extra'], /too many arguments/],
  ])('WrongUsage %j: one line, exit code 2', async (args, pattern) => {
    const { code, stdout, stderr } = await runHere(['serve', ...args], folder, { env: DATA });
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(pattern);
    expect(stderr.trim().split('\n')).toHaveLength(1);
  });

  test('WrongUsage in the environment', async () => {
    const { code, stderr } = await run(['serve'], folder, { PORT: 'http' });
    expect(code).toBe(2);
    expect(stderr).toContain('PORT');
  });

  test('the reason why it cannot start is one line, with exit code 1', async () => {
    const server = await started();
    writeFileSync(join(folder, 'text.db'), 'this is not a database, but it is long enough to look like one'.repeat(20));
    const { port } = new URL(server.address);
    const refused: [string[], RegExp][] = [
      [['--port', '0'], /another server is running/],
      [['--port', port, '--database', 'other.db'], /in use.*--port/],
      [['--port', '0', '--database', 'text.db'], /not a SQLite database/],
      [['--port', '0', '--database', 'b.db', '--files', 'text.db'], /--files/],
      [['--port', '0', '--database', 'c.db', '--generated', 'nowhere'], / gen --spec \S+ --out nowhere$/m],
    ];
    for (const [args, pattern] of refused) {
      const { code, stdout, stderr } = await run(['serve', ...args], folder);
      expect([code, stdout]).toEqual([1, '']);
      expect(stderr).toMatch(pattern);
      expect(stderr.trim().split('\n')).toHaveLength(1);
    }
  });

  test('E: explains how to create the first user until there is one', async () => {
    const first = await started(['--database', 'a/b.db']);
    const line = await first.line(/^There are no users yet/);
    expect(line).toBe(
      `There are no users yet. To create one: node ${BIN} user add --username NAME --database a/b.db [--admin]`,
    );
    await first.end('SIGTERM');
    const added = await runUser(['add', '--username', 'ada', '--database', 'a/b.db'], folder, 'correct horse');
    expect(added.code).toBe(0);
    const second = await started(['--database', 'a/b.db']);
    expect((await second.end('SIGTERM')).stdout).toBe(`Punchboard listens on ${second.address}\n${STOPPING}`);
  });

  test('the help names options, variables and exit codes', async () => {
    const { code, stdout } = await runHere(['serve', '--help'], folder, { env: DATA });
    expect(code).toBe(0);
    for (const word of ['--port', 'PORT', '--rate-limit', 'RATE_LIMIT', '--demo', 'Exit codes'])
      expect(stdout).toContain(word);
  });
});

describe('demo', () => {
  test('prints requests that work as pasted, and fills a database once', async () => {
    const count = async (server: Server): Promise<unknown> => {
      const [, url = ''] = /curl '(\S+)'/.exec(await server.line(/^curl '/)) ?? [];
      const shown = (await (await fetch(url)).json()) as { game_id: string };
      const sets = await (await fetch(`${new URL(url).origin}/api/game/${shown.game_id}/twosidedsluggedsets`)).json();
      return (sets as { paging: { total_items: number } }).paging.total_items;
    };
    const first = await started(['--demo']);
    const shell = (command: string): unknown => JSON.parse(execFileSync('sh', ['-c', `${command} -s`]).toString());
    expect(shell(await first.line(/^curl '/))).toMatchObject({
      object_type: 'acrylicshape',
      game_id: expect.any(String),
    });
    expect(shell(await first.line(/^curl -X POST/))).toMatchObject({ object_type: 'acrylicshape' });
    expect(await count(first)).toBe(1);
    await first.end('SIGTERM');
    const second = await started([], { DEMO: '1' });
    expect(await count(second)).toBe(1);
    expect(shell(await second.line(/^curl -X POST/))).toMatchObject({ object_type: 'acrylicshape' });
    expect((await second.end('SIGTERM')).stdout).not.toContain('password');
  });

  test('E: each start has a new password, which is shown once and logs in', async () => {
    const passwords = [];
    for (const database of ['one.db', 'two.db']) {
      const server = await started(['--demo', '--console', '--database', database]);
      const [, password = ''] = /has the password (\S{20}) /.exec(await server.line(/^The user demo/)) ?? [];
      const body = new URLSearchParams({ username: 'demo', password });
      expect((await fetch(`${server.address}/api/session`, { method: 'POST', body })).status).toBe(201);
      passwords.push(password);
      // The operators' pages open after the printed command has run.
      const [, command = ''] = /To make one: (.*)$/.exec(await server.line(/^There is no administrator yet/)) ?? [];
      execFileSync('sh', ['-c', `${command} --generated ${join(ROOT, 'generated')}`], { cwd: folder, stdio: 'ignore' });
      const login = { method: 'POST', body, redirect: 'manual', headers: { origin: server.address } } as const;
      expect((await fetch(`${server.address}/console/login`, login)).status).toBe(303);
    }
    expect(passwords[0]).not.toBe(passwords[1]);
  });

  test.each(['0.0.0.0', '::', '192.0.2.1'])('E: it is refused on %s', async (host) => {
    const { code, stdout, stderr } = await runHere(['serve', '--port', '0', '--demo', '--host', host], folder, {
      env: DATA,
    });
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/^punchboard: the demo must not be reachable from other machines.*--host.*\n$/);
    expect(existsSync(join(folder, 'data'))).toBe(false);
  });
});

test('a folder of backups without the pages that make them is refused', async () => {
  const { code, stderr } = await runHere(['serve', '--port', '0', '--backups', 'backups'], folder, { env: DATA });
  expect([code, stderr]).toEqual([
    1,
    "punchboard: --backups is for the operators' pages: add --console, or leave it out\n",
  ]);
  expect(existsSync(join(folder, 'data'))).toBe(false);
});
