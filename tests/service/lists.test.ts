// Every list: what is in it, its pages by number and by cursor, its order and filters (Must hold 1; D23).

import { order, unique } from '../document/behind.js';
import { gameLists } from '../document/lists.js';
import { parameters } from '../document/parameters.js';
import { records } from '../document/resources.js';
import { documentedNames, type RecordName } from '../document/table.js';
import { ignored, refusal } from './replies.js';
import { makeWorld, type Sent, type Shown, type World } from './world.js';

let world: World;
beforeAll(async () => {
  world = await makeWorld();
});
afterAll(() => world.stop());

interface Listing {
  readonly parent: RecordName;
  readonly list: string;
  readonly items: RecordName;
}
const served = (name: string) => name !== 'webhook';
/** By resource: with documented items, on whatever parent. */
const listings: readonly Listing[] = (Object.keys(records) as RecordName[]).flatMap((parent) =>
  Object.entries(records[parent].lists)
    .filter(([, items]) => served(items) && (documentedNames as readonly string[]).includes(items))
    .map(([list, items]) => ({ parent, list, items })),
);

interface Listed {
  readonly paging: Sent;
  readonly items: readonly Shown[];
}
async function listed(path: string, session: string | null = world.owner.session): Promise<Listed> {
  const reply = await world.send('GET', path, { session });
  expect([path, reply.status, ignored(reply)]).toEqual([path, 200, []]);
  return reply.body as Listed;
}

/** Parameter of the items that holds the parent's id. */
const referring = ({ parent, items }: Listing) =>
  Object.entries(parameters[items].references).find(([, { to }]) => to === parent)?.[0] ?? '';

/** A fresh parent with so many items, in the order they were made in. */
async function filled(listing: Listing, count: number) {
  const { items } = listing;
  const parent = await world.make(listing.parent);
  const parameter = referring(listing);
  // What may occur once a parent needs something else to refer to each time.
  const others = (unique[items]?.[0] ?? []).map((word) => `${word}_id`).filter((other) => other !== parameter);
  const made: Shown[] = [];
  while (made.length < count) {
    const fresh = others.map(async (other) => [other, (await world.make(toOf(items, other))).id] as const);
    const more = Object.fromEntries(await Promise.all(fresh));
    made.push(await world.make(items, { ...more, [parameter]: parent.id }));
  }
  return { path: `/api/${listing.parent}/${parent.id}/${listing.list}`, parent, made };
}

function toOf(name: RecordName, parameter: string): RecordName {
  const reference = parameters[name].references[parameter];
  if (reference === undefined) throw new Error(`${name} has no reference ${parameter}`);
  return reference.to;
}

test('EveryDocumentedResourceIsListed', () => {
  expect([...new Set(listings.map(({ items }) => items))].sort()).toEqual(documentedNames.filter(served).sort());
});

describe.each(listings)('$parent/$list', (listing) => {
  const { items } = listing;

  test('ShowsItsOwnAsAFetchShowsThem', async () => {
    const { path, made } = await filled(listing, 3);
    await world.make(items);
    const ids = made.map(({ id }) => id).sort();
    for (const session of [null, world.owner.session]) {
      const { items: shown } = await listed(path, session);
      expect(shown.map(({ id }) => id)).toEqual(ids);
      for (const item of shown) {
        const single = await world.send('GET', `${records[items].base}/${item.id}`, { session });
        expect(item).toEqual(single.body);
      }
    }
  });

  test('Empty', async () => {
    const parent = listing.parent === 'user' ? world.admin : await world.make(listing.parent);
    const { paging, items: none } = await listed(`/api/${listing.parent}/${parent.id}/${listing.list}`);
    expect(none).toEqual([]);
    expect(paging).toMatchObject({ total_items: 0, total_pages: 0, page_number: 1, items_per_page: 25 });
  });

  test('OfNothing', async () => {
    const path = `/api/${listing.parent}/zzzzzzzzzzzzzzzzzzzzzzzzzz/${listing.list}`;
    expect(refusal(await world.send('GET', path))).toEqual(['not_found']);
  });

  test('PagesByNumberAndByCursor', async () => {
    const { path, made } = await filled(listing, 5);
    const ids = made.map(({ id }) => id).sort();
    const pages = await Promise.all([1, 2, 3, 4].map((n) => listed(`${path}?_items_per_page=2&_page_number=${n}`)));
    expect(pages.map((page) => page.items.map(({ id }) => id))).toEqual([
      ids.slice(0, 2),
      ids.slice(2, 4),
      ids.slice(4),
      [],
    ]);
    const paging = { total_items: 5, total_pages: 3, items_per_page: 2 };
    expect(pages.map((page) => page.paging)).toMatchObject([
      { ...paging, page_number: 1, next_page_number: 2, previous_page_number: 1 },
      { ...paging, page_number: 2, next_page_number: 3, previous_page_number: 1 },
      { ...paging, page_number: 3, previous_page_number: 2 },
      { ...paging, page_number: 4, previous_page_number: 3 },
    ]);
    expect((await byCursor(`${path}?_items_per_page=2`)).map(({ id }) => id)).toEqual(ids);
  });

  test('Ordered', async () => {
    const { path, made } = await filled(listing, 4);
    const ids = made.map(({ id }) => id).sort();
    for (const [query, expected] of [
      ['_sort_order=desc', [...ids].reverse()],
      ['_sort_order=asc', ids],
      ['_order_by=date_created', ids],
      ['_order_by=date_created&_sort_order=desc', [...ids].reverse()],
      ['_order_by=id&_sort_order=desc', [...ids].reverse()],
    ] as const) {
      expect([query, (await listed(`${path}?${query}`)).items.map(({ id }) => id)]).toEqual([query, expected]);
      expect((await byCursor(`${path}?${query}&_items_per_page=1`)).map(({ id }) => id)).toEqual(expected);
    }
  });
});

