// The forms of records as browsers without a script submit them: references by name, files from disk, times and check boxes, and
// errors in the words of the form.

import { readdirSync } from 'node:fs';
import { findChoices, withMatches } from '../../runtime/admin/console/picker.js';
import { createResources } from '../../runtime/admin/console/resource.js';
import { PNG } from '../files/samples.js';
import { makeWorld } from '../service/world.js';
import { exchange, type IncomingResponse, multipart } from '../support/exchange.js';
import { shared } from '../support/shared.js';
import { type Visitor, visitorOf } from './visitor.js';

const MARKUP = `<b id="planted">&"'</b>`;

const world = shared(() => makeWorld('plain', { console: true, quotaBytes: 100_000 }));
let admin: Visitor;
let token: string;
beforeAll(async () => {
  admin = visitorOf(world.address, world.admin.session);
  token = await admin.token();
});

/** The options of a select, without the empty one. */
function optionsIn(html: string, name: string): readonly string[] {
  const [, inner = ''] = new RegExp(`<select id="f-${name}"[^>]*>(.*?)</select>`).exec(html) ?? [];
  return [...inner.matchAll(/<option value="(?!")[^>]*>([^<]*)</g)].map(([, text = '']) => text);
}

function errorIn(html: string, name: string): string {
  return new RegExp(`id="e-f-${name}"[^>]*>([^<]*)<`).exec(html)?.[1] ?? 'no such field';
}

/** Creates a record of a type that the source document does not describe. */
async function make(type: string, sent: Readonly<Record<string, unknown>>, { session } = world.owner) {
  const { body } = await world.send('POST', `/api/${type}`, { parameters: { ...sent, session_id: session } });
  return body as { readonly id: string };
}

/** Sends a file from disk to the field of a reference. */
function upload(path: string, name: string, bytes: Buffer, csrf = token): Promise<IncomingResponse> {
  const file = { part: `_file.${name}`, name: 'disk.png', bytes };
  const { headers, body } = multipart(
    [
      ['_csrf', csrf],
      ['name', 'Typed'],
    ],
    file,
  );
  const cookie = `punchboard_console=${world.admin.session}`;
  return exchange(`${world.address}${path}/again/${name}`, { method: 'POST', headers: { ...headers, cookie }, body });
}

const chosenIn = (html: string, name: string): string =>
  new RegExp(`<select id="f-${name}".*?<option value="(\\w+)" selected>`).exec(html)?.[1] ?? '';

test('every form of a new record says what is required and which values are allowed, without words of the API', async () => {
  const { definitions } = world.service.service;
  for (const { name } of definitions.filter(({ operations }) => operations.create !== null)) {
    const { status, text } = await admin.get(`/console/records/${name}/new`);
    expect([name, status]).toEqual([name, 200]);
    expect([name, text.match(/Id of an? |By default |Visible to |Only administrators/)]).toEqual([name, null]);
  }
  const { text } = await admin.get('/console/records/boxtop/new');
  const words = text.replace(/<[^>]+>/g, '');
  expect(words).toMatch(/Name required[\s\S]*Name of the component\. At most 255 characters\./);
  expect(words).toMatch(/Number of copies included\. 1 to 99\./);
  expect(words).toMatch(/Image printed on the top part\. PNG, JPEG, GIF, WEBP\. At most 50 MiB\./);
  expect(text).toMatch(/<input id="f-quantity"[^>]* value="1"/);
  expect(text).toMatch(/type="radio" value="DeckBoxTopAndSide" checked> Deck Box \(Top And Sides Printed\)/);
  const receipt = (await admin.get('/console/records/receipt/new')).text;
  expect(receipt).toContain('Example: <code>{&quot;city&quot;:&quot;Madison&quot;');
});

test('P05: errors call the field by its label', async () => {
  const { text } = await admin.post('/console/records/boxtop/new', { quantity: '100', game_id: 'no-such-game' }, token);
  const messages = ['name', 'quantity', 'game_id'].map((name) => errorIn(text, name));
  expect(messages).toEqual(['Name is required.', 'Quantity must be between 1 and 99.', 'Game does not exist.']);
  const [owner_id, sale] = [await world.home('user'), '/console/records/receipt/new'];
  const nested = await admin.post(sale, { user_id: owner_id, items: '[{"quantity":"x"}]' }, token);
  expect(errorIn(nested.text, 'items')).toContain('Items, 0/game_id is required.');
});

