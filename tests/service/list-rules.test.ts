// Lists with a rule of their own: those of a game by identity, and the pages of a book in their sequence (D23, D27).

import { order } from '../document/behind.js';
import { gameLists } from '../document/lists.js';
import { parameters } from '../document/parameters.js';
import { records } from '../document/resources.js';
import type { RecordName } from '../document/table.js';
import { byCursor, listed, toOf } from './listing.js';
import { makeWorld, type Shown, type World } from './world.js';

let world: World;
beforeAll(async () => {
  world = await makeWorld();
});
afterAll(() => world.stop());

describe('ByIdentity', () => {
  const rows = Object.entries(gameLists).map(([name, lists]) => ({ name: name as RecordName, lists }));

  test.each(rows)('$name', async ({ name, lists }) => {
    const game_id = (await world.make('game')).id;
    const made = await Promise.all(Object.values(lists).map((identity) => world.make(name, { game_id, identity })));
    const shown = await Promise.all(Object.keys(lists).map((list) => listed(world, `/api/game/${game_id}/${list}`)));
    expect(shown.map(({ items }) => items)).toEqual(made.map((each) => [each]));
    expect(Object.values(lists).sort()).toEqual([...(records[name].identities ?? [])].sort());
    const base = Object.entries(records.game.lists).find(([, items]) => items === name)?.[0];
    for (const each of made) {
      const { items } = await listed(world, `/api/game/${game_id}/${base}?identity=${each.identity}`);
      expect(items).toEqual([each]);
    }
  });
});

test.each(['bookletpage', 'coilbookpage'] as const)('PagesOfABookComeInTheirSequence/%s', async (name) => {
  const parameter = Object.keys(parameters[name].references)[0] ?? '';
  const to = toOf(name, parameter);
  const book = await world.make(to);
  // Another book's page is neither listed nor counted.
  await world.make(name, { [parameter]: (await world.make(to)).id });
  const made: Shown[] = [];
  for (const sequence_number of [3, 1, 2, 1])
    made.push(await world.make(name, { [parameter]: book.id, sequence_number }));
  const [third, first, second, alsoFirst] = made.map(({ id }) => id);
  const path = `${records[to].base}/${book.id}/pages`;
  expect(order[name]).toEqual(['sequence_number']);
  // Equal numbers are allowed, and then come by id (D27).
  const expected = [...[first, alsoFirst].sort(), second, third];
  expect((await listed(world, path)).items.map(({ id }) => id)).toEqual(expected);
  expect((await byCursor(world, `${path}?_items_per_page=1`)).map(({ id }) => id)).toEqual(expected);
  const ones = await listed(world, `${path}?sequence_number=1`);
  expect([ones.items.map(({ id }) => id), ones.paging.total_items]).toEqual([expected.slice(0, 2), 2]);
  const count = async () => (await world.send('GET', `${records[to].base}/${book.id}`)).body.page_count;
  expect([book.page_count, await count()]).toEqual([0, 4]);
  await world.send('DELETE', `${records[name].base}/${third}`, { session: world.owner.session });
  expect(await count()).toBe(3);
});
