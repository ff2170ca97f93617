// Connections whose other side does not end them: broken requests, bodies that nobody reads, a server that stops.
import net, { type Socket } from 'node:net';
import { stop } from '../../runtime/http/server.js';
import { type Service, start } from './client.js';
import { OPERATIONS } from './fixture.js';

const MIB = 1024 * 1024;
const HEAD = 'POST /api/maker HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n';

let service: Service;
const clients: Socket[] = [];
afterEach(async () => {
  for (const client of clients.splice(0)) client.destroy();
  await service.close();
});

/** A client that never ends its side, and the server's end of its connection. */
async function connect(): Promise<{ client: Socket; closed: Promise<void>; text: () => string }> {
  const accepted = new Promise<Socket>((resolve) => service.server.once('connection', resolve));
  const client = net.connect({ port: service.port, host: '127.0.0.1', allowHalfOpen: true });
  clients.push(client);
  let text = '';
  client.on('data', (chunk) => (text += String(chunk))).on('error', () => undefined);
  const socket = await accepted;
  return { client, closed: new Promise((resolve) => socket.once('close', () => resolve())), text: () => text };
}

test.each([
  ['no HTTP', 'hello\r\n\r\n', 400],
  ['a header over 16 KiB', `GET / HTTP/1.1\r\nHost: x\r\nA: ${'x'.repeat(17_000)}\r\n\r\n`, 431],
])('F22: a client that keeps its side open after %s is cut off', async (_name, bytes, status) => {
  service = await start();
  const { client, closed, text } = await connect();
  client.write(bytes);
  await closed;
  expect(text()).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
});

test('F22: a request that comes too slowly is answered 408 and cut off', async () => {
  service = await start();
  const begun = new Promise<Socket>((resolve) => service.server.once('request', ({ socket }) => resolve(socket)));
  const { client, closed, text } = await connect();
  client.write(`${HEAD}Content-Length: 100\r\n\r\n{"a":`);
  const late = Object.assign(new Error('late'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
  service.server.emit('clientError', late, await begun);
  await closed;
  expect(text()).toMatch(/^HTTP\/1.1 408 /);
});

test('F20: a body that continues after its response is read only up to a limit', async () => {
  service = await start();
  const { client, closed, text } = await connect();
  client.write(`${HEAD}Content-Length: ${1000 * MIB}\r\n\r\n`);
  const more = Buffer.alloc(MIB, 0x20);
  const write = (error?: Error | null): void => void (error || client.write(more, write));
  write();
  await closed;
  expect(text()).toMatch(/^HTTP\/1.1 413 /);
  expect(client.bytesWritten).toBeLessThan(500 * MIB);
});

test('F20: a client that waits for 100 Continue is refused without it', async () => {
  service = await start();
  const ask = (length: number, body = '') =>
    service.raw(`${HEAD}Content-Length: ${length}\r\nExpect: 100-continue\r\nConnection: close\r\n\r\n${body}`);
  expect(await ask(2 * MIB)).toMatch(/^HTTP\/1.1 413 /);
  expect(await ask(7, '{"a":1}')).toMatch(/^HTTP\/1.1 100 Continue\r\n\r\nHTTP\/1.1 201 /);
});

test('F38: a stop cuts silent connections and half requests, but not requests that wait for their answer', async () => {
  let finish: () => void = () => undefined;
  let arrive: () => void = () => undefined;
  const arrived = new Promise<void>((resolve) => (arrive = resolve));
  const fetch = () =>
    new Promise<{ status: 200; body: string }>((resolve) => {
      finish = () => resolve({ status: 200, body: '{"late":1}' });
      arrive();
    });
  service = await start({ operations: { ...OPERATIONS, fetch } });
  const silent = await connect();
  const headless = await connect();
  headless.client.write('GET /api/ma');
  const half = await connect();
  half.client.write(`${HEAD}Content-Length: 100\r\n\r\n{"a":`);
  const inFlight = service.send('GET', '/api/maker/m1');
  await arrived;
  const stopped = stop(service.server, 600_000, 1);
  await Promise.all([silent.closed, headless.closed, half.closed]);
  finish();
  expect(await inFlight).toMatchObject({ status: 200, json: { late: 1 } });
  await stopped;
});
