// A client that has used up its requests and sends the worst it can does not affect others, and leaves nothing behind.

import { readdirSync } from 'node:fs';
import type { Server } from 'node:http';
import net, { type AddressInfo, type Socket } from 'node:net';
import { join } from 'node:path';
import { createRecentErrors } from '../../runtime/admin/console/recent-errors.js';
import { addUser } from '../../runtime/auth/add-user.js';
import { createLog } from '../../runtime/http/log.js';
import { requestLimit } from '../../runtime/http/rate-limit.js';
import { createServer } from '../../runtime/http/server.js';
import { composeApp } from '../../runtime/server/compose-app.js';
import { openInstance, type ServiceInstance } from '../../runtime/server/service-instance.js';
import { PNG } from '../files/samples.js';
import { temporaryFolder } from '../support/paths.js';
import { quietly, sessionOf } from '../support/quiet-service.js';

const MIB = 1024 * 1024;
const LIMIT = 60;
const PASSWORD = 'correct horse battery';

const folder = temporaryFolder('neighbour');
let instance: ServiceInstance;
let server: Server;
let base: string;
const sockets: Socket[] = [];

beforeAll(async () => {
  const [options, log] = [{ ...quietly(folder), trustProxy: 1 }, createLog('silent')];
  instance = await openInstance(options, log);
  const rest = { log, hookOperations: null, errors: createRecentErrors(), rateLimit: requestLimit(LIMIT) };
  server = createServer(composeApp(options, { ...instance, ...rest }), Number(process.versions.node.split('.')[0]));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  for (const socket of sockets) socket.destroy();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  await instance.end();
});

interface Client {
  readonly address: string;
  readonly session: string;
  ask(method: string, path: string, more?: { type?: string; body?: string | FormData }): Promise<Response>;
  post(path: string, parameters: Record<string, unknown>): Promise<Record<string, unknown>>;
}

async function client(username: string, address: string): Promise<Client> {
  const now = Date.now();
  const { id } = JSON.parse(await addUser(instance.service, { username, password: PASSWORD, admin: false }, now));
  const session = await sessionOf(instance, { user: id, now });
  const ask: Client['ask'] = (method, path, { type, body } = {}) => {
    const headers = { 'X-Forwarded-For': address, Authorization: `Bearer ${session}` };
    const typed = type === undefined ? headers : { ...headers, 'Content-Type': type };
    return fetch(`${base}${path}`, { method, headers: typed, ...(body === undefined ? {} : { body }) });
  };
  return {
    address,
    session,
    ask,
    async post(path, parameters) {
      const response = await ask('POST', path, { type: 'application/json', body: JSON.stringify(parameters) });
      expect(response.status).toBe(201);
      return (await response.json()) as Record<string, unknown>;
    },
  };
}

/** Sends only the given text, and resolves with the status of the answer. */
function unfinished(text: string): Promise<number> {
  const socket = net.connect(Number(new URL(base).port), '127.0.0.1', () => socket.write(text));
  sockets.push(socket);
  return new Promise((resolve, reject) => {
    socket.on('data', (chunk) => resolve(Number(/^HTTP\/1.1 (\d+)/.exec(String(chunk))?.[1])));
    socket.on('close', () => reject(new Error('no answer'))).on('error', reject);
  });
}

/** An upload of 40 MiB of which little is sent; with its session in the head, before the file, or without. */
function upload({ address, session }: Client, where: 'head' | 'field' | 'nowhere'): string {
  const field = `--b\r\nContent-Disposition: form-data; name="session_id"\r\n\r\n${session}\r\n`;
  return (
    `POST /api/file HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: ${address}\r\nContent-Length: ${40 * MIB}\r\n` +
    `Content-Type: multipart/form-data; boundary=b\r\n${where === 'head' ? `Authorization: Bearer ${session}\r\n` : ''}\r\n` +
    `${where === 'field' ? field : ''}--b\r\nContent-Disposition: form-data; name="file"; filename="f"\r\n\r\n${'x'.repeat(10_000)}`
  );
}

