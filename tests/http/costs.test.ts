// How much of its client's limit a request costs (D64), measured by how many others are answered after it.

import { createSessionRoutes } from '../../runtime/auth/session-routes.js';
import { requestLimit } from '../../runtime/http/rate-limit.js';
import type { Run } from '../../runtime/operations/call.js';
import { countedLimit } from '../../runtime/server/processes/counted-limit.js';
import { JSON_BODY, MULTIPART_BODY, multipart, type Reply, type Service, start } from './client.js';
import { appParts, DEFINITIONS, definition, OPERATIONS } from './fixture.js';

const MIB = 1024 * 1024;
const LIMIT = 100;
const ALIVE = '?session_id=alive';
const NOW = 1_700_000_000_000;

const copies = { by: 'edit', parameters: {}, validate: () => true, copies: { column: 'name', max: 60 } };
const RESOURCES = [
  definition('set', { actions: { copy: copies } }),
  definition('picture', { upload: { part: 'file', maxBytes: 8 * MIB } }),
  definition('reader', {
    parameters: { password: { kind: 'password' }, old_password: { kind: 'password', proves: 'password' } },
  }),
  ...DEFINITIONS,
];
/** Copies as many records as the request says; `0` is refused. */
const action: Run = ({ parameters: { records } }) => {
  if (records === 0) throw Object.assign(new Error('refused'), { status: 400 });
  return { status: 201, body: '{}', records: Number(records) };
};

let service: Service;
afterEach(() => service.close());

async function boot(limit = LIMIT, run: Run = action): Promise<void> {
  const sessions = { ...appParts().sessions } as Parameters<typeof createSessionRoutes>[0];
  const login = async () => ({ id: 's', user: 'u1', apiKey: null });
  service = await start({
    rateLimit: requestLimit(limit),
    definitions: RESOURCES,
    operations: { ...OPERATIONS, action: run },
    extra: createSessionRoutes(sessions, login),
  });
}

const post = (path: string, parameters: object): Promise<Reply> =>
  service.send('POST', path, { headers: JSON_BODY, body: JSON.stringify(parameters) });

const form = (bytes: number): string =>
  multipart([
    { name: 'session_id', value: 'alive' },
    { name: 'file', value: 'x'.repeat(bytes), filename: 'f' },
  ]);
const upload = (bytes: number) =>
  service.send('POST', `/api/picture${ALIVE}`, { headers: MULTIPART_BODY, body: form(bytes) });

/** An upload whose length is not declared. */
function chunkedUpload(bytes: number): Promise<string> {
  const [type, body] = [MULTIPART_BODY['Content-Type'], form(bytes)];
  return service.raw(
    `POST /api/picture${ALIVE} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: ${type}\r\n` +
      `Transfer-Encoding: chunked\r\n\r\n${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`,
  );
}

/** How many requests of the session, or of the address if there is none, are still answered. */
async function left(session: string): Promise<number> {
  for (let count = 0; ; count += 1) {
    const { status } = await service.send('GET', `/api/maker/m1${session}`);
    if (status === 429) return count;
  }
}

const copy = (records: number) => post(`/api/set/s1/copy${ALIVE}`, { records });

test.each<[what: string, cost: number, send: () => Promise<unknown>, session: string]>([
  ['a fetch', 1, () => service.send('GET', `/api/maker/m1${ALIVE}`), ALIVE],
  ['a copy of 1 record', 1, () => copy(1), ALIVE],
  ['a copy of 10 records', 1, () => copy(10), ALIVE],
  ['a copy of 11 records', 2, () => copy(11), ALIVE],
  ['a copy of 902 records', 91, () => copy(902), ALIVE],
  ['a copy that is refused', 10, () => copy(0), ALIVE],
  ['an upload of 4 KiB', 1, () => upload(4096), ALIVE],
  ['an upload of 2.5 MiB', 3, () => upload(2.5 * MIB), ALIVE],
  ['an upload whose length is not declared', 3, () => chunkedUpload(2.5 * MIB), ALIVE],
  ['a login', 10, () => post('/api/session', { username: 'ada', password: 'secret' }), ''],
  ['a login without a password', 1, () => post('/api/session', { username: 'ada' }), ''],
  ['a new password', 10, () => post(`/api/reader${ALIVE}`, { password: 'secret' }), ALIVE],
  [
    'a change of a password',
    20,
    () =>
      service.send('PUT', `/api/reader/r1${ALIVE}`, {
        headers: JSON_BODY,
        body: JSON.stringify({ password: 'new', old_password: 'old' }),
      }),
    ALIVE,
  ],
])('N04: %s costs %i', async (_what, cost, send, session) => {
  await boot();
  await send();
  expect(await left(session)).toBe(LIMIT - cost);
});

describe('N04: copies of one user', () => {
  test('run one after another, so that no more begin than the limit pays for; other users are not limited', async () => {
    let running = 0;
    const most: number[] = [];
    const slow: Run = async () => {
      running += 1;
      most.push(running);
      await new Promise((resolve) => setImmediate(resolve));
      running -= 1;
      return { status: 201, body: '{}', records: 300 };
    };
    await boot(LIMIT, slow);
    const statuses = (await Promise.all(Array.from({ length: 10 }, () => copy(300)))).map(({ status }) => status);
    expect(statuses.filter((status) => status === 201)).toHaveLength(4);
    expect(statuses.filter((status) => status === 429)).toHaveLength(6);
    expect(most).toEqual([1, 1, 1, 1]);
    expect((await post('/api/set/s1/copy?session_id=other', {})).status).toBe(201);
  });

  test('wait in a short queue', async () => {
    let finish: () => void = () => undefined;
    const open = new Promise<void>((resolve) => (finish = resolve));
    await boot(0, async () => {
      await open;
      return { status: 201, body: '{}', records: 1 };
    });
    const statuses: number[] = [];
    const all = Array.from({ length: 20 }, () => copy(1).then(({ status }) => statuses.push(status)));
    while (statuses.length < 3) await service.send('GET', '/healthz');
    expect(statuses).toEqual([429, 429, 429]);
    finish();
    await Promise.all(all);
    expect(statuses.filter((status) => status === 201)).toHaveLength(17);
  });
});

test('N04: all sessions of a user share one limit', async () => {
  await boot(4);
  await service.close();
  const sessions = { caller: (id: string) => ({ user: id.slice(0, 2), admin: false }) };
  service = await start({ rateLimit: requestLimit(4), sessions });
  const status = async (session: string) => (await service.send('GET', `/api/maker/m1?session_id=${session}`)).status;
  expect([await status('u1a'), await status('u1b'), await status('u1c'), await status('u1d')]).toEqual(
    Array(4).fill(200),
  );
  expect([await status('u1e'), await status('u2a')]).toEqual([429, 200]);
});

test('N04: the extra cost of a request is reported to the other processes', () => {
  const counted = countedLimit(requestLimit(LIMIT));
  counted.limit?.count('user u1', NOW);
  counted.limit?.add('user u1', 90, NOW);
  expect(counted.take()).toEqual([['user u1', 91]]);
});
