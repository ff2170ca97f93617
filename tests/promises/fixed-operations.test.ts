// The promises of the API document for operations that belong to no descriptor: sessions, the bytes of uploads, the catalogue,
// administration of web hooks, and the paths for operators. A row of the table reaches each declared status.

import { readDocument } from '../../runtime/server/load-generated.js';
import { type Document, operationsIn, type PromisedOperation } from '../properties/document.js';
import { limitsOf } from '../properties/query-limits.js';
import { makeWorld, type Person, type World } from '../service/world.js';
import { exchange, type OutgoingRequest } from '../support/exchange.js';
import { METRICS_TOKEN } from '../support/quiet-service.js';
import { PASSWORD } from '../support/service.js';
import { type HttpReceiver, startHttpReceiver } from '../webhooks/http-receiver.js';

const OPERATIONS = operationsIn(JSON.parse(readDocument(null).toString()) as Document).filter(
  ({ tag, path }) => /^[A-Z]/.test(tag) || /^\/api\/webhook\/\{id\}\/(?!(?:test|exchange)$)/.test(path),
);
/** Statuses that tests/promises/every-operation reaches; a request cannot cause a bug of the service. */
const ELSEWHERE = [429, 500, 503, 507];

let world: World;
let receiver: HttpReceiver;
let hook: string;
let delivery: string;
let bytes: string;
beforeAll(async () => {
  [world, receiver] = [await makeWorld(), await startHttpReceiver()];
  receiver.answer = () => 500;
  const owner_id = await world.home('designer');
  hook = (await world.make('webhook', { owner_id, callback_uri: `${receiver.address}/sold` })).id;
  await world.make('receipt', { items: [{ game_id: await world.home('game') }] }, world.admin);
  const { items } = (await ask('GET', `/api/webhook/${hook}/deliveries`, as(world.admin))).body;
  delivery = items[0].id;
  bytes = String((await world.file()).file_uri);
});
afterAll(async () => {
  await receiver.close();
  await world.stop();
});

type RequestOptions = Partial<OutgoingRequest> & { readonly path?: string };

async function ask(method: string, path: string, more: RequestOptions = {}) {
  const reply = await exchange(`${world.address}${more.path ?? path}`, { method, ...more });
  return { ...reply, body: /json/.test(reply.headers.get('content-type') ?? '') ? JSON.parse(reply.text) : null };
}

const as = ({ session }: Person): RequestOptions => ({ headers: { authorization: `Bearer ${session}` } });
const json = (sent: object, more: RequestOptions = {}): RequestOptions => ({
  ...more,
  headers: { ...more.headers, 'content-type': 'application/json' },
  body: JSON.stringify(sent),
});
const range = (text: string): RequestOptions => ({ headers: { range: text } });
const login = (password: string) => json({ username: 'owner', password });

/** Requests that cause a status in most operations. */
const USUAL: Readonly<Record<number, (path: string) => RequestOptions>> = {
  400: () => ({ headers: { 'content-type': 'application/json' }, body: '{' }),
  405: () => ({ method: 'PATCH' }),
  413: () => ({ headers: { 'content-type': 'application/json' }, body: ' '.repeat(1024 * 1024 + 1) }),
  415: () => ({ headers: { 'content-type': 'text/plain' }, body: 'x' }),
  422: (path) => ({ path: `${path}?session_id=a&session_id=b` }),
};

const etag = async (path: string) => String((await ask('GET', path)).headers.get('etag'));
type Row = Readonly<Record<number, () => RequestOptions | Promise<RequestOptions>>>;
const paused = async (): Promise<RequestOptions> => {
  await ask('POST', `/api/webhook/${hook}/pause`, json({}, as(world.admin)));
  return json({}, as(world.admin));
};
const hooks = (path: string, done: () => RequestOptions): Row => ({
  200: done,
  401: () => ({}),
  403: () => as(world.stranger),
  404: () => ({ ...as(world.admin), path: `/api/webhook/nothing/${path}` }),
});
const content = (path: () => string): Row => ({
  200: () => ({}),
  304: async () => ({ headers: { 'if-none-match': await etag(path()) } }),
  412: () => ({ headers: { 'if-match': '"other"' } }),
});

