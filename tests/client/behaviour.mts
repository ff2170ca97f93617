// What the client does besides calling: sessions, retries, pages, errors, aborts. `node --test` runs it against servers that
// answer as each test says.

import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { type MessageHead, messageText, standardText } from '../../runtime/rules/message.js';
import {
  verifyCallback as asReceivers,
  signedForm,
  signedPost,
  standardSecret,
} from '../../runtime/rules/signature.js';

const address = new URL('../../../generated/client/index.js', import.meta.url).href;
const { Punchboard, PunchboardError, tagOf, verifyCallback } = (await import(
  address
)) as typeof import('../../generated/client/index.js');

interface Asked {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}
interface Answer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** Bytes of the body after which the connection is cut; 0: nothing is answered; `never`: nor is the connection cut. */
  readonly cut?: number | 'never';
}
type Script = (received: Asked, at: number) => Answer;

interface Scripted {
  readonly baseUrl: string;
  readonly asked: Asked[];
}

/** Runs with a server that answers as the script says, and then ends it. */
async function withServer(script: Script, run: (server: Scripted) => Promise<void>): Promise<void> {
  const received: Asked[] = [];
  const server = createServer((req, res) => {
    const chunks: Buffer[] = [];
    req.on('data', (chunk: Buffer) => chunks.push(chunk));
    req.on('end', () => {
      const one = {
        method: req.method ?? '',
        url: req.url ?? '',
        headers: req.headers,
        body: Buffer.concat(chunks).toString(),
      };
      received.push(one);
      respond(res, script(one, received.length - 1));
    });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  try {
    await run({ baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, asked: received });
  } finally {
    server.close();
    server.closeAllConnections();
  }
}

function respond(res: ServerResponse, { status = 200, headers = {}, body = {}, cut }: Answer): void {
  const text = JSON.stringify(body);
  if (cut === 'never') return;
  if (cut === 0) {
    res.destroy();
    return;
  }
  res.writeHead(status, { 'content-type': 'application/json', 'content-length': String(text.length), ...headers });
  if (cut === undefined) res.end(text);
  else res.write(text.slice(0, cut), () => res.destroy());
}

const problem = (status: number, code: string, errors: readonly unknown[] = [], headers = {}): Answer => ({
  status,
  headers: { 'x-request-id': 'r1', ...headers },
  body: { type: 'about:blank', title: 'x', status, detail: `It is ${code}.`, code, errors },
});
const later = (status: number, code: string, seconds = '0') => problem(status, code, [], { 'retry-after': seconds });
const opened: Answer = { status: 201, body: { id: 's1', object_type: 'session', user_id: 'u1', api_key_id: null } };

test('a login opens a session, which every request carries', () =>
  withServer(
    (_, at) => (at === 0 ? opened : { body: { id: 'b1', object_type: 'boxtop' } }),
    async ({ baseUrl, asked: received }) => {
      const api = await Punchboard.login({ baseUrl, username: 'ada', password: 'correct horse' });
      assert.deepEqual([api.session.id, api.session.user_id], ['s1', 'u1']);
      assert.equal((await api.boxtop.get('b/1')).id, 'b1');
      assert.deepEqual(JSON.parse(received[0]?.body ?? ''), { username: 'ada', password: 'correct horse' });
      assert.equal(received[0]?.url, '/api/session');
      assert.equal(received[1]?.url, '/api/boxtop/b%2F1');
      assert.equal(received[1]?.headers.authorization, 'Bearer s1');
    },
  ));

test('an expired session is renewed once for all requests that fail together', () =>
  withServer(
    ({ method, url, headers }, at) => {
      if (method === 'DELETE') return { body: { success: 1 } };
      if (url === '/api/session')
        return { ...opened, body: { ...(opened.body as object), id: at === 0 ? 's1' : 's2' } };
      return headers.authorization === 'Bearer s2' ? { body: { id: 'g1' } } : problem(401, 'login_required');
    },
    async ({ baseUrl, asked: received }) => {
      const api = await Punchboard.login({ baseUrl, username: 'ada', password: 'x' });
      const games = await Promise.all(['a', 'b', 'c'].map((name) => api.game.create({ name, designer_id: 'd' })));
      assert.equal(games.length, 3);
      assert.equal(received.filter(({ url }) => url === '/api/session').length, 2);
      await api.session.logout();
      assert.deepEqual(
        [received.at(-1)?.method, received.at(-1)?.url, api.session.id],
        ['DELETE', '/api/session/s2', null],
      );
    },
  ));

test('a write that a wing server refuses for lack of a session logs in again', () => {
  const refused: Answer = {
    status: 450,
    headers: { 'www-authenticate': 'Bearer' },
    body: { error: { code: 450, message: 'Game: a session is required.', data: null } },
  };
  return withServer(
    ({ url, headers }, at) => {
      if (url === '/api/session')
        return { ...opened, body: { ...(opened.body as object), id: at === 0 ? 's1' : 's2' } };
      return headers.authorization === 'Bearer s2' ? { body: { result: { id: 'g1' } } } : refused;
    },
    async ({ baseUrl }) => {
      const api = await Punchboard.login({ baseUrl, username: 'ada', password: 'x' });
      assert.equal((await api.game.update('g', { name: 'New' })).id, 'g1');
      const stranger = new Punchboard({ baseUrl, session: 'old' });
      await assert.rejects(stranger.game.update('g', { name: 'New' }), { code: 'login_required', status: 450 });
    },
  );
});

test('a record is sent back with its tag, and a copy of it is not', () =>
  withServer(
    ({ method }) => ({ headers: { etag: method === 'GET' ? '"7"' : '"8"' }, body: { id: 'g1', name: 'Old' } }),
    async ({ baseUrl, asked: received }) => {
      const api = new Punchboard({ baseUrl });
      const game = await api.game.get('g1');
      assert.equal(tagOf(game), '"7"');
      const renamed = await api.game.update(game, { name: 'New' });
      await api.game.delete(renamed);
      await api.game.update({ ...game }, { name: 'New' });
      await api.game.update(game, { name: 'New' }, { ifMatch: '*' });
      await api.game.update('g1', { name: 'New' });
      assert.deepEqual(
        received.map(({ url, headers }) => [url, headers['if-match']]),
        [undefined, '"7"', '"8"', undefined, '*', undefined].map((tag) => ['/api/game/g1', tag]),
      );
    },
  ));

test('a request beyond the scope of a token is recognized by the challenge of a wing server', () => {
  const challenge = 'Bearer error="insufficient_scope", scope="write"';
  const body = { error: { code: 450, message: 'The API key only reads.', data: null } };
  return withServer(
    () => ({ status: 450, headers: { 'www-authenticate': challenge }, body }),
    async ({ baseUrl, asked: received }) => {
      const api = new Punchboard({ baseUrl, token: 'id.secret' });
      await assert.rejects(api.game.update('g', { name: 'New' }), { code: 'insufficient_scope', status: 450 });
      assert.equal(received.length, 1);
    },
  );
});

test('without credentials, or if the new session fails too, the error is thrown', () =>
  withServer(
    ({ url }) => (url === '/api/session' ? opened : problem(401, 'login_required')),
    async ({ baseUrl, asked: received }) => {
      await assert.rejects(new Punchboard({ baseUrl, session: 'old' }).game.get('g'), { code: 'login_required' });
      assert.equal(received.length, 1);
      const api = await Punchboard.login({ baseUrl, username: 'ada', password: 'x' });
      await assert.rejects(api.game.get('g'), { code: 'login_required', status: 401 });
      assert.equal(received.length, 5);
    },
  ));

test('a token is sent with every request, and not with a login', () =>
  withServer(
    ({ url }) => (url === '/api/session' ? opened : problem(401, 'invalid_token')),
    async ({ baseUrl, asked: received }) => {
      const api = new Punchboard({ baseUrl, token: 'id.secret' });
      await assert.rejects(api.game.get('g'), { code: 'invalid_token', status: 401 });
      await api.session.login({ username: 'ada', password: 'x' });
      await assert.rejects(api.game.get('g'), { status: 401 });
      const sent = received.map(({ headers }) => headers.authorization);
      assert.deepEqual(sent, ['Bearer id.secret', undefined, 'Bearer s1']);
    },
  ));

for (const [status, code] of [
  [429, 'rate_limited'],
  [503, 'unavailable'],
] as const) {
  test(`${status} is retried after Retry-After, a POST only with a key`, () =>
    withServer(
      (_, at) => (at % 3 === 2 ? { body: { id: 'x' } } : later(status, code)),
      async ({ baseUrl, asked: received }) => {
        const api = new Punchboard({ baseUrl });
        await api.game.get('g');
        await api.game.update('g', { name: 'New' });
        await api.game.delete('g');
        assert.equal(received.length, 9);
        await api.game.create({ name: 'G', designer_id: 'd' }, { idempotencyKey: 'k1' });
        assert.deepEqual(
          received.slice(9).map(({ headers }) => headers['idempotency-key']),
          ['k1', 'k1', 'k1'],
        );
        await assert.rejects(api.game.create({ name: 'G', designer_id: 'd' }), { code, retryAfter: 0 });
        assert.equal(received.length, 13);
      },
    ));
}

test('N01: a call that takes no key is sent once, whatever the caller says', () =>
  withServer(
    () => later(503, 'unavailable'),
    async ({ baseUrl, asked: received }) => {
      const { webhook } = new Punchboard({ baseUrl });
      const call: object = { idempotencyKey: 'k' };
      await assert.rejects(webhook.test('h', { payload: {} }, call), { code: 'unavailable' });
      await assert.rejects(webhook.retry('h', {}, call), { code: 'unavailable' });
      assert.deepEqual(
        received.map(({ method, headers }) => [method, headers['idempotency-key']]),
        [
          ['POST', undefined],
          ['POST', undefined],
        ],
      );
    },
  ));

test('every call that takes a key has one of its own, which its retries keep', () =>
  withServer(
    (_, at) =>
      [later(429, 'rate_limited'), { cut: 0 }, { cut: 5, body: { id: 'first' } }][at % 4] ?? { body: { id: 'x' } },
    async ({ baseUrl, asked: received }) => {
      const api = new Punchboard({ baseUrl, token: 'id.secret' });
      const call = { idempotencyKey: undefined } as object;
      const calls = [
        () => api.game.create({ name: 'G', designer_id: 'd' }, call),
        () => api.game.create({ name: 'G', designer_id: 'd' }),
        () => api.game.copy('g'),
        () => api.deck.bulkCards('d', { cards: [{ name: 'C' }] }),
        () => api.file.upload(new Blob(['x']), { name: 'x.png' }),
      ];
      const keys = [];
      for (const one of calls) {
        await one();
        const sent = new Set(received.splice(0).map(({ headers }) => String(headers['idempotency-key'])));
        assert.equal(sent.size, 1);
        keys.push(...sent);
      }
      assert.equal(new Set(keys).size, calls.length);
      for (const key of keys) assert.match(key, /^\d{1,10}(-\d{1,10}){3}$/);
    },
  ));

test('no call has a useless key, such as without a session or without retries', () =>
  withServer(
    () => ({ cut: 0 }),
    async ({ baseUrl, asked: received }) => {
      for (const more of [{}, { token: 'id.secret', retries: 0 }]) {
        const { game } = new Punchboard({ baseUrl, ...more });
        await assert.rejects(game.create({ name: 'G', designer_id: 'd' }), { code: 'network' });
      }
      await assert.rejects(new Punchboard({ baseUrl, token: 'x.y' }).webhook.test('h', { payload: {} }), {
        code: 'network',
      });
      assert.deepEqual(
        received.map(({ headers }) => headers['idempotency-key']),
        [undefined, undefined, undefined],
      );
    },
  ));

test('an empty key is sent, so that the service refuses it, and not treated as no key', () =>
  withServer(
    () => problem(400, 'malformed'),
    async ({ baseUrl, asked: received }) => {
      const { game } = new Punchboard({ baseUrl, token: 'id.secret' });
      await assert.rejects(game.create({ name: 'G', designer_id: 'd' }, { idempotencyKey: '' }), { code: 'malformed' });
      assert.deepEqual(
        received.map(({ headers }) => headers['idempotency-key']),
        [''],
      );
    },
  ));

test('a request that is not answered in time is given up and sent again, with the same key', () =>
  withServer(
    (_, at) => (at % 2 === 0 ? { cut: 'never' } : { body: { id: 'x' } }),
    async ({ baseUrl, asked: received }) => {
      const api = new Punchboard({ baseUrl, token: 'id.secret', timeout: 25 });
      assert.equal((await api.game.create({ name: 'G', designer_id: 'd' })).id, 'x');
      const [first, second] = received.map(({ headers }) => headers['idempotency-key']);
      assert(first !== undefined && first === second);
      const late = new Punchboard({ baseUrl, retries: 0 }).game.get('g', {}, { timeout: 25 });
      await assert.rejects(late, { code: 'timeout', status: 0, message: 'GET /api/game/g: no response in 25 ms' });
    },
  ));

test('the signal of a call ends it before its timeout, and a call without a timeout waits for its signal', () =>
  withServer(
    () => ({ cut: 'never' }),
    async ({ baseUrl, asked: received }) => {
      for (const timeout of [60_000, 0]) {
        const stop = new AbortController();
        const waiting = new Punchboard({ baseUrl, timeout }).game.get('g', {}, { signal: stop.signal });
        const before = received.length;
        while (received.length === before) await new Promise((turn) => setImmediate(turn));
        stop.abort(new Error('enough'));
        await assert.rejects(waiting, { message: 'enough' });
      }
      assert.equal(received.length, 2);
    },
  ));

test('retries end, and other errors are not retried', () =>
  withServer(
    ({ url }) => (url.endsWith('/busy') ? later(503, 'unavailable') : problem(404, 'not_found')),
    async ({ baseUrl, asked: received }) => {
      await assert.rejects(new Punchboard({ baseUrl }).game.get('busy'), { status: 503 });
      assert.equal(received.length, 4);
      await assert.rejects(new Punchboard({ baseUrl, retries: 0 }).game.get('busy'), { status: 503 });
      await assert.rejects(new Punchboard({ baseUrl }).game.get('none'), { status: 404 });
      assert.equal(received.length, 6);
      await assert.rejects(new Punchboard({ baseUrl }).boxtop.delete('none'), { message: 'It is not_found.' });
    },
  ));

const page = (items: readonly string[], next_cursor: string | null): Answer => ({
  body: { paging: { total_items: 5, next_cursor }, items: items.map((id) => ({ id })) },
});

test('awaiting a list gives a page; iterating over it gives every record, by cursor, over cut connections', () =>
  withServer(
    ({ url }, at) => {
      if (at === 2) return { ...page(['c', 'd'], 'two'), cut: 20 };
      if (at === 4) return { cut: 0 };
      if (url.includes('_cursor=two')) return page(['e'], null);
      return url.includes('_cursor=one') ? page(['c', 'd'], 'two') : page(['a', 'b'], 'one');
    },
    async ({ baseUrl, asked: received }) => {
      const api = new Punchboard({ baseUrl });
      const first = await api.game.boxtops('g', { _items_per_page: 2, identity: 'LargeStoutBoxTop' });
      assert.deepEqual(
        first.items.map(({ id }) => id),
        ['a', 'b'],
      );
      assert.equal(received[0]?.url, '/api/game/g/boxtops?_items_per_page=2&identity=LargeStoutBoxTop');
      const all: string[] = [];
      for await (const { id } of api.game.boxtops('g')) all.push(id);
      assert.deepEqual(all, ['a', 'b', 'c', 'd', 'e']);
      assert.equal(received.at(-1)?.url, '/api/game/g/boxtops?_items_per_page=100&_cursor=two');
      assert.equal(received.length, 6);
      const [{ name } = { name: '' }] = (await api.part.all({ q: 'blue cube' })).items;
      assert.equal(typeof name, 'undefined');
      assert.equal(received[6]?.url, '/api/part?q=blue+cube');
    },
  ));

test('an error says what is wrong with each field, in both profiles', async () => {
  const errors = [
    { field: 'quantity', code: 'invalid', message: 'quantity must be at most 99.' },
    { field: 'items/0/price', code: 'invalid', message: 'items/0/price is not a price.' },
  ];
  await withServer(
    () => problem(422, 'invalid', errors),
    async ({ baseUrl }) => {
      const error = await new Punchboard({ baseUrl }).boxtop
        .update('b', { quantity: 100 })
        .catch((one: unknown) => one);
      assert(error instanceof PunchboardError);
      assert.deepEqual([error.status, error.code, error.requestId, error.failures.length], [422, 'invalid', 'r1', 2]);
      assert.equal(error.field('quantity')?.message, 'quantity must be at most 99.');
      assert.equal(error.field('items')?.field, 'items/0/price');
      assert.equal(error.field('name'), undefined);
    },
  );
  await withServer(
    () => ({ status: 442, body: { error: { code: 442, message: 'quantity is wrong.', data: 'quantity' } } }),
    async ({ baseUrl }) => {
      await assert.rejects(new Punchboard({ baseUrl }).boxtop.update('b', { quantity: 100 }), {
        code: 'invalid',
        failures: [{ field: 'quantity', code: 'invalid', message: 'quantity is wrong.' }],
      });
    },
  );
});

test('an answer that is not the service’s is an error too', () =>
  withServer(
    (_, at) => (at === 0 ? { status: 502, body: 'Bad gateway' } : { cut: 0 }),
    async ({ baseUrl }) => {
      await assert.rejects(new Punchboard({ baseUrl }).game.get('g'), { status: 502, code: 'unknown' });
      await assert.rejects(new Punchboard({ baseUrl, retries: 1 }).game.get('g'), { status: 0, code: 'network' });
    },
  ));

test('ignored parameters are reported', () =>
  withServer(
    () => ({ headers: { 'ignored-parameters': 'colour, nmae' }, body: { id: 'b' } }),
    async ({ baseUrl }) => {
      const said: unknown[] = [];
      const api = new Punchboard({ baseUrl, onIgnored: (names, request) => said.push(names, request) });
      await api.boxtop.get('b', { _include_related_objects: ['game'] });
      assert.deepEqual(said, [['colour', 'nmae'], 'GET /api/boxtop/b']);
    },
  ));

test('lists are names in a query, and JSON in the form of an upload', () =>
  withServer(
    () => ({ body: { id: 'x' } }),
    async ({ baseUrl, asked: received }) => {
      const api = new Punchboard({ baseUrl });
      await api.designerassociate.get('a', { _include_related_objects: ['user', 'designer'] });
      await api.file.upload(new Blob(['x']), { name: 'x', tags: ['a', 'b,c'], parts: [] } as object);
      const [fetch, upload] = received;
      assert.equal(fetch?.url, '/api/designerassociate/a?_include_related_objects=user%2Cdesigner');
      const fields = [...(upload?.body ?? '').matchAll(/name="(\w+)"\r\n\r\n(.*)\r\n/g)].map(([, name, text]) => [
        name,
        text,
      ]);
      assert.deepEqual(fields, [
        ['name', 'x'],
        ['tags', '["a","b,c"]'],
        ['parts', '[]'],
      ]);
    },
  ));

test('an upload has a file name, even if the file or its name is empty', () =>
  withServer(
    () => ({ body: { id: 'x' } }),
    async ({ baseUrl, asked: received }) => {
      const api = new Punchboard({ baseUrl });
      await api.file.upload(new Blob(['x'], { type: 'image/png' }), { name: '' });
      await api.file.upload(new File([''], '', { type: 'image/png' }), { name: 'top.png' });
      await api.file.upload(new File(['x'], 'own.png'), { name: 'top.png' });
      const names = received.map(({ body }) => /filename="(.*?)"/.exec(body)?.[1]);
      assert.deepEqual(names, ['upload', 'top.png', 'own.png']);
    },
  ));

test('an abort ends the request, and the wait before a retry', () =>
  withServer(
    () => later(503, 'unavailable', '100'),
    async ({ baseUrl, asked: received }) => {
      const stop = new AbortController();
      const waiting = new Punchboard({ baseUrl }).game.get('g', {}, { signal: stop.signal });
      while (received.length === 0) await new Promise((turn) => setImmediate(turn));
      // The answer is on its way, so the client waits for it or for the retry.
      stop.abort(new Error('enough'));
      await assert.rejects(waiting, { message: 'enough' });
      const signal = AbortSignal.abort(new Error('never'));
      await assert.rejects(new Punchboard({ baseUrl }).game.get('g', {}, { signal }), { message: 'never' });
      assert.equal(received.length, 1);
    },
  ));

test('records of both profiles have one form', () =>
  withServer(
    () => ({
      body: {
        result: {
          id: 'b',
          object_type: 'boxtop',
          date_created: '2026-01-02 03:04:05',
          has_proofed_top: 1,
          quantity: 1,
          name: '2026-01-02 03:04:05',
          game: { object_type: 'game', date_updated: '2026-01-02 03:04:06' },
        },
      },
    }),
    async ({ baseUrl }) => {
      const box = await new Punchboard({ baseUrl }).boxtop.get('b');
      assert.deepEqual([box.date_created, box.has_proofed_top, box.quantity], ['2026-01-02T03:04:05Z', true, 1]);
      assert.deepEqual([box.name, box.game?.date_updated], ['2026-01-02 03:04:05', '2026-01-02T03:04:06Z']);
    },
  ));

test('callbacks are verified as the service signs them', async () => {
  const now = Date.parse('2026-01-02T03:04:05Z');
  const form = Object.fromEntries(new URLSearchParams(signedForm({ message: '{"type":"tést"}', key: 'secret' }, now)));
  assert.equal(await verifyCallback(form, 'secret', { now }), true);
  assert.equal(await verifyCallback(form, 'secret', { now: now + 299_000 }), true);
  assert.equal(await verifyCallback(form, 'secret', { now: now + 301_000 }), false);
  assert.equal(await verifyCallback(form, 'secret', { now: now + 301_000, tolerance: 400 }), true);
  assert.equal(await verifyCallback(form, 'other', { now }), false);
  assert.equal(await verifyCallback(form, '', { now }), false);
  assert.equal(await verifyCallback({ ...form, message: '{}' }, 'secret', { now }), false);
  assert.equal(await verifyCallback({ ...form, hmac: 'x' }, 'secret', { now }), false);
  assert.equal(await verifyCallback({ message: 'x' }, 'secret', { now }), false);
});

/** Callbacks by the name of the case: as the service sends them, or with one mistake or peculiarity. */
function callbacks(now: number): Readonly<Record<string, unknown>> {
  const head: MessageHead = { id: 'ab01', owner_class: 'Designer', owner_id: 'cd02', event: 'ItemSold', type: 'data' };
  const keys = { key: 'key', secrets: [OWN, standardSecret('key')] };
  const standard = signedPost('d1', standardText(head, '{"name":"Zoë"}', now), keys, now);
  const form = signedPost('d2', messageText(head, '{"name":"Zoë"}'), keys, now);
  const { headers } = standard;
  const parameters = Object.fromEntries(new URLSearchParams(form.body));
  return {
    ...{ standard, form, parameters },
    'the signature of an empty secret': signedPost(
      'd3',
      standardText(head, '{}', now),
      { key: 'key', secrets: ['whsec_'] },
      now,
    ),
    'a form without the headers': { headers: {}, body: form.body },
    bytes: { headers, body: Buffer.from(standard.body) },
    'names in capitals': {
      headers: Object.fromEntries(Object.entries(headers).map(([n, v]) => [n.toUpperCase(), v])),
      body: standard.body,
    },
    'signatures of versions to come': {
      headers: { ...headers, 'webhook-signature': `v2,x ${headers['webhook-signature']}` },
      body: standard.body,
    },
    'another body': { headers, body: `${standard.body} ` },
    'another id': { headers: { ...headers, 'webhook-id': 'd9' }, body: standard.body },
    'another id of a form': { headers: { ...form.headers, 'webhook-id': 'd9' }, body: form.body },
    'another time': { headers: { ...headers, 'webhook-timestamp': '1' }, body: standard.body },
    'no time': { headers: { ...headers, 'webhook-timestamp': '1e9' }, body: standard.body },
    'no base64': { headers: { ...headers, 'webhook-signature': 'v1,%' }, body: standard.body },
    'another version': { headers: { ...headers, 'webhook-signature': 'v1a,xyz' }, body: standard.body },
    'a header twice': { headers: { ...headers, 'webhook-id': ['d1', 'd1'] }, body: standard.body },
    'no id': { headers: { ...headers, 'webhook-id': undefined }, body: standard.body },
    'no headers': { headers: null, body: standard.body },
    'a parsed body': { headers, body: JSON.parse(standard.body) },
    'another message': { ...parameters, message: '{}' },
    'hmac in capitals': { ...parameters, hmac: parameters.hmac?.toUpperCase() },
    'a parameter twice': { ...parameters, epoch: ['1', '1'] },
    nothing: {},
  };
}
const OWN = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;

test('callbacks of both formats are verified as receivers on Node verify them', async () => {
  const now = Date.parse('2026-01-02T03:04:05Z');
  const secrets = [
    'key',
    standardSecret('key'),
    OWN,
    'other',
    ['other', OWN],
    ['other', 'key'],
    'whsec_',
    'whsec_%',
    '',
    [],
  ];
  const clocks = [0, 299_000, 301_000, -301_000, Number.NaN];
  const accepted = new Set<string>();
  for (const [name, callback] of Object.entries(callbacks(now))) {
    for (const secret of secrets) {
      for (const by of clocks) {
        const given = [callback as object, secret, { now: now + by }] as const;
        const said = await verifyCallback(...given);
        assert.equal(said, asReceivers(...given), `${name}, ${secret}, ${by}`);
        if (said) accepted.add(name);
      }
    }
  }
  const all = ['standard', 'form', 'parameters', 'a form without the headers', 'bytes', 'names in capitals'];
  assert.deepEqual([...accepted], [...all, 'signatures of versions to come']);
});

test('callbacks are verified with the headers of fetch, and with two secrets during an exchange', async () => {
  const now = Date.parse('2026-01-02T03:04:05Z');
  const { standard } = callbacks(now) as { standard: { headers: Record<string, string>; body: string } };
  const request = new Request('https://example.com', { method: 'POST', ...standard });
  const received = { headers: request.headers, body: await request.text() };
  for (const secret of [OWN, 'key', ['old', OWN]]) assert.equal(await verifyCallback(received, secret, { now }), true);
  assert.equal(await verifyCallback(received, 'old', { now }), false);
});
