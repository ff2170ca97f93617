// Every kind of caller tries all of the operators' pages and actions (D65), and is admitted only where the table below says so. A
// page or action without a row in the table fails.

import type { PageRoute } from '../../runtime/admin/console/page.js';
import { consoleParts } from '../../runtime/server/console.js';
import { makeWorld, type World } from '../service/world.js';
import type { IncomingResponse } from '../support/exchange.js';
import { temporaryFolder } from '../support/paths.js';
import { PASSWORD } from '../support/service.js';
import { type Visitor, visitorOf } from './visitor.js';

type Route = Pick<PageRoute, 'method' | 'path'>;
/** Requests a route as one caller. */
type RequestRoute = (route: Route) => Promise<IncomingResponse>;

const ALL = ['readonly', 'support', 'admin'] as const;
type Role = (typeof ALL)[number];
const SUPPORT: readonly Role[] = ['support', 'admin'];
const ADMIN: readonly Role[] = ['admin'];

/** The roles that are admitted. Nobody else is, neither without a session nor as an ordinary user. */
const MATRIX: Readonly<Record<string, readonly Role[]>> = {
  'GET /': ALL,
  'GET /audit': ALL,
  'GET /backups': ALL,
  'POST /backups': ADMIN,
  'POST /backups/:name/download': ADMIN,
  'GET /errors': ALL,
  'GET /find': ALL,
  'GET /nowhere': ALL,
  'POST /logout': ALL,
  'GET /records/:type': ALL,
  'GET /records/:type/export': ALL,
  'GET /records/:type/new': ADMIN,
  'POST /records/:type/new': ADMIN,
  'POST /records/:type/new/again/:field': ADMIN,
  'GET /records/:type/:id': ALL,
  'POST /records/:type/:id': ADMIN,
  'POST /records/:type/:id/actions/:action': ADMIN,
  'POST /records/:type/:id/again/:field': ADMIN,
  'GET /records/:type/:id/delete': ADMIN,
  'POST /records/:type/:id/delete': ADMIN,
  'GET /records/:type/:id/lists/:list': ALL,
  'GET /records/:type/:id/lists/:list/export': ALL,
  'POST /records/:type/selected/delete': ADMIN,
  'POST /records/:type/selected/set': ADMIN,
  'GET /schema': ALL,
  'GET /sessions': ALL,
  'POST /sessions/:hash': ADMIN,
  'GET /users': ALL,
  'GET /users/:id': ALL,
  'POST /users/:id': ADMIN,
  'POST /users/:id/sessions': ADMIN,
  'GET /webhooks': ALL,
  'GET /webhooks/:hook': ALL,
  'POST /webhooks/:hook/pause': ADMIN,
  'POST /webhooks/:hook/resume': ADMIN,
  'POST /webhooks/:hook/retry': SUPPORT,
  'GET /webhooks/:hook/deliveries/:delivery': ALL,
  'POST /webhooks/:hook/deliveries/:delivery/retry': SUPPORT,
};

let world: World;
let game: string;
/** A web hook whose address does not answer, and its waiting delivery. */
let hook: string;
let delivery: string;
beforeAll(async () => {
  const backups = { folder: temporaryFolder('backups'), program: [process.execPath, '-e', '0'] };
  world = await makeWorld('plain', { console: true, backups });
  game = await world.home('game');
  const owner_id = await world.home('designer');
  const callback_uri = 'http://127.0.0.1:54321/closed';
  hook = (await world.make('webhook', { event: 'ItemSold', owner_class: 'Designer', owner_id, callback_uri })).id;
  const { outbox } = world.service.service.engine;
  delivery = (await outbox?.deliveries(hook, { states: null, after: null, limit: 1 }))?.items[0]?.id ?? '';
});
afterAll(() => world.stop());

