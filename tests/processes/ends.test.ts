// How a service of several processes ends: by a signal, and by the death of its primary; and what does not end it.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import net from 'node:net';
import { join } from 'node:path';
import { DATA, type Server, serve, serveIn } from '../cli/processes.js';
import { ROOT, temporaryFolder } from '../support/paths.js';
import { startService } from '../support/service.js';
import { workerPids } from './connections.js';

const folder = temporaryFolder('ends');
const servers: Server[] = [];

afterAll(async () => {
  for (const server of servers) server.process.kill('SIGKILL');
  await Promise.all(servers.map(({ ended }) => ended));
});

async function start(port = '0'): Promise<Server> {
  const server = await serve(['--port', port, '--processes', '2', '--log-level', 'warn'], folder);
  servers.push(server);
  return server;
}

test('the death of the primary ends its workers, which report it; the service starts again on the same port', async () => {
  const first = await start();
  const workers = pidsOf(first);
  first.process.kill('SIGKILL');
  // Standard error is closed once the last of them has ended.
  const { stderr } = await first.ended;
  const lines = stderr.trim().split('\n');
  expect(lines.map((line) => JSON.parse(line)).toSorted((one, other) => one.pid - other.pid)).toEqual(
    workers
      .toSorted((one, other) => one - other)
      .map((pid) => ({
        level: 60,
        time: expect.any(Number),
        pid,
        msg: 'the primary process has ended, and so does this worker',
      })),
  );
  const again = await start(new URL(first.address).port);
  expect((await fetch(`${again.address}/readyz`)).status).toBe(200);
  expect(await again.end('SIGTERM')).toMatchObject({ code: 0, stderr: '' });
});

test('after a signal, worker and primary still answer a request under way, whichever process gets the signal', async () => {
  const server = await start();
  const body = JSON.stringify({ username: 'ada', password: 'wrong' });
  const socket = net.connect(Number(new URL(server.address).port), '127.0.0.1');
  let answer = '';
  socket.on('data', (bytes: Buffer) => (answer += bytes.toString()));
  const closed = new Promise((resolve) => socket.once('close', resolve));
  const head = `POST /api/session HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n`;
  await new Promise<void>((resolve) => socket.write(`${head}Expect: 100-continue\r\n\r\n`, () => resolve()));
  await new Promise((resolve) => socket.once('data', resolve));
  // A terminal sends the signal to all processes.
  for (const pid of [...pidsOf(server), server.process.pid ?? 0]) process.kill(pid, 'SIGINT');
  await server.line(/^Stopping/);
  socket.write(body);
  await closed;
  expect(answer).toMatch(/^HTTP\/1\.1 100 .*HTTP\/1\.1 401 /s);
  expect(await server.ended).toMatchObject({ code: 0, stderr: '' });
});

test('a worker that is still starting does not delay the end', async () => {
  const server = await start();
  const before = pidsOf(server);
  process.kill(before[0] ?? 0, 'SIGKILL');
  while (!pidsOf(server).some((pid) => !before.includes(pid))) await new Promise(setImmediate);
  const { code, stderr } = await server.end('SIGTERM');
  expect(code).toBe(0);
  expect(
    stderr
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).msg),
  ).toEqual(['a worker process has died and is replaced']);
});

test.each(['1', '2'])('a full disk of the log neither stops requests nor the end: %s processes', async (processes) => {
  const command = join(ROOT, 'dist', 'generator', 'bin.js');
  const program = ['/bin/sh', '-c', 'exec "$0" "$@" 2> /dev/full', process.execPath, command] as const;
  const server = await serveIn(['--port', '0', '--processes', processes], folder, { env: DATA, program: [...program] });
  servers.push(server);
  // More lines of the log than any process buffers.
  for (let count = 0; count < 300; count++) {
    expect((await fetch(`${server.address}/api/game/none`, { headers: { Connection: 'close' } })).status).toBe(404);
  }
  expect((await server.end('SIGTERM')).code).toBe(0);
});

test('N26: while the primary does not respond, the service says in time that it is not ready', async () => {
  const server = await start();
  server.process.kill('SIGSTOP');
  const answer = await fetch(`${server.address}/readyz`);
  expect([answer.status, await answer.text()]).toEqual([503, 'not ready']);
  server.process.kill('SIGCONT');
  expect((await fetch(`${server.address}/readyz`)).status).toBe(200);
});

test('N45: a worker that starts while its primary dies ends without a stack trace', async () => {
  const script = join(ROOT, 'dist', 'runtime', 'server', 'processes', 'start-worker.js');
  // The worker is started as a primary would, with a channel whose other end is closed.
  const env = {
    ...process.env,
    NODE_UNIQUE_ID: '1',
    NODE_CHANNEL_FD: '3',
    NODE_CHANNEL_SERIALIZATION_MODE: 'advanced',
  };
  const worker = spawn(process.execPath, [script], { env, stdio: ['ignore', 'ignore', 'pipe', 'overlapped'] });
  worker.stdio[3]?.destroy();
  let output = '';
  worker.stderr?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  await once(worker, 'close');
  expect(output).toBe('');
});

test('another port is chosen if a program takes the free one before the workers listen', async () => {
  const other = net.createServer().listen(0, '127.0.0.1').unref();
  await once(other, 'listening');
  const taken = other.address();
  const createServer = jest.spyOn(net, 'createServer');
  // The first port that seems free is the other program's.
  createServer.mockImplementationOnce(() => {
    const found = new net.Server();
    return Object.assign(found, {
      address: () => taken,
      listen: (_port: number, _host: string, listening: () => void) => listening(),
      close: (closed: () => void) => closed(),
    });
  });
  const service = await startService({ processes: 2 });
  expect((await fetch(`${service.address}/readyz`)).status).toBe(200);
  expect(createServer).toHaveBeenCalledTimes(2);
  await service.stop();
  other.close();
});

function pidsOf(server: Server): readonly number[] {
  return workerPids(server.process.pid ?? 0);
}
