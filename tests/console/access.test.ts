// Nobody but an administrator gets anything from the operators' pages: every page and action of the table of routes, by
// everybody else. A new page is in the table, and therefore here.

import type { PageRoute } from '../../runtime/admin/console/page.js';
import { consoleParts } from '../../runtime/server/console.js';
import { makeWorld, type World } from '../service/world.js';
import type { Incoming } from '../support/exchange.js';
import { temporaryFolder } from '../support/paths.js';
import { PASSWORD } from '../support/service.js';
import { type Visitor, visitorOf } from './visitor.js';

type Route = Pick<PageRoute, 'method' | 'path'>;
/** What a route answers to somebody. */
type Ask = (route: Route) => Promise<Incoming>;

let world: World;
let game: string;
beforeAll(async () => {
  // What makes them need not do anything here.
  const backups = { folder: temporaryFolder('backups'), program: [process.execPath, '-e', '0'] };
  world = await makeWorld('plain', { console: true, backups });
  game = await world.home('game');
});
afterAll(() => world.stop());

/** The table of the server, and what is beside it. */
function routes(): readonly Route[] {
  const figures = { samples: () => [], month: () => [], sample: async () => undefined, uses: async () => new Map() };
  const errors = { list: () => [] };
  const backups = { folder: '', list: () => [], last: () => null, start: () => '' };
  const source = {
    backups,
    modules: { webhook: {} },
    figures,
    errors,
    database: 'file',
    started: 0,
    ready: () => true,
  };
  const { routes: table } = consoleParts({ ...source, service: world.service.service });
  const beside: Route[] = [
    { method: 'POST', path: '/logout' },
    { method: 'GET', path: '/nowhere' },
  ];
  return [...table, ...beside];
}

function pathOf({ path }: Route): string {
  const parts: Readonly<Record<string, string>> = {
    type: 'game',
    id: game,
    list: 'boxtops',
    hash: 'f'.repeat(64),
    field: 'designer_id',
  };
  return `/console${path.replace(/:(\w+)/g, (_, name: string) => parts[name] ?? 'any')}`;
}

function asking(visitor: Visitor, csrf: string | null): Ask {
  return (route) =>
    route.method === 'GET' ? visitor.get(pathOf(route)) : visitor.post(pathOf(route), { name: 'Taken over' }, csrf);
}

/** Whether somebody got past the door: a page, or an answer of what is behind it. */
function passes({ status, headers }: Incoming): boolean {
  const isLed = status === 303 && headers.get('location')?.startsWith('/console/login?') === true;
  return !(isLed || status === 401 || status === 403);
}

/** The frame of the pages alone would tell the names of all resources. */
async function seesNothing(ask: Ask, which: readonly Route[]): Promise<boolean> {
  const replies = await Promise.all(which.map(ask));
  return replies.every(({ text }) => !text.includes('/console/records/'));
}

async function whoPassed(ask: Ask, which: readonly Route[]): Promise<readonly string[]> {
  const passed: string[] = [];
  for (const route of which) if (passes(await ask(route))) passed.push(`${route.method} ${route.path}`);
  return passed;
}

async function loggedIn(name: string, admin: boolean): Promise<{ readonly id: string; readonly visitor: Visitor }> {
  const { id, session } = await world.service.user(name, admin);
  return { id, visitor: visitorOf(world.address, session) };
}

async function gameNow(): Promise<string> {
  return (await world.send('GET', `/api/game/${game}`, { session: world.admin.session })).text;
}

test('the table holds the pages, and actions', () => {
  const all = routes().map(({ method, path }) => `${method} ${path}`);
  expect(all).toEqual(expect.arrayContaining(['GET /', 'GET /records/:type/:id', 'POST /records/:type/:id/delete']));
});

test('nobody passes without a session, with one of a user, or of a former or disabled administrator', async () => {
  const before = await gameNow();
  const nobody = visitorOf(world.address, null);
  const { visitor: user } = await loggedIn('plain', false);
  const former = await loggedIn('former', true);
  const token = await former.visitor.token();
  expect(token).not.toBe('');
  const { session } = world.admin;
  await world.send('PUT', `/api/user/${former.id}`, { session, parameters: { admin: false, session_id: session } });
  const disabled = await loggedIn('disabled', true);
  await world.send('PUT', `/api/user/${disabled.id}`, { session, parameters: { disabled: true, session_id: session } });
  for (const visitor of [
    nobody,
    user,
    former.visitor,
    disabled.visitor,
    visitorOf(world.address, 'made-up-session-made-up-session'),
  ]) {
    expect(await whoPassed(asking(visitor, token), routes())).toEqual([]);
    expect(await seesNothing(asking(visitor, token), routes())).toBe(true);
  }
  expect(await gameNow()).toBe(before);
});

test('no form is accepted without a token, with that of another session, or from another site', async () => {
  const before = await gameNow();
  const forms = routes().filter(({ method }) => method === 'POST');
  const { visitor } = await loggedIn('careless', true);
  const { visitor: other } = await loggedIn('other', true);
  for (const csrf of [null, '', 'made up', await other.token()]) {
    expect(await whoPassed(asking(visitor, csrf), forms)).toEqual([]);
  }
  const token = await visitor.token();
  const { session } = await world.service.user('framed', true);
  const elsewhere = visitorOf(world.address, session, { origin: 'https://elsewhere.example' });
  expect(token).not.toBe('');
  expect(await whoPassed(asking(elsewhere, await elsewhere.token()), forms)).toEqual([]);
  expect(await gameNow()).toBe(before);
});

test('logging in takes an administrator with the right password, on this site', async () => {
  const { address } = world;
  await world.service.user('chief', true);
  await world.service.user('worker', false);
  const tries = async (username: string, password: string, headers: Readonly<Record<string, string>> = {}) => {
    const reply = await visitorOf(address, null, headers).post('/console/login', { username, password }, null);
    return reply.headers.get('set-cookie');
  };
  expect(await tries('chief', 'wrong password')).toBeNull();
  expect(await tries('worker', PASSWORD)).toBeNull();
  expect(await tries('chief', PASSWORD, { 'sec-fetch-site': 'cross-site' })).toBeNull();
  expect(await tries('chief', PASSWORD)).toMatch(/^punchboard_console=\S+; Path=\/console; HttpOnly; SameSite=Strict$/);
});

test('without --console there is nothing', async () => {
  const without = await makeWorld();
  const { status } = await visitorOf(without.address, without.admin.session).get('/console');
  await without.stop();
  expect(status).toBe(404);
});

/** Without this, pages that answer nobody at all would pass. */
test('an administrator with the right token passes everywhere', async () => {
  const { visitor } = await loggedIn('real', true);
  const all = routes();
  const lastly = (route: Route): number => Number(/delete|logout/.test(route.path));
  const inOrder = all.toSorted((one, other) => lastly(one) - lastly(other));
  const passed = await whoPassed(asking(visitor, await visitor.token()), inOrder);
  expect(passed).toHaveLength(all.length);
  expect(await seesNothing(asking((await loggedIn('another', true)).visitor, null), routes())).toBe(false);
  expect(await gameNow()).not.toContain('"name":"Chess"');
});
