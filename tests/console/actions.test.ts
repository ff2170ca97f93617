// Actions of administrators on the operators' pages, sent as forms: each has the effect of the API or engine and is audited.

import { makeWorld, type ShownRecord, type World } from '../service/world.js';
import { runSql } from '../support/database.js';
import type { IncomingResponse } from '../support/exchange.js';
import { PASSWORD } from '../support/service.js';
import { shared } from '../support/shared.js';
import { startHttpReceiver } from '../webhooks/http-receiver.js';
import { type Visitor, visitorOf } from './visitor.js';

const world = shared(() => makeWorld('plain', { console: true }));
let admin: Visitor;
let token: string;
beforeAll(async () => {
  admin = visitorOf(world.address, world.admin.session);
  token = await admin.token();
});

/** Sends a form with its question already answered, and follows the redirect to the page that reports the result. */
async function send(path: string, values: Readonly<Record<string, string>> = {}): Promise<IncomingResponse> {
  const reply = await admin.post(path, { _confirmed: 'yes', ...values }, token);
  const location = reply.headers.get('location');
  return location === null ? reply : admin.get(location);
}

async function logIn(username: string, password: string): Promise<number> {
  return (await world.send('POST', '/api/session', { parameters: { username, password } })).status;
}

/** The audit log of a record, without markup. */
async function audited(record: string): Promise<string> {
  return (await admin.get(`/console/audit?record=${record}`)).text.replace(/<[^>]+>/g, '');
}

test('D49: a user is disabled and enabled', async () => {
  const { id } = await world.service.user('grace');
  expect((await send(`/console/users/${id}`, { disabled: 'true' })).text).toContain('>disabled<');
  expect(await logIn('grace', PASSWORD)).toBe(403);
  expect((await send(`/console/users/${id}`, { disabled: 'false' })).text).toContain('>user<');
  expect(await logIn('grace', PASSWORD)).toBe(201);
  const log = await audited(id);
  expect(log).toMatch(/administrator enabled graceDisabled: yes → no/);
  expect(log).toMatch(/administrator disabled graceDisabled: no → yes/);
});

test('D65: roles are granted and revoked, which the audit log shows; the last administrator keeps the role', async () => {
  const { id } = await world.service.user('bob');
  for (const [role, state, sentence] of [
    ['support', 'support', 'administrator made bob support'],
    ['readonly', 'readonly', 'administrator made bob readonly'],
    ['admin', 'administrator', 'administrator made bob an administrator'],
    ['support', 'support', 'administrator made bob support'],
    ['none', 'user', 'administrator made bob an ordinary user'],
  ] as const) {
    expect((await send(`/console/users/${id}`, { role })).text).toMatch(
      new RegExp(`State.*badge \\w+">${state}<`, 's'),
    );
    expect((await audited(id)).indexOf(sentence)).toBeGreaterThan(0);
  }
  expect((await send(`/console/users/${id}`, { role: 'king' })).text).toContain('There is no such role.');
  const { text } = await send(`/console/users/${world.admin.id}`, { role: 'support' });
  expect(text).toContain('This is the last administrator');
});

test('D47: a password is set, and one that is too short is refused at its field', async () => {
  const { id } = await world.service.user('edsger');
  const refused = await send(`/console/users/${id}`, { password: 'short' });
  expect(refused.text).toContain('Password must have at least 8 characters.');
  await send(`/console/users/${id}`, { password: 'another password' });
  expect([await logIn('edsger', PASSWORD), await logIn('edsger', 'another password')]).toEqual([401, 201]);
  expect(await audited(id)).not.toContain('another password');
});

test('the sessions of a user are ended', async () => {
  const { id, session } = await world.service.user('barbara');
  expect((await admin.get('/console/sessions')).text).toContain('barbara');
  await send(`/console/users/${id}/sessions`);
  expect((await world.send('GET', `/api/session/${session}`)).status).toBe(401);
  expect(await audited(id)).toContain('administrator ended the sessions of barbara');
});

