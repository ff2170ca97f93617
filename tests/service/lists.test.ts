// Every list: its contents, its pages by number and by cursor, its order and filters (Must hold 1; D23).

import { records } from '../document/resources.js';
import { documentedNames, type RecordName } from '../document/table.js';
import { shared } from '../support/shared.js';
import { byCursor, filled, type Listing, listed } from './listing.js';
import { ignored, refusal } from './replies.js';
import { makeWorld } from './world.js';

const world = shared(makeWorld);

const served = (name: string) => name !== 'webhook';
/** By resource: lists with documented items, on any parent. */
const listings: readonly Listing[] = (Object.keys(records) as RecordName[]).flatMap((parent) =>
  Object.entries(records[parent].lists)
    .filter(([, items]) => served(items) && (documentedNames as readonly string[]).includes(items))
    .map(([list, items]) => ({ parent, list, items })),
);

test('every documented resource is listed', () => {
  expect([...new Set(listings.map(({ items }) => items))].sort()).toEqual(documentedNames.filter(served).sort());
});

describe.each(listings)('$parent/$list', (listing) => {
  const { items } = listing;

  test('shows its items as a fetch shows them', async () => {
    const { path, made } = await filled(world, listing, 3);
    await world.make(items);
    const ids = made.map(({ id }) => id).sort();
    for (const session of [null, world.owner.session]) {
      const { items: shown } = await listed(world, path, session);
      expect(shown.map(({ id }) => id)).toEqual(ids);
      for (const item of shown) {
        const single = await world.send('GET', `${records[items].base}/${item.id}`, { session });
        expect(item).toEqual(single.body);
      }
    }
  });

  test('an empty list', async () => {
    const parent = listing.parent === 'user' ? world.admin : await world.make(listing.parent);
    const { paging, items: none } = await listed(world, `/api/${listing.parent}/${parent.id}/${listing.list}`);
    expect(none).toEqual([]);
    expect(paging).toMatchObject({ total_items: 0, total_pages: 0, page_number: 1, items_per_page: 25 });
  });

  test('a list of a parent that does not exist', async () => {
    const path = `/api/${listing.parent}/zzzzzzzzzzzzzzzzzzzzzzzzzz/${listing.list}`;
    expect(refusal(await world.send('GET', path))).toEqual(['not_found']);
  });

  test('pages by number and by cursor', async () => {
    const { path, made } = await filled(world, listing, 5);
    const ids = made.map(({ id }) => id).sort();
    const pages = await Promise.all(
      [1, 2, 3, 4].map((n) => listed(world, `${path}?_items_per_page=2&_page_number=${n}`)),
    );
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
    expect((await byCursor(world, `${path}?_items_per_page=2`)).map(({ id }) => id)).toEqual(ids);
  });

  test('is ordered', async () => {
    const { path, made } = await filled(world, listing, 4);
    const ids = made.map(({ id }) => id).sort();
    for (const [query, expected] of [
      ['_sort_order=desc', [...ids].reverse()],
      ['_sort_order=asc', ids],
      ['_order_by=date_created', ids],
      ['_order_by=date_created&_sort_order=desc', [...ids].reverse()],
      ['_order_by=id&_sort_order=desc', [...ids].reverse()],
    ] as const) {
      expect([query, (await listed(world, `${path}?${query}`)).items.map(({ id }) => id)]).toEqual([query, expected]);
      expect((await byCursor(world, `${path}?${query}&_items_per_page=1`)).map(({ id }) => id)).toEqual(expected);
    }
  });
});

describe('refused', () => {
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

  test('one to a hundred items per page', async () => {
    const path = `/api/game/${await world.home('game')}/boxtops`;
    for (const size of [1, 100]) {
      expect((await listed(world, `${path}?_items_per_page=${size}`)).paging).toMatchObject({ items_per_page: size });
    }
  });

  test('a cursor from another order', async () => {
    const game_id = (await world.make('game')).id;
    for (const name of ['one', 'two']) await world.make('boxtop', { game_id, name });
    const path = `/api/game/${game_id}/boxtops`;
    const { paging } = await listed(world, `${path}?_items_per_page=1&_order_by=name`);
    for (const query of ['', '_order_by=identity', '_order_by=name&_sort_order=desc']) {
      const reply = await world.send('GET', `${path}?${query}&_cursor=${paging.next_cursor}`);
      expect([query, refusal(reply)]).toEqual([query, ['_cursor: invalid']]);
    }
  });

  test('unknown names are named', async () => {
    const reply = await world.send('GET', `/api/game/${await world.home('game')}/boxtops?colour=red`);
    expect([reply.status, ignored(reply)]).toEqual([200, ['colour']]);
  });
});

test('by name', async () => {
  const game_id = (await world.make('game')).id;
  for (const name of ['b', 'a', 'c', 'a']) await world.make('boxtop', { game_id, name });
  const names = async (query: string) =>
    (await listed(world, `/api/game/${game_id}/boxtops?${query}`)).items.map(({ name }) => name);
  expect(await names('_order_by=name')).toEqual(['a', 'a', 'b', 'c']);
  expect(await names('_order_by=name&_sort_order=desc')).toEqual(['c', 'b', 'a', 'a']);
});

test('unreadable records are not listed', async () => {
  await world.file();
  const path = `/api/user/${world.owner.id}/files`;
  expect((await listed(world, path)).items.length).toBeGreaterThan(0);
  for (const session of [null, world.stranger.session]) {
    expect(await listed(world, path, session)).toMatchObject({ items: [], paging: { total_items: 0 } });
  }
});

test('the number of items in a long list follows every write', async () => {
  const [game, other] = [await world.make('game'), await world.make('game')];
  const { session } = world.owner;
  const list = `/api/game/${game.id}/boxtops`;
  const total = async () => (await listed(world, `${list}?_items_per_page=1`, session)).paging.total_items;
  const made: { id: string }[] = [];
  for (let at = 0; at < 110; at += 1) made.push(await world.make('boxtop', { game_id: game.id }));
  const totals = [await total(), await total()];
  const [first, second] = made.map(({ id }) => `${records.boxtop.base}/${id}`);
  await world.send('DELETE', `${first}`, { session });
  totals.push(await total());
  await world.send('PUT', `${second}`, { session, parameters: { game_id: other.id } });
  totals.push(await total());
  await world.make('boxtop', { game_id: game.id });
  totals.push(await total());
  expect(totals).toEqual([110, 110, 109, 108, 109]);
});
