// Copies of a record with its parts (D55), on every engine: what is copied, what is reset; a copy is complete or not made.
import type { AnyDefinition, Input, Row } from '../../runtime/contract/definition.js';
import type { Caller } from '../../runtime/store/records.js';
import { ADMIN, as, change, NOW, refused } from '../store/setup.js';
import { define, ID, NAME, type Sketch, schemaOf, YES_NO } from '../store/sketch.js';
import { describeOnEngines, type FixtureOptions, type RecordsFixture } from './records-fixture.js';

const OPTIONAL = { nullable: true } as const;
const PICTURE = [
  { name: 'face_id', ...OPTIONAL },
  { name: 'has_proofed_face', type: 'integer', check: YES_NO },
] as const;
const FACE = { column: 'face_id', to: 'file', need: 'use', onDelete: 'set_null', proof: 'has_proofed_face' } as const;
const text = { kind: 'text' } as const;
const ofGame = { column: 'game_id', to: 'game', place: true, required: true } as const;
const editors = { edit: [{ through: 'game_id', to: 'game' }] } as const;
const copy = {
  by: 'editor',
  parameters: { name: text },
  validate: () => true,
  copies: { column: 'name', max: 20 },
};
const proofed = (input: Input): Row => ({ has_proofed_face: input.has_proofed_face ? 1 : 0 });

/** A game with decks, cards, boards and players, and records about a game that are not parts of it. */
const SKETCHES: readonly Sketch[] = [
  { name: 'user', principal: true, columns: [ID, NAME], access: { edit: [{ self: true }] } },
  {
    name: 'file',
    upload: { part: 'file', maxBytes: 1000 },
    columns: [ID, NAME, { name: 'user_id' }, { name: 'content_hash', ...OPTIONAL }],
    references: [{ column: 'user_id', to: 'user', place: true, onDelete: 'restrict' }],
    access: { edit: [{ user: 'user_id' }] },
  },
  {
    name: 'game',
    columns: [
      ...[ID, NAME, { name: 'user_id' }, { name: 'identity', ...OPTIONAL }, { name: 'date_created', type: 'integer' }],
      ...[
        { name: 'public', type: 'integer', check: YES_NO },
        { name: 'rated', type: 'integer' },
        { name: 'grade', ...OPTIONAL },
      ],
    ] as Sketch['columns'],
    parameters: {
      name: text,
      user_id: text,
      identity: text,
      public: { kind: 'boolean' },
      grade: { kind: 'text', set: 'admin' },
    },
    references: [{ column: 'user_id', to: 'user', place: true, onDelete: 'restrict' }],
    uniques: [['user_id', 'name']],
    options: { identity: ['Big'] },
    removed: { identity: ['Small'] },
    access: { edit: [{ user: 'user_id' }] },
    actions: {
      copy,
      publish: { ...copy, copies: undefined, sets: { public: 1 } },
    } as unknown as AnyDefinition['actions'],
    fill: (input, { now }) => ({ date_created: now, public: input.public ? 1 : 0, rated: 0 }),
  },
  {
    name: 'deck',
    columns: [ID, NAME, { name: 'game_id' }, { name: 'first_id', ...OPTIONAL }, ...PICTURE],
    references: [ofGame, { column: 'first_id', to: 'card', inside: true, onDelete: 'set_null' }, FACE],
    access: editors,
    fill: proofed,
  },
  {
    name: 'card',
    columns: [ID, NAME, { name: 'deck_id' }, { name: 'next_id', ...OPTIONAL }, { name: 'board_id', ...OPTIONAL }],
    references: [
      { column: 'deck_id', to: 'deck', place: true, required: true },
      { column: 'next_id', to: 'card', inside: true, onDelete: 'set_null' },
      { column: 'board_id', to: 'board', inside: true, onDelete: 'set_null' },
    ],
    access: { edit: [{ through: 'deck_id', to: 'deck' }] },
  },
  // Named so that its table comes after the table of the spot that it needs.
  {
    name: 'board',
    columns: [ID, NAME, { name: 'game_id' }, { name: 'spot_id' }],
    references: [ofGame, { column: 'spot_id', to: 'spot', inside: true, required: true, onDelete: 'restrict' }],
    access: editors,
  },
  { name: 'spot', columns: [ID, NAME, { name: 'game_id' }], references: [ofGame], access: editors },
  {
    name: 'seat',
    columns: [ID, { name: 'game_id' }, { name: 'player_id' }],
    parameters: { game_id: text },
    references: [ofGame, { column: 'player_id', to: 'user', need: 'exists' }],
    uniques: [['game_id', 'player_id']],
    access: editors,
    fill: (_, { user }) => ({ player_id: user }),
  },
  { name: 'review', columns: [ID, NAME, { name: 'game_id' }], references: [{ ...ofGame, need: 'exists' }] },
  {
    name: 'check',
    columns: [ID, NAME, { name: 'game_id' }],
    operations: { create: 'admin', fetch: 'anyone', update: 'admin', delete: 'admin' },
    references: [ofGame],
  },
  { name: 'hook', columns: [ID, { name: 'game_id' }], references: [ofGame], servedBy: 'hooks', access: editors },
  {
    name: 'sale',
    columns: [ID, { name: 'game_id' }],
    references: [{ ...ofGame, onDelete: 'restrict' }],
    access: editors,
  },
];
const WORLD = {
  definitions: SKETCHES.map(define),
  schema: schemaOf(SKETCHES),
};

