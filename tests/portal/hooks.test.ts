// Owners of web hooks at the portal: each form does what the API does, and the answers of receivers are never shown (S11).

import { type Visitor, visitorOf } from '../console/visitor.js';
import { makeWorld, type World } from '../service/world.js';
import { runSql } from '../support/database.js';
import type { IncomingResponse } from '../support/exchange.js';
import { PASSWORD } from '../support/service.js';
import { type HttpReceiver, startHttpReceiver } from '../webhooks/http-receiver.js';

const ANSWER = 'what the receiver said';

let world: World;
let receiver: HttpReceiver;
let owner: Visitor;
let token: string;
let designer: string;
beforeAll(async () => {
  [world, receiver] = await Promise.all([makeWorld('plain', { portal: true }), startHttpReceiver()]);
  receiver.says = ANSWER;
  owner = visitorOf(world.address, world.owner.session, {}, 'portal');
  token = await owner.token();
  designer = await world.home('designer');
});
afterAll(() => Promise.all([world.stop(), receiver.close()]));

/** Sends a form whose confirmation question is answered, and follows the redirect. */
async function send(path: string, values: Readonly<Record<string, string>> = {}): Promise<IncomingResponse> {
  const reply = await owner.post(`/portal${path}`, { _confirmed: 'yes', ...values }, token);
  const location = reply.headers.get('location');
  return location === null ? reply : owner.get(location);
}

function wordsOf(text: string): string {
  return (/<main.*<\/main>/s.exec(text)?.[0] ?? '').replace(/\s*<[^>]+>\s*/g, ' ').replace(/\s+/g, ' ');
}

/** Creates a hook and waits until its subscription was answered. Returns its id. */
async function subscribeHook(path: string): Promise<string> {
  receiver.answer = () => 200;
  const callback_uri = `${receiver.address}/${path}?secret=1`;
  const { id } = await world.make('webhook', {
    event: 'ItemSold',
    owner_class: 'Designer',
    owner_id: designer,
    callback_uri,
  });
  await receiver.until((all) => all.find((post) => post.path.startsWith(`/${path}`)));
  return id;
}

/** Sells games whose callbacks the receiver refuses. */
async function sellRefused(hook: string, number: number): Promise<void> {
  receiver.answer = () => 500;
  for (let at = 0; at < number; at += 1)
    await world.make('receipt', { items: [{ game_id: await world.home('game') }] }, world.admin);
  let text = '';
  while (!text.includes(`(held: 0, under way: 0)`) || !text.includes(`since the last success ${number} `))
    text = wordsOf((await owner.get(`/portal/webhooks/${hook}`)).text);
}

test('a hook is created without typing an id, changed, and deleted', async () => {
  const { text: form } = await owner.get('/portal/webhooks/new?event=ReceiptShipped');
  expect(form).toMatch(/<option value="ReceiptShipped" selected>/);
  expect(form).toContain('>owner (User)</option>');
  const key = await world.home('apikey');
  const about = { owner: `Designer ${designer}`, api_key_id: key, format: 'form' };
  const wrong = await send('/webhooks/new', { ...about, event: 'ItemSold', callback_uri: 'nonsense' });
  expect(wordsOf(wrong.text)).toContain('One field is not right.');
  expect(wrong.text).toContain('value="nonsense"');
  const mismatch = await send('/webhooks/new', { ...about, event: 'ReceiptShipped', callback_uri: receiver.address });
  expect(mismatch.text).toContain('id="e-f-owner"');
  const created = await send('/webhooks/new', {
    ...about,
    event: 'ItemSold',
    callback_uri: `${receiver.address}/made`,
  });
  const id = /\/portal\/webhooks\/(\w+)\/edit/.exec(created.text)?.[1] ?? '';
  expect(wordsOf(created.text)).toMatch(/Created\..* About Sample \(Designer\) Signed with Sample/);
  const changed = await send(`/webhooks/${id}/edit`, {
    ...about,
    event: 'ItemSold',
    callback_uri: `${receiver.address}/changed`,
  });
  expect(wordsOf(changed.text)).toContain(`${receiver.address}/changed`);
  const { text: question } = await owner.post(`/portal/webhooks/${id}/delete`, {}, token);
  expect(wordsOf(question)).toContain(`Delete “${receiver.address}/changed”?`);
  await send(`/webhooks/${id}/delete`);
  expect((await world.send('GET', `/api/webhook/${id}`, { session: world.owner.session })).status).toBe(404);
});

