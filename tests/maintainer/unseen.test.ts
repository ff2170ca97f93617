// A new component type like an existing one takes one YAML file and gen, and is used over HTTP immediately.

import { join } from 'node:path';
import { pngSquare } from '../../runtime/admin/demo/images.js';
import { clientOf, type Send, upload } from '../support/client.js';
import { HERE, type ServedSpec, SPEC, serveSpec } from './generated.js';

let served: ServedSpec;
let send: Send;
let owner: { readonly id: string; readonly session: string };
let stranger: { readonly id: string; readonly session: string };
let game: string;

beforeAll(async () => {
  served = await serveSpec(SPEC, join(HERE, 'unseen'));
  send = clientOf(served.server.address);
  owner = await served.user('owner');
  stranger = await served.user('stranger');
  const designer = await create('designer', { name: 'Acme' });
  game = (await create('game', { name: 'Chess', designer_id: designer.id })).id;
});

afterAll(() => served?.stop());

async function create(
  resource: string,
  parameters: Readonly<Record<string, unknown>>,
): Promise<{ readonly id: string; readonly [property: string]: unknown }> {
  const { status, body, text } = await send('POST', `/api/${resource}`, { session: owner.session, parameters });
  if (status !== 201) throw new Error(text);
  return body;
}

describe('a type with images and an identity list', () => {
  test('a record with the required values has the defaults', async () => {
    expect(await create('tuckbox', { name: 'Box', game_id: game })).toMatchObject({
      object_type: 'tuckbox',
      identity: 'PokerTuckBox90',
      finish: 'matte',
      quantity: 1,
      outside_id: null,
      has_proofed_outside: false,
    });
  });

  test('only editors see the image', async () => {
    const image = await upload(served.server.address, owner.session, { name: 'o.png', bytes: pngSquare(200, 10, 10) });
    const { id } = await create('tuckbox', {
      name: 'Box',
      game_id: game,
      outside_id: image,
      has_proofed_outside: true,
    });
    const seen = await send('GET', `/api/tuckbox/${id}`, { session: owner.session });
    expect(seen.body).toMatchObject({
      has_proofed_outside: true,
      outside: { id: image, image_width: 8, image_height: 8 },
    });
    const publicly = await send('GET', `/api/tuckbox/${id}`);
    expect(Object.keys(publicly.body).filter((name) => name.includes('outside'))).toEqual([]);
  });

  test('the game has lists of them', async () => {
    const { body } = await send('GET', `/api/game/${game}/tuckboxes?identity=PokerTuckBox90`);
    expect(body.paging.total_items).toBe(2);
  });

  test('wrong identity is named', async () => {
    const { status, body } = await send('POST', '/api/tuckbox', {
      session: owner.session,
      parameters: { name: 'Box', game_id: game, identity: 'Shoebox' },
    });
    expect(status).toBe(422);
    expect(body.errors).toMatchObject([{ field: 'identity', code: 'invalid' }]);
  });

  test('another user may not write', async () => {
    const parameters = { name: 'Box', game_id: game };
    expect((await send('POST', '/api/tuckbox', { session: stranger.session, parameters })).status).toBe(403);
  });
});

describe('a set and its member', () => {
  test('members copy values from the set, and the set counts them', async () => {
    const set = await create('gaugeset', { name: 'Gauges', game_id: game, size: 'big' });
    for (const [name, order] of [
      ['Third', 3],
      ['First', 1],
      ['Second', 2],
    ] as const) {
      await create('gauge', { name, set_id: set.id, order });
    }
    const { body } = await send('GET', `/api/gaugeset/${set.id}`);
    expect(body).toMatchObject({ gauge_count: 3, size: 'big' });
    const gauges = await send('GET', `/api/gaugeset/${set.id}/gauges`);
    expect(gauges.body.items.map(({ name, size }: { name: string; size: string }) => [name, size])).toEqual([
      ['First', 'big'],
      ['Second', 'big'],
      ['Third', 'big'],
    ]);
    expect((await send('GET', `/api/game/${game}/biggaugesets`)).body.paging.total_items).toBe(1);
  });

  test('name is unique within the set', async () => {
    const set = await create('gaugeset', { name: 'Gauges', game_id: game });
    const other = await create('gaugeset', { name: 'More gauges', game_id: game });
    await create('gauge', { name: 'One', set_id: set.id });
    await create('gauge', { name: 'One', set_id: other.id });
    const again = await send('POST', '/api/gauge', {
      session: owner.session,
      parameters: { name: 'One', set_id: set.id },
    });
    expect(again.status).toBe(409);
    expect(again.body.errors).toMatchObject([{ field: 'name', code: 'not_unique' }]);
  });

  test('members are deleted with the set', async () => {
    const set = await create('gaugeset', { name: 'Gauges', game_id: game });
    const gauge = await create('gauge', { name: 'One', set_id: set.id });
    expect((await send('DELETE', `/api/gaugeset/${set.id}`, { session: owner.session })).body).toEqual({ success: 1 });
    expect((await send('GET', `/api/gauge/${gauge.id}`)).status).toBe(404);
  });
});

describe("a tree owned by the session's user", () => {
  test('belongs to its creator', async () => {
    const top = await create('shelf', { label: 'Top' });
    const inner = await create('shelf', { label: 'Inner', shelf_id: top.id });
    expect(top.user_id).toBe(owner.id);
    const { body } = await send('GET', `/api/shelf/${top.id}/shelves`, { session: owner.session });
    expect(body.items.map(({ id }: { id: string }) => id)).toEqual([inner.id]);
    expect((await send('GET', `/api/shelf/${top.id}`, { session: stranger.session })).status).toBe(403);
  });

  test('may not be placed in itself', async () => {
    const top = await create('shelf', { label: 'Top' });
    const inner = await create('shelf', { label: 'Inner', shelf_id: top.id });
    const moved = await send('PUT', `/api/shelf/${top.id}`, {
      session: owner.session,
      parameters: { shelf_id: inner.id },
    });
    expect(moved.status).toBe(409);
  });

  test('may not be placed in a tree of another user', async () => {
    const top = await create('shelf', { label: 'Top' });
    const sent = await send('POST', '/api/shelf', {
      session: stranger.session,
      parameters: { label: 'Mine', shelf_id: top.id },
    });
    expect(sent.status).toBe(403);
  });
});
