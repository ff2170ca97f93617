// One contract for the records, on every engine.
import type { AnyDefinition, Input } from '../../runtime/contract/definition.js';
import type { Failure } from '../../runtime/contract/errors.js';
import type { Caller, Change, Page } from '../../runtime/store/records.js';
import { SAMPLE, SAMPLE_SCHEMA } from '../store/sample.js';
import { ADMIN, ANYONE, as, change, FIRST_PAGE, NOW, refused } from '../store/setup.js';
import { define, ID, NAME, type Sketch, schemaOf } from '../store/sketch.js';
import { describeOnEngines, type OpenRecords, type RecordsFixture } from './records-fixture.js';

/** The operations of the tests, in the words of the service. */
function verbs({ records }: RecordsFixture) {
  return {
    create: async (name: string, caller: Caller, input: Input) =>
      (await records.create(change(name, caller, input))).id,
    update: async (name: string, id: string, caller: Caller, input: Input) =>
      JSON.parse((await records.update(id, change(name, caller, input))).text) as Record<string, unknown>,
    remove: async (name: string, id: string, caller: Caller) => records.remove(name, id, { caller, now: NOW }),
    /** The record as the caller sees it, or the code of the refusal. */
    async json(name: string, id: string, caller: Caller): Promise<unknown> {
      const record = await records.get(name, id, caller);
      return record.found ? JSON.parse(record.text) : record.code;
    },
  };
}

/** Ada owns a designer with a game and a picture; Bob is her associate; Eve has a designer, a file and a folder. */
async function begin(open: OpenRecords, options: Parameters<OpenRecords>[0] = {}) {
  const fixture = await open(options);
  const does = verbs(fixture);
  const { create } = does;
  const [ada, bob, eve] = [
    await create('user', ADMIN, { username: 'ada' }),
    await create('user', ADMIN, { username: 'bob' }),
    await create('user', ADMIN, { username: 'eve' }),
  ];
  const designer = await create('designer', as(ada), { name: 'Ada Games' });
  await create('associate', as(ada), { designer_id: designer, user_id: bob });
  const game = await create('game', as(ada), { name: 'Dawn', designer_id: designer });
  const file = await create('file', as(ada), { name: 'face.png', file_type: 'image/png' });
  const others = {
    designer: await create('designer', as(eve), { name: 'Eve Games' }),
    file: await create('file', as(eve), { name: 'eve.png', file_type: 'image/png' }),
    folder: await create('folder', as(eve), { name: 'eve' }),
  };
  return { ...fixture, ...does, ada, bob, eve, designer, game, file, others };
}

type Begun = Awaited<ReturnType<typeof begin>>;

const PAGE: Page = { ...FIRST_PAGE, parent: 'game', list: 'pieces' };

const OF_USER = { column: 'user_id', to: 'user', place: true } as const;
const OWN = { edit: [{ user: 'user_id' }] } as const;
/** A box is deleted with its trays, which a seal prevents. */
const SEALS: readonly Sketch[] = [
  { name: 'box', columns: [ID, NAME, { name: 'user_id' }], references: [OF_USER], access: OWN },
  {
    name: 'tray',
    columns: [ID, NAME, { name: 'box_id' }],
    references: [{ column: 'box_id', to: 'box', place: true }],
    access: { edit: [{ through: 'box_id', to: 'box' }] },
  },
  {
    name: 'seal',
    columns: [ID, { name: 'user_id' }, { name: 'tray_id' }],
    references: [OF_USER, { column: 'tray_id', to: 'tray', inside: true, onDelete: 'restrict' }],
    access: OWN,
  },
];
const SEALED = {
  definitions: [...Object.values(SAMPLE), ...SEALS.map(define)],
  schema: { ...SAMPLE_SCHEMA, tables: [...SAMPLE_SCHEMA.tables, ...schemaOf(SEALS).tables] },
};

/** A game has at most one tile of each name, and there is at most one tile of each order in all games. */
const ONE_TILE = {
  ...SAMPLE_SCHEMA,
  tables: SAMPLE_SCHEMA.tables.map((table) =>
    table.name === 'piece'
      ? {
          ...table,
          indexes: [
            { columns: ['game_id', 'name'], partial: false, unique: { identity: 'Tile' } },
            { columns: ['order'], partial: false, unique: { identity: 'Tile', face_id: null } },
          ],
        }
      : table,
  ),
};