/** The server's table of routes, and the two paths that are not in it. */
function routes(): readonly Route[] {
  const figures = { samples: () => [], month: () => [], sample: async () => undefined, uses: async () => new Map() };
  const errors = { list: () => [] };
  const backups = { folder: '', list: () => [], last: () => null, start: () => '' };
  const source = {
    backups,
    modules: { webhooks: {} },
    figures,
    errors,
    database: 'file',
    started: 0,
    ready: () => true,
  };
  const { routes: table } = consoleParts({ ...source, service: world.service.service });
  const others: Route[] = [
    { method: 'POST', path: '/logout' },
    { method: 'GET', path: '/nowhere' },
  ];
  return [...table, ...others];
}

function pathOf({ path }: Route): string {
  const id = path.startsWith('/users') ? world.owner.id : game;
  const parts: Readonly<Record<string, string>> = {
    ...{ type: 'game', id, list: 'boxtops', hash: 'f'.repeat(64), field: 'designer_id', hook, delivery },
  };
  return `/console${path.replace(/:(\w+)/g, (_, name: string) => parts[name] ?? 'any')}`;
}

/** A complete form, which would be executed if it were allowed. */
const FORM = { _confirmed: 'yes', _typed: 'Chess', _password: PASSWORD, name: 'Taken over', role: 'admin', since: '' };

function requesterFor(visitor: Visitor, csrf: string | null): RequestRoute {
  return (route) => (route.method === 'GET' ? visitor.get(pathOf(route)) : visitor.post(pathOf(route), FORM, csrf));
}

/** Whether the caller was admitted: the response is neither a refusal nor a redirect to the login. */
function isAdmitted({ status, headers }: IncomingResponse): boolean {
  const isSentToLogin = status === 303 && headers.get('location')?.startsWith('/console/login?') === true;
  return !(isSentToLogin || status === 401 || status === 403);
}

/** The frame of the pages alone would reveal the names of all resources. */
async function revealsNothing(ask: RequestRoute, requested: readonly Route[]): Promise<boolean> {
  const replies = await Promise.all(requested.map(ask));
  return replies.every(({ text }) => !text.includes('/console/records/'));
}

async function admittedTo(ask: RequestRoute, requested: readonly Route[]): Promise<readonly string[]> {
  const admitted: string[] = [];
  for (const route of requested) if (isAdmitted(await ask(route))) admitted.push(nameOf(route));
  return admitted;
}

async function loggedIn(name: string, admin: boolean): Promise<{ readonly id: string; readonly visitor: Visitor }> {
  const { id, session } = await world.service.user(name, admin);
  return { id, visitor: visitorOf(world.address, session) };
}

async function gameNow(): Promise<string> {
  return (await world.send('GET', `/api/game/${game}`, { session: world.admin.session })).text;
}

/** A new user with the role, or an ordinary one. */
async function withRole(role: Role | 'none') {
  createdUsers += 1;
  const { id, session } = await world.service.user(`${role} ${createdUsers}`, role === 'admin');
  const operator_role = role === 'readonly' || role === 'support' ? role : null;
  await world.send('PUT', `/api/user/${id}`, { session: world.admin.session, parameters: { operator_role } });
  return { id, session, visitor: visitorOf(world.address, session) };
}
let createdUsers = 0;

/** Everything that a form could change, except the effects of retried deliveries. */
async function stateNow(): Promise<string> {
  const { session } = world.admin;
  const paths = ['/api/user', '/api/webhook', `/api/game/${game}`];
  const texts = await Promise.all(paths.map(async (path) => (await world.send('GET', path, { session })).text));
  const others = (await audited()).filter(({ action }) => action !== 'retry');
  return JSON.stringify([texts, others]).replace(/failures_since_last_success\\":\d+|date_updated\\":\\"[^"]*"/g, '');
}

function audited() {
  return world.service.service.engine.upkeep.audits({ after: null, limit: 500, record: null, name: null });
}

const nameOf = ({ method, path }: Route): string => `${method} ${path}`;

test('every page and action has a row in the table', () => {
  expect(routes().map(nameOf).sort()).toEqual(Object.keys(MATRIX).sort());
});