test('actions have the names of the document, and each has its own form', async () => {
  const { id } = await world.make('receipt', { items: [{ game_id: await world.home('game') }] });
  const { text } = await admin.get(`/console/records/receipt/${id}`);
  expect(text).toMatch(/<h2>Mark as shipped<\/h2>[\s\S]*tracking_number[\s\S]*<button class="quiet">Mark as shipped</);
  expect(text).toMatch(/<h2>Actions<\/h2>[\s\S]*?<button class="quiet">Refund</);
});

describe('a reference', () => {
  test('is found by the beginning of its name, and only records that may be used are offered', async () => {
    const [mine, theirs] = [await world.make('game', { name: 'Hexes' }), await world.make('game', {}, world.stranger)];
    const deck = await make('deck', { game_id: mine.id, name: 'Hex deck' });
    const other = await make('deck', { game_id: mine.id, name: 'Hex deck 2' });
    await make('deck', { game_id: theirs.id, name: 'Hex of others' }, world.stranger);
    const card = await make('card', { deck_id: deck.id, name: 'Ace' });
    const path = `/console/records/card/${card.id}`;
    const form = { name: 'Typed', deck_id: deck.id, '_was.deck_id': deck.id, '_had.deck_id': deck.id };
    const search = await admin.post(`${path}/again/deck_id`, { ...form, '_find.deck_id': 'hex' }, token);
    // A record stays with its owner (D37).
    expect(optionsIn(search.text, 'deck_id')).toEqual(['Hex deck · Hexes', 'Hex deck 2 · Hexes']);
    expect(search.text).toContain('value="Typed"');
    const severalMatches = await admin.post(path, { ...form, '_find.deck_id': 'Hex' }, token);
    expect(errorIn(severalMatches.text, 'deck_id')).toBe('2 matches. Choose one.');
    const noMatch = await admin.post(path, { ...form, '_find.deck_id': MARKUP }, token);
    expect(errorIn(noMatch.text, 'deck_id')).toMatch(/^Nothing that can be used here begins with “&lt;b id/);
    expect(noMatch.text).not.toContain('<b id=');
    // Without a script, a single match is selected.
    expect((await admin.post(path, { ...form, '_find.deck_id': 'hex deck 2' }, token)).status).toBe(303);
    expect((await world.send('GET', `/api/card/${card.id}`)).body).toMatchObject({ deck_id: other.id, name: 'Typed' });
    const byId = await admin.post(`${path}/again/deck_id`, { ...form, '_find.deck_id': deck.id }, token);
    expect(chosenIn(byId.text, 'deck_id')).toBe(deck.id);
  });

  test('keeps what was chosen among the matches', async () => {
    const [one, two] = [
      await world.make('designer', { name: 'Twins' }),
      await world.make('designer', { name: 'Twins' }),
    ];
    const form = { name: 'Of two', '_had.designer_id': '', '_find.designer_id': 'Twins' };
    const sent = await admin.post('/console/records/game/new', { ...form, designer_id: two.id }, token);
    expect(sent.status).toBe(303);
    const refused = await admin.post('/console/records/game/new', { ...form, name: '', designer_id: one.id }, token);
    expect([errorIn(refused.text, 'name'), chosenIn(refused.text, 'designer_id')]).toEqual([
      'Name is required.',
      one.id,
    ]);
    expect(refused.text).toContain('name="_find.designer_id" value=""');
  });

  test('accepts only files of its types, and shows stored names as text', async () => {
    const svg = await world.file('image/svg+xml', world.admin);
    const png = await world.file('image/png', world.admin);
    const rename = (id: string, name: string) =>
      world.send('PUT', `/api/file/${id}`, { parameters: { name, session_id: world.admin.session } });
    await Promise.all([rename(svg.id, `${MARKUP} svg`), rename(png.id, `${MARKUP} png`)]);
    const { text } = await admin.post('/console/records/boxtop/new/again/top_id', { '_find.top_id': '<b' }, token);
    expect(optionsIn(text, 'top_id')).toHaveLength(1);
    expect(text).not.toContain('<b id=');
    expect(chosenIn(text, 'top_id')).toBe(png.id);
  });

  test('offers only records that the operator may use, and selects no match that may not be the only one', async () => {
    const { definitions, operations, document } = world.service.service;
    const { readFileSync } = await import('node:fs');
    const resources = createResources({
      ...{ definitions, operations, modules: {}, store: { texts: () => [] } },
      document: () => readFileSync(document, 'utf8'),
    });
    const game = definitions.find(({ name }) => name === 'game');
    const reference = game?.references.find(({ column }) => column === 'designer_id');
    const target = resources.find('designer');
    if (game === undefined || reference === undefined || target === undefined) throw new Error('other descriptors');
    const [allowed, forbidden] = [await world.make('designer'), await world.make('designer')];
    const rights: string[] = [];
    const store = {
      find: () => ({ ids: [allowed.id, forbidden.id, 'gone'], isComplete: true }),
      permission: (_: string, id: string, right: string) => {
        rights.push(right);
        return id === forbidden.id ? ({ allowed: false, code: 'forbidden' } as const) : ({ allowed: true } as const);
      },
    };
    const caller = { user: world.admin.id, admin: true };
    const operator = { caller, role: null, name: 'administrator', session: '', opened: 0 };
    const request = { params: {}, query: {}, form: {}, upload: null, kept: {}, operator, now: Date.now() };
    const form = { '_find.designer_id': 'x' };
    const matches = await findChoices(
      { resources, store },
      request,
      { definition: game, record: null, form },
      { reference, target },
    );
    expect(matches.choices.map(({ id }) => id)).toEqual([allowed.id]);
    expect(new Set(rights)).toEqual(new Set(['edit']));
    // A match is not selected if not all records were searched.
    const limited = { ...store, find: () => ({ ids: [allowed.id], isComplete: false }) };
    const sent = await withMatches({ resources, store: limited }, request, { definition: game, record: null, form });
    expect([sent.form, sent.errors.get('designer_id')]).toEqual([
      form,
      '1 match. There may be more: type more of the name. Choose one.',
    ]);
  });
});