describeOnEngines('records', (open) => {
  let world: Begun;
  const ends: (() => Promise<void>)[] = [];
  const fresh = async (options: Parameters<OpenRecords>[0] = {}) => {
    const begun = await begin(open, options);
    ends.push(begun.end);
    return begun;
  };
  beforeEach(async () => {
    world = await fresh();
  });
  afterEach(async () => {
    for (const end of ends.splice(0)) await end();
  });

  test('an id that its creator chose is the record’s, and no other record can have it', async () => {
    const { records, json } = world;
    const stock = (username: string) => ({ ...change('user', ADMIN, { username }), id: 'A4D9F1E0-52C2-11E3' });
    expect((await records.create(stock('stock'))).id).toBe('A4D9F1E0-52C2-11E3');
    expect(await json('user', 'A4D9F1E0-52C2-11E3', ADMIN)).toMatchObject({ username: 'stock' });
    const { code, fields } = await refused(Promise.resolve().then(() => records.create(stock('other'))));
    expect([code, fields]).toEqual(['not_unique', ['_use_this_id not_unique']]);
  });

  test('a create that finds a record with the same unique values updates it, even if two run concurrently', async () => {
    const associate = { ...SAMPLE.associate, existing: ['designer_id', 'user_id'] } as AnyDefinition;
    const { records, ada, bob, eve, designer, select } = await fresh({
      definitions: Object.values({ ...SAMPLE, associate }),
    });
    const input = (user: string) => ({ designer_id: designer, user_id: user });
    const again = await records.create(change('associate', as(ada), input(bob)));
    expect(again.existed).toBe(true);
    const both = await Promise.all([1, 2].map(async () => records.create(change('associate', as(ada), input(eve)))));
    expect(new Set(both.map(({ id }) => id)).size).toBe(1);
    expect(both.map(({ existed = false }) => existed).sort()).toEqual([false, true]);
    const stranger = Promise.resolve().then(() => records.create(change('associate', as(eve), input(bob))));
    expect((await refused(stranger)).code).toBe('forbidden');
    const several = await records.createAll({
      ...{ resource: 'associate', parent: { resource: 'designer', id: designer }, caller: as(ada), now: NOW },
      changes: [bob, ada, ada].map((user) => change('associate', as(ada), input(user))),
    });
    expect(several.map(({ existed = false }) => existed)).toEqual([true, false, true]);
    expect(several[2]?.id).toBe(several[1]?.id);
    expect(await select(`SELECT id FROM associate WHERE designer_id = '${designer}'`)).toHaveLength(3);
  });

  test('members of the record itself have its right, and members of another do not', async () => {
    const sample = SAMPLE.designer as AnyDefinition;
    const own = { member: 'associate', by: 'designer_id', user: 'user_id', own: true } as const;
    const access = { ...sample.access, edit: [...sample.access.edit, own] };
    const designer = { ...sample, access } as AnyDefinition;
    const begun = await fresh({ definitions: Object.values({ ...SAMPLE, designer }) });
    expect(await begun.update('designer', begun.designer, as(begun.bob), { name: 'Ours' })).toMatchObject({
      name: 'Ours',
    });
    const other = begun.update('designer', begun.others.designer, as(begun.bob), { name: 'Ours' });
    expect((await refused(other)).code).toBe('forbidden');
  });

  test('a right on the target of a reference may give a right on the record', async () => {
    const rights = { visit: [{ member: 'associate', by: 'designer_id', user: 'user_id' }] };
    const game = { ...SAMPLE.game, access: { ...(SAMPLE.game as AnyDefinition).access, rights } } as AnyDefinition;
    const read = [{ through: 'game_id', to: 'game', right: 'visit' }] as const;
    const piece = { ...SAMPLE.piece, access: { ...(SAMPLE.piece as AnyDefinition).access, read } } as AnyDefinition;
    const begun = await fresh({ definitions: Object.values({ ...SAMPLE, game, piece }) });
    const id = await begun.create('piece', as(begun.ada), { name: 'a', game_id: begun.game });
    expect(await begun.json('piece', id, as(begun.bob))).toMatchObject({ name: 'a' });
    expect(await begun.json('piece', id, as(begun.eve))).toBe('forbidden');
    expect(await begun.json('piece', id, ANYONE)).toBe('login_required');
    // The owner of the game edits the piece, but is not among those who may visit the game.
    expect(await begun.json('piece', id, as(begun.ada))).toBe('forbidden');
  });

  test('an action that sets columns needs no function, and changes nothing the second time', async () => {
    const publish = { by: 'editor', parameters: {}, validate: () => true, sets: { name: 'Published' } };
    const game = { ...SAMPLE.game, actions: { publish } } as unknown as AnyDefinition;
    const { records, ada, game: id } = await fresh({ definitions: Object.values({ ...SAMPLE, game }) });
    const act = async (name: string) =>
      JSON.parse(
        (await records.act('game', id, { name, caller: as(ada), input: {}, failures: [], now: NOW + 1 })).text,
      );
    expect(await act('publish')).toMatchObject({ id, name: 'Published' });
    expect(await act('publish')).toMatchObject({ id, name: 'Published' });
    expect((await refused(act('withdraw'))).code).toBe('not_found');
  });

  describe('reading', () => {
    test('each viewer has its own text, with properties in the order declared', async () => {
      const { records, ada, bob, eve, game, file } = world;
      const input = { name: 'Chit "1"', game_id: game, order: 3, face_id: file, has_proofed_face: true };
      const { id, text } = await records.create(change('piece', as(ada), input));
      const start = `{"id":"${id}","name":"Chit \\"1\\"","game_id":"${game}","order":3`;
      const hidden = `,"face_id":"${file}","face":{"id":"${file}","name":"face.png","file_uri":"/files/${file}/s3"},"has_proofed_face":true`;
      const date = ',"date_created":"2026-01-02T03:04:05.678Z"';
      expect(text).toBe(`${start}${hidden}${date},"token":"tok"}`);
      for (const [caller, middle] of [
        [ANYONE, ''],
        [as(eve), ''],
        [as(bob), hidden],
        [ADMIN, hidden],
      ] as const) {
        const found = { found: true, text: `${start}${middle}${date}}`, version: 1, objects: [], links: {} };
        expect(await records.get('piece', id, caller)).toEqual(found);
      }
    });

    test('a property that is not set is null, or left out', async () => {
      const { create, json, ada, game } = world;
      const id = await create('piece', as(ada), { name: 'p', game_id: game });
      const date_created = '2026-01-02T03:04:05.678Z';
      const shown = { id, name: 'p', game_id: game, order: null, face_id: null, has_proofed_face: false, date_created };
      expect(await json('piece', id, as(ada))).toEqual(shown);
    });

    test('another wire profile shows dates and booleans its own way', async () => {
      const { create, json, ada, game } = await fresh({ profile: { date: 'seconds', boolean: 'number' } });
      const id = await create('piece', as(ada), { name: 'p', game_id: game });
      expect(await json('piece', id, as(ada))).toMatchObject({
        has_proofed_face: 0,
        date_created: '2026-01-02 03:04:05',
      });
    });

    test('the refusal of an unreadable record depends on the reason', async () => {
      const { create, json, ada, eve, file } = world;
      const hook = await create('hook', as(ada), { owner_id: ada });
      expect(await json('file', file, as(ada))).toEqual({
        id: file,
        name: 'face.png',
        file_uri: `/files/${file}/s3`,
      });
      for (const [name, id, caller, code] of [
        ['file', file, as(eve), 'forbidden'],
        ['file', file, ANYONE, 'login_required'],
        ['file', 'none', ANYONE, 'not_found'],
        ['file', 'no\0ne', ANYONE, 'not_found'],
        ['hook', hook, as(eve), 'not_found'],
        ['hook', hook, ANYONE, 'not_found'],
      ] as const) {
        expect([name, await json(name, id, caller)]).toEqual([name, code]);
      }
      expect(await json('hook', hook, as(ada))).toEqual({ id: hook, owner_id: ada });
    });

    test('permissions', async () => {
      const { records, create, ada, bob, eve, game, file } = world;
      const download = await create('download', as(ada), { name: 'd', free: 0, game_id: game, file_id: file });
      const may = async (caller: Caller, right: string, id = download, name = 'download') => {
        const permission = await records.permission(name, id, right, caller);
        return permission.allowed || permission.code;
      };
      expect(await may(as(eve), 'download')).toBe('forbidden');
      await create('receipt', ADMIN, { user_id: eve, items: JSON.stringify([{ game_id: game }]), refunded: null });
      expect(await may(as(eve), 'download')).toBe(true);
      expect(await may(as(bob), 'download')).toBe(true);
      expect(await may(ANYONE, 'download')).toBe('login_required');
      expect(await may(ADMIN, 'download')).toBe(true);
      expect(await may(ADMIN, 'admin')).toBe(true);
      expect(await may(as(ada), 'admin')).toBe('forbidden');
      expect(await may(as(ada), 'editor', game, 'game')).toBe(true);
      expect(await may(as(eve), 'editor', game, 'game')).toBe('forbidden');
      expect(await may(ADMIN, 'editor', 'none', 'game')).toBe('not_found');
    });

    test('related objects are shown as the caller sees them, and links as far as the caller may know (D21, D22)', async () => {
      const { records, create, ada, eve, game, designer, file } = world;
      const download = await create('download', as(ada), { name: 'd', free: 0, game_id: game, file_id: file });
      const text = `{"id":"${game}","name":"Dawn","designer_id":"${designer}"}`;
      const related = async (caller: Caller, links = false) => {
        const read = await records.get('download', download, caller, { objects: ['file', 'game', 'nonsense'], links });
        return read.found ? { objects: read.objects, links: read.links } : read.code;
      };
      for (const caller of [ANYONE, as(eve)]) {
        expect(await related(caller)).toEqual({ objects: [{ name: 'game', text }], links: {} });
      }
      const alone = await records.get('file', file, as(ada));
      for (const caller of [as(ada), ADMIN]) {
        const objects = [
          { name: 'game', text },
          { name: 'file', text: 'text' in alone ? alone.text : null },
        ];
        expect(await related(caller, true)).toEqual({ objects, links: { game, file } });
      }
      expect(await related(as(eve), true)).toMatchObject({ links: { game } });
    });

    test('a hidden related record is neither included nor linked, and an unreadable record shows no links', async () => {
      const { records, create, ada, eve, game, file } = world;
      const piece = await create('piece', as(ada), { name: 'p', game_id: game, face_id: file });
      const links = async (name: string, id: string, caller: Caller, objects: readonly string[] = []) => {
        const record = await records.get(name, id, caller, { objects, links: true });
        return record.found ? [record.objects.map((object) => object.name), record.links] : record.code;
      };
      expect(await links('piece', piece, as(eve), ['face', 'game'])).toEqual([['game'], { game }]);
      expect(await links('file', file, as(ada))).toEqual([[], { user: ada }]);
      expect(await links('user', ada, as(ada))).toEqual([[], {}]);
      expect(await links('file', file, as(eve))).toBe('forbidden');
    });

    test('locate and secret', async () => {
      const { records, game, designer, ada } = world;
      expect(await records.locate(['designer', 'game'], game)).toBe(1);
      expect(await records.locate(['game'], designer)).toBe(-1);
      expect(await records.locate(['game'], '')).toBe(-1);
      expect(await records.secret('user', ada, 'username')).toBe('ada');
      expect(await records.secret('user', 'none', 'username')).toBeNull();
    });

    test('a count counts all records, whoever sees it', async () => {
      const { records, create, json, ada, bob, eve } = world;
      const shelf = await create('shelf', ADMIN, { user_id: ada });
      const empty = { id: shelf, noted: 0, open: 0, rated: 0, stars: 0, worst: 0, seen: null };
      expect(await json('shelf', shelf, ANYONE)).toEqual(empty);
      const notes = [
        { user_id: ada, stars: 5, seen: 1000 },
        { user_id: ada, stars: 9_000_000_000_000_000 },
        { user_id: bob, seen: 2000 },
      ];
      for (const note of notes) await create('note', ADMIN, { shelf_id: shelf, ...note });
      await create('leaf', ADMIN, { shelf_id: shelf });
      const full = { noted: 3, open: 1, rated: 1, stars: 9_000_000_000_000_005, worst: 0 };
      for (const [caller, readable] of [
        [ANYONE, 0],
        [as(eve), 0],
        [as(bob), 1],
        [as(ada), 2],
        [ADMIN, 3],
      ] as const) {
        const seen = '1970-01-01T00:00:02.000Z';
        expect(await json('shelf', shelf, caller)).toEqual({ id: shelf, ...full, seen });
        const page = { ...PAGE, parent: 'shelf', list: 'notes' };
        expect(await records.list('note', page, shelf, caller)).toMatchObject({ total: readable });
      }
    });
  });

  describe('create', () => {
    test('all failures are reported together', async () => {
      const { records, ada, others } = world;
      const failure = { field: 'name', code: 'required', message: 'name is required' } as const;
      const input = { game_id: 'none', face_id: others.file };
      expect(await refused(records.create(change('piece', as(ada), input, [failure])))).toEqual({
        code: 'required',
        message: 'name is required',
        fields: ['name required', 'game_id reference_not_found', 'face_id forbidden'],
      });
      // A reference that validation has refused is not looked up.
      const invalid = { field: 'game_id', code: 'invalid', message: 'no' } as const;
      const twice = records.create(change('piece', as(ada), { game_id: 'none' }, [invalid]));
      expect((await refused(twice)).fields).toEqual(['game_id invalid']);
    });

    test('references are refused by reason', async () => {
      const { create, ada, bob, eve, game, file, designer, others } = world;
      const fields = async (name: string, caller: Caller, input: Input) =>
        (await refused(create(name, caller, input))).fields;
      const text = await create('file', as(ada), { name: 'notes', file_type: 'text/plain' });
      const piece = { name: 'p', game_id: game };
      expect(await fields('piece', as(eve), piece)).toEqual(['game_id forbidden']);
      expect(await fields('piece', as(ada), { ...piece, face_id: text })).toEqual(['face_id unsupported_file']);
      expect(await fields('piece', as(bob), { ...piece, face_id: file })).toEqual(['face_id forbidden']);
      expect(await fields('piece', ADMIN, { ...piece, face_id: 'none' })).toEqual(['face_id reference_not_found']);
      expect(await fields('game', as(bob), { name: 'g', designer_id: designer })).toEqual(['designer_id forbidden']);
      const inOther = { name: 'f', file_type: 'x', folder_id: others.folder };
      expect(await fields('file', as(ada), inOther)).toEqual(['folder_id forbidden']);
      expect(await fields('file', ADMIN, { ...inOther, user_id: ada })).toEqual(['folder_id conflict']);
      await create('associate', as(ada), { designer_id: designer, user_id: eve });
      await create('piece', ADMIN, { ...piece, face_id: others.file });
    });

    test('database constraints catch what validation lets through', async () => {
      const { create, ada, game, select } = world;
      expect(await refused(create('piece', as(ada), { game_id: game }))).toMatchObject({ fields: ['name required'] });
      // A violated CHECK is a bug of validation: the engine's error, which names the constraint, is not translated.
      const { message } = await refused(create('piece', as(ada), { name: 'x'.repeat(21), game_id: game }));
      expect(message).toContain('piece_name_check');
      const lost = create('designer', as('zz none'), { name: 'Nobody' });
      expect((await refused(lost)).code).toBe('reference_not_found');
      expect(await select('SELECT name FROM piece')).toEqual([]);
    });

    test('two records may not have the same unique values, whatever their placement', async () => {
      const { create, update, remove, ada, bob, eve, designer } = world;
      expect(await refused(create('user', ADMIN, { username: 'ada' }))).toMatchObject({
        code: 'not_unique',
        fields: ['username not_unique'],
      });
      const twice = create('associate', as(ada), { designer_id: designer, user_id: bob });
      expect((await refused(twice)).fields).toEqual(['user_id not_unique']);
      expect((await refused(update('user', eve, ADMIN, { username: 'bob' }))).code).toBe('not_unique');
      expect(await update('user', bob, ADMIN, { username: 'robert' })).toMatchObject({ username: 'robert' });
      expect(await update('user', eve, ADMIN, { username: 'bob' })).toMatchObject({ username: 'bob' });
      await remove('user', bob, ADMIN);
      await create('user', ADMIN, { username: 'robert' });
      const race = Array.from({ length: 6 }, () => create('user', ADMIN, { username: 'the one' }));
      const made = (await Promise.allSettled(race)).filter(({ status }) => status === 'fulfilled');
      expect(made).toHaveLength(1);
    });

    test('only records that meet the condition of a unique set count', async () => {
      const { create, update, remove, ada, eve, game, file, others } = await fresh({ schema: ONE_TILE });
      const othersGame = await create('game', as(eve), { name: 'Dusk', designer_id: others.designer });
      const piece = (input: Input) => create('piece', as(ada), { game_id: game, ...input });
      const fields = async (work: Promise<unknown>) => (await refused(work)).fields;
      const tile = await piece({ name: 'a', identity: 'Tile', order: 1 });
      const chit = await piece({ name: 'a', identity: 'Chit', order: 1 });
      expect(await fields(piece({ name: 'a', identity: 'Tile' }))).toEqual(['name not_unique']);
      expect(await fields(update('piece', chit, as(ada), { identity: 'Tile', order: 2 }))).toEqual(['name not_unique']);
      // This game has another placement.
      const theirs = { name: 'a', game_id: othersGame, identity: 'Tile' };
      expect(await fields(create('piece', as(eve), { ...theirs, order: 1 }))).toEqual(['order not_unique']);
      const other = await create('piece', as(eve), theirs);
      expect(await fields(update('piece', other, as(eve), { order: 1 }))).toEqual(['order not_unique']);
      // The tile gives up its order by no longer meeting the condition, and cannot have it back.
      await update('piece', tile, as(ada), { face_id: file });
      await update('piece', other, as(eve), { order: 1 });
      expect(await fields(update('piece', tile, as(ada), { face_id: null }))).toEqual(['order not_unique']);
      await update('piece', tile, as(ada), { name: 'b' });
      await update('piece', chit, as(ada), { identity: 'Tile', order: null });
      await remove('piece', other, as(eve));
      await update('piece', tile, as(ada), { face_id: null });
      const race = Array.from({ length: 6 }, () => piece({ name: 'c', identity: 'Tile', order: 7 }));
      expect((await Promise.allSettled(race)).filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    });

    test('ids carry the placement of their owner', async () => {
      const { ada, bob, eve, designer, game, file } = world;
      for (const owned of [designer, game, file]) expect(owned.slice(0, 2)).toBe(ada.slice(0, 2));
      expect(new Set([ada, bob, eve].map((user) => user.slice(0, 2))).size).toBe(3);
    });
  });

  describe('update', () => {
    test('only what is sent changes, and it is shown as an editor sees it', async () => {
      const { create, update, ada, bob, game, file } = world;
      const piece = await create('piece', as(ada), { name: 'p', game_id: game, face_id: file, has_proofed_face: 1 });
      const shown = await update('piece', piece, as(bob), { name: 'q' });
      expect(shown).toMatchObject({ name: 'q', face_id: file, face: { id: file }, has_proofed_face: true });
      expect(shown).not.toHaveProperty('token');
      expect(await update('piece', piece, as(bob), {})).toEqual(shown);
    });

    test('callers without the right are refused', async () => {
      const { create, update, remove, ada, bob, eve, designer } = world;
      const hook = await create('hook', as(ada), { owner_id: ada });
      for (const [name, id, caller, code] of [
        ['designer', designer, as(bob), 'forbidden'],
        ['designer', designer, ANYONE, 'login_required'],
        ['designer', 'none', as(bob), 'not_found'],
        ['designer', 'no\0ne', as(bob), 'not_found'],
        ['hook', hook, as(eve), 'not_found'],
      ] as const) {
        expect((await refused(update(name, id, caller, { name: 'x' }))).code).toBe(code);
        expect((await refused(remove(name, id, caller))).code).toBe(code);
      }
    });

    test('an unchanged reference is not checked again', async () => {
      const { create, update, ada, bob, game, file } = world;
      const piece = await create('piece', as(ada), { name: 'p', game_id: game, face_id: file });
      const same = { name: 'q', face_id: file, has_proofed_face: 0 };
      expect((await update('piece', piece, as(bob), same)).face_id).toBe(file);
      await update('piece', piece, as(ada), { face_id: null });
      expect((await refused(update('piece', piece, as(bob), same))).fields).toEqual(['face_id forbidden']);
    });

    test('a move to another owner is a conflict, and no record can be inside itself (D37)', async () => {
      const { create, update, ada, eve, game, designer, others } = world;
      const fields = async (...change: Parameters<typeof update>) => (await refused(update(...change))).fields;
      const conflict = ['designer_id conflict'];
      expect(await fields('game', game, ADMIN, { designer_id: others.designer })).toEqual(conflict);
      expect(await fields('designer', designer, ADMIN, { user_id: eve })).toEqual(['user_id conflict']);
      const second = await create('designer', as(ada), { name: 'Ada Two' });
      expect((await update('game', game, as(ada), { designer_id: second })).designer_id).toBe(second);
      const file = await create('file', as(ada), { name: 'f', file_type: 'x' });
      expect(await fields('file', file, ADMIN, { folder_id: others.folder })).toEqual(['folder_id conflict']);
      const top = await create('folder', as(ada), { name: 'top' });
      const middle = await create('folder', as(ada), { name: 'middle', folder_id: top });
      const low = await create('folder', as(ada), { name: 'low', folder_id: middle });
      for (const target of [top, middle, low]) {
        expect(await fields('folder', top, as(ada), { folder_id: target })).toEqual(['folder_id conflict']);
      }
      for (const folder_id of [top, null]) {
        expect((await update('folder', low, as(ada), { folder_id })).folder_id).toBe(folder_id);
      }
    });

    test('no acknowledged change is lost when eight writers change one record', async () => {
      const { records, create, ada, game } = world;
      const columns = ['name', 'order', 'identity', 'token'] as const;
      const values = { name: 'last', order: 7, identity: 'Tile', token: 'mine' };
      const piece = await create('piece', as(ada), { name: 'p', game_id: game });
      const writers = Array.from({ length: 8 }, (_, at) => {
        const column = columns[at % columns.length] ?? 'name';
        return records.update(piece, change('piece', as(ada), { [column]: values[column] }));
      });
      await Promise.all(writers);
      const [row] = await world.select('SELECT name, "order", identity, token FROM piece');
      expect(row).toEqual(values);
    });
  });

  describe('remove (D33)', () => {
    test('deletes records that belong to it, and clears references to it', async () => {
      const { create, remove, json, records, select, ada, game, file } = world;
      const piece = await create('piece', as(ada), { name: 'p', game_id: game, face_id: file, has_proofed_face: 1 });
      await remove('file', file, as(ada));
      expect(await select('SELECT face_id, has_proofed_face FROM piece')).toEqual([
        { face_id: null, has_proofed_face: 0 },
      ]);
      expect(await json('piece', piece, ADMIN)).not.toHaveProperty('face');
      await remove('game', game, as(ada));
      expect(await records.locate(['piece'], piece)).toBe(-1);
      expect((await refused(remove('game', game, as(ada)))).code).toBe('not_found');
    });

    test('deletes such records in other placements, too, and those that depend on them', async () => {
      const { create, remove, select, ada, bob, designer } = world;
      const shelf = await create('shelf', ADMIN, { user_id: ada });
      await create('note', ADMIN, { shelf_id: shelf, user_id: bob });
      const top = await create('folder', as(ada), { name: 'top' });
      await create('folder', as(ada), { name: 'below', folder_id: top });
      await remove('folder', top, as(ada));
      await remove('user', bob, ADMIN);
      expect(await select(`SELECT id FROM folder WHERE name IN ('top', 'below')`)).toEqual([]);
      expect(await select('SELECT id FROM note')).toEqual([]);
      expect(await select(`SELECT user_id FROM associate WHERE designer_id = '${designer}'`)).toEqual([]);
    });

    test('records that prevent it are counted', async () => {
      const { create, remove, ada, designer, game, file } = world;
      const reason = async (name: string, id: string) => (await refused(remove(name, id, as(ada)))).message;
      expect(await refused(remove('designer', designer, as(ada)))).toMatchObject({
        code: 'conflict',
        message: 'designer has 1 game',
      });
      await create('game', as(ada), { name: 'Dusk', designer_id: designer });
      expect(await reason('designer', designer)).toBe('designer has 2 games');
      await create('download', as(ada), { name: 'd', free: 1, game_id: game, file_id: file });
      expect(await reason('file', file)).toBe('file has 1 download');
    });

    test('a restricting reference prevents it, even if another would be deleted with it', async () => {
      const { create, remove, select, ada, bob, file } = world;
      const designer = await create('designer', as(bob), { name: 'Bob Games' });
      const shelf = await create('shelf', ADMIN, { user_id: ada });
      await create('note', ADMIN, { shelf_id: shelf, user_id: bob });
      expect(await refused(remove('user', bob, ADMIN))).toMatchObject({ message: 'user has 1 designer' });
      expect(await select('SELECT user_id FROM note')).toEqual([{ user_id: bob }]);
      const game = await create('game', as(bob), { name: 'g', designer_id: designer });
      await create('download', ADMIN, { name: 'd', free: 0, game_id: game, file_id: file });
      await remove('game', game, as(bob));
      expect(await select('SELECT id FROM download')).toEqual([]);
    });

    test('a restricting reference further down prevents it, too', async () => {
      const { create, remove, select, ada } = await fresh(SEALED);
      const box = await create('box', as(ada), { name: 'box', user_id: ada });
      const tray = await create('tray', as(ada), { name: 'tray', box_id: box });
      const seal = await create('seal', as(ada), { user_id: ada, tray_id: tray });
      expect((await refused(remove('box', box, as(ada)))).code).toBe('conflict');
      expect(await select('SELECT id FROM tray')).toEqual([{ id: tray }]);
      await remove('seal', seal, as(ada));
      await remove('box', box, as(ada));
      expect(await select('SELECT id FROM tray')).toEqual([]);
    });

    test('nothing refers to a record that was deleted concurrently', async () => {
      const { create, remove, select, ada, game } = world;
      const files = await Promise.all(
        Array.from({ length: 5 }, (_, at) => create('file', as(ada), { name: `f${at}`, file_type: 'image/png' })),
      );
      await Promise.allSettled(
        files.flatMap((face_id, at) => [
          create('piece', as(ada), { name: `p${at}`, game_id: game, face_id }),
          remove('file', face_id, as(ada)),
        ]),
      );
      expect(await select('SELECT id FROM piece WHERE face_id IS NOT NULL')).toEqual([]);
    });
  });

  describe('lists (D23)', () => {
    async function withPieces(pieces: readonly { readonly name: string; readonly order: number | null }[]) {
      const { create, ada, game, records } = world;
      const made: string[] = [];
      for (const [at, piece] of pieces.entries()) {
        const identity = at % 2 ? 'Tile' : 'Chit';
        made.push(await create('piece', as(ada), { ...piece, game_id: game, identity }));
      }
      const list = async (page: Partial<Page> = {}, caller: Caller = ANYONE) =>
        records.list('piece', { ...PAGE, ...page }, game, caller);
      /** The listed pieces, by their positions. */
      const at = async (page: Partial<Page> = {}) =>
        (await list(page)).items.map((item) => made.indexOf(JSON.parse(item).id));
      return { list, at };
    }
    const FOUR = [
      { name: 'b', order: 2 },
      { name: 'a', order: null },
      { name: 'c', order: 2 },
      { name: 'a', order: 1 },
    ];

    test('order, filters and fixed conditions', async () => {
      const { list, at } = await withPieces(FOUR);
      const rows: readonly (readonly [Partial<Page>, readonly number[]])[] = [
        [{}, [0, 1, 2, 3]],
        [{ descending: true }, [3, 2, 1, 0]],
        [{ orderBy: 'order' }, [1, 3, 0, 2]],
        [{ orderBy: 'order', descending: true }, [2, 0, 3, 1]],
        [{ orderBy: 'name' }, [1, 3, 0, 2]],
        [{ orderBy: '-order,name' }, [0, 2, 3, 1]],
        [{ orderBy: 'order,-name' }, [1, 3, 2, 0]],
        [{ orderBy: '-order,name', descending: true }, [1, 3, 2, 0]],
        [{ filters: { name: 'a' } }, [1, 3]],
        [{ filters: { name: 'a', order: null } }, [1]],
        [{ filters: { order: 2 } }, [0, 2]],
        [{ filters: { 'order[gte]': 1 } }, [0, 2, 3]],
        [{ filters: { 'order[gt]': 1 } }, [0, 2]],
        [{ filters: { 'order[lte]': 2 } }, [0, 2, 3]],
        [{ filters: { 'order[lt]': 2 } }, [3]],
        [{ filters: { 'order[gte]': 1, 'order[lt]': 2, name: 'a' } }, [3]],
        [{ list: 'chits' }, [0, 2]],
        [{ size: 3, number: 2 }, [3]],
      ];
      for (const [page, places] of rows) expect([page, await at(page)]).toEqual([page, places]);
      expect(await list({ size: 3, number: 9 })).toEqual({ items: [], total: 4, cursor: null });
    });

    test('items are as the caller sees them', async () => {
      const { list } = await withPieces(FOUR);
      const { ada, eve, file, update } = world;
      const first = async (caller: Caller) => JSON.parse((await list({}, caller)).items[0] ?? '');
      await update('piece', (await first(ANYONE)).id, as(ada), { face_id: file });
      expect(await first(ANYONE)).not.toHaveProperty('face');
      expect(await first(as(eve))).not.toHaveProperty('face');
      for (const caller of [as(ada), ADMIN]) expect(await first(caller)).toMatchObject({ face: { id: file } });
    });

    test('a list across placements', async () => {
      const { create, records, ada, bob, designer } = world;
      await create('hook', as(ada), { owner_id: ada });
      const hooks = async (caller: Caller) =>
        records.list('hook', { ...PAGE, parent: 'user', list: 'hooks' }, ada, caller);
      expect(await hooks(as(bob))).toEqual({ items: [], total: 0, cursor: null });
      expect(await hooks(ADMIN)).toMatchObject({ total: 1 });
      const page = await records.list('associate', { ...PAGE, parent: 'user', list: 'associations' }, bob, ANYONE);
      expect(page.items.map((item) => JSON.parse(item).designer_id)).toEqual([designer]);
    });

    test('a list through another resource (D43)', async () => {
      const { create, records, ada, bob, designer, game } = world;
      const other = await create('designer', as(ada), { name: 'Second' });
      const foreign = await create('designer', as(bob), { name: 'Bob' });
      const first = await create('game', as(ada), { name: 'B', designer_id: other });
      const second = await create('game', as(ada), { name: 'A', designer_id: designer });
      await create('game', as(bob), { name: 'C', designer_id: foreign });
      const games = async (page: Partial<Page> = {}) => {
        const listed = await records.list('game', { ...PAGE, parent: 'user', list: 'games', ...page }, ada, ANYONE);
        return { ...listed, ids: listed.items.map((item) => JSON.parse(item).id) };
      };
      expect((await games()).ids).toEqual([game, first, second]);
      expect((await games({ orderBy: '-name' })).ids).toEqual([game, first, second]);
      expect((await games({ orderBy: 'name' })).ids).toEqual([second, first, game]);
      const { cursor } = await games({ size: 2 });
      expect(await games({ size: 2, cursor })).toMatchObject({ ids: [second], total: 3, cursor: null });
    });

    test('all records, whoever owns them (D44)', async () => {
      const { create, records, ada, bob } = world;
      const page = { ...PAGE, parent: null, list: '' };
      const all = async (resource: string, more: Partial<Page> = {}, caller = ADMIN) =>
        records.list(resource, { ...page, ...more }, '', caller);
      const first = await create('folder', as(ada), { name: 'ä' });
      const second = await create('folder', as(bob), { name: 'b' });
      const listed = await all('folder');
      const ids = listed.items.map((item) => JSON.parse(item).id);
      expect(ids).toEqual([...ids].sort());
      expect(ids).toEqual(expect.arrayContaining([first, second]));
      const seen: string[] = [];
      for (let cursor: string | null = null, more = true; more; more = cursor !== null) {
        const part = await all('folder', { size: 1, cursor });
        expect(part.total).toBe(listed.total);
        seen.push(...part.items.map((item) => JSON.parse(item).id));
        cursor = part.cursor;
      }
      expect(seen).toEqual(ids);
    });

    test('records that are created together are stored all or none', async () => {
      const { records, ada, eve, designer, game, select } = world;
      const change = (input: Record<string, unknown>, failures: readonly Failure[] = []) => ({
        ...{ resource: 'piece', caller: as(ada), now: NOW, upload: null },
        ...{ input: { game_id: game, ...input }, failures },
      });
      const below = (resource: string, parent: { resource: string; id: string }) => (changes: readonly Change[]) =>
        records.createAll({ resource, parent, changes, caller: as(ada), now: NOW });
      const pieces = below('piece', { resource: 'game', id: game });
      const associates = below('associate', { resource: 'designer', id: designer });
      const created = await pieces(['a', 'b', 'c'].map((name) => change({ name })));
      const ids = created.map(({ id }) => id);
      expect(created.map(({ text }) => JSON.parse(text))).toMatchObject([{ name: 'a' }, { name: 'b' }, { name: 'c' }]);
      expect(ids).toEqual([...ids].sort());
      const wrong = { field: 'name', code: 'required', message: 'name is required.' } as const;
      const refusal = await refused(
        pieces([change({ name: 'd' }), change({}, [wrong]), change({ name: 'e', face_id: 'none' })]),
      );
      expect(refusal.fields).toEqual(['[1].name required', '[2].face_id reference_not_found']);
      const associate = (user: string) => ({
        ...change({}),
        resource: 'associate',
        input: { designer_id: designer, user_id: user },
      });
      const twice = await refused(associates([associate(eve), associate(ada), associate(eve)]));
      expect(twice.fields).toEqual(['[2].user_id not_unique']);
      const several = [associate(eve), associate(eve), associate(ada), associate(ada)];
      expect((await refused(associates(several))).fields).toEqual(['[1].user_id not_unique']);
      const mixed = await refused(associates([...several, associate('nobody'), change({}, [wrong])]));
      expect(mixed.fields).toEqual(['[4].user_id reference_not_found', '[5].name required']);
      expect(await select(`SELECT id FROM associate WHERE user_id = '${ada}'`)).toEqual([]);
      expect(await select(`SELECT name FROM piece WHERE name IN ('d', 'e', 'f')`)).toEqual([]);
    });

    test('invalid pages, filters and orders are refused', async () => {
      const { list } = await withPieces(FOUR);
      const { records } = world;
      const fields = async (page: Partial<Page>) => (await refused(list(page))).fields;
      expect(await fields({ orderBy: 'token' })).toEqual(['_order_by invalid']);
      expect(await fields({ filters: { token: 'x' } })).toEqual(['token invalid']);
      expect(await fields({ filters: { 'name[gte]': 'x' } })).toEqual(['name[gte] invalid']);
      expect((await refused(list({ list: 'nonsense' }))).code).toBe('not_found');
      const { cursor } = await list({ size: 2, orderBy: 'order' });
      expect(await fields({ cursor, orderBy: 'name' })).toEqual(['_cursor invalid']);
      const forge = (...values: unknown[]) => {
        const [order] = JSON.parse(Buffer.from(cursor ?? '', 'base64url').toString());
        return Buffer.from(JSON.stringify([order, ...values])).toString('base64url');
      };
      const bad = [
        '',
        'garbage',
        '!!',
        'W10',
        forge({}),
        forge(),
        forge(1),
        forge('1', 'x'),
        forge(1.5, 'x'),
        forge(1, 'a\0b'),
        forge(1e300, 'x'),
      ];
      for (const page of bad) {
        expect([page, await fields({ cursor: page, orderBy: 'order' })]).toEqual([page, ['_cursor invalid']]);
      }
      const missing = Promise.resolve().then(() => records.list('piece', PAGE, 'no\0ne', ADMIN));
      expect((await refused(missing)).code).toBe('not_found');
    });

    test('a page ends where its bytes do (F27)', async () => {
      const { list } = await withPieces(Array.from({ length: 60 }, () => ({ name: 'ä'.repeat(20), order: null })));
      const bytes = Buffer.byteLength((await list({ size: 1 })).items[0] ?? '');
      const sizes = async (maxBytes: number, size: number) => {
        const pages: number[] = [];
        for (let cursor: string | null = null, more = true; more; more = cursor !== null) {
          const page = await list({ size, maxBytes, cursor });
          expect(page.total).toBe(60);
          pages.push(page.items.length);
          cursor = page.cursor;
        }
        return pages;
      };
      expect(await sizes(28 * bytes, 100)).toEqual([28, 28, 4]);
      expect(await sizes(28 * bytes + bytes - 1, 100)).toEqual([28, 28, 4]);
      expect(await sizes(60 * bytes, 100)).toEqual([60]);
      expect(await sizes(60 * bytes, 59)).toEqual([59, 1]);
      // A page has at least one item, however large it is.
      expect(await sizes(1, 100)).toEqual(Array(60).fill(1));
      expect((await list({ size: 40, number: 2, maxBytes: 15 * bytes })).items).toHaveLength(15);
    });

    test('cursors visit what page numbers do', async () => {
      const { at, list } = await withPieces([...FOUR, ...FOUR, { name: 'ä', order: -1 }]);
      const orders = [null, 'name', '-order,name', 'order,-name'].flatMap((orderBy) =>
        [true, false].map((descending) => ({ orderBy, descending })),
      );
      for (const order of orders) {
        const all = await at({ ...order, size: 25 });
        const seen: string[] = [];
        for (let cursor: string | null = null, more = true; more; more = cursor !== null) {
          const page = await list({ ...order, size: 2, cursor });
          seen.push(...page.items);
          cursor = page.cursor;
        }
        expect(seen).toEqual((await list({ ...order, size: 25 })).items);
        expect(new Set(all).size).toBe(9);
      }
    });
  });

  test('lifecycle functions are part of the write, and a refusal leaves nothing', async () => {
    const { refusing, behaviours } = lifecycle();
    const { create, update, remove, json, ada, designer, published, select } = await fresh({ behaviours });
    const before = published.length;
    const game = await create('game', as(ada), { name: 'G', designer_id: designer });
    expect(await json('game', game, ANYONE)).toMatchObject({ name: 'G!' });
    await update('game', game, as(ada), { name: 'H' });
    refusing.now = true;
    expect((await refused(update('game', game, as(ada), { name: 'I' }))).code).toBe('conflict');
    expect((await refused(create('game', as(ada), { name: 'J', designer_id: designer }))).code).toBe('conflict');
    expect((await refused(remove('game', game, as(ada)))).code).toBe('conflict');
    expect(await select(`SELECT name FROM game WHERE id = '${game}'`)).toEqual([{ name: 'G!H' }]);
    expect(await select(`SELECT name FROM game WHERE name = 'J!'`)).toEqual([]);
    refusing.now = false;
    await remove('game', game, as(ada));
    expect(published.slice(before)).toEqual([
      ...[['before', null], ['created', 'G!'], NOW],
      ...[['updated', 'G!', 'G!H'], NOW],
      ...[['deleted', 'G!H', null], NOW],
    ]);
  });
});

/** Functions of `game` that can be made to refuse every write. */
function lifecycle() {
  const refusing = { now: false };
  const publish = (...event: unknown[]) => {
    if (refusing.now) throw Object.assign(new Error('no'), { code: 'conflict' });
    return { events: [event] };
  };
  const behaviours = {
    game: {
      beforeCreate: (old: Input | null, row: Input | null) => ({
        changes: { name: `${row?.name}!` },
        events: [['before', old]],
      }),
      afterCreate: (_: Input | null, row: Input | null) => publish('created', row?.name),
      beforeUpdate: (old: Input | null, row: Input | null) => ({ changes: { name: `${old?.name}${row?.name}` } }),
      afterUpdate: (old: Input | null, row: Input | null) => publish('updated', old?.name, row?.name),
      beforeDelete: () => undefined,
      afterDelete: (old: Input | null, row: Input | null) => publish('deleted', old?.name, row),
    },
  };
  return { refusing, behaviours };
}