/** The fields that a form would send, with the hidden ones. */
function fieldsOf(html: string): Record<string, string> {
  const [, main = ''] = /<main(.*)<\/main>/s.exec(html.replaceAll('&#x3D;', '=')) ?? [];
  const selects = [...main.matchAll(/<select [^>]*name="([^"]+)".*?<\/select>/gs)].map(([select, name = '']) => {
    const [, value = ''] = /value="([^"]*)" selected/.exec(select) ?? [];
    return [name, value];
  });
  const inputs = [...main.matchAll(/<input [^>]*name="([^"]+)"[^>]* value="([^"]*)"/g)].map(([, name, value]) => [
    name,
    value,
  ]);
  const { _csrf, ...fields } = Object.fromEntries([...inputs, ...selects]);
  return fields;
}

test('D57: changes made meanwhile are shown and not overwritten; failures of callbacks do not count as changes', async () => {
  const id = await subscribeHook('overtaken');
  const path = `/portal/webhooks/${id}/edit`;
  const opened = fieldsOf((await owner.get(path)).text);
  expect(opened).toMatchObject({ _tag: expect.stringMatching(/^\d+$/), owner: `Designer ${designer}` });
  await sellRefused(id, 1);
  const { session } = world.owner;
  const current = async () => (await world.send('GET', `/api/webhook/${id}`, { session })).body;
  const first = { ...opened, callback_uri: `${receiver.address}/first` };
  expect((await owner.post(path, first, token)).status).toBe(303);
  expect((await current()).callback_uri).toBe(first.callback_uri);
  // Somebody else opened the form at the same time.
  const other = await world.make('designer', { name: 'Another' });
  const second = { ...opened, owner: `Designer ${other.id}`, format: 'standard' };
  const refused = await owner.post(path, second, token);
  expect(refused.text).toContain('Somebody has changed the record since you opened it');
  expect(refused.text.replaceAll('&#x3D;', '=')).toContain(`to “${receiver.address}/first”.`);
  const again = fieldsOf(refused.text);
  expect(again).toMatchObject({ callback_uri: first.callback_uri, owner: second.owner, format: 'standard' });
  expect((await owner.post(path, again, token)).status).toBe(303);
  expect(await current()).toMatchObject({ callback_uri: first.callback_uri, owner_id: other.id, format: 'standard' });
  // The names of records that the owner may not read stay unknown.
  const { id: key } = await world.make('apikey', { name: 'Of a stranger' }, world.stranger);
  const prying = await owner.post(
    path,
    { ...opened, '_was.api_key_id': key, '_was.owner': `User ${world.stranger.id}` },
    token,
  );
  expect(prying.text).toContain('Changed meanwhile.');
  expect(prying.text).not.toContain('Of a stranger');
});

describe('D57: a button does nothing to a record that has changed since its page was opened', () => {
  const seenAt = async (page: string) => ({
    _confirmed: 'yes',
    _seen: `${fieldsOf((await owner.get(page)).text)._seen}`,
  });
  const press = async (path: string, seen: Readonly<Record<string, string>>) => {
    const { status, text } = await owner.post(path, seen, token);
    return status === 412 ? wordsOf(text) : status;
  };
  const CHANGED = expect.stringContaining('Somebody has changed it since you opened its page');

  test('a hook, whose failures do not count as changes', async () => {
    const page = `/portal/webhooks/${await subscribeHook('seen')}`;
    const id = page.slice(page.lastIndexOf('/') + 1);
    const before = await seenAt(page);
    const opened = fieldsOf((await owner.get(`${page}/edit`)).text);
    const changed = { ...opened, callback_uri: `${receiver.address}/elsewhere` };
    expect((await owner.post(`${page}/edit`, changed, token)).status).toBe(303);
    expect(await press(`${page}/delete`, before)).toEqual(CHANGED);
    const seen = await seenAt(page);
    await sellRefused(id, 1);
    expect(await press(`${page}/delete`, seen)).toBe(303);
  });

  test('a key, whose use does not count as a change, but a new token does', async () => {
    const { id, token: secret } = await world.make('apikey', { name: 'Seen' });
    const page = `/portal/keys/${id}`;
    const before = await seenAt(page);
    const used = await fetch(`${world.address}/api/game/none`, { headers: { authorization: `Bearer ${secret}` } });
    expect(used.status).toBe(404);
    let shown = '';
    while (!/Last used \d{4}/.test(shown)) shown = wordsOf((await owner.get(page)).text);
    expect(await press(`${page}/token`, before)).toBe(200);
    expect(await press(`${page}/token`, before)).toEqual(CHANGED);
    expect(await press(`${page}/delete`, before)).toEqual(CHANGED);
    expect(await press(`${page}/delete`, await seenAt(page))).toBe(303);
  });
});

