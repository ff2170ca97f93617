// D68: the current rights apply under every version: no answer shows a value that the same caller cannot read today.

import { join } from 'node:path';
import { edited, state } from '../evolution/pairs.js';
import { clientOf, type Reply } from '../support/client.js';
import { temporaryFolder } from '../support/paths.js';
import { startService, type TestService } from '../support/service.js';
import { compileAll, make, prepare, VERSION } from './bench.js';
import { STARTED } from './groups.js';

const folder = temporaryFolder('versions-access');
const earlierState = state(STARTED, null);
/** A field becomes private, others are renamed as well, and records that anyone could read get other readers. */
const currentState = state(
  edited(STARTED, {
    'resources/board.yaml': [
      ['synonyms: [caption], description', 'synonyms: [caption], view: editor, description'],
      ['issued: { kind: date,', 'published: { kind: date, was: issued, view: editor,'],
      ['notes: { kind: text,', 'remarks: { kind: text, was: notes,'],
    ],
    'resources/card.yaml': [['type_field:', 'access: { read: [game], edit: [game] }\ntype_field:']],
    'resources/game.yaml': [['read: [user, shared]', 'read: [user]']],
  }),
  earlierState.ledger,
);

let service: TestService;
let callers: Readonly<Record<'owner' | 'stranger' | 'anonymous' | 'admin', string | null>>;
let ids: Readonly<Record<'game' | 'board' | 'card' | 'user', string>>;

beforeAll(async () => {
  prepare(folder);
  compileAll([make(join(folder, 'now'), currentState, earlierState.ledger, { [VERSION]: earlierState })]);
  const handwritten = { behaviours: {}, actions: {} } as never;
  service = await startService({ generated: join(folder, 'now'), handwritten });
  const [owner, stranger, admin] = [
    await service.user('ann'),
    await service.user('bob'),
    await service.user('root', true),
  ];
  callers = { owner: owner.session, stranger: stranger.session, anonymous: null, admin: admin.session };
  const create = async (type: string, parameters: object) =>
    (await clientOf(service.address)('POST', `/api/${type}`, { session: owner.session, parameters: { ...parameters } }))
      .body.id as string;
  const game = await create('game', { name: 'Chess', shared: true });
  const board = await create('board', {
    ...{ name: 'First', game_id: game, label: 'Hidden label', remarks: 'Hidden remarks' },
    published: '2026-01-31T00:00:00Z',
  });
  const card = await create('card', { name: 'Ace', game_id: game, identity: 'MiniCard' });
  ids = { game, board, card, user: owner.id };
}, 120_000);
afterAll(() => service.stop());

const PATHS: Readonly<Record<string, () => string>> = {
  'a record': () => `/api/board/${ids.board}`,
  'a record with all related objects': () =>
    `/api/board/${ids.board}?_include_related_objects=1&_include_relationships=1&_include_options=1`,
  'a path of its own': () => `/board/${ids.board}`,
  'a record with other readers': () => `/api/card/${ids.card}`,
  'the parent': () => `/api/game/${ids.game}?_include_relationships=1`,
  'a list': () => `/api/game/${ids.game}/boards`,
  'a list in the order of a private field': () => `/api/game/${ids.game}/boards?_order_by=label`,
  'a list of records with other readers': () => `/api/game/${ids.game}/cards`,
  'a list by identity': () => `/api/game/${ids.game}/minicards`,
  'a list of a user': () => `/api/user/${ids.user}/games`,
};

describe.each(['owner', 'stranger', 'anonymous', 'admin'] as const)('to %s', (caller) => {
  test.each(Object.keys(PATHS))('%s', async (name) => {
    const ask = (version: string) =>
      clientOf(service.address)('GET', PATHS[name]?.() ?? '', {
        ...{ session: callers[caller], headers: { 'punchboard-version': version } },
      });
    const [earlier, today] = [await ask(VERSION), await ask('newest')];
    expect([earlier.status, codeOf(earlier)]).toEqual([today.status, codeOf(today)]);
    if (today.status >= 400) return;
    const shown = new Set(values(today.body));
    expect(values(earlier.body).filter((value) => !shown.has(value))).toEqual([]);
    if (name !== 'a record') return;
    const sees = caller === 'owner' || caller === 'admin';
    for (const field of ['label', 'issued', 'notes']) expect([field, field in earlier.body]).toEqual([field, sees]);
  });
});

function codeOf({ status, body }: Reply): string | null {
  return status < 400 ? null : body.code;
}

/** All values that are neither objects nor null, at any depth. */
function values(body: unknown): readonly unknown[] {
  if (typeof body === 'object' && body !== null) return Object.values(body).flatMap(values);
  return body === null ? [] : [body];
}
