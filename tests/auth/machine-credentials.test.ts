// Machine credentials (D61) over HTTP, in both profiles, with one process and two, on every engine: a program that sends the
// token of an API key acts as the user of that key, limited to its scope.

import type { StartOptions } from '../../runtime/server/main.js';
import { exchange, multipart } from '../support/exchange.js';
import { describeOnServers } from '../support/servers.js';
import { startService, type TestService } from '../support/service.js';

type Body = Readonly<Record<string, unknown>>;

interface Reply {
  readonly status: number;
  /** The body without the envelope of wing. */
  readonly body: Body;
  readonly challenge: string | null;
}

interface SentRequest {
  readonly as?: string | null;
  readonly send?: object;
  readonly headers?: Readonly<Record<string, string>>;
}

const UNKNOWN = `0a.${'x'.repeat(27)}`;
const CLOSED = 'Bearer error="insufficient_scope"';

let service: TestService;
let ada: { readonly id: string; readonly session: string };
let game: string;

async function call(method: string, path: string, { as = null, send, headers = {} }: SentRequest = {}): Promise<Reply> {
  const authorization: Record<string, string> = as === null ? {} : { authorization: `Bearer ${as}` };
  const json: Record<string, string> = send === undefined ? {} : { 'content-type': 'application/json' };
  const body = send === undefined ? undefined : JSON.stringify(send);
  const reply = await exchange(service.address + path, {
    method,
    headers: { ...json, ...authorization, ...headers },
    body,
  });
  const parsed = JSON.parse(reply.text) as Body;
  return {
    status: reply.status,
    body: (parsed.result as Body | undefined) ?? parsed,
    challenge: reply.headers.get('www-authenticate'),
  };
}

const create = async (path: string, send: object, as = ada.session): Promise<Body> => {
  const { status, body } = await call('POST', path, { as, send });
  if (status > 201) throw new Error(`${path}: ${JSON.stringify(body)}`);
  return body;
};

const keyOf = (send: object = {}, as = ada.session) => create('/api/apikey', { name: 'Nightly', ...send }, as);
const tokenOf = async (send: object = {}) => String((await keyOf(send)).token);
const statusOf = async (...asked: Parameters<typeof call>) => (await call(...asked)).status;

async function begin(options: Partial<StartOptions>): Promise<void> {
  service = await startService(options);
  ada = await service.user('ada');
  const designer = await create('/api/designer', { name: 'Acme' });
  game = String((await create('/api/game', { designer_id: designer.id, name: 'Chess' })).id);
}