async function begin(
  open: (options: Partial<FixtureOptions>) => Promise<RecordsFixture>,
  options: Partial<FixtureOptions> = {},
) {
  const fixture = await open({ ...WORLD, ...options });
  const { records, select } = fixture;
  const create = async (name: string, caller: Caller, input: Input) =>
    (await records.create(change(name, caller, input))).id;
  const [ada, eve] = [await create('user', ADMIN, { name: 'ada' }), await create('user', ADMIN, { name: 'eve' })];
  const make = (name: string, input: Input) => create(name, as(ada), input);
  const game = await make('game', { name: 'Dawn', user_id: ada, identity: 'Big' });
  const rows = (table: string, of = game, column = 'game_id') =>
    select(`SELECT * FROM "${table}" WHERE "${column}" = '${of}' ORDER BY id`) as Promise<Row[]>;
  const copying = async (input: Input = {}, caller = as(ada), id = game) =>
    records.copy('game', id, { name: 'copy', caller, input, failures: [], now: NOW + 1000 });
  return { ...fixture, create, make, rows, copying, ada, eve, game };
}

describeOnEngines('copies', (open) => {
  const ends: (() => Promise<void>)[] = [];
  const fresh = async (options?: Partial<FixtureOptions>) => {
    const begun = await begin(open, options);
    ends.push(begun.end);
    return begun;
  };
  afterEach(async () => {
    for (const end of ends.splice(0)) await end();
  });

  test('include the parts of the record, which refer to each other', async () => {
    const { make, rows, copying, ada, game, select } = await fresh();
    const face = await make('file', { name: 'face.png', user_id: ada });
    const deck = await make('deck', { name: 'A', game_id: game, face_id: face, has_proofed_face: true });
    const spot = await make('spot', { name: 'spot', game_id: game });
    const board = await make('board', { name: 'board', game_id: game, spot_id: spot });
    const king = await make('card', { name: 'king', deck_id: deck, board_id: board });
    const ace = await make('card', { name: 'ace', deck_id: deck, next_id: king });
    await select(`UPDATE card SET next_id = '${ace}' WHERE id = '${king}' RETURNING id`);
    await select(`UPDATE deck SET first_id = '${ace}' WHERE id = '${deck}' RETURNING id`);
    const before = await rows('card', deck, 'deck_id');

    const copy = await copying();
    expect(copy.id.slice(0, 2)).toBe(game.slice(0, 2));
    expect(JSON.parse(copy.text)).toMatchObject({ id: copy.id, name: 'Dawn (Copy)', user_id: ada, identity: 'Big' });
    const [deckCopy = {}] = await rows('deck', copy.id);
    const cards = await rows('card', String(deckCopy.id), 'deck_id');
    const [boardCopy = {}] = await rows('board', copy.id);
    const [spotCopy = {}] = await rows('spot', copy.id);
    expect(cards.map(({ name }) => name)).toEqual(['king', 'ace']);
    const [kingCopy = {}, aceCopy = {}] = cards;
    expect([kingCopy.next_id, aceCopy.next_id]).toEqual([aceCopy.id, kingCopy.id]);
    expect([kingCopy.board_id, aceCopy.board_id]).toEqual([boardCopy.id, null]);
    expect(boardCopy).toMatchObject({ spot_id: spotCopy.id });
    expect(deckCopy).toMatchObject({ first_id: aceCopy.id, face_id: face, has_proofed_face: 1 });
    const ids = [deckCopy, boardCopy, spotCopy, ...cards].map(({ id }) => id);
    expect(ids.filter((id) => [deck, board, spot, king, ace].includes(String(id)))).toEqual([]);
    expect(await rows('card', deck, 'deck_id')).toEqual(before);
  });

  test('leave out records that are not parts, and reset values that only the service sets', async () => {
    const { make, create, rows, copying, ada, eve, game, records, select } = await fresh();
    await create('review', as(eve), { name: 'good', game_id: game });
    await create('check', ADMIN, { name: 'passed', game_id: game });
    await make('hook', { game_id: game });
    await make('sale', { game_id: game });
    await make('seat', { game_id: game });
    await records.act('game', game, { name: 'publish', caller: as(ada), input: {}, failures: [], now: NOW });
    await select(`UPDATE game SET rated = 7, grade = 'A', identity = 'Small' WHERE id = '${game}' RETURNING id`);
    const copy = await copying({}, ADMIN);
    const [row = {}] = await rows('game', copy.id, 'id');
    expect(row).toMatchObject({ public: 0, rated: 0, grade: null, identity: 'Small', date_created: NOW + 1000 });
    for (const table of ['review', 'check', 'hook', 'sale'])
      expect([table, await rows(table, copy.id)]).toEqual([table, []]);
    // The copy does not take the seat of the player who sits there.
    expect(await rows('seat', copy.id)).toMatchObject([{ player_id: ada }]);
  });

  test('have the name that is sent, or the name of the original, cut to fit', async () => {
    const { copying, make, ada, rows } = await fresh();
    expect(JSON.parse((await copying({ name: 'Dusk' })).text)).toMatchObject({ name: 'Dusk' });
    const long = await make('game', { name: 'Twenty letters 👾👾👾👾', user_id: ada });
    const { id } = await copying({}, as(ada), long);
    expect(await rows('game', id, 'id')).toMatchObject([{ name: 'Twenty letter (Copy)' }]);
    expect(await refused(copying({}, as(ada), long))).toMatchObject({
      code: 'not_unique',
      fields: ['name not_unique'],
    });
  });

  test('are only for callers with the right, who alone learn what is invalid', async () => {
    const { records, copying, eve, ada, game, select } = await fresh();
    expect((await refused(copying({}, as(eve)))).code).toBe('forbidden');
    expect((await refused(copying({}, as(ada), 'none'))).code).toBe('not_found');
    const failures = [{ field: 'name', code: 'invalid', message: 'name is too long' }] as const;
    const action = { name: 'copy', input: {}, failures, now: NOW };
    const wrong = async (user: string) => records.copy('game', game, { ...action, caller: as(user) });
    expect((await refused(wrong(eve))).fields).toEqual([]);
    expect((await refused(wrong(ada))).fields).toEqual(['name invalid']);
    expect(await select('SELECT id FROM game')).toHaveLength(1);
  });

  test('have at most 1,000 records', async () => {
    const { copying, make, game, rows, select } = await fresh();
    const deck = await make('deck', { name: 'A', game_id: game });
    await make('card', { name: 'card', deck_id: deck });
    const [card = {}] = await rows('card', deck, 'deck_id');
    const more = (from: number, to: number) =>
      select(
        inserted(
          Array.from({ length: to - from }, (_, at) => ({
            ...card,
            id: `${card.id}${from + at}`,
            name: `card ${from + at}`,
          })),
        ),
      );
    await more(100, 1097);
    const { id } = await copying();
    const [copied] = await rows('deck', id);
    const names = (await rows('card', deck, 'deck_id')).map(({ name }) => name);
    expect(names).toHaveLength(998);
    expect((await rows('card', String(copied?.id), 'deck_id')).map(({ name }) => name)).toEqual(names);
    await more(2000, 2001);
    const refusal = await refused(copying({ name: 'Too many' }));
    expect([refusal.code, refusal.message]).toEqual(['conflict', expect.stringContaining('at most 1,000 records')]);
    expect(await select(`SELECT id FROM game WHERE name = 'Too many'`)).toEqual([]);
  });

  test('run lifecycle functions and publish as creates do; a refusal leaves nothing', async () => {
    const behaviours = {
      deck: {
        beforeCreate: (_: unknown, row: Input | null) => ({ changes: { name: `${row?.name}!` } }),
        afterCreate: (_: unknown, row: Input | null) => {
          if (row?.name === 'bad!!') throw Object.assign(new Error('no'), { code: 'conflict' });
          return { events: [['created', row?.name]] };
        },
      },
    };
    const { copying, make, game, published, select } = await fresh({ behaviours });
    await make('deck', { name: 'A', game_id: game });
    const before = published.length;
    const { id } = await copying();
    expect(await select(`SELECT name FROM deck WHERE game_id = '${id}'`)).toEqual([{ name: 'A!!' }]);
    expect(published.slice(before)).toEqual([['created', 'A!!'], NOW + 1000]);
    await make('deck', { name: 'bad', game_id: game });
    expect((await refused(copying({ name: 'Other' }))).code).toBe('conflict');
    expect(await select(`SELECT id FROM game WHERE name = 'Other'`)).toEqual([]);
  });
});

/** The statement that stores these rows, which have the columns of the first. */
function inserted(rows: readonly Row[]): string {
  const columns = Object.keys(rows[0] ?? {}).map((column) => `"${column}"`);
  const values = rows.map(
    (row) =>
      `(${Object.values(row)
        .map((value) => (value === null ? 'NULL' : `'${value}'`))
        .join(', ')})`,
  );
  return `INSERT INTO card (${columns.join(', ')}) VALUES ${values.join(', ')} RETURNING id`;
}
