// The pages of owners show nobody the records of another user: all other kinds of callers, including administrators, try every
// page and action in the table of routes with the ids of one user's records. A new page is in the table, so it is tried, too.

import type { PageRoute } from '../../runtime/admin/console/page.js';
import { portalParts } from '../../runtime/server/portal.js';
import { type Visitor, visitorOf } from '../console/visitor.js';
import { makeWorld, type World } from '../service/world.js';
import type { IncomingResponse } from '../support/exchange.js';
import { PASSWORD } from '../support/service.js';
import { type HttpReceiver, startHttpReceiver } from '../webhooks/http-receiver.js';

type Route = Pick<PageRoute, 'method' | 'path'>;

/** A text in the address and the private parts of all of the owner's records. */
const SECRET = 'only-the-owner';

let world: World;
let receiver: HttpReceiver;
let ids: Readonly<Record<'hook' | 'key' | 'delivery', string>>;
beforeAll(async () => {
  [world, receiver] = await Promise.all([makeWorld('plain', { portal: true, console: true }), startHttpReceiver()]);
  const key = (await world.make('apikey', { name: SECRET })).id;
  const owner_id = (await world.make('designer', { name: SECRET })).id;
  const callback_uri = `${receiver.address}/${SECRET}`;
  const hook = await world.make('webhook', {
    ...{ event: 'ItemSold', owner_class: 'Designer', owner_id, callback_uri, api_key_id: key },
  });
  const { delivery } = await receiver.until((all) => all[0]);
  ids = { hook: hook.id, key, delivery };
});
afterAll(() => Promise.all([world.stop(), receiver.close()]));

function routes(): readonly Route[] {
  const { routes: table = [] } = portalParts(world.service.service, { webhooks: {} }) ?? {};
  return [...table, { method: 'POST', path: '/logout' }, { method: 'GET', path: '/nowhere' }];
}

function pathOf({ path }: Route): string {
  const id = path.startsWith('/keys') ? ids.key : ids.hook;
  const parts: Readonly<Record<string, string>> = { ...ids, id, event: 'ItemSold' };
  return `/portal${path.replace(/:(\w+)/g, (_, name: string) => parts[name] ?? 'any')}`;
}

/** A complete form, which would be executed if it were allowed. */
const FORM = {
  ...{ _confirmed: 'yes', _password: PASSWORD, payload: '{}', name: 'Taken', '_was.name': '', since: '' },
  ...{ event: 'ItemSold', callback_uri: 'http://127.0.0.1:54321/taken', format: 'form' },
};

function ask(visitor: Visitor, route: Route, csrf: string | null): Promise<IncomingResponse> {
  return route.method === 'GET' ? visitor.get(pathOf(route)) : visitor.post(pathOf(route), { ...FORM }, csrf);
}

/** The owner's records, and the number of callbacks to the receiver. */
async function stateNow(): Promise<string> {
  const { session, id } = world.owner;
  const all = ['webhooks', 'apikeys'].map((list) => world.send('GET', `/api/user/${id}/${list}`, { session }));
  return `${(await Promise.all(all)).map(({ text }) => text).join('\n')}\n${receiver.posts.length} posts`;
}

function visitorAt(session: string | null, more: Readonly<Record<string, string>> = {}): Visitor {
  return visitorOf(world.address, session, more, 'portal');
}

test('the table of routes holds the pages and actions', () => {
  const all = routes().map(({ method, path }) => `${method} ${path}`);
  expect(all).toEqual(expect.arrayContaining(['GET /webhooks/:hook', 'POST /webhooks/:id/delete', 'GET /keys/:id']));
});

test('callers without a session, with a made-up one, or disabled are sent to the login', async () => {
  const before = await stateNow();
  const { id, session } = await world.service.user('soon disabled');
  const token = await visitorAt(session).token();
  expect(token).not.toBe('');
  await world.send('PUT', `/api/user/${id}`, { session: world.admin.session, parameters: { disabled: true } });
  for (const visitor of [visitorAt(null), visitorAt('made-up-session-made-up-session'), visitorAt(session)]) {
    for (const route of routes()) {
      const { status, headers, text } = await ask(visitor, route, token);
      const isSentToLogin = status === 303 && headers.get('location')?.startsWith('/portal/login?') === true;
      expect([route, isSentToLogin || status === 401]).toEqual([route, true]);
      expect(text).not.toContain(SECRET);
    }
  }
  expect(await stateNow()).toBe(before);
});

test.each(['stranger', 'admin'] as const)('records of the owner do not exist for the %s', async (role) => {
  const before = await stateNow();
  const { session } = await world.service.user(`${role} at the portal`, role === 'admin');
  const visitor = visitorAt(session);
  const token = await visitor.token();
  for (const route of routes().filter(({ path }) => path !== '/logout')) {
    const { status, text } = await ask(visitor, route, token);
    const namesRecord = /:(hook|id|delivery)/.test(route.path);
    if (namesRecord) expect([route, status]).toEqual([route, 404]);
    expect([route, text.includes(SECRET)]).toEqual([route, false]);
  }
  const other = await visitor.get(
    `/portal/webhooks?${new URLSearchParams({ after: `0 ${ids.hook}`, user: world.owner.id })}`,
  );
  expect(other.text).not.toContain(SECRET);
  expect(await stateNow()).toBe(before);
});