test.each(['readonly', 'support'] as const)('pages show no link, button or form that %s may not use', async (role) => {
  const patterns = routes().map((route) => ({ name: nameOf(route), pattern: patternOf(route) }));
  const pages = routes().filter((route) => route.method === 'GET' && MATRIX[nameOf(route)] === ALL);
  const offeredTo = async (visitor: Visitor): Promise<readonly string[]> => {
    const texts = await Promise.all(pages.map(async (route) => (await visitor.get(pathOf(route))).text));
    const shown = texts.flatMap((text) =>
      [...text.matchAll(/(href|action)="(\/console[^"?#]*)/g)].map(
        ([, kind, path]) => `${kind === 'href' ? 'GET' : 'POST'} ${path}`,
      ),
    );
    const names = shown.map((one) => patterns.find(({ pattern }) => pattern.test(one))?.name ?? one);
    return [...new Set(names)].filter((name) => name in MATRIX).sort();
  };
  const { visitor } = await withRole(role);
  const admin = visitorOf(world.address, world.admin.session);
  const all = await offeredTo(admin);
  const allowed = all.filter((name) => MATRIX[name]?.includes(role));
  expect(await offeredTo(visitor)).toEqual(allowed);
  expect(all.length - allowed.length).toBeGreaterThan(8);
  const selects = async (one: Visitor) => (await one.get('/console/records/game')).text.includes('data-all');
  expect([await selects(admin), await selects(visitor)]).toEqual([true, false]);
});

test.each(['readonly', 'support'] as const)('over the API, %s is an ordinary user', async (role) => {
  const [{ id, session }, user] = [await withRole(role), await withRole('none')];
  const ask = async (by: string, method: string, path: string, parameters = {}) =>
    (await world.send(method, path, { session: by, parameters })).status;
  for (const [method, path, parameters] of [
    ['GET', '/api/user'],
    ['GET', `/api/webhook/${hook}`],
    ['PUT', `/api/game/${game}`, { name: 'Theirs' }],
    ['DELETE', `/api/game/${game}`],
    ['POST', `/api/webhook/${hook}/retry`],
    ['PUT', `/api/user/${world.owner.id}`, { real_name: 'Theirs' }],
  ] as const) {
    const refused = await ask(session, method, path, parameters);
    expect([path, refused]).toEqual([path, await ask(user.session, method, path, parameters)]);
    expect([path, [403, 404].includes(refused)]).toEqual([path, true]);
  }
  for (const own of [{ operator_role: 'support' }, { operator_role: null }, { admin: true }])
    expect(await ask(session, 'PUT', `/api/user/${id}`, own)).toBe(403);
});

function patternOf(route: Route): RegExp {
  const path = route.path === '/' ? '' : route.path.replace(/:\w+/g, '[^/]+');
  return new RegExp(`^${route.method} /console${path}$`);
}

test('nobody passes with a made-up session, or one of a former or disabled operator', async () => {
  const before = await gameNow();
  const former = await loggedIn('former', true);
  const token = await former.visitor.token();
  expect(token).not.toBe('');
  const { session } = world.admin;
  await world.send('PUT', `/api/user/${former.id}`, { session, parameters: { admin: false, session_id: session } });
  const disabled = await loggedIn('disabled', true);
  await world.send('PUT', `/api/user/${disabled.id}`, { session, parameters: { disabled: true, session_id: session } });
  const [reader, support] = [await withRole('readonly'), await withRole('support')];
  await world.send('PUT', `/api/user/${reader.id}`, { session, parameters: { operator_role: null } });
  await world.send('PUT', `/api/user/${support.id}`, { session, parameters: { disabled: true } });
  for (const visitor of [
    reader.visitor,
    support.visitor,
    former.visitor,
    disabled.visitor,
    visitorOf(world.address, 'made-up-session-made-up-session'),
  ]) {
    expect(await admittedTo(requesterFor(visitor, token), routes())).toEqual([]);
    expect(await revealsNothing(requesterFor(visitor, token), routes())).toBe(true);
  }
  expect(await gameNow()).toBe(before);
});

test('no form is accepted without a token, with that of another session, or from another site', async () => {
  const before = await gameNow();
  const forms = routes().filter(({ method }) => method === 'POST');
  const { visitor } = await loggedIn('careless', true);
  const { visitor: other } = await loggedIn('other', true);
  for (const csrf of [null, '', 'made up', await other.token()]) {
    expect(await admittedTo(requesterFor(visitor, csrf), forms)).toEqual([]);
  }
  const token = await visitor.token();
  const { session } = await world.service.user('framed', true);
  const elsewhere = visitorOf(world.address, session, { origin: 'https://elsewhere.example' });
  expect(token).not.toBe('');
  expect(await admittedTo(requesterFor(elsewhere, await elsewhere.token()), forms)).toEqual([]);
  expect(await gameNow()).toBe(before);
});

test('logging in requires an operator and the right password, on this site', async () => {
  const { address } = world;
  await world.service.user('chief', true);
  await world.service.user('worker', false);
  const { id } = await world.service.user('reader');
  await world.send('PUT', `/api/user/${id}`, {
    session: world.admin.session,
    parameters: { operator_role: 'readonly' },
  });
  const logIn = async (username: string, password: string, headers: Readonly<Record<string, string>> = {}) => {
    const reply = await visitorOf(address, null, headers).post('/console/login', { username, password }, null);
    return reply.headers.get('set-cookie');
  };
  expect(await logIn('chief', 'wrong password')).toBeNull();
  expect(await logIn('worker', PASSWORD)).toBeNull();
  expect(await logIn('reader', PASSWORD)).not.toBeNull();
  expect(await logIn('chief', PASSWORD, { 'sec-fetch-site': 'cross-site' })).toBeNull();
  expect(await logIn('chief', PASSWORD)).toMatch(/^punchboard_console=\S+; Path=\/console; HttpOnly; SameSite=Strict$/);
});

test('without --console there are no pages', async () => {
  const without = await makeWorld();
  const { status } = await visitorOf(without.address, without.admin.session).get('/console');
  await without.stop();
  expect(status).toBe(404);
});

/** The administrator comes last and changes everything: without that, the test would pass for pages that answer nobody. */
test.each(['nobody', 'none', ...ALL] as const)(
  'the table holds for %s, and forged forms change nothing',
  async (role) => {
    const { visitor } = role === 'nobody' ? { visitor: visitorOf(world.address, null) } : await withRole(role);
    const open = (route: Route) => (MATRIX[nameOf(route)] ?? []).includes(role as Role);
    const ask = requesterFor(visitor, await visitor.token());
    const before = await stateNow();
    const orderOf = (route: Route): number => Number(/delete|logout/.test(route.path));
    for (const route of routes().toSorted((one, other) => orderOf(one) - orderOf(other))) {
      const reply = await ask(route);
      const name = nameOf(route);
      expect([name, isAdmitted(reply)]).toEqual([name, open(route)]);
      // The frame of the pages alone would reveal the names of all resources.
      if (role === 'nobody' || role === 'none')
        expect([name, reply.text.includes('/console/records/')]).toEqual([name, false]);
      if (role !== 'readonly' && role !== 'support') continue;
      const needed = MATRIX[name] === SUPPORT ? 'the role support' : 'an administrator';
      const refusal = `This takes ${needed}; your role is ${role}.`;
      expect([name, reply.text.includes(refusal), reply.status === 403]).toEqual([name, !open(route), !open(route)]);
    }
    expect((await stateNow()) === before).toBe(role !== 'admin');
    const retried = (await audited()).some(({ action, name }) => action === 'retry' && name.startsWith(`${role} `));
    expect(retried).toBe(open({ method: 'POST', path: '/webhooks/:hook/retry' }));
  },
);
