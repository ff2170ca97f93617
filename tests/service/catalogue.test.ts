// The catalogue of this service: how many rows each category of the shop has, as public clients count them, and some rows.

import { clientOf, type Send } from '../support/client.js';
import { startService } from '../support/service.js';
import { shared } from '../support/shared.js';

const service = shared(startService);
let send: Send;
beforeAll(async () => {
  send = clientOf(service.address);
});

const PATH = '/api/tgc/products';

/** By first category, without the five identities that the document does not list. */
const ACTIVE = {
  Boards: 18,
  Books: 19,
  Cards: 24,
  Dials: 2,
  Mats: 28,
  Packaging: 44,
  Parts: 8,
  Punchouts: 39,
  'Score Pads': 3,
  Screens: 3,
  Stickers: 8,
};

interface Row {
  readonly identity: string;
  readonly categories: readonly string[];
  readonly sides: readonly { readonly label: string }[];
}

test('each category has its rows', async () => {
  const { body } = await send('GET', `${PATH}?active_only=1`);
  const rows = body as readonly Row[];
  const counts = new Map<string, number>();
  for (const { categories } of rows) counts.set(categories[0] ?? '', (counts.get(categories[0] ?? '') ?? 0) + 1);
  expect(Object.fromEntries([...counts].sort(([one], [other]) => (one < other ? -1 : 1)))).toEqual(ACTIVE);
  expect(rows.filter(({ sides }) => sides.length === 0)).toEqual([]);
});

test('inactive identities are only in the whole list', async () => {
  const [all, active] = [await send('GET', PATH), await send('GET', `${PATH}?active_only=true`)];
  const names = ({ body }: typeof all) => (body as readonly Row[]).map(({ identity }) => identity);
  const remaining = new Set(names(active));
  expect(names(all).filter((name) => !remaining.has(name))).toEqual(['CustomWoodD6']);
});

test('a row says how a record and its pieces are created', async () => {
  const { status, body } = await send('GET', `${PATH}/AccordionBoard`);
  expect([status, body]).toEqual([
    200,
    {
      identity: 'AccordionBoard',
      name: 'Accordion Board Set',
      create_api: '/api/twosidedset',
      relationship: 'accordionboards',
      size: { pixels: [2475, 4875], finished_inches: [8, 16] },
      sides: [
        { field: 'face', label: 'Face' },
        { field: 'back', label: 'Back' },
      ],
      child: {
        name: 'Two-sided piece',
        create_api: '/api/twosided',
        parent_id: 'set_id',
        relationship: 'members',
      },
      _relationships: { self: '/api/tgc/products/AccordionBoard' },
      categories: ['Boards'],
      active: true,
    },
  ]);
});

test.each([
  ['PokerTuckBox54', 'Poker Tuck Box (54 cards)', ['Outside'], '/api/tuckbox'],
  ['PokerBoosterBox', 'Poker Booster Box', ['Outside'], '/api/tuckbox'],
  ['ArrowChit', 'Arrow Chit Set', ['Face', 'Back'], '/api/twosidedsluggedset'],
  ['USGameDeck', 'US Game Deck', ['Face', 'Back'], '/api/deck'],
  ['BiFoldMat', 'Bi-Fold Mat Set', ['Face', 'Back'], '/api/twosidedset'],
  ['BiFoldBoard', 'Bi-Fold Game Board', ['Face', 'Spot Gloss'], '/api/onesidedgloss'],
  ['CustomColorD4', 'Custom Full Color D4', ['Side 1', 'Side 2', 'Side 3', 'Side 4'], '/api/customcolord4'],
  [
    'LetterPerfectBoundBook',
    'Letter Perfect Bound Book',
    ['Face', 'Back', 'Spine Image', 'Image'],
    '/api/perfectboundbook',
  ],
])('%s is %s', async (identity, name, labels, create_api) => {
  const { body } = await send('GET', `${PATH}/${identity}`);
  const { sides } = body as Row;
  expect([body.name, sides.map(({ label }) => label), body.create_api]).toEqual([name, labels, create_api]);
});

test.each(['SmallScorePad', 'pokerdeck', 'Nothing', '__proto__'])('%s has no row', async (identity) => {
  expect(await send('GET', `${PATH}/${identity}`)).toMatchObject({ status: 404, body: { code: 'not_found' } });
});

test('unknown parameters are named, known ones are checked, and other methods are refused', async () => {
  const misspelt = await send('GET', `${PATH}?activ_only=1`);
  expect([misspelt.status, misspelt.headers.get('ignored-parameters')]).toEqual([200, 'activ_only']);
  const wrong = await send('GET', `${PATH}?active_only=perhaps`);
  expect([wrong.status, wrong.body.errors[0].field]).toEqual([422, 'active_only']);
  const { status, headers } = await send('POST', PATH, { parameters: {} });
  expect([status, headers.get('allow')]).toEqual([405, 'GET, HEAD']);
});