test('the page of a user has all of their sessions, and no others', async () => {
  const { id } = await world.service.user('margaret');
  const { engine, sessions } = world.service.service;
  const { password = '' } = (await engine.identity.account('margaret')) ?? {};
  for (let opened = 0; opened < 55; opened += 1) await sessions.open({ user: id, password, apiKey: null }, Date.now());
  const usersIn = (html: string) => [...html.matchAll(/name="user" value="(\w+)"/g)].map(([, user]) => user);
  const first = (await admin.get(`/console/users/${id}`)).text;
  const [, href = ''] = /href="([^"]*)">Older</.exec(first) ?? [];
  const second = (await admin.get(`/console/users/${id}${href.replaceAll('&#x3D;', '=')}`)).text;
  expect([usersIn(first).length, usersIn(second)]).toEqual([50, Array(6).fill(id)]);
});

test('D48: a hook is paused and resumed, and failed deliveries are sent again', async () => {
  const receiver = await startHttpReceiver();
  const { id } = await createHook(world, receiver.address);
  await receiver.until((all) => all.find(({ said }) => said.type === 'subscribe'));
  receiver.answer = () => 500;
  await world.make('receipt', { items: [{ game_id: await world.home('game') }] }, world.admin);
  const { delivery } = await receiver.until((all) => all.find(({ said }) => said.type === 'data'));
  expect((await send(`/console/webhooks/${id}/pause`)).text).toContain('>paused<');
  expect((await send(`/console/webhooks/${id}/retry`)).text).toContain('role="alert"');
  expect((await send(`/console/webhooks/${id}/resume`)).text).not.toContain('>paused<');
  receiver.answer = () => 200;
  const wrong = (await send(`/console/webhooks/${id}/retry`, { since: 'yesterday' })).text;
  expect(wrong).toContain('Since must be a time');
  expect(wrong).toContain('value="yesterday"');
  expect(wrong).toContain('<h2>Deliveries</h2>');
  const retried = await send(`/console/webhooks/${id}/retry`, { since: '2020-01-31 12:00' });
  expect(retried.text).toMatch(/<progress aria-label="\d of 1 delivery tried again" value="\d" max="1">/);
  // The page shows names, not ids.
  expect(retried.text).toMatch(/About.*>Sample<.*User.*>owner</s);
  const again = await receiver.until((all) => all.filter((one) => one.delivery === delivery)[1]);
  expect(again.said.type).toBe('data');
  await receiver.close();
});

test('a record is created, and deleted after the page has shown what is deleted with it', async () => {
  const designer = await world.home('designer');
  const made = await send('/console/records/game/new', { name: 'Go', designer_id: designer });
  expect(made.text).toContain('<h1>Go</h1>');
  const id = /\/console\/records\/game\/(\w+)\/delete/.exec(made.text)?.[1] ?? '';
  await world.make('boxtop', { game_id: id, name: 'Bowl' });
  const isListed = async (q: string) =>
    (await admin.get(`/console/records/game?q=${q}`)).text.includes(`/records/game/${id}"`);
  expect([await isListed('go'), await isListed('stay')]).toEqual([true, false]);
  expect((await admin.get('/console/records/boxtop')).text).not.toContain('id="f-q"');
  const question = (await admin.get(`/console/records/game/${id}/delete`)).text;
  const words = question.replace(/\s*<[^>]+>\s*/g, ' ');
  expect(words).toMatch(/Box tops\s+1\s+deleted with it/);
  expect(words).toMatch(/1 other record goes with it/);
  const untyped = await send(`/console/records/game/${id}/delete`, { _typed: 'Chess' });
  expect(untyped.text).toContain('Type Go as it is written here.');
  expect((await world.send('GET', `/api/game/${id}`)).status).toBe(200);
  await send(`/console/records/game/${id}/delete`, { _typed: 'Go' });
  expect((await world.send('GET', `/api/game/${id}`)).status).toBe(404);
});

/** The form sends only the fields that were changed in it. */
test('D18: a concurrent change by somebody else is not undone', async () => {
  const { id } = await world.make('boxtop', { name: 'Old name', quantity: 1 });
  const form = { name: 'Old name', '_was.name': 'Old name', quantity: '7', '_was.quantity': '1' };
  const { session } = world.admin;
  await world.send('PUT', `/api/boxtop/${id}`, { parameters: { name: 'New name', session_id: session } });
  await send(`/console/records/boxtop/${id}`, form);
  expect((await world.send('GET', `/api/boxtop/${id}`)).body).toMatchObject({ name: 'New name', quantity: 7 });
});

