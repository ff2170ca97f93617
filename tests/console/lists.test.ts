// Search and lists on the operators' pages: names in place of ids, order in both directions, columns and page size, changes of a
// selection, and exports.

import { createNames } from '../../runtime/admin/console/names.js';
import { csvCell } from '../../runtime/admin/console/pages/export.js';
import { labelOf } from '../../runtime/admin/console/view.js';
import { pluralTitle } from '../../runtime/admin/console/wording.js';
import { consoleParts } from '../../runtime/server/console.js';
import { makeWorld, type World } from '../service/world.js';
import { runSql } from '../support/database.js';
import { shared } from '../support/shared.js';
import { type Visitor, visitorOf } from './visitor.js';

const world = shared(() => makeWorld('plain', { console: true }));
let admin: Visitor;
let token: string;
let game: string;
beforeAll(async () => {
  admin = visitorOf(world.address, world.admin.session);
  token = await admin.token();
  game = (await world.make('game', { name: 'Harbour Lights' })).id;
  const { session } = world.admin;
  await world.send('PUT', `/api/game/${game}`, { session, parameters: { sku_id: 'SKU-0042' } });
});

/** Creates a record of a type that the source document does not describe. @returns its id */
async function create(type: string, parameters: object, { send, admin: { session } }: World = world): Promise<string> {
  const { body, text } = await send('POST', `/api/${type}`, {
    session,
    parameters: { ...parameters, session_id: session },
  });
  const id = body.result?.id ?? body.id;
  if (id === undefined) throw new Error(text);
  return id;
}

/** The text of a page, without its frame. */
async function read(path: string, visitor = admin): Promise<string> {
  return readable((await visitor.get(path)).text);
}

function readable(html: string): string {
  const main = html.slice(html.indexOf('<main'));
  return main
    .replace(/<option[^>]*>[^<]*/g, ' ')
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ');
}

/** The names of the records in a list, in their order. */
function namesIn(html: string): readonly string[] {
  return [...html.matchAll(/aria-label="Select ([^"]*)"/g)].flatMap(([, name = '']) =>
    name.startsWith('all ') ? [] : [name],
  );
}

function linkIn(html: string, text: string): string | null {
  const [, href = null] = new RegExp(`href="([^"]*)"[^>]*>${text}<`).exec(html) ?? [];
  return href?.replaceAll('&amp;', '&').replaceAll('&#x3D;', '=') ?? null;
}

