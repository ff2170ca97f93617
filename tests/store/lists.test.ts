import fc from 'fast-check';
import type { Listed, Page } from '../../runtime/store/records.js';
import { ADMIN, ANYONE, as, type Harness, people, refused, removeFolders, setup } from './setup.js';

const PAGE: Page = {
  parent: 'game',
  list: 'pieces',
  number: 1,
  size: 25,
  maxBytes: 1_000_000,
  orderBy: null,
  descending: false,
  cursor: null,
  filters: {},
};

function fill({ db }: Harness, game: string, pieces: readonly { name: string; order: number | null }[]): void {
  db.exec('DELETE FROM piece');
  const insert = db.prepare(`INSERT INTO piece VALUES (?, ?, ?, ?, ?, NULL, 0, 0, '')`);
  pieces.forEach(({ name, order }, index) => {
    insert.run(`p${String(index).padStart(3, '0')}`, name, game, order, index % 2 ? 'Tile' : 'Chit');
  });
}

describe('lists (D23)', () => {
  afterAll(removeFolders);

  async function withPieces() {
    const harness = setup();
    const everyone = await people(harness);
    const { game } = everyone;
    fill(harness, game, [
      { name: 'b', order: 2 },
      { name: 'a', order: null },
      { name: 'c', order: 2 },
      { name: 'a', order: 1 },
    ]);
    const list = (page: Partial<Page> = {}, caller = ANYONE) =>
      harness.store.list('piece', { ...PAGE, ...page }, game, caller) as Listed;
    const ids = (page: Partial<Page> = {}) => list(page).items.map((item) => JSON.parse(item).id);
    return { ...harness, ...everyone, list, ids };
  }

  test('OrderFiltersAndFixedConditions', async () => {
    const { ids, list } = await withPieces();
    expect(ids()).toEqual(['p000', 'p001', 'p002', 'p003']);
    expect(ids({ descending: true })).toEqual(['p003', 'p002', 'p001', 'p000']);
    expect(ids({ orderBy: 'order' })).toEqual(['p001', 'p003', 'p000', 'p002']);
    expect(ids({ orderBy: 'order', descending: true })).toEqual(['p002', 'p000', 'p003', 'p001']);
    expect(ids({ orderBy: 'name' })).toEqual(['p001', 'p003', 'p000', 'p002']);
    expect(ids({ orderBy: '-order,name' })).toEqual(['p000', 'p002', 'p003', 'p001']);
    expect(ids({ orderBy: 'order,-name' })).toEqual(['p001', 'p003', 'p002', 'p000']);
    expect(ids({ orderBy: '-order,name', descending: true })).toEqual(['p001', 'p003', 'p002', 'p000']);
    expect(ids({ filters: { name: 'a' } })).toEqual(['p001', 'p003']);
    expect(ids({ filters: { name: 'a', order: null } })).toEqual(['p001']);
    expect(ids({ list: 'chits' })).toEqual(['p000', 'p002']);
    expect(list({ size: 3, number: 2 })).toMatchObject({ total: 4, cursor: null });
    expect(ids({ size: 3, number: 2 })).toEqual(['p003']);
    expect(list({ size: 3, number: 9 })).toEqual({ items: [], total: 4, cursor: null });
  });

  test('ItemsAreAsTheCallerSeesThem', async () => {
    const { list, ada, eve } = await withPieces();
    const first = (caller: typeof ANYONE) => JSON.parse(list({}, caller).items[0] ?? '');
    expect(first(ANYONE)).not.toHaveProperty('has_proofed_face');
    expect(first(as(eve))).not.toHaveProperty('has_proofed_face');
    expect(first(as(ada))).toMatchObject({ id: 'p000', has_proofed_face: false });
    expect(first(ADMIN)).toMatchObject({ id: 'p000', has_proofed_face: false });
  });

  test('WhatTheCallerMayNotReadIsNeitherShownNorCounted', async () => {
    const { store, create, ada, eve } = await withPieces();
    await create('hook', as(ada), { owner_id: ada });
    const hooks = (caller: typeof ANYONE) =>
      store.list('hook', { ...PAGE, parent: 'user', list: 'hooks' }, ada, caller);
    expect(hooks(as(eve))).toEqual({ items: [], total: 0, cursor: null });
    expect(hooks(ANYONE)).toEqual({ items: [], total: 0, cursor: null });
    expect(hooks(as(ada))).toMatchObject({ total: 1 });
    expect(hooks(ADMIN)).toMatchObject({ total: 1 });
  });

  test('Refused', async () => {
    const { list, store } = await withPieces();
    const refusal = (page: Partial<Page>) => refused(Promise.resolve().then(() => list(page)));
    expect((await refusal({ orderBy: 'token' })).fields).toEqual(['_order_by invalid']);
    expect((await refusal({ filters: { token: 'x' } })).fields).toEqual(['token invalid']);
    expect((await refusal({ list: 'nonsense' })).code).toBe('not_found');
    const { cursor } = list({ size: 2 });
    const forged = Buffer.from(JSON.stringify(['x', {}])).toString('base64url');
    for (const bad of ['', 'garbage', '!!', forged, 'W10']) {
      expect((await refusal({ cursor: bad })).fields).toEqual(['_cursor invalid']);
    }
    expect((await refusal({ cursor, orderBy: 'name' })).fields).toEqual(['_cursor invalid']);
    const missing = Promise.resolve().then(() => store.list('piece', PAGE, 'none', ADMIN));
    expect((await refused(missing)).code).toBe('not_found');
  });

  test('F27: APageEndsWhereItsBytesDo', async () => {
    const { db, game, list } = await withPieces();
    const insert = db.prepare(`INSERT INTO piece VALUES (?, ?, ?, NULL, 'Chit', NULL, 0, 0, '')`);
    db.exec('DELETE FROM piece');
    for (let at = 0; at < 70; at += 1) insert.run(`p${String(at).padStart(3, '0')}`, 'ä'.repeat(20), game);
    const bytes = Buffer.byteLength(list({ size: 1 }).items[0] ?? '');
    const sizes = (maxBytes: number, size: number) => {
      const pages: number[] = [];
      const seen = new Set<string>();
      for (let cursor: string | null = null, more = true; more; more = cursor !== null) {
        const found = list({ size, maxBytes, cursor });
        expect(found.total).toBe(70);
        pages.push(found.items.length);
        for (const item of found.items) seen.add(JSON.parse(item).id);
        cursor = found.cursor;
      }
      expect(seen.size).toBe(70);
      return pages;
    };
    expect(sizes(30 * bytes, 100)).toEqual([30, 30, 10]);
    expect(sizes(30 * bytes + bytes - 1, 100)).toEqual([30, 30, 10]);
    expect(sizes(60 * bytes, 100)).toEqual([60, 10]);
    expect(sizes(70 * bytes, 100)).toEqual([70]);
    expect(sizes(70 * bytes, 69)).toEqual([69, 1]);
    expect(sizes(1, 100)).toEqual(Array(70).fill(1));
    expect(list({ size: 40, number: 2, maxBytes: 20 * bytes }).items).toHaveLength(20);
  });

  test('ByCursorIsByPageNumber', async () => {
    const harness = await withPieces();
    const { game, ids, list } = harness;
    const piece = fc.record({
      name: fc.constantFrom('a', 'b', 'ä'),
      order: fc.option(fc.integer({ min: -1, max: 2 })),
    });
    const asked = fc.record({
      orderBy: fc.constantFrom(null, 'name', '-order', 'order,-name', '-order,name', '-name'),
      descending: fc.boolean(),
      size: fc.integer({ min: 1, max: 5 }),
      list: fc.constantFrom('pieces', 'chits'),
    });
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 14 }), asked, (pieces, page) => {
        fill(harness, game, pieces);
        const pages = Math.ceil(list(page).total / page.size);
        const byNumber = Array.from({ length: pages }, (_, index) => ids({ ...page, number: index + 1 }));
        const byCursor: unknown[] = [];
        for (let cursor: string | null = null, more = pages > 0; more; more = cursor !== null) {
          const found = list({ ...page, cursor });
          byCursor.push(found.items.map((item) => JSON.parse(item).id));
          cursor = found.cursor;
        }
        expect(byCursor).toEqual(byNumber);
        expect(new Set(byNumber.flat()).size).toBe(
          page.list === 'pieces' ? pieces.length : Math.ceil(pieces.length / 2),
        );
      }),
      { numRuns: 60 },
    );
  });
});