describe('a file from disk', () => {
  const path = '/console/records/boxtop/new';
  const files = async () => (await admin.get('/console/records/file')).text.match(/[\d,]+ records?/)?.[0];

  test('is stored as a file of the operator, chosen, and shown', async () => {
    const { status, text } = await upload(path, 'top_id', PNG);
    const id = chosenIn(text, 'top_id');
    const { body } = await world.send('GET', `/api/file/${id}`, { session: world.admin.session });
    expect([status, body]).toMatchObject([200, { name: 'disk.png', user_id: world.admin.id }]);
    expect(text).toContain(`<img class="picture" src="/files/${id}/`);
    expect(text).toContain('value="Typed"');
    const values = { name: 'With a top', game_id: await world.home('game'), top_id: id };
    expect((await admin.post(path, values, token)).status).toBe(303);
    // The sweep does not delete the bytes.
    await world.service.upkeep.runOnce(Date.now() + 2 * 3600_000);
    expect((await exchange(`${world.address}${body.file_uri}`, { method: 'GET' })).status).toBe(200);
    expect((await admin.get(`/console/records/file/${id}`)).text).toContain(
      `<a href="${body.file_uri}">Open the picture`,
    );
    expect((await admin.get(`/console/audit?record=${id}`)).text).toContain('administrator');
  });

  test('that is refused is reported at the field, and nothing is stored', async () => {
    const before = await files();
    const { text } = await upload(path, 'top_id', Buffer.from('no picture'));
    expect(errorIn(text, 'top_id')).toBe('The file is not one of PNG, JPEG, GIF, WEBP.');
    expect(text).toContain('value="Typed"');
    expect((await upload(path, 'top_id', PNG, 'forged')).status).toBe(403);
    expect((await upload(path, 'game_id', PNG)).text).toContain('<h1>New: Box top</h1>');
    expect(await files()).toBe(before);
    // A browser that has not uploaded the file yet sends only its name.
    const early = { name: 'Early', game_id: await world.home('game'), '_file.top_id': 'top.png' };
    const unsent = (await admin.post(path, early, token)).text;
    expect(errorIn(unsent, 'top_id')).toBe('The file was not stored: choose it again, and wait until it is uploaded.');
  });

  test('that cannot be kept leaves nothing behind', async () => {
    const { store } = world.service.blobs;
    jest.spyOn(store, 'put').mockRejectedValueOnce(Object.assign(new Error('full'), { code: 'ENOSPC' }));
    expect((await upload(path, 'top_id', PNG)).status).toBe(507);
    expect(readdirSync(store.incoming)).toEqual([]);
  });

  test('that was not chosen is asked for, and nothing is stored', async () => {
    const before = await files();
    const { headers, body } = multipart([['_csrf', token]], { part: 'file', name: '', bytes: Buffer.alloc(0) });
    const cookie = `punchboard_console=${world.admin.session}`;
    const request = { method: 'POST', headers: { ...headers, cookie }, body };
    const { text } = await exchange(`${world.address}/console/records/file/new`, request);
    expect(text).toContain('<h1>New: File</h1>');
    expect(errorIn(text, 'file')).toBe('File is required.');
    expect(await files()).toBe(before);
  });

  test('beyond the quota is reported at the field', async () => {
    await upload(path, 'top_id', Buffer.concat([PNG, Buffer.alloc(100_000)]));
    await world.service.upkeep.runOnce(Date.now() + 3 * 3600_000);
    const { text } = await upload(path, 'top_id', Buffer.concat([PNG, Buffer.alloc(10)]));
    expect(errorIn(text, 'top_id')).toMatch(/quota|bytes/);
  });
});

