// D68: the names of a version in paths, copied values, conflicts, the catalogue and similar places.

import { join } from 'node:path';
import { edited, state } from '../evolution/pairs.js';
import { clientOf, type RequestOptions } from '../support/client.js';
import { temporaryFolder } from '../support/paths.js';
import { startService, type TestService } from '../support/service.js';
import { compileAll, make, prepare, VERSION } from './bench.js';
import { notices, STARTED } from './groups.js';
import { upload } from './requests.js';

const KEYS = `resource: apikey
title: API key
summary: Key of a program.
plural: apikeys
fields:
  user: { kind: reference, default: session.user, place: true, list: true, on_delete: cascade, description: Owner. }
  name: { kind: text, required: true, max: 50, description: Name. }
  token: { kind: token, description: Stands for its user. }
access: { read: [user], edit: [user] }
`;
const CARDS = '{ MiniCard: 600x600, PokerCard: 700x700, TarotCard: 800x800 }';
const earlier = state(
  edited(
    { ...STARTED, 'resources/apikey.yaml': KEYS },
    {
      'conventions.yaml': [['image_types:', 'catalogue: { path: /api/products, of: component }\nimage_types:']],
      'resources/game.yaml': [
        [
          '  board_count:',
          '  first: { kind: text, synonyms: [prime], description: First. }\n  second: { kind: text, description: Second. }\n' +
            '  status: { kind: enum, values: [draft, live], default: draft, description: State. }\n' +
            '  caption: { kind: computed, text: "{name} ({status})", description: Caption. }\n  board_count:',
        ],
      ],
      'resources/card.yaml': [
        ['[MiniCard, PokerCard, TarotCard]', `${CARDS}\nold_names: identities`],
        [
          '  back:',
          '  mood: { kind: enum, values: [calm, wildAtHeart], description: Mood. }\n' +
            '  state: { kind: computed, copy: game.status, description: State. }\n  back:',
        ],
        ['fields:', 'actions: { twin: { title: Copy, copies: name } }\nfields:'],
      ],
      'resources/file.yaml': [
        ['part: file,', 'part: file, uses: uses,'],
        ['  file_type:', '  note: { kind: text, description: Note. }\n  file_type:'],
      ],
      'resources/board.yaml': [['unique: [[game, name]]', 'unique: [[game, name], [label, homepage]]']],
    },
  ),
  null,
);
const FINISH = 'surface: { was: finish, kind: enum, values: [matt, gloss], default: gloss';
const current = state(
  edited(earlier.texts, {
    'conventions.yaml': [['name: {', 'title: { was: name,']],
    'resources/game.yaml': [
      ['[draft, live], default: draft', '{ planned: { was: draft }, live: }, default: planned'],
      ['first: { kind: text, synonyms: [prime]', 'second: { was: first, kind: text'],
      ['second: { kind: text, description: Second', 'first: { was: second, kind: text, description: Second'],
      ['blurb: {', 'about: { was: blurb,'],
    ],
    'resources/card.yaml': [
      [CARDS, '{ BigCard: { was: TarotCard, size: 800x800 }, MiniCard: 600x600, PokerCard: 700x700 }'],
      ['mood: { kind: enum, values: [calm, wildAtHeart]', 'mood: { kind: text, max: 20'],
      ['back: {', 'rear: { was: back,'],
      ['copies: name', 'copies: title'],
    ],
    'resources/board.yaml': [
      ['unique: [[game, name], [label, homepage]]', 'unique: [[game, title], [homepage, mark]]'],
      ['order: [name]', 'order: [title]'],
      ['label: {', 'mark: { was: label,'],
      ['finish: { kind: enum, values: [matt, gloss], default: matt', FINISH],
    ],
    'resources/file.yaml': [['note: {', 'memo: { was: note,']],
    'resources/apikey.yaml': [['name: {', 'label: { was: name,']],
  }),
  earlier.ledger,
);

