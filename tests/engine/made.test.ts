// Records that are made with others, on every engine (D40): a user makes a folder, a game a shelf, and the shelf a label.
import { createIds } from '../../runtime/contract/ids.js';
import type { Change } from '../../runtime/store/records.js';
import { ADMIN, as, change, NOW, refused, repeatable } from '../store/setup.js';
import { define, ID, NAME, type Sketch, schemaOf } from '../store/sketch.js';
import { describeOnEngines, type OpenRecords, type RecordsFixture } from './records-fixture.js';

const place = (column: string, to: string, onDelete: 'cascade' | 'restrict') => ({
  ...{ column, to, onDelete, place: true as const },
});
const makes = (column: string, to: string, by: string, input: object) => ({
  ...{ column, to, inside: true as const, onDelete: 'restrict' as const, makes: { by, input: { ...input } } },
});
const column = (name: string) => ({ name, nullable: true });
const EVERYBODY = { read: [{ anyone: true as const }], edit: [{ anyone: true as const }] };

const RESOURCES: readonly Sketch[] = [
  {
    name: 'user',
    principal: true,
    columns: [ID, NAME, column('root_id')],
    references: [makes('root_id', 'folder', 'user_id', { name: 'root' })],
  },
  {
    name: 'folder',
    columns: [ID, NAME, column('user_id'), column('folder_id'), column('token')],
    references: [
      place('user_id', 'user', 'restrict'),
      { column: 'folder_id', to: 'folder', inside: true, onDelete: 'set_null' },
    ],
    // Claimed on PostgreSQL, and free again once it is deleted.
    uniques: [['token']],
    fill: (_input, { id }) => ({ token: `token of ${id}` }),
  },
  {
    name: 'note',
    columns: [ID, NAME, column('user_id'), column('folder_id')],
    references: [
      place('user_id', 'user', 'cascade'),
      { column: 'folder_id', to: 'folder', inside: true, onDelete: 'restrict' },
    ],
  },
  {
    name: 'game',
    columns: [ID, NAME, column('user_id'), column('shelf_id')],
    references: [place('user_id', 'user', 'cascade'), makes('shelf_id', 'shelf', 'game_id', { name: 'first' })],
  },
  {
    name: 'shelf',
    columns: [ID, NAME, column('game_id'), column('label_id')],
    references: [place('game_id', 'game', 'cascade'), makes('label_id', 'label', 'shelf_id', { name: 'plain' })],
  },
  { name: 'label', columns: [ID, NAME, column('shelf_id')], references: [place('shelf_id', 'shelf', 'restrict')] },
];
const SKETCHES = RESOURCES.map((sketch): Sketch => ({ ...sketch, access: EVERYBODY }));
const GIVEN = { definitions: SKETCHES.map(define), schema: schemaOf(SKETCHES) };

type StoredRow = Readonly<Record<string, string | null>>;

async function scene(open: OpenRecords, more: Parameters<OpenRecords>[0] = {}) {
  const fixture = await open({ ...GIVEN, ...more });
  const all = async (name: string) =>
    (await fixture.select(`SELECT * FROM "${name}" ORDER BY id`)) as readonly StoredRow[];
  const create = async (name: string, input: object): Promise<StoredRow> => {
    const { id } = await fixture.records.create(change(name, ADMIN, { name: 'x', ...input }));
    return (await all(name)).find((row) => row.id === id) ?? {};
  };
  const remove = async (name: string, { id }: StoredRow) =>
    fixture.records.remove(name, String(id), { caller: ADMIN, now: NOW });
  const ids = async (name: string) => (await all(name)).map(({ id }) => id);
  return { ...fixture, all, create, remove, ids };
}

const codeOf = async (work: () => Promise<unknown>) => (await refused(work())).code;

