// A list costs the event loop a bounded number of rows, independent of its length, the caller and the query (D23).
import type { ListedPage, Page } from '../../runtime/store/records.js';
import { ADMIN, ANYONE, as, FIRST_PAGE, people, refused, setup } from './setup.js';

const PAGE: Page = { ...FIRST_PAGE, parent: 'game', list: 'pieces' };

const MANY = 30_000;
const SEARCHED = 10_000;

/** Thirty thousand pieces of a game and as many hooks of its owner, with a count of every row read. */
async function openLongLists() {
  const harness = setup();
  const everyone = await people(harness);
  const { db, store } = harness;
  const { game, ada } = everyone;
  db.exec('CREATE INDEX piece_game_idx ON piece (game_id, id)');
  db.exec('CREATE INDEX hook_owner_idx ON hook (owner_id, id)');
  db.exec('BEGIN');
  const piece = db.prepare(`INSERT INTO piece VALUES (?, ?, ?, ?, 'Chit', NULL, 0, 0, '', 1)`);
  const hook = db.prepare('INSERT INTO hook VALUES (?, ?, 1)');
  for (let at = 0; at < MANY; at += 1) {
    const id = `p${String(at).padStart(6, '0')}`;
    piece.run(id, at === MANY - 5 ? 'rare' : 'common', game, at % 7);
    hook.run(id, ada);
  }
  db.exec('COMMIT');
  let read = 0;
  db.function('counted', { deterministic: false }, (_id) => {
    read += 1;
    return 1;
  });
  // A temporary view hides the table of the same name.
  for (const table of ['piece', 'hook']) {
    db.exec(`CREATE TEMP VIEW "${table}" AS SELECT * FROM main."${table}" WHERE counted(id)`);
  }
  const list = (page: Partial<Page> = {}, caller = ANYONE) => {
    read = 0;
    const listed = store.list('piece', { ...PAGE, ...page }, game, caller) as ListedPage;
    return { ...listed, ids: listed.items.map((item) => JSON.parse(item).id), read };
  };
  const hooks = (page: Partial<Page>, caller: typeof ANYONE) => {
    read = 0;
    const listed = store.list('hook', { ...PAGE, parent: 'user', list: 'hooks', ...page }, ada, caller) as ListedPage;
    return { ...listed, read };
  };
  const readBy = (work: () => unknown) => {
    read = 0;
    work();
    return read;
  };
  return { ...harness, ...everyone, list, hooks, readBy };
}

describe('a long list', () => {
  let world: Awaited<ReturnType<typeof openLongLists>>;
  beforeAll(async () => {
    world = await openLongLists();
  });

  test('the rows that a statement reads are counted (null control)', () => {
    const { db, readBy, game } = world;
    const whole = db.prepare('SELECT count(*) FROM (SELECT * FROM piece WHERE game_id = ?)');
    expect(readBy(() => whole.get(game))).toBe(MANY);
  });

  test('a page by cursor reads only the rows that it shows, at the start and at the end', () => {
    const { list } = world;
    const first = list();
    expect(first).toMatchObject({ total: SEARCHED, complete: false });
    // A page by number reads each of its rows twice: in the index and in the table.
    expect(first.read).toBeLessThanOrEqual(SEARCHED + 1 + 2 * 26);
    const second = list({ cursor: first.cursor });
    expect(second).toMatchObject({ total: SEARCHED, complete: false });
    expect(second.ids[0]).toBe('p000025');
    expect(second.read).toBe(26);
    const [order, total, complete] = JSON.parse(Buffer.from(first.cursor ?? '', 'base64url').toString());
    const near = Buffer.from(JSON.stringify([order, total, complete, 'p029990'])).toString('base64url');
    const last = list({ cursor: near });
    expect(last.ids).toEqual(Array.from({ length: 9 }, (_, at) => `p02999${at + 1}`));
    expect([last.read, last.cursor]).toEqual([9, null]);
  });

  test('page numbers reach the first ten thousand, and the refusal mentions cursors', async () => {
    const { list } = world;
    const deep = list({ number: 400 });
    expect(deep.ids[0]).toBe('p009975');
    expect(deep.read).toBeLessThanOrEqual(2 * (SEARCHED + 1) + 26);
    const refusal = await refused(Promise.resolve().then(() => list({ number: 401 })));
    expect(refusal.fields).toEqual(['_page_number invalid']);
    expect(refusal.message).toMatch(/first 10,000 .* _cursor/);
  });

  test('another order is refused', async () => {
    const { list, readBy } = world;
    for (const orderBy of ['name', '-order,name']) {
      const refusal = await refused(Promise.resolve().then(() => list({ orderBy })));
      expect(refusal.fields).toEqual(['_order_by invalid']);
      expect(refusal.message).toMatch(/at most 10,000 records.*own order, by _cursor/);
    }
    const read = readBy(() => expect(() => list({ orderBy: 'name' })).toThrow());
    expect(read).toBeLessThanOrEqual(SEARCHED + 1);
  });

  test('a filter searches a bounded number of rows per page, and finds all matches by cursor', () => {
    const { list } = world;
    const matches: string[] = [];
    const reads: number[] = [];
    for (let cursor: string | null = null, more = true; more; more = cursor !== null) {
      const page = list({ filters: { name: 'rare' }, cursor });
      matches.push(...page.ids);
      reads.push(page.read);
      cursor = page.cursor;
    }
    expect(matches).toEqual(['p029995']);
    expect(reads.length).toBeLessThanOrEqual(4);
    expect(Math.max(...reads)).toBeLessThanOrEqual(3 * (SEARCHED + 1));
  });

  test.each([25, 100])('unreadable records are searched up to the same bound, with pages of %s', (size) => {
    const { hooks, eve, ada } = world;
    const page = hooks({ size }, as(eve));
    expect(page).toMatchObject({ items: [], total: 0, complete: false });
    expect(page.cursor).not.toBeNull();
    expect(page.read).toBeLessThanOrEqual(3 * (SEARCHED + 1));
    expect(hooks({ size }, as(ada)).items).toHaveLength(size);
    expect(hooks({ size }, ADMIN).read).toBeLessThanOrEqual(SEARCHED + 1 + 2 * (size + 1));
  });
});