test.each(['stranger', 'admin'] as const)('a form of the %s cannot name records of somebody else', async (role) => {
  const { session } = world[role];
  const visitor = visitorAt(session);
  const token = await visitor.token();
  const key = await world.home('apikey', world[role]);
  const owner = `Designer ${(await world.send('GET', `/api/webhook/${ids.hook}`, { session: world.owner.session })).body.owner_id}`;
  const own = `User ${world[role].id}`;
  const posts = [
    ['/portal/keys/new', { name: 'Planted', user_id: world.owner.id }],
    [`/portal/keys/${key}/edit`, { user_id: world.owner.id, '_was.user_id': world[role].id }],
    ['/portal/webhooks/new', { ...FORM, owner, api_key_id: key }],
    ['/portal/webhooks/new', { ...FORM, event: 'ReceiptShipped', owner: own, api_key_id: ids.key }],
  ] as const;
  const before = await stateNow();
  // Administrators may subscribe to anything, as over HTTP.
  const allowed = role === 'admin' ? [owner] : [];
  for (const [path, form] of posts) {
    if ('owner' in form && allowed.includes(form.owner)) continue;
    const { status, headers } = await visitor.post(path, { ...FORM, ...form }, token);
    expect([path, status, headers.get('location')]).toEqual([path, 200, null]);
  }
  expect(await stateNow()).toBe(before);
});

test('no form is accepted without a token, with that of another session, or from another site', async () => {
  const before = await stateNow();
  const forms = routes().filter(({ method }) => method === 'POST');
  const { session } = world.owner;
  const other = await visitorAt((await world.service.user('other')).session).token();
  const own = await visitorAt(session).token();
  const elsewhere = visitorAt(session, { origin: 'https://elsewhere.example' });
  for (const route of forms) {
    for (const csrf of [null, '', 'made up', other]) {
      expect([route, (await ask(visitorAt(session), route, csrf)).status]).toEqual([route, 403]);
    }
    expect([route, (await ask(elsewhere, route, own)).status]).toEqual([route, 403]);
  }
  expect(await stateNow()).toBe(before);
});

test('logging in opens a new session, in its own cookie, and never leads to another site', async () => {
  await world.service.user('visitor');
  const fixed = 'given-by-somebody-else-given-by-somebody';
  const logIn = (to: string) =>
    visitorAt(fixed).post('/portal/login', { username: 'visitor', password: PASSWORD, to }, null);
  const { headers } = await logIn('/portal/keys');
  const cookie = headers.get('set-cookie') ?? '';
  expect(cookie).toMatch(/^punchboard_portal=\S+; Path=\/portal; HttpOnly; SameSite=Strict$/);
  expect(cookie).not.toContain(fixed);
  expect(headers.get('location')).toBe('/portal/keys');
  for (const to of [
    'https://elsewhere.example',
    '//elsewhere.example',
    '/portals',
    '/console',
    '\\\\elsewhere.example',
  ]) {
    expect((await logIn(to)).headers.get('location')).toBe('/portal');
  }
  const wrong = await visitorAt(null).post('/portal/login', { username: 'visitor', password: 'wrong' }, null);
  expect(wrong.headers.get('set-cookie')).toBeNull();
  const framed = visitorAt(null, { 'sec-fetch-site': 'cross-site' });
  const forged = await framed.post('/portal/login', { username: 'visitor', password: PASSWORD }, null);
  expect(forged.headers.get('set-cookie')).toBeNull();
  const session = /=([^;]*)/.exec(cookie)?.[1] ?? '';
  expect((await world.send('GET', `/api/session/${session}`)).status).toBe(401);
  expect((await visitorOf(world.address, session).get('/console')).status).toBe(403);
});

test('an id with U+0000, which PostgreSQL refuses, is not found', async () => {
  for (const path of ['webhooks/%00', `webhooks/${ids.hook}/deliveries/%00`, 'keys/%00']) {
    const { status, text } = await visitorAt(world.owner.session).get(`/portal/${path}`);
    expect([path, status, text.includes('There is no such page.')]).toEqual([path, 404, true]);
  }
});

test('without --portal there are no pages', async () => {
  const without = await makeWorld();
  const { status } = await visitorOf(without.address, without.owner.session, {}, 'portal').get('/portal/webhooks');
  await without.stop();
  expect(status).toBe(404);
});

/** Pages that refuse everybody would pass the tests above. */
test('the owner may open every page and perform every action', async () => {
  const visitor = visitorAt(world.owner.session);
  const token = await visitor.token();
  const orderOf = ({ path }: Route): number => Number(/delete/.test(path)) + 2 * Number(path === '/logout');
  for (const route of routes().toSorted((one, other) => orderOf(one) - orderOf(other))) {
    const { status } = await ask(visitor, route, token);
    // The subscription was delivered, and cannot be sent again.
    const allowed = route.path === '/nowhere' ? [404] : route.path.endsWith('/:delivery/retry') ? [409] : [200, 303];
    expect([route, allowed.includes(status)]).toEqual([route, true]);
  }
  expect((await world.send('GET', `/api/webhook/${ids.hook}`, { session: world.owner.session })).status).not.toBe(200);
});