const folder = temporaryFolder('versions-names');
const options = { generated: join(folder, 'now'), handwritten: { behaviours: {}, actions: {} } as never };
let service: TestService;
let session = '';
let game = '';

beforeAll(async () => {
  prepare(folder);
  compileAll([
    make(join(folder, 'then'), earlier, earlier.ledger, {}),
    make(options.generated, current, earlier.ledger, { [VERSION]: earlier }),
  ]);
  service = await startService(options);
  ({ session } = await service.user('ann'));
  game = (await send('POST', '/api/game', { name: 'Chess' })).body.id;
}, 120_000);
afterAll(() => service.stop());

function send(method: string, path: string, parameters?: RequestOptions['parameters']) {
  const headers = { 'punchboard-version': VERSION };
  return clientOf(service.address)(method, path, { session, headers, ...(parameters && { parameters }) });
}

test('paths of an identity lead to its records', async () => {
  const { body } = await send('POST', '/api/tarotcard', { name: 'Ace', game_id: game });
  expect(body.identity).toBe('TarotCard');
  expect((await send('GET', `/api/tarotcard/${body.id}`)).body).toEqual(body);
  expect((await send('GET', `/api/minicard/${body.id}`)).status).toBe(404);
});

test('the allowed values of a type are in their earlier order, with their sizes', async () => {
  const { body } = await send('GET', '/api/card/_options');
  expect(body.identity).toEqual(['MiniCard', 'PokerCard', 'TarotCard']);
  expect(Object.entries(body._sizes)).toEqual([
    ['MiniCard', '600x600'],
    ['PokerCard', '700x700'],
    ['TarotCard', '800x800'],
  ]);
});

test('a choice that is free text today keeps its earlier allowed values', async () => {
  const { body } = await send('GET', '/api/card/_options');
  expect(body).toMatchObject({ mood: ['calm', 'wildAtHeart'], _mood: { calm: 'calm', wildAtHeart: 'wild At Heart' } });
});

test('a copy of a choice has its name', async () => {
  expect((await send('POST', '/api/card', { name: 'Two', game_id: game })).body.state).toBe('draft');
});

test('a row of the catalogue names its sides', async () => {
  expect((await send('GET', '/api/products/TarotCard')).body.sides).toEqual([{ field: 'back', label: 'Back' }]);
});

test('the catalogue is in its earlier order', async () => {
  const rows: readonly { readonly identity: string }[] = (await send('GET', '/api/products')).body;
  expect(rows.map(({ identity }) => identity)).toEqual(['MiniCard', 'PokerCard', 'TarotCard']);
});

test('null restores the default, as an empty value of a form does', async () => {
  const board = { name: 'Restored', game_id: game };
  const { body } = await send('POST', '/api/board', { ...board, finish: '' });
  expect(body.finish).toBe('matt');
  const path = `/api/board/${body.id}`;
  expect((await send('PUT', path, { finish: 'gloss' })).body.finish).toBe('gloss');
  expect((await send('PUT', path, { height: 3 })).body.finish).toBe('gloss');
  expect((await send('PUT', path, { finish: null })).body.finish).toBe('matt');
});

test('a conflict names the last field of a set in its earlier order', async () => {
  const board = { game_id: game, label: 'L', homepage: 'https://example.com/a' };
  await send('POST', '/api/board', { ...board, name: 'One' });
  const { status, body } = await send('POST', '/api/board', { ...board, name: 'Other' });
  expect([status, body.detail]).toEqual([409, 'homepage is already taken']);
  expect(body.errors).toEqual([{ field: 'homepage', code: 'not_unique', message: 'homepage is already taken' }]);
});

test('an error about two names of a parameter has the names of the version, although one has another meaning today', async () => {
  const { status, body } = await send('POST', '/api/game', { name: 'Two', first: 'One', prime: 'Other' });
  const message = 'first and prime are names for the same parameter: their values must be equal.';
  expect([status, body.errors]).toEqual([422, [{ field: 'first', code: 'invalid', message }]]);
});