test('D06: the forms are the same in the other wire profile, which shows flags as 0 and 1', async () => {
  const wing = await makeWorld('wing', { console: true });
  const { id } = await wing.make('boxtop');
  const visitor = visitorOf(wing.address, wing.admin.session);
  const [page, csrf] = [(await visitor.get(`/console/records/boxtop/${id}`)).text, await visitor.token()];
  expect(page).toMatch(/name="has_proofed_top" type="checkbox" value="true" aria/);
  const form = { has_proofed_top: 'true', '_was.has_proofed_top': 'false' };
  await visitor.post(`/console/records/boxtop/${id}`, form, csrf);
  const shown = await wing.send('GET', `/api/boxtop/${id}`, { session: wing.admin.session });
  expect(shown.body.result.has_proofed_top).toBe(1);
  await wing.stop();
});

async function createHook(to: World, address: string): Promise<ShownRecord> {
  const owner_id = await to.home('designer');
  return to.make('webhook', { event: 'ItemSold', owner_class: 'Designer', owner_id, callback_uri: `${address}/sold` });
}

test('P06: a single click does nothing dangerous', async () => {
  const { id } = await world.service.user('click');
  for (const [values, question] of [
    [{ role: 'admin' }, 'Make click an administrator?'],
    [{ disabled: 'true' }, 'Disable click?'],
    [{ role: 'none' }, 'Make click an ordinary user?'],
    [{ role: 'support' }, 'Make click support?'],
    [{ role: 'readonly', disabled: 'false' }, 'Make click readonly?'],
    // Flags have several spellings.
    [{ disabled: '1' }, 'Disable click?'],
  ] as const) {
    const { text } = await admin.post(`/console/users/${id}`, values, token);
    expect(text).toContain(`<h1>${question}</h1>`);
  }
  const { body } = await world.send('GET', `/api/user/${id}`, { session: world.admin.session });
  expect(body).toMatchObject({ admin: false, disabled: false, operator_role: null });
});

test('P06: a deletion shows the number of all records that go with it, at any depth', async () => {
  const game = await world.make('game', { name: 'Deep' });
  const booklet = await world.make('booklet', { game_id: game.id });
  for (let at = 0; at < 3; at += 1) await world.make('bookletpage', { booklet_id: booklet.id });
  const { text } = await admin.get(`/console/records/game/${game.id}/delete`);
  expect(text.replace(/\s*<[^>]+>\s*/g, ' ')).toMatch(
    /4 other records go with it\..*Booklets\s+1\s+Booklet pages\s+3/s,
  );
});

test('P07: the outcome of a retry is shown, even if it failed again', async () => {
  const receiver = await startHttpReceiver();
  receiver.answer = () => 500;
  const { id } = await createHook(world, receiver.address);
  const { delivery } = await receiver.until((all) => all[0]);
  const path = `/console/webhooks/${id}/deliveries/${delivery}`;
  let text = '';
  while (!text.includes('failed, waiting')) ({ text } = await admin.get(path));
  const reply = await admin.post(`${path}/retry`, {}, token);
  await receiver.until((all) => all[1]);
  while (!text.includes('It was tried again, and failed again: status 500.'))
    ({ text } = await admin.get(reply.headers.get('location') ?? ''));
  expect(text).not.toContain('notice good');
  await receiver.close();
});

test('P08: the audit log shows values as the pages do', async () => {
  const { id } = await world.service.user('shown');
  const made = await send('/console/records/game/new', { name: 'Hex', designer_id: await world.home('designer') });
  const game = /\/console\/records\/game\/(\w+)\/delete/.exec(made.text)?.[1] ?? '';
  const text = (await audited(game)) + (await audited(id));
  expect(text).toMatch(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTCadministrator created the game Hex/);
  expect(text).toMatch(/Name: HexDesigner: (?!\w{26})/);
  expect(text).not.toMatch(/date_created|→ null|null →/);
});

