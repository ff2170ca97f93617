import { ADMIN, ANYONE, as, change, NOW, people, removeFolders, setup } from './setup.js';

/** Of a record that is read alone. */
const ALONE = { objects: [], links: {} };

describe('records', () => {
  afterAll(removeFolders);

  async function withPiece() {
    const harness = setup();
    const everyone = await people(harness);
    const { ada, game, file } = everyone;
    const input = { name: 'Chit "1"', game_id: game, order: 3, face_id: file, has_proofed_face: true };
    const made = await harness.store.create(change('piece', as(ada), input));
    return { ...harness, ...everyone, id: made.id, text: made.text };
  }

  test('EachViewerHasItsText, properties in the order declared', async () => {
    const { text, id, game, file, bob, eve, store } = await withPiece();
    const start = `{"id":"${id}","name":"Chit \\"1\\"","game_id":"${game}","order":3`;
    const hidden = `,"face_id":"${file}","face":{"id":"${file}","name":"face.png","file_uri":"/files/${file}/s3"},"has_proofed_face":true`;
    const date = ',"date_created":"2026-01-02T03:04:05.678Z"';
    expect(NOW).toBe(1767323045678);
    expect(text).toBe(`${start}${hidden}${date},"token":"tok"}`);
    const get = (caller: typeof ANYONE) => store.get('piece', id, caller);
    expect(get(ANYONE)).toEqual({ found: true, text: `${start}${date}}`, ...ALONE });
    expect(get(as(eve))).toEqual({ found: true, text: `${start}${date}}`, ...ALONE });
    expect(get(as(bob))).toEqual({ found: true, text: `${start}${hidden}${date}}`, ...ALONE });
    expect(get(ADMIN)).toEqual({ found: true, text: `${start}${hidden}${date}}`, ...ALONE });
  });

  test('WhatIsNotSetIsLeftOut', async () => {
    const { create, json, ada, game } = await withPiece();
    const id = await create('piece', as(ada), { name: 'p', game_id: game });
    expect(json('piece', id, as(ada))).toEqual({
      id,
      name: 'p',
      game_id: game,
      order: null,
      face_id: null,
      has_proofed_face: false,
      date_created: '2026-01-02T03:04:05.678Z',
    });
  });

  test('WhatMayNotBeReadIsRefusedByKind', async () => {
    const { create, json, ada, eve, file } = await withPiece();
    const hook = await create('hook', as(ada), { owner_id: ada });
    expect(json('file', file, as(ada))).toEqual({ id: file, name: 'face.png', file_uri: `/files/${file}/s3` });
    expect(json('file', file, as(eve))).toBe('forbidden');
    expect(json('file', file, ANYONE)).toBe('login_required');
    expect(json('file', 'none', ANYONE)).toBe('not_found');
    expect(json('file', file, ADMIN)).toMatchObject({ id: file });
    expect(json('hook', hook, as(eve))).toBe('not_found');
    expect(json('hook', hook, ANYONE)).toBe('not_found');
    expect(json('hook', hook, as(ada))).toEqual({ id: hook, owner_id: ada });
  });

  test('IdsCarryThePlacementOfTheirOwner', async () => {
    const { ada, bob, eve, designer, game, file, id } = await withPiece();
    for (const owned of [designer, game, file, id]) expect(owned.slice(0, 2)).toBe(ada.slice(0, 2));
    expect(new Set([ada, bob, eve].map((user) => user.slice(0, 2))).size).toBe(3);
  });

  test('F35: related objects are as the caller sees them (D21)', async () => {
    const { store, id, ada, eve, game, designer, file, create } = await withPiece();
    const text = `{"id":"${game}","name":"Dawn","designer_id":"${designer}"}`;
    const related = (resource: string, of: string, objects: readonly string[], caller: typeof ANYONE) => {
      const found = store.get(resource, of, caller, { objects, links: false });
      return 'objects' in found ? found.objects : found;
    };
    expect(related('piece', id, ['face', 'game', 'nonsense'], ANYONE)).toEqual([{ name: 'game', text }]);
    expect(related('piece', id, ['face', 'nonsense'], ANYONE)).toEqual([]);
    const download = await create('download', as(ada), { name: 'd', free: 1, game_id: game, file_id: file });
    for (const caller of [ANYONE, as(eve)]) {
      expect(related('download', download, ['file', 'game'], caller)).toEqual([{ name: 'game', text }]);
    }
    for (const caller of [as(ada), ADMIN]) {
      const found = store.get('file', file, caller);
      expect(found).toMatchObject({ found: true });
      expect(related('download', download, ['file', 'game'], caller)).toEqual([
        { name: 'game', text },
        { name: 'file', text: 'text' in found ? found.text : null },
      ]);
    }
  });

  test('Links are the ids that relations hold, as far as the caller may know of them (D22)', async () => {
    const { store, id, ada, eve, game, designer, file, create } = await withPiece();
    const links = (resource: string, of: string, caller: typeof ANYONE) => {
      const found = store.get(resource, of, caller, { objects: [], links: true });
      return 'links' in found ? found.links : found;
    };
    const download = await create('download', as(ada), { name: 'd', free: 1, game_id: game, file_id: file });
    expect(links('download', download, as(ada))).toEqual({ game, file });
    expect(links('file', file, as(ada))).toEqual({ user: ada });
    expect(links('user', ada, as(ada))).toEqual({});
    expect(links('piece', id, as(eve))).toEqual({ game });
    expect(links('file', file, as(eve))).toEqual({ found: false, code: 'forbidden' });
    expect(store.locate(['designer', 'game'], game)).toBe(1);
    expect(store.locate(['game'], designer)).toBe(-1);
  });

  test('F35: a count counts all records, whoever sees it', async () => {
    const { create, json, store, ada, bob, eve } = await withPiece();
    const shelf = await create('shelf', ADMIN, { user_id: ada });
    for (const user_id of [ada, ada, bob]) await create('note', ADMIN, { shelf_id: shelf, user_id });
    await create('leaf', ADMIN, { shelf_id: shelf });
    const page = {
      parent: 'shelf',
      list: 'notes',
      number: 1,
      size: 25,
      maxBytes: 1e6,
      orderBy: null,
      descending: false,
    };
    for (const [caller, readable] of [
      [ANYONE, 0],
      [as(eve), 0],
      [as(bob), 1],
      [as(ada), 2],
      [ADMIN, 3],
    ] as const) {
      expect(json('shelf', shelf, caller)).toEqual({ id: shelf, noted: 3, open: 1 });
      const listed = store.list('note', { ...page, cursor: null, filters: {} }, shelf, caller);
      expect(await listed).toMatchObject({ total: readable });
    }
  });
});