const ROWS: Readonly<Record<string, Row>> = {
  'POST /api/session': {
    201: () => login(PASSWORD),
    401: () => login('not the password'),
    422: () => json({}),
  },
  'GET /api/session/{id}': { 200: () => ({}), 401: () => ({ path: '/api/session/nothing' }) },
  'DELETE /api/session/{id}': { 200: () => ({ path: '/api/session/nothing' }) },
  'GET /api/status': { 200: () => ({}) },
  'GET /api/tgc/products': { 200: () => ({}) },
  'GET /api/tgc/products/{identity}': { 200: () => ({}), 404: () => ({ path: '/api/tgc/products/nothing' }) },
  'GET /files/{id}/{key}': {
    ...content(() => bytes),
    206: () => range('bytes=0-0'),
    400: () => ({ path: '/files/%/x' }),
    404: () => ({ path: '/files/nothing/x' }),
    416: () => range('bytes=99999999-'),
  },
  'GET /openapi.json': content(() => '/openapi.json'),
  'GET /healthz': { 200: () => ({}) },
  'GET /readyz': { 200: () => ({}) },
  'GET /metrics': { 200: () => ({ headers: { authorization: `Bearer ${METRICS_TOKEN}` } }), 404: () => ({}) },
  'GET /api/webhook/{id}/deliveries': hooks('deliveries', () => as(world.admin)),
  'GET /api/webhook/{id}/message': hooks('message?delivery_id=x', () => ({
    ...as(world.admin),
    path: `/api/webhook/${hook}/message?delivery_id=${delivery}`,
  })),
  'POST /api/webhook/{id}/retry': { ...hooks('retry', () => as(world.admin)), 409: paused },
  'POST /api/webhook/{id}/pause': hooks('pause', () => as(world.admin)),
  'POST /api/webhook/{id}/resume': hooks('resume', () => as(world.admin)),
};

function pathOf({ path }: PromisedOperation): string {
  if (path.startsWith('/files/')) return bytes;
  const id = path.startsWith('/api/session') ? world.stranger.session : hook;
  return path.replace('{id}', id).replace('{identity}', 'PokerDeck');
}

test.each(OPERATIONS)('$name has every status that it declares', async (operation) => {
  const reached: number[] = [];
  const expected = operation.statuses.filter((status) => !ELSEWHERE.includes(status));
  for (const status of expected) {
    const path = pathOf(operation);
    const more = (await ROWS[operation.name]?.[status]?.()) ?? USUAL[status]?.(path) ?? {};
    reached.push((await ask(more.method ?? operation.method, path, more)).status);
  }
  expect(reached).toEqual(expected);
});

test('none of them takes an idempotency key', () => {
  expect(OPERATIONS.filter(({ takesKey }) => takesKey)).toEqual([]);
});

test('each query parameter accepts its limit, and refuses the value one step beyond', async () => {
  const wrong: string[] = [];
  for (const operation of OPERATIONS) {
    for (const { name, within, beyond } of operation.query.map(limitsOf)) {
      const all = [...within.map((value) => [value, 200] as const), ...beyond.map((value) => [value, 422] as const)];
      for (const [value, status] of all) {
        const path = `${pathOf(operation)}?${new URLSearchParams({ [name]: value })}`;
        const reply = await ask(operation.method, path, as(world.admin));
        if (reply.status !== status) wrong.push(`${operation.name} with ${name}=${value}: ${reply.status}`);
      }
    }
  }
  expect(wrong).toEqual([]);
});

test('the cursor of the uses of a file continues, type by type', async () => {
  const file = await world.file();
  const names = ['boxtop', 'boxtop', 'scorepad'] as const;
  const created = [];
  for (const name of names)
    created.push((await world.make(name, { [name === 'boxtop' ? 'top_id' : 'image_id']: file.id })).id);
  const seen: string[] = [];
  for (let query = '_items_per_page=1'; query !== ''; ) {
    const { body } = await ask('GET', `/api/file/${file.id}/references?${query}`, as(world.admin));
    seen.push(...body.items.map(({ id }: { readonly id: string }) => id));
    query = body.paging.next_cursor === null ? '' : `_items_per_page=1&_cursor=${body.paging.next_cursor}`;
  }
  expect(seen.sort()).toEqual(created.sort());
});

test('/readyz is 503 while the service stops', async () => {
  const stopping = await makeWorld();
  const address = stopping.address;
  const ready = jest.spyOn(stopping.service.service.engine.upkeep, 'health').mockReturnValue(false as never);
  const { status } = await exchange(`${address}/readyz`, { method: 'GET' });
  ready.mockRestore();
  await stopping.stop();
  expect(status).toBe(503);
});
