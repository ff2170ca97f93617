// The pages of owners show text for people: stored markup is escaped everywhere, and no page shows the name of a column, an
// epoch, a flag, or the bare id of something that has a name. Other domains have the same pages.

import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { gen } from '../../generator/commands/gen.js';
import { type Visitor, visitorOf } from '../console/visitor.js';
import { makeWorld, type World } from '../service/world.js';
import { clientOf } from '../support/client.js';
import { ROOT, temporaryFolder } from '../support/paths.js';
import { startService } from '../support/service.js';
import { type HttpReceiver, startHttpReceiver } from '../webhooks/http-receiver.js';

const MARKUP = `<b id="planted">&"'</b>`;
const RAW = /<b id=/;

let receiver: HttpReceiver;
beforeAll(async () => {
  receiver = await startHttpReceiver();
});
afterAll(() => receiver.close());

/** The pages of the menu, and every page that can be reached from them. */
async function pagesFrom(visitor: Visitor): Promise<ReadonlyMap<string, string>> {
  const pages = new Map<string, string>();
  const waiting = ['/portal/webhooks', '/portal/events', '/portal/keys'];
  for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) {
    if (pages.has(path)) continue;
    const { status, text } = await visitor.get(path);
    expect([path, status]).toEqual([path, 200]);
    pages.set(path, text);
    const base = path.replace(/\?.*/, '');
    for (const [, href = ''] of text.matchAll(/ href="((?:\/portal\/|\?)[^"]*)"/g)) {
      const link = href.replaceAll('&#x3D;', '=').replaceAll('&amp;', '&');
      waiting.push(link.startsWith('?') ? base + link : link);
    }
  }
  return pages;
}

/** The texts between tags, except code: payloads, schemas, and ids of things without a name. */
function shownTexts(page: string): readonly string[] {
  const [main = ''] = /<main.*<\/main>/s.exec(page) ?? [];
  const plain = main.replace(/<(pre|textarea).*?<\/\1>/gs, '').replace(/<span class="code">[^<]*<\/span>/g, '');
  return [...plain.matchAll(/>([^<]+)</g)].map(([, text = '']) => text.trim()).filter((text) => text !== '');
}

function expectWords(pages: ReadonlyMap<string, string>): void {
  for (const [path, page] of pages) {
    // The catalogue of events shows the fields of payloads under the names that are sent.
    const isPayload = path.startsWith('/portal/events/');
    const storage = isPayload
      ? /\b\d{13}\b|\b[0-9a-hjkmnp-tv-z]{26}\b/
      : /\b\d{13}\b|\b[0-9a-hjkmnp-tv-z]{26}\b|[a-z]_[a-z]/;
    const storedForms = shownTexts(page).filter((text) => storage.test(text));
    expect([path, storedForms]).toEqual([path, []]);
  }
}

async function plantMarkup(world: World): Promise<void> {
  const { session } = world.owner;
  await world.send('PUT', `/api/user/${world.owner.id}`, { session, parameters: { username: MARKUP } });
  const key = await world.make('apikey', { name: MARKUP, reason: MARKUP, uri: `https://example.org/?x='&y` });
  await world.make('apikey', { name: 'Narrow', scope: 'write', resources: [MARKUP.slice(0, 30)] }).catch(() => null);
  const owner_id = (await world.make('designer', { name: MARKUP })).id;
  const callback_uri = `${receiver.address}/?x='&y`;
  await world.make('webhook', {
    event: 'ItemSold',
    owner_class: 'Designer',
    owner_id,
    callback_uri,
    api_key_id: key.id,
  });
  receiver.answer = () => 500;
  const game = await world.make('game', { name: MARKUP, designer_id: owner_id });
  const sold = { items: [{ game_id: game.id, name: MARKUP }], shipping_address: { [MARKUP]: MARKUP } };
  await world.make('receipt', sold, world.admin);
  await receiver.until((all) => all.find(({ said }) => said.type === 'data'));
}

test('stored markup is shown as text on every page, and so is markup in forms', async () => {
  const world = await makeWorld('plain', { portal: true });
  await plantMarkup(world);
  const visitor = visitorOf(world.address, world.owner.session, {}, 'portal');
  const pages = await pagesFrom(visitor);
  expect([...pages.keys()].filter((path) => path.includes('/deliveries/')).length).toBeGreaterThan(1);
  for (const [path, page] of pages) expect([path, RAW.test(page)]).toEqual([path, false]);
  expect([...pages.values()].filter((page) => page.includes('planted')).length).toBeGreaterThan(4);
  const token = await visitor.token();
  const encoded = encodeURIComponent(MARKUP);
  const replies = [
    visitor.post('/portal/keys/new', { name: '', reason: MARKUP, expires: MARKUP }, token),
    visitor.post('/portal/webhooks/new', { event: MARKUP, owner: MARKUP, callback_uri: MARKUP, format: MARKUP }, token),
    visitor.get(`/portal/webhooks?state=${encoded}&after=${encoded}&done=${encoded}`),
    visitor.get(`/portal/webhooks/new?event=${encoded}&callback_uri=${encoded}`),
    visitor.get(`/portal/keys?after=${encoded}`),
    visitor.get(`/portal/events/${encoded}`),
  ];
  for (const { text } of await Promise.all(replies)) expect(text).not.toMatch(RAW);
  await world.stop();
});

test('no page shows names or values in the form in which they are stored', async () => {
  const world = await makeWorld('plain', { portal: true });
  const owner_id = await world.home('designer');
  await world.make('webhook', {
    event: 'ItemSold',
    owner_class: 'Designer',
    owner_id,
    callback_uri: `${receiver.address}/words`,
  });
  await receiver.until((all) => all.find(({ path }) => path === '/words'));
  expectWords(await pagesFrom(visitorOf(world.address, world.owner.session, {}, 'portal')));
  await world.stop();
});

test('another domain has the same pages, as far as it has their features', async () => {
  const folder = temporaryFolder('portal');
  cpSync(join(ROOT, 'tests', 'examples', 'shop', 'spec'), join(folder, 'spec'), { recursive: true });
  const generated = join(folder, 'generated');
  expect(gen({ spec: join(folder, 'spec'), out: generated, check: false, handwritten: true }).code).toBe(0);
  const actions = { purchase: { pay: () => ({}) } };
  const service = await startService({ generated, handwritten: { behaviours: {}, actions }, portal: true });
  const { id, session } = await service.user('ada');
  const send = clientOf(service.address);
  await send('POST', '/api/apikey', { session, parameters: {} });
  const visitor = visitorOf(service.address, session, {}, 'portal');
  const form = await visitor.get('/portal/webhooks/new');
  const [, key = ''] = /name="api_key_id"[^>]*>\s*<option value="(\w+)"/.exec(form.text) ?? [];
  expect(form.text).toContain('>ada (Customer)</option>');
  const hook = {
    event: 'OrderPaid',
    owner: `Customer ${id}`,
    callback_uri: `${receiver.address}/own`,
    api_key_id: key,
  };
  receiver.answer = () => 200;
  const created = await visitor.post('/portal/webhooks/new', hook, await visitor.token());
  expect(created.headers.get('location')).toMatch(/\?done=Created\.$/);
  await receiver.until((all) => all.find(({ path }) => path === '/own'));
  const pages = await pagesFrom(visitor);
  const all = [...pages.values()].join('\n');
  expect(all).toContain('An order was paid.');
  // This domain has no secrets to exchange, and no tokens.
  expect(all).not.toMatch(/Exchange the secret|Make a new token/);
  await service.stop();
});
