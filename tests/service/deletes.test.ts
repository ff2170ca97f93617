// Deletions that delete other records over several levels (D33). The generated tests cover each reference alone; tests/document
// compares each descriptor with the document.

import { deleted } from '../document/paths.js';
import { records } from '../document/resources.js';
import type { RecordName } from '../document/table.js';
import { shared } from '../support/shared.js';
import { makeWorld, type ShownRecord } from './world.js';

const world = shared(makeWorld);

const session = () => world.owner.session;
const at = (name: RecordName, id: string) => `${records[name].base}/${id}`;
const remove = (name: RecordName, id: string) => world.send('DELETE', at(name, id), { session: session() });
const fetched = (name: RecordName, id: string) => world.send('GET', at(name, id), { session: session() });

test('a game is deleted with everything below it', async () => {
  const game_id = (await world.make('game')).id;
  const set = await world.make('twosidedsluggedset', { game_id });
  const booklet = await world.make('booklet', { game_id });
  const coilbook = await world.make('coilbook', { game_id });
  const file_id = (await world.file()).id;
  const below: readonly (readonly [RecordName, ShownRecord])[] = [
    ['twosidedsluggedset', set],
    ['twosidedslugged', await world.make('twosidedslugged', { set_id: set.id })],
    ['booklet', booklet],
    ['bookletpage', await world.make('bookletpage', { booklet_id: booklet.id })],
    ['coilbook', coilbook],
    ['coilbookpage', await world.make('coilbookpage', { book_id: coilbook.id })],
    ['gamedownload', await world.make('gamedownload', { game_id, file_id })],
  ];
  expect((await remove('game', game_id)).body).toEqual(deleted);
  for (const [name, { id }] of below) expect([name, (await fetched(name, id)).status]).toEqual([name, 404]);
  // The file was only referred to.
  expect((await fetched('file', file_id)).status).toBe(200);
});

test('the bytes of a deleted file are not served', async () => {
  const { id, file_uri } = await world.file();
  expect((await fetch(`${world.address}${file_uri}`)).status).toBe(200);
  await remove('file', id);
  expect((await fetch(`${world.address}${file_uri}`)).status).toBe(404);
});
