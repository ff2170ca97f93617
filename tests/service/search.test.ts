// The search of stock parts and of published games in requests (D44): both names of the parameter, refusals, and the contents
// of a page.

import { shared } from '../support/shared.js';
import { ignored, refusal } from './replies.js';
import { makeWorld } from './world.js';

const world = shared(makeWorld);
beforeAll(async () => {
  for (const [name, keywords] of [
    ['Blue cube', 'wood, counter'],
    ['Red cube', 'wood'],
    ['Œuvre complète', 'wood, book'],
    ['日本語の双六ゲーム', 'Straßenspiel'],
  ])
    await world.send('POST', '/api/part', { parameters: { name, keywords, session_id: world.admin.session } });
});

const find = async (query: string) => {
  const { status, body } = await world.send('GET', `/api/part?${query}`);
  return status === 200 ? body.items.map(({ name }: { readonly name: string }) => name).sort() : body;
};

test('words are found in any order, case and accent, under either name of the parameter', async () => {
  expect(await find('q=cube')).toEqual(['Blue cube', 'Red cube']);
  expect(await find('query=COUNTER%20blue')).toEqual(['Blue cube']);
  expect(await find('q=cube&query=cube')).toEqual(['Blue cube', 'Red cube']);
  expect(await find('q=complete')).toEqual(['Œuvre complète']);
  expect(await find('q=compl%C3%A8te%2C+wood!')).toEqual(['Œuvre complète']);
  expect(await find('q=cube+counter+red')).toEqual([]);
  for (const text of ['双六', 'の', 'ｹﾞｰﾑ 日本', 'STRASSE', 'straße 六ゲ', 'strassenspiel'])
    expect([text, await find(`q=${encodeURIComponent(text)}`)]).toEqual([text, ['日本語の双六ゲーム']]);
  expect(await find(`q=${encodeURIComponent('日六')}`)).toEqual([]);
  expect(await find('q=-+!')).toHaveLength(4);
  expect(await find('q=')).toHaveLength(4);
});

test('pages go on by cursor, which belongs to its words', async () => {
  const { body } = await world.send('GET', '/api/part?q=wood&_items_per_page=2&_order_by=name');
  expect(body.paging).toMatchObject({ total_items: 3, total_pages: 2, page_number: 1 });
  expect(body.paging.complete).toBeUndefined();
  const next = `_items_per_page=2&_order_by=name&_cursor=${body.paging.next_cursor}`;
  expect(await find(`q=wood&${next}`)).toEqual(['Œuvre complète']);
  expect(refusal(await world.send('GET', `/api/part?q=cube&${next}`))).toEqual(['_cursor: invalid']);
});

test('invalid searches are refused', async () => {
  const words = (count: number) => Array.from({ length: count }, (_, at) => `w${at}`).join('+');
  expect(await find(`q=${words(8)}`)).toEqual([]);
  expect(refusal(await world.send('GET', `/api/part?q=${words(9)}`))).toEqual(['q: invalid']);
  expect(refusal(await world.send('GET', `/api/part?q=${'x'.repeat(256)}`))).toEqual(['q: invalid']);
  expect(refusal(await world.send('GET', '/api/part?q=a&query=b'))).toEqual(['q: invalid', 'query: invalid']);
  // A resource without a search does not know the parameter.
  expect(ignored(await world.send('GET', '/api/boxtop?q=x', { session: world.admin.session }))).toEqual(['q']);
});

test('a game is found once it is published, and not after it is withdrawn', async () => {
  const { id } = await world.make('game', { name: 'Lighthouse', short_description: 'Keep the ships away' });
  const found = async (session: string | null) => {
    const { body } = await world.send('GET', '/api/game?q=ship+light', { session });
    return body.items.map((game: { readonly id: string }) => game.id);
  };
  const both = async () => [await found(null), await found(world.admin.session)];
  expect(await both()).toEqual([[], [id]]);
  await world.send('POST', `/api/game/${id}/public`, { session: world.owner.session });
  expect(await both()).toEqual([[id], [id]]);
  await world.send('DELETE', `/api/game/${id}/public`, { session: world.owner.session });
  expect(await both()).toEqual([[], [id]]);
});