test('a key that cannot be offered is not silently replaced', async () => {
  const { id: user, session } = await world.service.user('with many keys');
  const person = { id: user, session };
  const visitor = visitorOf(world.address, session, {}, 'portal');
  const [key] = await Promise.all([1, 2].map((at) => world.make('apikey', { name: `Key ${at}` }, person)));
  const about = { event: 'ReceiptShipped', owner_class: 'User', owner_id: user, api_key_id: key?.id };
  const { id } = await world.make('webhook', { ...about, callback_uri: receiver.address }, person);
  await world.send('DELETE', `/api/apikey/${key?.id}`, { session });
  const field = async () =>
    (await visitor.get(`/portal/webhooks/${id}/edit`)).text.match(/<\w+ [^>]*"api_key_id".*/s)?.[0];
  expect(await field()).toMatch(/^<select [^>]*>\s*<option value="" selected>–/);
  await Promise.all(Array.from({ length: 100 }, () => world.make('apikey', { name: 'Another' }, person)));
  expect(await field()).toMatch(/^<input [^>]*value=""/);
});

test('D48, S11: deliveries are shown with attempts and statuses, without answers, and failed ones are sent again', async () => {
  const id = await subscribeHook('many');
  while (!wordsOf((await owner.get(`/portal/webhooks/${id}`)).text).includes('Waiting 0 (held: 0, under way: 0)'));
  // If nothing waits, no confirmation is needed.
  const idle = await owner.post(`/portal/webhooks/${id}/retry`, { since: '' }, token);
  expect(decodeURIComponent(idle.headers.get('location') ?? '')).toContain('There was nothing to try again.');
  await sellRefused(id, 3);
  const list = await owner.get(`/portal/webhooks/${id}?state=waiting`);
  expect(list.text.match(/failed, waiting/g)).toHaveLength(3);
  const [, deliveryPath = ''] = new RegExp(`href="(/portal/webhooks/${id}/deliveries/\\w+)"`).exec(list.text) ?? [];
  const { text } = await owner.get(deliveryPath);
  expect(wordsOf(text)).toMatch(/Attempt Outcome Took \S+ \S+ UTC status 500 \d+ ms/);
  expect(text).toContain('shipping_address');
  expect([list.text, text].some((page) => page.includes(ANSWER) || page.includes('secret=1'))).toBe(false);
  receiver.answer = ({ delivery }) => (deliveryPath.endsWith(delivery) ? 500 : 200);
  const question = await owner.post(`/portal/webhooks/${id}/retry`, { since: '2020-01-31' }, token);
  expect(wordsOf(question.text)).toContain('Try deliveries again?');
  for (const since of ['yesterday', '5', '2020-02-30'])
    expect((await send(`/webhooks/${id}/retry`, { since })).text).toContain('Since must be a time');
  const reply = await owner.post(
    `/portal/webhooks/${id}/retry`,
    { _confirmed: 'yes', since: '2020-01-31 12:00:00 UTC' },
    token,
  );
  const at = reply.headers.get('location') ?? '';
  let shown = '';
  while (!shown.includes('3 of 3 deliveries tried again')) shown = wordsOf((await owner.get(at)).text);
  expect(shown).toMatch(/3 of 3 deliveries tried again\. Delivered 2 Failed again 1 Still to be tried 0/);
  expect((await owner.get(at)).text).toContain('value="3" max="3"');
  const [again] = receiver.posts.filter(({ path }) => path.startsWith('/many')).slice(-1);
  const delivered = `/webhooks/${id}/deliveries/${receiver.posts.find(({ path }) => path.startsWith('/many'))?.delivery}`;
  expect(again).toBeDefined();
  expect((await send(`${delivered}/retry`)).status).toBe(409);
  const audit = await runSql(
    world.service.service,
    "SELECT count(*) AS number FROM audit_entry WHERE action = 'retry'",
  );
  expect(Number(audit[0]?.number)).toBe(0);
});

test('a test sends a chosen payload, and its outcome is shown', async () => {
  const id = await subscribeHook('tested');
  const { text } = await owner.get(`/portal/webhooks/${id}/test?event=ReceiptShipped`);
  expect(text).toContain('&quot;shipments&quot;');
  const bad = await send(`/webhooks/${id}/test`, { payload: '{"mine":' });
  expect(wordsOf(bad.text)).toContain('Payload must be');
  expect(bad.text).toContain('{&quot;mine&quot;:');
  const good = await send(`/webhooks/${id}/test`, { payload: '{"mine":"<b>"}' });
  expect(wordsOf(good.text)).toMatch(/The test was accepted\. State delivered .* success 200/);
  expect(receiver.posts.at(-1)?.said).toMatchObject({ type: 'test', payload: { mine: '<b>' } });
  receiver.answer = () => 503;
  const refused = await send(`/webhooks/${id}/test`, { payload: '{}' });
  expect(wordsOf(refused.text)).toMatch(/The test was sent, but not accepted\. .* status 503/);
  expect(refused.text).not.toContain(ANSWER);
});