test('a time is in UTC, and an unticked box means no', async () => {
  const path = '/console/records/apikey/new';
  const created = await admin.post(path, { name: 'Timed', expires: '2030-01-31T12:00' }, token);
  const id = /\/records\/apikey\/(\w+)"/.exec(created.text)?.[1] ?? '';
  const shown = (await admin.get(`/console/records/apikey/${id}`)).text;
  expect(shown).toMatch(/type="datetime-local"[^>]* value="2030-01-31T12:00:00.000"/);
  expect((await admin.post(path, { name: 'Wrong', expires: 'soon' }, token)).text).toContain('Expires must be a date');
  const game = await world.make('game', { name: 'Boxes', archived: true });
  const ticked = (await admin.get(`/console/records/game/${game.id}`)).text;
  expect(ticked).toMatch(/name="archived" type="checkbox" value="true" checked/);
  const values = {
    '_flag.archived': '1',
    '_was.archived': 'true',
    '_flag.private_sales': '1',
    '_was.private_sales': 'false',
  };
  await admin.post(`/console/records/game/${game.id}`, values, token);
  const { body } = await world.send('GET', `/api/game/${game.id}`, { session: world.admin.session });
  expect(body).toMatchObject({ archived: false, private_sales: false });
});

test('D57: a form that is shown again keeps the version that it was opened with, and shows names', async () => {
  const game_id = await world.home('game');
  const [first, second] = [
    await make('deck', { game_id, name: 'First' }),
    await make('deck', { game_id, name: 'Second' }),
  ];
  const { id } = await make('card', { deck_id: first.id, name: 'Ace' });
  const path = `/console/records/card/${id}`;
  const tagIn = (html: string) => /name="_tag" value="(\d+)"/.exec(html)?.[1] ?? '';
  const opened = tagIn((await admin.get(path)).text);
  const { session } = world.admin;
  await world.send('PUT', `/api/card/${id}`, { session, parameters: { deck_id: second.id } });
  const form = { _tag: opened, name: '', '_was.name': 'Ace', deck_id: first.id, '_was.deck_id': first.id };
  const wrong = (await admin.post(`${path}/again/deck_id`, { ...form, '_find.deck_id': '' }, token)).text;
  expect([tagIn(wrong), wrong.includes(`name="_was.deck_id" value="${first.id}"`)]).toEqual([opened, true]);
  const refused = (await admin.post(path, { ...form, name: 'Two' }, token)).text;
  expect(errorIn(refused, 'deck_id')).toBe('Changed meanwhile from “First” to “Second”.');
  expect(chosenIn(refused, 'deck_id')).toBe(second.id);
});