/** Follows the cursor from the first page to the last. */
async function byCursor(path: string): Promise<readonly Shown[]> {
  const shown: Shown[] = [];
  for (let cursor: unknown = ''; cursor !== null; ) {
    const { items, paging } = await listed(cursor === '' ? path : `${path}&_cursor=${cursor}`);
    shown.push(...items);
    cursor = paging.next_cursor;
  }
  return shown;
}

describe('Refused', () => {
  test.each([
    ['_page_number', ['0', '-1', 'x', '1.5']],
    ['_items_per_page', ['0', '101', 'x']],
    ['_order_by', ['nothing', 'game_id; DROP TABLE game']],
    ['_sort_order', ['up']],
    ['_cursor', ['x', 'WyJ4Il0']],
  ])('%s', async (parameter, values) => {
    const path = `/api/game/${await world.home('game')}/boxtops`;
    for (const value of values) {
      const reply = await world.send('GET', `${path}?${parameter}=${encodeURIComponent(value)}`);
      expect([value, refusal(reply)]).toEqual([value, [`${parameter}: invalid`]]);
    }
  });

  test('OneToAHundredAPage', async () => {
    const path = `/api/game/${await world.home('game')}/boxtops`;
    for (const size of [1, 100]) {
      expect((await listed(`${path}?_items_per_page=${size}`)).paging).toMatchObject({ items_per_page: size });
    }
  });

  test('ACursorOfAnotherOrder', async () => {
    const game_id = (await world.make('game')).id;
    for (const name of ['one', 'two']) await world.make('boxtop', { game_id, name });
    const path = `/api/game/${game_id}/boxtops`;
    const { paging } = await listed(`${path}?_items_per_page=1&_order_by=name`);
    expect(refusal(await world.send('GET', `${path}?_cursor=${paging.next_cursor}`))).toEqual(['_cursor: invalid']);
  });

  test('UnknownNamesAreNamed', async () => {
    const reply = await world.send('GET', `/api/game/${await world.home('game')}/boxtops?colour=red`);
    expect([reply.status, ignored(reply)]).toEqual([200, ['colour']]);
  });
});

describe('ByIdentity', () => {
  const rows = Object.entries(gameLists).map(([name, lists]) => ({ name: name as RecordName, lists }));

  test.each(rows)('$name', async ({ name, lists }) => {
    const game_id = (await world.make('game')).id;
    const made = await Promise.all(Object.values(lists).map((identity) => world.make(name, { game_id, identity })));
    const shown = await Promise.all(Object.keys(lists).map((list) => listed(`/api/game/${game_id}/${list}`)));
    expect(shown.map(({ items }) => items)).toEqual(made.map((each) => [each]));
    expect(Object.values(lists).sort()).toEqual([...(records[name].identities ?? [])].sort());
    const base = Object.entries(records.game.lists).find(([, items]) => items === name)?.[0];
    for (const each of made) {
      const { items } = await listed(`/api/game/${game_id}/${base}?identity=${each.identity}`);
      expect(items).toEqual([each]);
    }
  });
});

test.each(['bookletpage', 'coilbookpage'] as const)('PagesOfABookComeInTheirSequence/%s', async (name) => {
  const parameter = Object.keys(parameters[name].references)[0] ?? '';
  const to = toOf(name, parameter);
  const book = await world.make(to);
  const made: Shown[] = [];
  for (const sequence_number of [3, 1, 2, 1])
    made.push(await world.make(name, { [parameter]: book.id, sequence_number }));
  const [third, first, second, alsoFirst] = made.map(({ id }) => id);
  const path = `${records[to].base}/${book.id}/pages`;
  expect(order[name]).toEqual(['sequence_number']);
  // Equal numbers are allowed, and then come by id (D27).
  const expected = [...[first, alsoFirst].sort(), second, third];
  expect((await listed(path)).items.map(({ id }) => id)).toEqual(expected);
  expect((await byCursor(`${path}?_items_per_page=1`)).map(({ id }) => id)).toEqual(expected);
  const ones = await listed(`${path}?sequence_number=1`);
  expect([ones.items.map(({ id }) => id), ones.paging.total_items]).toEqual([expected.slice(0, 2), 2]);
  const { body } = await world.send('GET', `${records[to].base}/${book.id}`);
  expect(body.page_count).toBe(4);
});

test('ByName', async () => {
  const game_id = (await world.make('game')).id;
  for (const name of ['b', 'a', 'c', 'a']) await world.make('boxtop', { game_id, name });
  const names = async (query: string) =>
    (await listed(`/api/game/${game_id}/boxtops?${query}`)).items.map(({ name }) => name);
  expect(await names('_order_by=name')).toEqual(['a', 'a', 'b', 'c']);
  expect(await names('_order_by=name&_sort_order=desc')).toEqual(['c', 'b', 'a', 'a']);
});

test('WhatMayNotBeReadIsNotListed', async () => {
  await world.file();
  const path = `/api/user/${world.owner.id}/files`;
  expect((await listed(path)).items.length).toBeGreaterThan(0);
  for (const session of [null, world.stranger.session]) {
    expect(await listed(path, session)).toMatchObject({ items: [], paging: { total_items: 0 } });
  }
});