test('links of a file lead to its user and to what uses it', async () => {
  const authorization = `Bearer ${session}`;
  const { text } = await upload(service.address, { authorization, 'punchboard-version': VERSION });
  const path = `/api/file/${JSON.parse(text).id}`;
  const { body } = await send('GET', `${path}?_include_relationships=1`);
  const { self, user, ...others } = body._relationships;
  expect([self, user, others]).toEqual([path, `/api/user/${body.user_id}`, { uses: `${path}/uses` }]);
});

test('a filter without effect is reported by the name that the caller sent', async () => {
  const { headers } = await send('GET', `/api/game/${game}/boards?finish[gte]=a`);
  expect(headers.get('ignored-parameters')).toBe('finish[gte]');
});

test("texts show today's name of a choice, lists are sorted by such names, and only that is reported", async () => {
  expect((await send('GET', `/api/game/${game}`)).body.caption).toBe('Chess (planned)');
  expect(notices(earlier, current)).toEqual([
    'identity: order of its values MiniCard, PokerCard, TarotCard -> TarotCard, MiniCard, PokerCard',
    'status: order of its values draft, live -> live, draft',
    'property caption: shows text: {name} ({status as today}), previously text: {name} ({status})',
  ]);
});

test('an answer stored for a key is repeated in the names of the requested version', async () => {
  const create = (version: string) => {
    const headers = { 'idempotency-key': 'again', 'punchboard-version': version };
    return clientOf(service.address)('POST', '/api/game', { session, parameters: { name: 'Keyed' }, headers });
  };
  const [first, today, again] = [await create(VERSION), await create('newest'), await create(VERSION)];
  expect(again.text).toBe(first.text);
  for (const [{ body }, version] of [
    [first, VERSION],
    [today, 'newest'],
  ] as const) {
    const headers = { 'punchboard-version': version };
    const fetched = await clientOf(service.address)('GET', `/api/game/${body.id}`, { session, headers });
    expect(body).toEqual(fetched.body);
  }
});

test('a stored answer is repeated unchanged, although names have been swapped since', async () => {
  const parameters = { name: 'Go', first: 'One', second: 'Two', blurb: 'Three' };
  const before = await startService({ ...options, generated: join(folder, 'then') });
  const { session: owner } = await before.user('ann');
  const key = { 'idempotency-key': 'k' };
  const request = { session: owner, parameters, headers: key };
  const { text } = await clientOf(before.address)('POST', '/api/game', request);
  await before.stop();
  const after = await startService({ ...options, database: join(before.folder, 'punchboard.db') });
  const headers = { ...key, 'punchboard-version': VERSION };
  const again = await clientOf(after.address)('POST', '/api/game', { ...request, headers });
  await after.stop();
  expect(again.text).toBe(text);
  expect(JSON.parse(text)).toMatchObject({ first: 'One', second: 'Two', blurb: 'Three' });
}, 60_000);

test('a field that is new where an update requires every parameter is reported', () => {
  const all = ['fields:', 'operations: { update: { required: all } }\nfields:'] as const;
  const before = state(edited(STARTED, { 'resources/card.yaml': [all] }), null);
  const size = ['  back:', '  size: { kind: integer, required: true, fill: 3, description: Size. }\n  back:'] as const;
  const after = state(edited(before.texts, { 'resources/card.yaml': [size] }), before.ledger);
  expect(notices(before, after)).toEqual(['parameter size is new and required']);
});

test('a token comes last in the wing profile, too', async () => {
  const wing = await startService({ ...options, wire: 'wing' });
  const { session: owner } = await wing.user('ann');
  const headers = { 'punchboard-version': VERSION };
  const request = { session: owner, headers, parameters: { name: 'K' } };
  const { body } = await clientOf(wing.address)('POST', '/api/apikey', request);
  await wing.stop();
  expect(Object.keys(body.result).slice(-3)).toEqual(['can_view', 'can_edit', 'token']);
  expect(body.result.name).toBe('K');
}, 60_000);