describe('find', () => {
  let ada: string;
  beforeAll(async () => {
    ada = (await world.service.user('ada-lovelace')).id;
    const { session } = world.admin;
    await world.send('PUT', `/api/user/${ada}`, {
      session,
      parameters: { email: 'Ada@example.com', real_name: 'Ada Byron' },
    });
    await world.make('boxtop', { name: 'Lantern box', game_id: game });
  });

  test.each([
    ['an e-mail address', 'ada@ex', 'Users ada-lovelace Ada@example.com · Ada Byron'],
    ['a user name in capitals', 'ADA-L', 'Users ada-lovelace'],
    ['a full name', 'Ada B', 'Users ada-lovelace'],
    ['an SKU', 'sku-0042', 'Games Harbour Lights SKU-0042'],
    ['a word of a searched text', 'lights', 'Games Harbour Lights'],
    ['the beginning of any name', 'lantern', 'Box tops Lantern box'],
  ])('%s', async (_, text, expected) => {
    expect(await read(`/console/find?live=1&q=${encodeURIComponent(text)}`)).toContain(expected);
  });

  test('a single match or an id leads to the record, or to the page of the user', async () => {
    const locationOf = async (q: string) => (await admin.get(`/console/find?q=${q}`)).headers.get('location');
    expect(await locationOf('ada@ex')).toBe(`/console/users/${ada}`);
    expect(await locationOf(game)).toBe(`/console/records/game/${game}`);
    expect(await locationOf('lantern')).toMatch(/^\/console\/records\/boxtop\//);
  });

  test.each(['', '%', "'", '_', '\0', 'nothing-like-it', 'x'.repeat(5000)])('%p matches nothing', async (text) => {
    const { status, text: html } = await admin.get(`/console/find?live=1&q=${encodeURIComponent(text)}`);
    expect([status, html.includes('<dl')]).toEqual([200, false]);
  });

  test('the page of users has a search, too', async () => {
    expect(await read('/console/users?q=ada@')).toContain('ada-lovelace Ada@example.com Ada Byron user');
    expect(await read('/console/users?q=nobody')).not.toContain('ada-lovelace');
  });
});

test('resources have the titles of their descriptors, in the groups of the API document', async () => {
  const { groups } = consoleParts({
    ...{ service: world.service.service, modules: { webhooks: {} }, backups: null, database: 'file', started: 0 },
    ...{ errors: { list: () => [] }, ready: () => true },
    figures: { samples: () => [], month: () => [], sample: async () => undefined, uses: async () => new Map() },
  });
  expect(groups().map(({ name }) => name)).toEqual(['Games', 'Users', 'Designers', 'Other records']);
  const titles = groups().flatMap(({ definitions }) => definitions.map(pluralTitle));
  for (const title of ['Acrylic shapes', 'API keys', 'Art tests', 'Custom wooden dice', 'Hook boxes'])
    expect(titles).toContain(title);
  expect(titles).toHaveLength(world.service.service.definitions.length);
  expect(pluralTitle({ name: 'mouse', plural: 'mice', title: 'Mouse' })).toBe('Mice');
  expect(pluralTitle({ name: 'arttest', plural: 'arttests', title: 'Art test of a game' })).toBe('Art tests of a game');
  const labels = ['edit_uri', 'enable_uv_coating', 'sku_id', 'has_proofed_top', 'email', 'designer_id'];
  expect(labels.map(labelOf)).toEqual([
    'Edit address',
    'Enable UV coating',
    'SKU',
    'Top proofed',
    'E-mail',
    'Designer',
  ]);
});

test('the names of referenced records take one read per resource', async () => {
  const reads: unknown[] = [];
  const store = {
    texts(resource: string, columns: readonly string[], ids: readonly string[]) {
      reads.push([resource, columns, ids.length]);
      return ids.map((id) => ({ id, name: `Name of ${id}` }));
    },
  };
  const { definitions } = world.service.service;
  const read = createNames({ store, find: (name) => definitions.find((one) => one.name === name) });
  const wanted = Array.from({ length: 100 }, (_, at) => ['game', `g${at % 30}`] as const);
  const names = await read([...wanted, ['receipt', 'r1'], ['gone', 'x'], ['game', null]]);
  expect(reads).toEqual([['game', ['name'], 30]]);
  expect([names('game', 'g3'), names('receipt', 'r1'), names('gone', 'x')]).toEqual(['Name of g3', null, null]);
});

test.each(['plain', 'wing'] as const)('a list shows names, pictures, yes and no, and times: %s', async (wire) => {
  const other = wire === 'plain' ? world : await makeWorld(wire, { console: true });
  const visitor = visitorOf(other.address, other.admin.session);
  const deck = await create('deck', { name: 'Deck of names', game_id: await other.home('game') }, other);
  const file = await other.file();
  const id = await create('card', { deck_id: deck, name: 'Pictured', face_id: file.id, has_proofed_face: true }, other);
  const html = (await visitor.get('/console/records/card')).text;
  expect(html).toMatch(/<img class="picture" src="\/files\/[^"]+" alt="" width="40" height="32" loading="lazy"/);
  expect(html).toMatch(/<time datetime="\d{4}-\d\d-\d\dT[\d:.]+Z">\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC<\/time>/);
  expect(readable(html)).toMatch(/Pictured Deck of names 1 yes no 2/);
  expect(readable(html)).not.toContain(deck);
  expect(await read(`/console/records/card/${id}`, visitor)).toMatch(/Deck Deck of names/);
  if (other !== world) await other.stop();
});

describe('a long list', () => {
  let deck: string;
  let path: string;
  const names = Array.from({ length: 60 }, (_, at) => `Card ${String((at * 37) % 60).padStart(2, '0')}`);
  beforeAll(async () => {
    deck = await create('deck', { name: 'Long', game_id: game });
    path = `/console/records/deck/${deck}/lists/cards`;
    const { session } = world.admin;
    const cards = names.map((name, at) => ({ name, quantity: 1 + (at % 9) }));
    const sent = { session, parameters: { cards, session_id: session } };
    expect((await world.send('POST', `/api/deck/${deck}/bulk-cards`, sent)).status).toBe(201);
  });

  test.each([
    ['its own order', '', names],
    ['the order of a heading', '_order_by=name', [...names].sort()],
    ['that order reversed', '_order_by=name&_sort_order=desc', [...names].sort().reverse()],
  ])('can be paged to its end and back: %s', async (_, query, all) => {
    const pages: (readonly string[])[] = [];
    let html = (await admin.get(`${path}?${query}`)).text;
    expect(linkIn(html, 'Previous page')).toBeNull();
    while (pages.length < 9) {
      pages.push(namesIn(html));
      const next = linkIn(html, 'Next page');
      if (next === null) break;
      html = (await admin.get(`${path}${next}`)).text;
    }
    expect(pages.flat()).toEqual(all);
    expect(pages.length).toBe(3);
    for (const page of pages.slice(0, -1).reverse()) {
      html = (await admin.get(`${path}${linkIn(html, 'Previous page')}`)).text;
      expect(namesIn(html)).toEqual(page);
    }
    expect(linkIn(html, 'Previous page')).toBeNull();
  });

  test('a heading sorts by its column, and reverses the order the second time', async () => {
    const sorted = (await admin.get(`${path}${linkIn((await admin.get(path)).text, 'Card')}`)).text;
    expect([sorted.includes('aria-sort="ascending"'), namesIn(sorted)[0]]).toEqual([true, 'Card 00']);
    const reversed = (await admin.get(`${path}${linkIn(sorted, 'Card')}`)).text;
    expect([reversed.includes('aria-sort="descending"'), namesIn(reversed)[0]]).toEqual([true, 'Card 59']);
  });

  test('the browser keeps the columns and the size of pages', async () => {
    const { headers, text } = await admin.get(`${path}?_items_per_page=50&_columns=class_number&_columns=nonsense`);
    const [setting = ''] = headers.get('set-cookie')?.split(';') ?? [];
    expect(setting).toBe('punchboard_console.list.card=50.class_number');
    const cookie = `${setting}; punchboard_console=${world.admin.session}`;
    const again = (await visitorOf(world.address, null, { cookie }).get(path)).text;
    for (const html of [text, again]) {
      expect(namesIn(html)).toHaveLength(50);
      expect(readable(html)).toMatch(/Card Class number Card \d\d 1/);
    }
    const forged = `punchboard_console.list.card=9999.password.<b>; punchboard_console=${world.admin.session}`;
    expect(namesIn((await visitorOf(world.address, null, { cookie: forged }).get(path)).text)).toHaveLength(25);
  });

  test('a wrong filter is reported in words', async () => {
    expect(await read('/console/records/bookletpage?sequence_number=many')).toMatch(/Sequence number must be /);
  });

  test('is exported with its filter and in its order', async () => {
    const lines = async (query: string) => (await admin.get(`${path}/export?${query}`)).text.trimEnd().split(/\r?\n/);
    const csv = await lines('format=csv&_order_by=-name');
    expect(csv).toHaveLength(61);
    expect(csv[0]).toMatch(/^id,date_created,date_updated,name,deck_id,quantity/);
    expect(csv[1]).toMatch(/,Card 59,/);
    const records = (await lines('format=ndjson')).map((line) => JSON.parse(line));
    expect(records.map(({ name }) => name)).toEqual(names);
    const pages = await lines('format=ndjson&nonsense=1');
    expect(pages).toHaveLength(60);
    const { headers } = await admin.get('/console/records/boxtop/export?format=csv');
    expect(headers.get('content-disposition')).toBe('attachment; filename="boxtops.csv"');
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8');
  });

  test('is sorted by a column with an index, and otherwise reported as too long', async () => {
    // SQL creates the records, because the API would take too long.
    const columns =
      'date_created, date_updated, deck_id, quantity, has_proofed_face, has_proofed_back, back_from, class_number';
    const [one] = await runSql(world.service.service, 'SELECT id FROM card WHERE deck_id = ? LIMIT 1', deck);
    const shard = world.service.service.engine.databaseServer === null ? ['', ''] : ['_shard, ', 'c._shard, '];
    await runSql(
      world.service.service,
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10001)
       INSERT INTO card (${shard[0]}id, name, ${columns}) SELECT ${shard[1]}substr(c.id, 1, 2) || 'zz' || i, 'Many ' || i, ${columns} FROM card c, n WHERE c.id = ?`,
      String(one?.id),
    );
    const refused = await read('/console/records/card?_order_by=quantity');
    expect(refused).toContain('There are too many cards to sort them by quantity: narrow them with a filter first.');
    expect(refused).toContain('They can be sorted by name, however many there are.');
    expect(refused).toContain('More than 10,000 cards');
    expect(refused).not.toMatch(/_order_by|_cursor/);
    const sorted = namesIn((await admin.get('/console/records/card?_order_by=name&_sort_order=desc')).text);
    expect(sorted).toHaveLength(25);
    expect(sorted).toEqual([...sorted].sort().reverse());
    const lines = (await admin.get('/console/records/card/export?format=csv&_order_by=name')).text.split('\r\n');
    expect(lines.length).toBeGreaterThan(10_060);
  });
});

test.each([
  ['=1+1', "'=1+1"],
  ['+1', "'+1"],
  ['-1', "'-1"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['\tx', "'\tx"],
  [-1, '-1'],
  ['a,"b"', '"a,""b"""'],
  ['two\nlines', '"two\nlines"'],
  [null, ''],
  [true, 'true'],
  [['=x'], '"[""=x""]"'],
])('a cell of an export cannot be a formula: %p', (value, cell) => expect(csvCell(value)).toBe(cell));

describe('a selection', () => {
  const send = async (path: string, ids: readonly string[], more: Readonly<Record<string, string>> = {}) => {
    const body = [...Object.entries(more), ...ids.map((id) => ['id', id] as const)];
    return admin.post(path, body, token);
  };
  const boxes = async (names: readonly string[]) =>
    Promise.all(names.map(async (name) => (await world.make('boxtop', { name, game_id: game })).id));

  test('is changed in one field after a confirmation, through the operation of the API', async () => {
    const ids = await boxes(['One', 'Two']);
    const path = '/console/records/boxtop/selected/set';
    const question = await send(path, ids, { field: 'has_proofed_top', value: 'Yes' });
    expect(readable(question.text)).toContain('Set top proofed of 2 box tops to “Yes”?');
    for (const id of ids) expect(question.text).toContain(`<input type="hidden" name="id" value="${id}">`);
    const done = await send(path, ids, { field: 'has_proofed_top', value: 'Yes', _confirmed: 'yes' });
    expect(await read(done.headers.get('location') ?? '')).toContain('2 box tops changed.');
    for (const id of ids) {
      const { body } = await world.send('GET', `/api/boxtop/${id}`, { session: world.admin.session });
      expect(body).toMatchObject({ has_proofed_top: true });
      expect(await read(`/console/audit?record=${id}`)).toMatch(
        /administrator changed the box top \w+ Top proofed: no → yes/,
      );
    }
    const wrong = await send(path, ids, { field: 'quantity', value: '1000', _confirmed: 'yes' });
    expect(readable(wrong.text)).toMatch(/2 box tops not changed\. 0 box tops changed\. .*One .*between 1 and 99/);
  });

  test('is deleted as a whole, once the number of records is typed', async () => {
    const path = '/console/records/game/selected/delete';
    const ids = [(await world.make('game', { name: 'A' })).id, (await world.make('game', { name: 'B' })).id];
    await world.make('boxtop', { game_id: ids[0] });
    const question = readable((await send(path, ids)).text);
    expect(question).toContain('Delete 2 games? This cannot be undone. 1 other record goes with them.');
    expect(readable((await send(path, ids, { _confirmed: 'yes', _typed: 'all' })).text)).toContain('Type 2 games');
    const done = await send(path, ids, { _confirmed: 'yes', _typed: '2 games' });
    expect(await read(done.headers.get('location') ?? '')).toContain('2 games deleted.');
    for (const id of ids) expect((await world.send('GET', `/api/game/${id}`)).status).toBe(404);
    expect(await read(`/console/audit?record=${ids[0]}`)).toContain('administrator deleted the game A');
  });

  test('keeps the records whose change is refused', async () => {
    const [user, other] = [await world.service.user('selected'), await world.service.user('selected too')];
    const designer = await world.home('designer');
    const file = await world.file();
    const path = '/console/records/designer/selected/delete';
    const free = (await world.make('designer', { name: 'Without games' })).id;
    const answer = readable((await send(path, [designer, free], { _confirmed: 'yes', _typed: '2 designers' })).text);
    expect(answer).toContain('1 designer not deleted. 1 designer deleted.');
    expect((await world.send('GET', `/api/designer/${free}`)).status).toBe(404);
    expect([user.id, other.id, file.id]).toHaveLength(3);
  });

  test.each([
    [[], {}, 'Select something in the list first.'],
    [Array.from({ length: 101 }, (_, at) => `x${at}`), {}, 'Select at most 100 records.'],
    [['x'], { field: 'password', value: 'x' }, 'Choose a field.'],
  ] as const)('is refused: %#', async (ids, more, message) => {
    const { status, text } = await send('/console/records/user/selected/set', ids, { _confirmed: 'yes', ...more });
    expect([status, readable(text).includes(message)]).toEqual([400, true]);
  });
});
