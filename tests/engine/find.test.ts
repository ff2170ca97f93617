// Operators find records by the beginning of a text, on every engine; if the text has an index, all of them are found, and the
// list of all records is in its order, however long it is.

import { loadGenerated } from '../../runtime/server/load-generated.js';
import { SCANNED_RECORDS } from '../../runtime/store/sql/find.js';
import { ADMIN, as, change } from '../store/setup.js';
import { describeOnEngines } from './records-fixture.js';

const USER = { password: 'hash of a password' };
const PAGE = { parent: null, list: '', number: 1, size: 2, maxBytes: 1e6, cursor: null, filters: {} };

describeOnEngines('records by the beginning of a text', (open) => {
  const { generated, schema } = loadGenerated(null);
  const start = () => open({ definitions: generated.definitions, schema });

  test('are found regardless of case, and with any characters in the text', async () => {
    const { records, end } = await start();
    const ids: string[] = [];
    for (const [username, email] of [
      ['ada', 'Ada@example.com'],
      ['adam', 'adam@example.com'],
      ['bob', "b%_o'b@example.com"],
    ])
      ids.push((await records.create(change('user', ADMIN, { ...USER, username, email }))).id);
    const [ada = '', adam = '', bob = ''] = ids;
    const find = async (text: string, columns = ['username', 'email'], limit = 5) =>
      (await records.find('user', { text, columns, limit })).ids;
    expect(await find('ADA@')).toEqual([ada]);
    expect([...(await find('ada'))].sort()).toEqual([ada, adam].sort());
    expect(await find('ada', ['username'], 1)).toEqual([ada]);
    for (const text of ['b%_', "B%_O'", 'bob']) expect(await find(text)).toEqual([bob]);
    for (const text of ['da', 'a%a', '_', "'"]) expect(await find(text)).toEqual([]);
    expect(await records.texts('user', ['username'], [bob, 'xx-gone', ada])).toEqual(
      expect.arrayContaining([
        { id: ada, username: 'ada' },
        { id: bob, username: 'bob' },
      ]),
    );
    await end();
  });

  test('are searched for in a limited number of rows if the text has no index, and the result says so', async () => {
    const { records, end } = await start();
    const ada = (await records.create(change('user', ADMIN, { ...USER, username: 'ada' }))).id;
    const designer = (await records.create(change('designer', as(ada), { name: 'Games' }))).id;
    const game = (await records.create(change('game', as(ada), { name: 'Dawn', designer_id: designer }))).id;
    const changes = Array.from({ length: SCANNED_RECORDS + 1 }, (_, at) =>
      change('boxtop', as(ada), { name: at === SCANNED_RECORDS ? 'Last' : 'Box', game_id: game }),
    );
    const bulk = { resource: 'boxtop', parent: { resource: 'game', id: game }, caller: as(ada), now: 1 };
    await records.createAll({ ...bulk, changes: changes.slice(1, SCANNED_RECORDS + 1) });
    const search = { text: 'last', columns: ['name'], limit: 5 };
    const result = await records.find('boxtop', search);
    expect([result.ids.length, result.isComplete]).toEqual([1, true]);
    await records.createAll({ ...bulk, changes: changes.slice(0, 1) });
    expect((await records.find('boxtop', search)).isComplete).toBe(false);
    await end();
  });

  test('all records can be listed in the order of the text, by cursor, in both directions', async () => {
    const { records, end } = await start();
    const ada = (await records.create(change('user', ADMIN, { ...USER, username: 'ada' }))).id;
    for (const name of ['c', 'a', 'b', 'd', 'e']) await records.create(change('designer', as(ada), { name }));
    for (const descending of [false, true]) {
      const names: unknown[] = [];
      let cursor: string | null = null;
      do {
        const page = { ...PAGE, orderBy: 'name', descending, cursor };
        const listed: Awaited<ReturnType<typeof records.list>> = await records.list('designer', page, '', ADMIN);
        names.push(...listed.items.map((text) => JSON.parse(text).name));
        cursor = listed.cursor;
      } while (cursor !== null);
      expect(names).toEqual(descending ? ['e', 'd', 'c', 'b', 'a'] : ['a', 'b', 'c', 'd', 'e']);
    }
    await end();
  });
});