const FORM = 'application/x-www-form-urlencoded';
/** The requests of F20 and F26. */
const WORST: readonly (readonly [type: string, body: string])[] = [
  ['application/json', `{"name":[${'{},'.repeat(340_000)}{}]}`],
  ['application/json', `{"name":${'['.repeat(500_000)}${']'.repeat(500_000)}}`],
  [FORM, `name=${'+'.repeat(MIB - 5)}`],
  [FORM, '&'.repeat(MIB)],
  [FORM, `name=${'%41'.repeat(300_000)}`],
];

const bytesIn = (path: string) =>
  readdirSync(path, { recursive: true, withFileTypes: true, encoding: 'utf8' }).filter((entry) => entry.isFile());

test('F20, F26: a neighbour at its limit', async () => {
  const hostile = await client('mallory', '10.0.0.1');
  const honest = await client('ada', '10.0.0.2');
  const { id: designer_id } = await honest.post('/api/designer', { name: 'Acme' });
  const { id: game_id } = await honest.post('/api/game', { name: 'Chess', designer_id });
  const headers = { 'X-Forwarded-For': hostile.address };
  const spend = Array.from({ length: LIMIT }, () => [
    hostile.ask('GET', '/api/boxtop/_options'),
    fetch(`${base}/api/boxtop/_options`, { headers }),
  ]);
  await Promise.all(spend.flat());

  const places = ['head', 'field', 'nowhere'] as const;
  const uploads = Array.from({ length: 10 }, (_, at) => unfinished(upload(hostile, places[at % 3] ?? 'head')));
  const bodies = WORST.flatMap(([type, body]) => [
    hostile.ask('POST', '/api/boxtop', { type, body }),
    hostile.ask('PUT', `/api/game/${game_id}?name=x`, { type, body }),
  ]);
  const form = new FormData();
  form.set('file', new Blob([new Uint8Array(PNG)]), 'ring.png');
  const file = honest.ask('POST', '/api/file', { body: form });
  const created: unknown[] = [];
  for (let quantity = 1; quantity <= 10; quantity += 1) {
    created.push((await honest.post('/api/boxtop', { name: `Box ${quantity}`, game_id, quantity })).quantity);
  }

  expect(created).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  expect(await (await file).json()).toMatchObject({ file_type: 'image/png', image_width: 1 });
  expect(await (await honest.ask('GET', `/api/game/${game_id}/boxtops`)).json()).toMatchObject({
    paging: { total_items: 10 },
  });
  expect(await Promise.all(uploads)).toEqual(Array(10).fill(429));
  expect((await Promise.all(bodies)).map(({ status }) => status)).toEqual(Array(bodies.length).fill(429));
  expect(await (await honest.ask('GET', `/api/game/${game_id}`)).json()).toMatchObject({ name: 'Chess' });
  // The marker of an upload is removed once it is answered.
  while (bytesIn(join(folder, 'files', 'tmp')).length > 0) await new Promise(setImmediate);
  expect(bytesIn(join(folder, 'files'))).toHaveLength(1);
  expect(instance.bufferLimits.most).toBeLessThan(MIB);
  expect(instance.bufferLimits.bytes).toBe(0);
});

test('F20: ten unfinished uploads of a neighbour below its limit', async () => {
  const hostile = await client('eve', '10.0.0.3');
  const honest = await client('bob', '10.0.0.4');
  const refused = Array.from({ length: 10 }, () => unfinished(upload(hostile, 'nowhere')).catch(() => 0));
  // Two remain unanswered, eight are refused.
  const statuses: number[] = [];
  await new Promise<void>((resolve) => {
    for (const status of refused) {
      void status.then((code) => {
        statuses.push(code);
        if (statuses.length === 8) resolve();
      });
    }
  });
  expect(statuses).toEqual(Array(8).fill(429));
  expect(bytesIn(join(folder, 'files', 'tmp')).length).toBeLessThanOrEqual(2);
  const form = new FormData();
  form.set('file', new Blob([new Uint8Array(PNG)]), 'ring.png');
  expect((await honest.ask('POST', '/api/file', { body: form })).status).toBe(201);
  expect(instance.bufferLimits.most).toBeLessThanOrEqual(instance.bufferLimits.bound);
});
