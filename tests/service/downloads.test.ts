// Who sees the file of a download: free or bought, refunded, editors, strangers (D15, D31), by the table in access.ts.

import { download } from '../document/access.js';
import { brief } from '../document/behind.js';
import { runSql } from '../support/database.js';
import { shared } from '../support/shared.js';
import { refusal } from './replies.js';
import { makeWorld, type Person, type ShownRecord } from './world.js';

type Reader = keyof typeof download.free;

const world = shared(makeWorld);
let readers: Readonly<Record<Reader, string | null>>;
let game: ShownRecord;
let file: ShownRecord;
beforeAll(async () => {
  const { service, owner, stranger, admin } = world;
  const [associate, buyer, refunded] = await Promise.all(
    ['associate', 'buyer', 'refunded'].map((name) => service.user(name)),
  );
  readers = {
    anonymous: null,
    stranger: stranger.session,
    buyer: buyer?.session ?? '',
    refundedBuyer: refunded?.session ?? '',
    associate: associate?.session ?? '',
    owner: owner.session,
    administrator: admin.session,
  };
  const designer_id = (await world.make('designer')).id;
  await world.make('designerassociate', { designer_id, user_id: associate?.id });
  game = await world.make('game', { designer_id });
  file = await world.file();
  await buy(buyer, game);
  await refund((await buy(refunded, game)).id);
  // A user who bought another game has not bought this one.
  await buy(stranger, await world.make('game', { designer_id }));
});

const buy = (person: Person | undefined, bought: ShownRecord) =>
  world.make('receipt', { user_id: person?.id, items: [{ game_id: bought.id }] });

/** The refund is an action of the web hook module; here the receipt is marked as that action would do it. */
async function refund(id: string): Promise<void> {
  const refunded = 'UPDATE receipt SET refunded = 1 WHERE id = ? RETURNING id';
  expect(await runSql(world.service.service, refunded, id)).toHaveLength(1);
}

describe.each([
  ['free', 1],
  ['paid', 0],
] as const)('%s', (kind, free) => {
  test.each(Object.entries(download[kind]))('%s', async (reader, sees) => {
    const created = await world.make('gamedownload', { game_id: game.id, file_id: file.id, free });
    const session = readers[reader as Reader];
    const path = `/api/gamedownload/${created.id}`;
    const list = await world.send('GET', `/api/game/${game.id}/downloads?_items_per_page=100`, { session });
    const inList = (list.body.items as readonly ShownRecord[]).find(({ id }) => id === created.id);
    for (const shown of [
      (await world.send('GET', path, { session })).body,
      (await world.send('GET', path.replace('gamedownload', 'download'), { session })).body,
      inList,
    ]) {
      expect(shown).toMatchObject({ id: created.id, free, game_id: game.id });
      const held = download.properties.filter((property) => Object.hasOwn(shown, property));
      expect(held).toEqual(sees ? download.properties : []);
    }
    const related = await world.send('GET', `${path}?_include_related_objects=1&_include_relationships=1`, { session });
    expect(related.text.includes(String(file.file_uri))).toBe(sees);
    expect(related.text.includes(file.id)).toBe(sees);
  });
});

test('part and file describe the file', async () => {
  const created = await world.make('gamedownload', { game_id: game.id, file_id: file.id });
  const description = Object.fromEntries(brief.map((property) => [property, file[property]]));
  expect(created).toMatchObject({ file: description, part: description });
  // Named after the file by default.
  expect(created.name).toBe(file.name);
  expect(await world.make('gamedownload', { file_id: file.id, name: 'Rules' })).toMatchObject({ name: 'Rules' });
});

test('free and name can be changed', async () => {
  const { id } = await world.make('gamedownload', { game_id: game.id, file_id: file.id });
  const { session } = world.owner;
  const parameters = { free: 1, name: 'Print and play' };
  const reply = await world.send('PUT', `/api/gamedownload/${id}`, { session, parameters });
  expect(reply.body).toMatchObject(parameters);
  expect((await world.send('GET', `/api/download/${id}`)).body).toHaveProperty('part.id', file.id);
});

test('a file that a download needs cannot be deleted', async () => {
  const { session } = world.owner;
  const needed = await world.file();
  const { id } = await world.make('gamedownload', { file_id: needed.id });
  expect(refusal(await world.send('DELETE', `/api/file/${needed.id}`, { session }))).toEqual(['conflict']);
  await world.send('DELETE', `/api/gamedownload/${id}`, { session });
  expect((await world.send('DELETE', `/api/file/${needed.id}`, { session })).body).toEqual({ success: 1 });
});