/** @param refused the status of requests beyond the scope */
function describeCredentials(options: () => Partial<StartOptions>, refused: number): void {
  beforeAll(() => begin(options()));
  afterAll(() => service.stop());

  test('a key shows its token once, and only then', async () => {
    const { token, ...key } = await keyOf();
    expect(token).toMatch(new RegExp(`^${key.id}\\.[\\w-]{27}$`));
    expect(key).toMatchObject({ scope: 'read', resources: null, expires: null, last_used: null });
    const { body } = await call('GET', `/api/apikey/${key.id}`, { as: ada.session });
    expect(body).not.toHaveProperty('token');
    const changed = await call('PUT', `/api/apikey/${key.id}`, {
      as: ada.session,
      send: { name: 'Daily', token: 'x' },
    });
    expect(changed.body).not.toHaveProperty('token');
    expect(await statusOf('GET', `/api/user/${ada.id}`, { as: String(token) })).toBe(200);
  });

  test('a token acts as its user, and only reads by default', async () => {
    const as = await tokenOf();
    const { body } = await call('GET', `/api/user/${ada.id}`, { as });
    expect(body).toHaveProperty('email');
    const path = `/api/game/${game}`;
    for (const [method, at, send] of [
      ['PUT', path, { name: 'Go' }],
      ['DELETE', path, undefined],
      ['POST', '/api/boxtop', { game_id: game, name: 'Box' }],
      ['POST', `${path}/copy`, {}],
    ] as const) {
      const { status, challenge } = await call(method, at, { as, ...(send && { send }) });
      expect([method, at, status, challenge]).toEqual([method, at, refused, `${CLOSED}, scope="write"`]);
    }
    const tunnelled = { as, send: { name: 'Go' }, headers: { 'x-http-method': 'PUT' } };
    expect(await statusOf('POST', path, tunnelled)).toBe(refused);
    expect((await call('GET', path)).body.name).toBe('Chess');
  });

  test('a token with the scope write writes, uploads, and executes a request once for an idempotency key', async () => {
    const as = await tokenOf({ scope: 'write' });
    const send = { game_id: game, name: 'Box' };
    const once = { as, send, headers: { 'idempotency-key': 'one' } };
    const first = await call('POST', '/api/boxtop', once);
    expect((await call('POST', '/api/boxtop', once)).body.id).toBe(first.body.id);
    // Idempotency keys belong to the user, whatever the credentials (D50).
    expect((await call('POST', '/api/boxtop', { ...once, as: ada.session })).body.id).toBe(first.body.id);
    const bytes = multipart([], { part: 'file', name: 'a.txt', bytes: Buffer.from('a') });
    const { headers, body } = bytes;
    const upload = (token: string) =>
      exchange(`${service.address}/api/file`, {
        method: 'POST',
        headers: { ...headers, authorization: `Bearer ${token}` },
        body,
      });
    expect((await upload(as)).status).toBeLessThan(300);
    expect((await upload(await tokenOf())).status).toBe(refused);
    expect(await statusOf('DELETE', `/api/boxtop/${first.body.id}`, { as })).toBe(200);
  });

  test('resources limit both scopes, and what is shown of other resources', async () => {
    const as = await tokenOf({ scope: 'write', resources: ['boxtop', 'game'] });
    const included = await call('GET', `/api/game/${game}?_include_related_objects=1`, { as });
    expect(included.status).toBe(200);
    expect(included.body).not.toHaveProperty('designer');
    expect(await statusOf('GET', `/api/game/${game}/boxtops`, { as })).toBe(200);
    const other = await call('GET', `/api/game/${game}/tuckboxes`, { as });
    expect([other.status, other.challenge]).toEqual([refused, `${CLOSED}, scope="read"`]);
    expect(await statusOf('GET', `/api/user/${ada.id}`, { as })).toBe(refused);
    expect(await statusOf('POST', '/api/tuckbox', { as, send: { game_id: game, name: 'Box' } })).toBe(refused);
    expect(await statusOf('POST', '/api/boxtop', { as, send: { game_id: game, name: 'Box' } })).toBeLessThan(300);
    // Answers that are the same for everyone need no scope.
    for (const open of ['/api/status', '/api/tgc/products', '/api/tuckbox/_options'])
      expect([open, await statusOf('GET', open, { as })]).toEqual([open, 200]);
  });

  test('no token reaches keys or sessions, or changes users', async () => {
    const key = await keyOf({ scope: 'write' });
    const as = String(key.token);
    for (const [method, path, send] of [
      ['POST', '/api/apikey', { name: 'Wider', scope: 'write' }],
      ['POST', `/api/apikey/${key.id}/token`, {}],
      ['PUT', `/api/apikey/${key.id}`, { expires: null }],
      ['DELETE', `/api/apikey/${key.id}`, undefined],
      ['GET', `/api/apikey/${key.id}`, undefined],
      ['GET', `/api/user/${ada.id}/apikeys`, undefined],
      ['PUT', `/api/user/${ada.id}`, { email: 'x@example.com' }],
    ] as const) {
      const { status, challenge } = await call(method, path, { as, ...(send && { send }) });
      expect([method, path, status, challenge]).toEqual([method, path, refused, CLOSED]);
    }
    // A login requires a password; other credentials do not count.
    expect(await statusOf('POST', '/api/session', { as, send: { username: 'ada' } })).toBeGreaterThan(400);
    expect(await statusOf('GET', `/api/session/${as}`, { as })).toBe(401);
    expect(await statusOf('GET', '/metrics', { as })).toBe(404);
  });

  test("an administrator's token is limited to its scope too", async () => {
    const root = await service.user('root', true);
    const read = String((await keyOf({}, root.session)).token);
    expect(await statusOf('GET', '/api/boxtop', { as: read })).toBe(200);
    expect(await statusOf('DELETE', `/api/game/${game}`, { as: read })).toBe(refused);
    const write = String((await keyOf({ scope: 'write' }, root.session)).token);
    const user = { username: 'eve', password: 'correct horse', admin: true };
    expect(await statusOf('POST', '/api/user', { as: write, send: user })).toBe(refused);
  });

  test('an unknown, expired, renewed or deleted token, or one of a disabled user, is refused from the next request on', async () => {
    const dead = async (as: string) => {
      // Every process refuses it, also where a session is optional.
      for (let at = 0; at < 6; at += 1) {
        const { status, challenge, body } = await call('GET', `/api/game/${game}`, { as });
        expect([status, challenge]).toEqual([401, 'Bearer error="invalid_token"']);
        expect(body.code ?? 'invalid_token').toBe('invalid_token');
      }
    };
    const alive = async (as: string) => expect(await statusOf('GET', `/api/game/${game}`, { as })).toBe(200);
    await dead(UNKNOWN);
    const as = ada.session;
    const { id, token } = await keyOf();
    await alive(String(token));
    await dead(`${id}.${'x'.repeat(27)}`);
    const renewed = await call('POST', `/api/apikey/${id}/token`, { as, send: {} });
    const second = String(renewed.body.token);
    expect(second).not.toBe(token);
    await dead(String(token));
    await alive(second);
    await call('PUT', `/api/apikey/${id}`, { as, send: { expires: '2001-01-01T00:00:00Z' } });
    await dead(second);
    await call('PUT', `/api/apikey/${id}`, { as, send: { expires: '2901-01-01T00:00:00Z' } });
    await alive(second);
    expect(await statusOf('DELETE', `/api/apikey/${id}`, { as })).toBe(200);
    await dead(second);
    const root = await service.user('boss', true);
    const bob = await service.user('bob');
    const his = String((await keyOf({}, bob.session)).token);
    await alive(his);
    await call('PUT', `/api/user/${bob.id}`, { as: root.session, send: { disabled: true } });
    await dead(his);
  });

  test('a scope that changes counts from the next request', async () => {
    const { id, token } = await keyOf({ scope: 'write' });
    const rename = () => statusOf('PUT', `/api/game/${game}`, { as: String(token), send: { name: 'Chess' } });
    expect(await rename()).toBe(200);
    await call('PUT', `/api/apikey/${id}`, { as: ada.session, send: { scope: 'read' } });
    for (let at = 0; at < 6; at += 1) expect(await rename()).toBe(refused);
  });

  test('credentials in the wrong place, or sent twice, are refused', async () => {
    const as = await tokenOf();
    expect(await statusOf('GET', `/api/game/${game}?session_id=${as}`)).toBe(400);
    expect(await statusOf('GET', `/api/game/${game}?session_id=${ada.session}`, { as })).toBe(400);
    const both = { as: await tokenOf({ scope: 'write' }), send: { session_id: ada.session } };
    expect(await statusOf('PUT', `/api/game/${game}`, both)).toBe(400);
  });

  test('the time of the last use is stored, to within a minute', async () => {
    const { id, token } = await keyOf();
    const used = async () => (await call('GET', `/api/apikey/${id}`, { as: ada.session })).body.last_used;
    await call('GET', `/api/game/${game}`, { as: String(token) });
    let first = await used();
    // The time is written in parallel to the request.
    for (let at = 0; at < 1000 && first === null; at += 1) first = await used();
    expect(first).not.toBeNull();
    await call('GET', `/api/game/${game}`, { as: String(token) });
    expect(await used()).toBe(first);
  });

  test('a repeated answer has no token', async () => {
    const once = { as: ada.session, send: { name: 'Once' }, headers: { 'idempotency-key': 'key' } };
    const [first, again] = [await call('POST', '/api/apikey', once), await call('POST', '/api/apikey', once)];
    const { token, ...key } = first.body;
    expect(token).toEqual(expect.any(String));
    expect(again.body).toEqual(key);
  });

  test('the operators\u2019 pages accept no token', async () => {
    const { token } = await keyOf({ scope: 'write' }, (await service.user('operator', true)).session);
    const page = await exchange(`${service.address}/console/users`, {
      method: 'GET',
      headers: { authorization: `Bearer ${token}`, cookie: `session=${token}; punchboard=${token}` },
    });
    expect(page.text).not.toContain('operator');
  });
}

describe('in plain', () => describeCredentials(() => ({ console: true }), 403));
describe('in wing', () => describeCredentials(() => ({ wire: 'wing', console: true }), 450));
describe('with two processes', () => describeCredentials(() => ({ processes: 2, console: true }), 403));
describeOnServers((server) => {
  let database: string;
  beforeAll(async () => {
    database = await server().createDatabase();
  });
  describeCredentials(() => ({ database, console: true }), 403);

  test('a change of a key on one server counts on the other', async () => {
    const other = await startService({ database });
    const { id, token } = await keyOf();
    const there = () =>
      exchange(`${other.address}/api/game/${game}`, { method: 'GET', headers: { authorization: `Bearer ${token}` } });
    expect((await there()).status).toBe(200);
    await call('DELETE', `/api/apikey/${id}`, { as: ada.session });
    expect((await there()).status).toBe(401);
    await other.stop();
  });
});
