// A game is copied with all its parts over HTTP: by its editors, once for each key, and never partially (D55).
import { clientOf } from '../support/client.js';
import { shared } from '../support/shared.js';
import { refusal } from './replies.js';
import { makeWorld, type Person, type ShownRecord } from './world.js';

const world = shared(makeWorld);
let associate: Person;
let game: ShownRecord;
let file: ShownRecord;
beforeAll(async () => {
  associate = await world.service.user('associate');
  const designer_id = (await world.make('designer')).id;
  await world.make('designerassociate', { designer_id, user_id: associate.id });
  game = await world.make('game', { designer_id, name: 'Tides' });
  file = await world.file();
  const set = await world.make('twosidedsluggedset', { game_id: game.id, back_id: file.id, has_proofed_back: true });
  await world.make('twosidedslugged', { set_id: set.id, name: 'North' });
  await world.make('twosidedslugged', { set_id: set.id, name: 'South' });
  await world.make('gamedownload', { game_id: game.id, file_id: file.id });
  await world.make('receipt', { items: [{ game_id: game.id }] });
});

const copy = (by: Person | null, parameters: object = {}, headers: Readonly<Record<string, string>> = {}) =>
  clientOf(world.address)('POST', `/api/game/${game.id}/copy`, {
    session: by?.session ?? null,
    parameters: { ...parameters },
    headers,
  });
const items = async (path: string): Promise<readonly ShownRecord[]> =>
  (await world.send('GET', path, { session: world.owner.session })).body.items;

test('the parts of a game are copied, and refer to the copy', async () => {
  await world.send('POST', `/api/game/${game.id}/public`, { session: world.owner.session });
  const { status, body, headers } = await copy(world.owner);
  expect([status, headers.get('location')]).toEqual([201, `/api/game/${body.id}`]);
  expect(body).toMatchObject({ name: 'Tides (Copy)', designer_id: game.designer_id, public: false });
  const [set] = await items(`/api/game/${body.id}/twosidedsluggedsets`);
  expect(set).toMatchObject({ game_id: body.id, back_id: file.id, has_proofed_back: true });
  const members = await items(`/api/twosidedsluggedset/${set?.id}/members`);
  expect(members.map(({ name, set_id }) => [name, set_id])).toEqual([
    ['North', set?.id],
    ['South', set?.id],
  ]);
  expect(await items(`/api/game/${body.id}/downloads`)).toMatchObject([{ game_id: body.id, file_id: file.id }]);
  expect(await items(`/api/game/${game.id}/twosidedsluggedsets`)).toHaveLength(1);
});

test('only editors may copy', async () => {
  expect((await copy(associate, { name: 'Waves' })).body).toMatchObject({ name: 'Waves' });
  expect(refusal(await copy(world.stranger))).toEqual(['forbidden']);
  expect(refusal(await copy(null))).toEqual(['login_required']);
  expect(refusal(await copy(world.owner, { name: 'x'.repeat(256) }))).toEqual(['name: invalid']);
});

test('with a key, a copy is made once', async () => {
  const key = { 'idempotency-key': 'copy-1' };
  const first = await copy(world.owner, { name: 'Once' }, key);
  const second = await copy(world.owner, { name: 'Once' }, key);
  expect([second.status, second.body.id]).toEqual([201, first.body.id]);
});
