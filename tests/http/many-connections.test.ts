// What one address can do by keeping connections open (N45): it never takes the last of them from others.

import type http from 'node:http';
import net, { type AddressInfo, type Socket } from 'node:net';
import { shortageOf } from '../../runtime/contract/shortage.js';
import { connectionsWithin } from '../../runtime/http/descriptors.js';
import { createServer } from '../../runtime/http/server.js';
import { createApp } from '../../runtime/server/app.js';
import { appParts, OPERATIONS } from './fixture.js';

const MOST = 8;
const [HOSTILE, HONEST] = ['127.0.0.1', '127.0.0.2'];

let server: http.Server;
let finish: () => void = () => undefined;
const sockets: Socket[] = [];

beforeEach(async () => {
  const fetch = () =>
    new Promise<{ status: 200; body: string }>((resolve) => {
      finish = () => resolve({ status: 200, body: '{"late":1}' });
    });
  server = createServer(createApp(appParts({ operations: { ...OPERATIONS, fetch } })), 20, MOST);
  await new Promise<void>((resolve) => server.listen(0, '0.0.0.0', resolve));
});
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

interface Client {
  readonly socket: Socket;
  /** The next part of its responses. */
  read(): Promise<string>;
}

/** Resolves when the server has accepted the connection. */
async function connect(localAddress: string, bytes = ''): Promise<Client> {
  const { port } = server.address() as AddressInfo;
  const accepted = new Promise((resolve) => server.once('connection', resolve));
  const socket = net.connect({ port, host: '127.0.0.1', localAddress });
  sockets.push(socket);
  const chunks: string[] = [];
  const readers: ((text: string) => void)[] = [];
  socket
    .on('error', () => undefined)
    .on('data', (chunk) => {
      const reader = readers.shift();
      if (reader === undefined) chunks.push(String(chunk));
      else reader(String(chunk));
    });
  if (bytes !== '') socket.write(bytes);
  await accepted;
  return {
    socket,
    read: () => new Promise((resolve) => (chunks.length > 0 ? resolve(chunks.shift() ?? '') : readers.push(resolve))),
  };
}

const openNow = () => new Promise<number>((resolve) => server.getConnections((_error, count) => resolve(count)));

const POST = 'POST /api/maker HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{';
const HEALTH = 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n';
const SLOW = 'GET /api/maker/m1 HTTP/1.1\r\nHost: x\r\n\r\n';

test.each([
  ['silent', ''],
  ['half a head', 'GET /api/ma'],
  ['half a body', POST],
  ['idle after a response', HEALTH],
])('N45: connections of one address that are %s leave room for others', async (_what, bytes) => {
  const slow = await connect(HONEST, SLOW);
  const idle = await connect(HONEST, HEALTH);
  await idle.read();
  for (let at = 0; at < 3 * MOST; at++) {
    const client = await connect(HOSTILE, bytes);
    if (bytes === HEALTH) await client.read();
  }
  // A connection that is cut counts until its end has been handled.
  while ((await openNow()) > MOST) await new Promise((resolve) => setImmediate(resolve));
  const other = await connect(HONEST, HEALTH);
  expect(await other.read()).toMatch(/^HTTP\/1.1 200 /);
  idle.socket.write(HEALTH);
  expect(await idle.read()).toMatch(/^HTTP\/1.1 200 /);
  finish();
  expect(await slow.read()).toContain('"late":1');
});

test.each([
  ['Max open files            1024                 1048576              files', 768],
  ['Max open files            128                  128                  files', 64],
  ['Max open files            64                   64                   files', 16],
  ['Max open files            1048576              1048576              files', 16_384],
  ['Max open files            unlimited            unlimited            files', 16_384],
  ['', 16_384],
])('N45: the connections within the limit %j', (limits, connections) =>
  expect(connectionsWithin(limits)).toBe(connections),
);

test.each([
  ['ENOSPC', 'storage_full'],
  ['EDQUOT', 'storage_full'],
  ['EFBIG', 'storage_full'],
  ['EMFILE', 'unavailable'],
  ['ENFILE', 'unavailable'],
  ['EIO', 'unavailable'],
  ['EINVAL', undefined],
])('N45: the shortage that the system reports as %s is %s', (code, expected) => {
  expect(shortageOf(Object.assign(new Error(code), { code }))?.code).toBe(expected);
});