describe('N07', () => {
  /** The cookie that a browser has after logging in on the pages. */
  const logInAtPages = async (headers: Readonly<Record<string, string>> = {}): Promise<string> => {
    const form = { username: 'administrator', password: PASSWORD };
    const reply = await visitorOf(world.address, null, headers).post('/console/login', form, null);
    return reply.headers.get('set-cookie') ?? '';
  };
  const sessionIn = (cookie: string): string => /punchboard_console=([^;]*)/.exec(cookie)?.[1] ?? '';

  test('the cookie is Secure behind TLS, whether or not a proxy is trusted', async () => {
    const host = new URL(world.address).host;
    expect(await logInAtPages({ origin: `https://${host}` })).toMatch(/; Secure$/);
    expect(await logInAtPages({ 'x-forwarded-proto': 'https' })).toMatch(/; Secure$/);
    expect(await logInAtPages({ origin: `http://${host}` })).not.toMatch(/Secure/);
  });

  test('a session of the pages is not valid for the API', async () => {
    const session = sessionIn(await logInAtPages());
    expect((await visitorOf(world.address, session).get('/console/users')).status).toBe(200);
    expect((await world.send('GET', `/api/session/${session}`)).status).toBe(401);
    expect((await world.send('POST', '/api/designer', { session, parameters: { name: 'Stolen' } })).status).toBe(401);
  });

  test('after 15 minutes the password is asked for again, and a new session replaces the old one', async () => {
    const { id } = await world.service.user('later');
    const session = sessionIn(await logInAtPages());
    const visitor = visitorOf(world.address, session);
    const csrf = await visitor.token();
    const path = `/console/users/${id}`;
    const post = (values: Readonly<Record<string, string>>) =>
      visitor.post(path, { _confirmed: 'yes', role: 'admin', ...values }, csrf);
    await runSql(world.service.service, 'UPDATE session SET created = created - ?', 15 * 60_000 + 1000);
    expect((await post({})).text).toContain('Your password');
    expect((await post({ _password: 'wrong password' })).text).toContain('The user name or the password is wrong.');
    const isAdmin = async () =>
      (await world.send('GET', `/api/user/${id}`, { session: world.admin.session })).body.admin;
    expect(await isAdmin()).toBe(false);
    const done = await post({ _password: PASSWORD });
    expect([done.status, await isAdmin()]).toEqual([303, true]);
    expect((await visitor.get('/console/users')).status).toBe(303);
    const renewed = visitorOf(world.address, sessionIn(done.headers.get('set-cookie') ?? ''));
    expect((await renewed.get('/console/users')).status).toBe(200);
    await renewed.post(path, { _confirmed: 'yes', role: 'none' }, await renewed.token());
    expect(await isAdmin()).toBe(false);
  });
});

test('D57: a concurrent change by somebody else is shown, and typed values are kept', async () => {
  const { id } = await world.make('boxtop', { name: 'Box', quantity: 3 });
  const path = `/console/records/boxtop/${id}`;
  const tagIn = (html: string) => /name="_tag" value="(\d+)"/.exec(html)?.[1] ?? '';
  const opened = tagIn((await admin.get(path)).text);
  await world.send('PUT', `/api/boxtop/${id}`, { session: world.admin.session, parameters: { quantity: 4 } });
  const form = { _tag: opened, name: 'Typed', '_was.name': 'Box', quantity: '3', '_was.quantity': '3' };
  const refused = await admin.post(path, form, token);
  expect(refused.text).toContain('Somebody has changed the record since you opened it');
  expect(refused.text).toContain('Changed meanwhile from “3” to “4”.');
  expect(refused.text).toContain('value="Typed"');
  const again = { ...form, _tag: tagIn(refused.text), quantity: '4', '_was.quantity': '4' };
  expect((await admin.post(path, again, token)).status).toBe(303);
  const { body } = await world.send('GET', `/api/boxtop/${id}`, { session: world.admin.session });
  expect(body).toMatchObject({ name: 'Typed', quantity: 4 });
});