describeOnEngines('made records', (open) => {
  const fixtures: RecordsFixture[] = [];
  const fresh = async (more: Parameters<OpenRecords>[0] = {}) => {
    const fixture = await scene(open, more);
    fixtures.push(fixture);
    return fixture;
  };
  afterEach(async () => {
    for (const { end } of fixtures.splice(0)) await end();
  });

  test('exist with their makers, are placed with them, and refer back', async () => {
    const { create, all } = await fresh();
    const user = await create('user', { name: 'ada' });
    expect(await all('folder')).toMatchObject([{ id: user.root_id, name: 'root', user_id: user.id }]);
    expect(user.root_id?.slice(0, 2)).toBe(user.id?.slice(0, 2));
    const game = await create('game', { user_id: user.id });
    const [shelf] = await all('shelf');
    expect(shelf).toMatchObject({ id: game.shelf_id, name: 'first', game_id: game.id });
    expect(await all('label')).toMatchObject([{ id: shelf?.label_id, name: 'plain', shelf_id: shelf?.id }]);
  });

  test('are made for each of several records, or for none', async () => {
    const { create, records, ids } = await fresh();
    const user = await create('user', {});
    const game = (input: object) => change('game', ADMIN, { name: 'x', user_id: user.id, ...input });
    const games = (...changes: readonly Change[]) =>
      records.createAll({ ...game({}), parent: { resource: 'user', id: String(user.id) }, changes });
    await games(game({}), game({}));
    expect((await ids('shelf')).length).toBe(2);
    expect(await codeOf(async () => games(game({}), game({ user_id: 'nobody' })))).toBe('reference_not_found');
    expect((await ids('label')).length).toBe(2);
  });

  test('are deleted with their makers, and not before', async () => {
    const { create, remove, records, ids, all } = await fresh();
    const [user, other] = [await create('user', {}), await create('user', {})];
    const root = { id: user.root_id ?? '' };
    const conflict = { code: 'conflict', message: 'folder goes with the user that it was made with' };
    await expect((async () => remove('folder', root))()).rejects.toMatchObject(conflict);
    const inner = await create('folder', { user_id: user.id, folder_id: root.id });
    expect(await codeOf(async () => remove('user', user))).toBe('conflict');
    await remove('folder', inner);
    const note = await create('note', { user_id: user.id, folder_id: root.id });
    expect(await codeOf(async () => remove('user', user))).toBe('conflict');
    expect(await ids('folder')).toContain(root.id);
    await records.update(String(note.id), change('note', ADMIN, { folder_id: null }));
    await remove('user', user);
    expect([await ids('user'), await ids('folder'), await ids('note')]).toEqual([[other.id], [other.root_id], []]);
    expect((await all('folder')).length).toBe(1);
  });

  test('are deleted with makers that are themselves deleted with a record', async () => {
    const { create, remove, ids } = await fresh();
    const user = await create('user', {});
    const game = await create('game', { user_id: user.id });
    expect(await codeOf(async () => remove('shelf', { id: game.shelf_id ?? '' }))).toBe('conflict');
    const second = await create('shelf', { game_id: game.id });
    await remove('shelf', second);
    expect((await ids('label')).length).toBe(1);
    await remove('game', game);
    expect([await ids('shelf'), await ids('label')]).toEqual([[], []]);
  });

  test('stay with their makers, while others move', async () => {
    const { create, records } = await fresh();
    const user = await create('user', {});
    const [one, two] = [await create('game', { user_id: user.id }), await create('game', { user_id: user.id })];
    const shelf = await create('shelf', { game_id: one.id });
    const move = async (id: unknown) =>
      records.update(String(id), change('shelf', as(String(user.id)), { game_id: two.id }));
    expect((await move(shelf.id)).text).toContain(String(two.id));
    expect(await codeOf(() => move(one.shelf_id))).toBe('conflict');
  });

  const forget = 'UPDATE "user" SET root_id = NULL WHERE true RETURNING id';

  test('are made for existing rows, once, however often a start was interrupted', async () => {
    const real = createIds(repeatable(7));
    let remaining = Number.POSITIVE_INFINITY;
    const next: typeof real.next = (placement, now) => {
      if (remaining-- <= 0) throw new Error('killed');
      return real.next(placement, now);
    };
    const { create, makeMissing, select, all, ids } = await fresh({ ids: { ...real, next } });
    for (let at = 0; at < 5; at += 1) await create('user', {});
    const before = await ids('folder');
    await select(forget);
    remaining = 3;
    await expect(makeMissing()).rejects.toThrow('killed');
    const made = async () => (await all('folder')).filter(({ id }) => !before.includes(id ?? null));
    const used = async () => (await all('user')).flatMap(({ root_id }) => root_id ?? []);
    expect((await made()).map(({ id }) => id)).toEqual((await used()).sort());
    remaining = Number.POSITIVE_INFINITY;
    await makeMissing();
    await makeMissing();
    const folders = await made();
    expect(folders.map(({ user_id }) => user_id).sort()).toEqual(await ids('user'));
    expect((await all('user')).map(({ root_id }) => root_id).sort()).toEqual(folders.map(({ id }) => id));
    expect(folders.map((folder) => folder.name)).toEqual(Array(5).fill('root'));
  });

  test('are made once by several servers', async () => {
    const { create, makeMissing, select, ids } = await fresh();
    for (let at = 0; at < 20; at += 1) await create('user', {});
    await select(forget);
    await Promise.all([makeMissing(), makeMissing(), makeMissing()]);
    expect((await ids('folder')).length).toBe(40);
  });
});
