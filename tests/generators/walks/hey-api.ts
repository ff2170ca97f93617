// The client of @hey-api/openapi-ts: log in, upload, create, fetch, list, delete.

import assert from 'node:assert/strict';
import {
  createBoxtop,
  createDesigner,
  createFile,
  createGame,
  createSession,
  deleteBoxtop,
  getBoxtop,
  listGameBoxtops,
} from './client';
import { client } from './client/client.gen';
import { given, record } from './given';

async function main(): Promise<void> {
  const { baseUrl, login, png } = given();
  const throwOnError = true;
  client.setConfig({ baseUrl });

  const session = record((await createSession({ body: login, throwOnError })).data);
  client.setConfig({ auth: session.id });

  const file = new File([Buffer.from(png, 'base64')], 'top.png', { type: 'image/png' });
  const image = record((await createFile({ body: { name: 'top.png', file }, throwOnError })).data);
  assert.equal(image.file_type, 'image/png');

  const designer = record((await createDesigner({ body: { name: 'Meeple Works' }, throwOnError })).data);
  const body = { name: 'Harbour Lights', designer_id: designer.id };
  const game = record((await createGame({ body, throwOnError })).data);
  const box = { name: 'Box', game_id: game.id, top_id: image.id, identity: 'LargeStoutBoxTop' } as const;
  const headers = { 'Idempotency-Key': 'one-box' };
  const boxtop = record((await createBoxtop({ body: box, headers, throwOnError })).data);

  const path = { id: boxtop.id };
  const query = { _include_related_objects: ['game'] };
  const fetched = record((await getBoxtop({ path, query, throwOnError })).data);
  assert.equal(fetched.top?.id, image.id);
  assert.equal(fetched.game?.name, 'Harbour Lights');

  const listed = record((await listGameBoxtops({ path: { id: game.id }, throwOnError })).data);
  assert.deepEqual(
    listed.items.map(({ id }) => id),
    [boxtop.id],
  );

  const deleted = record((await deleteBoxtop({ path, throwOnError })).data);
  assert.equal(deleted.success, 1);
  const { response, error } = await getBoxtop({ path });
  assert.equal(response?.status, 404);
  assert(error !== undefined);
}

void main();
