// GET /api/game/uri/<part> (D53): the fetch of the record with a unique value, on every engine and in both profiles. Fields of
// every kind are in tests/domains/correct; here are unusual values, and the effect of changes on the path.
import { onPostgres } from '../support/on-postgres.js';
import { shared } from '../support/shared.js';
import { makeWorld } from './world.js';

/** Values that a path has to carry. */
const ODD = ['a/b', 'ü 日本 🎲', '%2F', 'a?b#c', 'a.b', 'public', "o'clock"];

const behaviour = (wire: 'plain' | 'wing') => {
  const world = shared(() => makeWorld(wire));
  let game: { readonly id: string };
  let admin: string;
  beforeAll(async () => {
    game = await world.make('game');
    ({ session: admin } = await world.service.user(`root ${wire}`, true));
  });

  const get = (path: string, session: string | null = null) => world.send('GET', `/api/game/${path}`, { session });
  const rename = (uri_part: string | null, id = game.id) =>
    world.send('PUT', `/api/game/${id}`, { session: admin, parameters: { uri_part } });
  const by = (part: string, more = '') => get(`uri/${encodeURIComponent(part)}${more}`);

  test.each(ODD)('the game at %j', async (part) => {
    expect((await rename(part)).status).toBe(200);
    const wanted = await get(`${game.id}?_include_related_objects=1`);
    const got = await by(part, '?_include_related_objects=1');
    expect([got.status, got.text, got.headers.get('etag')]).toEqual([200, wanted.text, wanted.headers.get('etag')]);
  });

  test('another value moves the path, no value removes it, and no other record can have it meanwhile', async () => {
    await rename('first');
    await rename('second');
    expect([(await by('first')).status, (await by('second')).status]).toEqual([404, 200]);
    const other = await world.make('game');
    expect((await rename('second', other.id)).status).not.toBe(200);
    await rename(null);
    expect([(await by('second')).status, (await by('null')).status, (await get('uri/')).status]).toEqual([
      404, 404, 404,
    ]);
    expect((await rename('second', other.id)).status).toBe(200);
    expect((await by('second')).text).toBe((await get(other.id)).text);
  });

  test('the path is read-only, and a deleted record is not found', async () => {
    await rename('third');
    const put = await world.send('PUT', '/api/game/uri/third', { session: admin, parameters: { name: 'x' } });
    expect(put.status).toBe(405);
    await world.send('DELETE', `/api/game/${game.id}`, { session: admin });
    expect((await by('third')).status).toBe(404);
  });
};

const profiles = () => describe.each(['plain', 'wing'] as const)('in %s', behaviour);
profiles();
onPostgres(profiles);