test('D63: the secret of a hook is exchanged and shown once', async () => {
  const id = await subscribeHook('exchanged');
  const { text } = await send(`/webhooks/${id}/exchange`);
  expect(wordsOf(text)).toMatch(/Secret whsec_\S+ Previous secret ends \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC/);
  expect((await owner.get(`/portal/webhooks/${id}`)).text).not.toContain('whsec_');
});

test('D61: keys are created, limited, renewed and revoked, and their tokens are shown once', async () => {
  const created = await send('/keys/new', {
    name: 'Nightly',
    scope: 'read',
    resources: '["designer"]',
    expires: '2100-01-31T00:00:00Z',
  });
  const SHAPE = /([0-9a-z]{26})\.[\w-]{27}/;
  const [first = '', id = ''] = SHAPE.exec(created.text) ?? [];
  const ask = (session: string) => world.send('GET', `/api/designer/${designer}`, { session });
  const write = await world.send('POST', '/api/designer', { session: first, parameters: { name: 'Written' } });
  expect((await ask(first)).status).toBe(200);
  expect(write.headers.get('www-authenticate')).toContain('insufficient_scope');
  const { text } = await owner.get(`/portal/keys/${id}`);
  expect(text).not.toMatch(SHAPE);
  expect(wordsOf(text)).toMatch(/Scope read .*Expires 2100-01-31.*Last used (?!–)/);
  const [second = ''] = SHAPE.exec((await send(`/keys/${id}/token`)).text) ?? [];
  expect([(await ask(first)).status, (await ask(second)).status]).toEqual([401, 200]);
  await send(`/keys/${id}/edit`, { scope: 'write', '_was.scope': 'read', name: 'Nightly', '_was.name': 'Nightly' });
  expect(wordsOf((await owner.get(`/portal/keys/${id}`)).text)).toContain('Scope write');
  const { text: question } = await owner.post(`/portal/keys/${id}/delete`, {}, token);
  expect(wordsOf(question)).toContain('Revoke “Nightly”?');
  await send(`/keys/${id}/delete`);
  expect((await ask(second)).status).toBe(401);
});

test('D57: changes of a key are not overwritten either, and its use does not count as a change', async () => {
  const { id, token: secret } = await world.make('apikey', { name: 'Overtaken' });
  const path = `/portal/keys/${id}/edit`;
  const opened = fieldsOf((await owner.get(path)).text);
  expect((await world.send('GET', `/api/user/${world.owner.id}`, { session: String(secret) })).status).toBe(200);
  expect((await owner.post(path, { ...opened, name: 'Used' }, token)).status).toBe(303);
  const { text } = await owner.post(path, { ...opened, reason: 'Both', name: 'Mine' }, token);
  expect(text).toContain('Changed meanwhile from “Overtaken” to “Used”.');
  expect([fieldsOf(text).name, text.includes('\nBoth</textarea>')]).toEqual(['Mine', true]);
});

test('D65: creating a credential requires the password again after 15 minutes', async () => {
  const visitor = visitorOf(world.address, (await world.service.user('later')).session, {}, 'portal');
  const csrf = await visitor.token();
  await runSql(world.service.service, 'UPDATE session SET created = created - ?', 15 * 60_000 + 1000);
  const post = (values: Readonly<Record<string, string>>) =>
    visitor.post('/portal/keys/new', { name: 'K', ...values }, csrf);
  expect(wordsOf((await post({})).text)).toContain('Your password');
  expect(wordsOf((await post({ _confirmed: 'yes', _password: 'wrong' })).text)).toContain('password is wrong');
  const done = await post({ _confirmed: 'yes', _password: PASSWORD });
  expect(wordsOf(done.text)).toContain('Shown only this once');
  expect(done.headers.get('set-cookie')).toContain('Path=/portal');
});

test('the catalogue describes the payloads of events, with an example', async () => {
  const { text } = await owner.get('/portal/events');
  for (const name of ['ItemSold', 'ReceiptRefunded', 'ReceiptShipped'])
    expect(text).toContain(`/portal/events/${name}"`);
  const sold = wordsOf((await owner.get('/portal/events/ItemSold')).text);
  expect(sold).toContain('&quot;price_each&quot;: &quot;19.99&quot;');
  expect(sold).toContain('item.quantity integer Number of copies sold.');
  expect(wordsOf((await owner.get('/portal/events/ReceiptShipped')).text)).toContain(
    'items[].game_id string Id of the game sold.',
  );
  expect((await owner.get('/portal/events/None')).status).toBe(404);
});
