// D68: API keys, web hooks and sessions remember the version of the request that created them.

import { join } from 'node:path';
import type { StartOptions } from '../../runtime/server/main.js';
import { run } from '../cli/processes.js';
import { edited, type State, state } from '../evolution/pairs.js';
import { clientOf, type Send } from '../support/client.js';
import { onPostgres } from '../support/on-postgres.js';
import { temporaryFolder } from '../support/paths.js';
import { METRICS_TOKEN } from '../support/quiet-service.js';
import { PASSWORD, startService, type TestService } from '../support/service.js';
import { type HttpReceiver, signedBy, startHttpReceiver } from '../webhooks/http-receiver.js';
import { compileAll, make, prepare } from './bench.js';
import { STARTED } from './groups.js';

const [FIRST, SECOND] = ['2027-01-15', '2027-06-01'];

const OWNED = 'user: { kind: reference, to: user, need: edit, default: session.user, place: true, list: true';
const KEYS = `resource: apikey
title: API key
summary: Key of a program.
plural: apikeys
fields:
  ${OWNED}, on_delete: cascade, description: Owner. }
  name: { kind: text, required: true, max: 50, description: Name. }
  private_key: { kind: text, from: random, view: created, description: Signs. }
  scope: { kind: enum, values: [read, write], default: read, description: What it may do. }
  token: { kind: token, description: Stands for its user. }
  api_version: { kind: text, max: 10, default: default, description: Version. }
access: { read: [user], edit: [user] }
`;
const HOOKS = `resource: webhook
title: Web hook
summary: Subscription.
plural: webhooks
served_by: webhooks
operations: { fetch: session, update: { required: all } }
fields:
  ${OWNED}, read_only: true, on_delete: cascade, description: Subscriber. }
  owner_class: { kind: enum, values: [User], required: true, description: Class. }
  owner_id: { kind: text, required: true, max: 64, description: Id. }
  event: { kind: enum, values: [GamePraised, SaleShipped], required: true, description: Event. }
  callback_uri: { kind: url, required: true, description: Address. }
  api_key: { kind: reference, to: apikey, need: use, on_delete: set_null, description: Key. }
  format: { kind: enum, values: [form, standard], default: form, description: Form. }
  api_version: { kind: text, max: 10, default: default, description: Version. }
  failures_since_last_success: { kind: integer, min: 0, default: 0, read_only: true, description: Failures. }
access: { read: [user], edit: [user], hidden: true }
actions:
  test:
    title: Test
    by: editor
    parameters: { payload: { kind: json, required: true, schema: { type: object }, description: Payload. } }
`;

const first = state(
  {
    ...STARTED,
    'resources/apikey.yaml': KEYS,
    'resources/webhook.yaml': HOOKS,
    'resources/sale.yaml': `${STARTED['resources/sale.yaml']}lifecycle: [afterCreate]\n`,
  },
  null,
);
const sheet = String(first.texts['resources/card.yaml']).replace('resource: card', 'resource: sheet\nwas: card');
const cards = { 'resources/card.yaml': null, 'resources/sheet.yaml': sheet };
const second = renamed(state(edited(first.texts, cards), first.ledger), 'copies: {', 'pieces: { was: copies,');
const third = renamed(second, 'pieces: { was: copies,', 'amount: { was: pieces,');

/** A field of sales has another name. */
function renamed({ texts, ledger }: State, from: string, to: string): State {
  return state(edited(texts, { 'resources/sale.yaml': [[from, to]] }), ledger);
}

/** The cards and an event have another name, too. */
const last = state(
  edited(third.texts, {
    'events.yaml': [['SaleShipped:', 'SaleSent:']],
    'resources/webhook.yaml': [['[GamePraised, SaleShipped]', '{ GamePraised: , SaleSent: { was: SaleShipped } }']],
    'resources/sheet.yaml': null,
    'resources/leaf.yaml': sheet.replace('resource: sheet\nwas: card', 'resource: leaf\nwas: sheet'),
  }),
  third.ledger,
);

const folder = temporaryFolder('versions-remembered');
const [now, later, plain, tokenless] = ['now', 'later', 'plain', 'tokenless'].map((name) => join(folder, name)) as [
  string,
  string,
  string,
  string,
];
/** Programs log in with their key in place of a token. */
const withoutToken = state(
  edited(last.texts, {
    'resources/apikey.yaml': [['  token: { kind: token, description: Stands for its user. }\n', '']],
  }),
  last.ledger,
);

/** The project has no functions, since these cannot be passed to other processes. */
function withoutActions({ texts, ledger }: State): State {
  const [before = ''] = String(texts['resources/sale.yaml']).split('actions:');
  return state({ ...texts, 'resources/sale.yaml': before }, ledger);
}

beforeAll(() => {
  prepare(folder);
  compileAll([
    make(now, last, third.ledger, { [FIRST]: first, [SECOND]: second }),
    // The first version was dropped.
    make(later, last, third.ledger, { [SECOND]: second }),
    make(tokenless, withoutToken, last.ledger, { [FIRST]: first }),
    make(plain, withoutActions(last), third.ledger, { [FIRST]: first, [SECOND]: second }),
  ]);
}, 120_000);

/** The event of a new or shipped sale has the sale as its payload. */
const ship = ({ id }: { readonly id: string }) => ({
  events: [{ event: 'SaleSent', of: { resource: 'sale', id }, payload: 'record' }],
});
const afterCreate = (_: null, row: { readonly id: string }) => ship(row);
const handwritten = {
  behaviours: { sale: { afterCreate } },
  actions: { sale: { ship, cancel: () => ({}) } },
};
const OPTIONS = {
  handwritten,
  defaultVersion: SECOND,
  webhookRetryUnitMs: 3_600_000,
} as never as Partial<StartOptions>;

const NAMES = ['copies', 'pieces', 'amount'];

function describeRemembered(): void {
  let service: TestService;
  let send: Send;
  let receiver: HttpReceiver;
  let user = '';
  let admin = '';
  let sale = '';
  let session = '';
  let pinned = '';

  const open = async (generated: string, more: Partial<StartOptions> = {}) => {
    service = await startService({ ...OPTIONS, generated, ...more });
    send = clientOf(service.address);
  };
  const login = async (version: string | null, more: object = {}) => {
    const parameters = { username: 'ann', password: PASSWORD, ...more };
    return (await send('POST', '/api/session', { parameters, headers: named(version) })).body.id as string;
  };
  const key = async (version: string | null, more: object = {}) =>
    (
      await send('POST', '/api/apikey', {
        ...{ session, headers: named(version) },
        parameters: { name: 'K', scope: 'write', ...more },
      })
    ).body;
  /** The name that a sale shows its number under. */
  const shown = async (by: string, version: string | null = null) => {
    const { status, body } = await send('GET', `/api/sale/${sale}`, { session: by, headers: named(version) });
    return status === 200 ? nameIn(body) : `${status} ${body.code}`;
  };

  beforeAll(async () => {
    receiver = await startHttpReceiver();
    await open(now);
    ({ id: user, session } = await service.user('ann'));
    ({ session: admin } = await service.user('root', true));
    const parameters = { user_id: user, amount: 3 };
    sale = (await send('POST', '/api/sale', { session: admin, parameters, headers: named('newest') })).body.id;
    pinned = await login(FIRST);
  }, 60_000);
  afterAll(async () => {
    await service.stop();
    await receiver.close();
  });

  test('a header takes precedence over the version of a session or key, which takes precedence over the default', async () => {
    const firstKey = await key(FIRST);
    const tokens = [firstKey.token, (await key(null, { api_version: 'newest' })).token, (await key(null)).token];
    const ofKey = await login(null, { api_key_id: firstKey.id });
    const both = await login('newest', { api_key_id: firstKey.id });
    const expected = [
      [session, 'pieces'],
      [pinned, 'copies'],
      [tokens[0], 'copies'],
      [tokens[1], 'amount'],
      [tokens[2], 'pieces'],
      [ofKey, 'copies'],
      [both, 'amount'],
    ] as const;
    for (const [by, name] of expected) expect(await shown(by)).toBe(name);
    for (const [by] of expected) expect(await shown(by, 'newest')).toBe('amount');
    for (const [by] of expected) expect(await shown(by, SECOND)).toBe('pieces');
  });

  test('paths are those of the version, wherever the session is sent', async () => {
    const game = (await send('POST', '/api/game', { session, parameters: { name: 'G' } })).body.id;
    const parameters = { name: 'C', game_id: game, identity: 'MiniCard' };
    const card = await send('POST', '/api/card', { parameters: { ...parameters, session_id: pinned } });
    expect([card.status, card.headers.get('punchboard-version'), card.body.card_type]).toEqual([201, FIRST, 'card']);
    const path = `/api/card/${card.body.id}`;
    expect((await send('GET', path, { session: pinned })).body.card_type).toBe('card');
    expect((await send('GET', `${path}?session_id=${pinned}`)).status).toBe(200);
    const newest = await login('newest');
    for (const by of [newest, null]) {
      const refused = await send('GET', path, { session: by, headers: by === null ? named('newest') : {} });
      expect([refused.status, refused.body.code]).toEqual([404, 'not_found']);
    }
    expect((await send('GET', `/api/leaf/${card.body.id}`, { session: newest })).body.card_type).toBe('leaf');
    expect((await send('POST', '/api/nothing', { parameters: { session_id: pinned } })).status).toBe(404);
  });

  test('an unknown version is refused', async () => {
    const refused = await send('POST', '/api/apikey', {
      session,
      parameters: { name: 'K', api_version: '2026-01-01' },
    });
    expect([refused.status, refused.body.errors[0].field, refused.body.errors[0].code]).toEqual([
      422,
      'api_version',
      'reference_not_found',
    ]);
    expect(refused.body.detail).toBe(
      'api_version: There is no version 2026-01-01; use 2027-01-15, 2027-06-01 or "newest".',
    );
    const { id } = await key(null);
    const update = (api_version: unknown) => send('PUT', `/api/apikey/${id}`, { session, parameters: { api_version } });
    expect((await update('2026-01-01')).status).toBe(422);
    expect((await update(FIRST)).body.api_version).toBe(FIRST);
    expect((await update(null)).body.api_version).toBe('default');
  });

  describe('web hooks', () => {
    const hooks: Record<string, string> = {};
    let secret = '';
    const subscribe = async (name: string, by: { session: string; version?: string }, more: object = {}) => {
      const parameters = {
        ...{ owner_class: 'User', owner_id: user, event: eventOf(by), callback_uri: `${receiver.address}/${name}` },
        ...{ api_key_id: secret.split(' ')[0], ...more },
      };
      const created = await send('POST', '/api/webhook', {
        ...{ session: by.session, headers: named(by.version ?? null) },
        parameters,
      });
      expect([name, created.status]).toEqual([name, 201]);
      hooks[name] = created.body.id;
    };
    const data = (name: string, after = 0) =>
      receiver.until((posts) => posts.filter(({ path, said }) => path === `/${name}` && said.type === 'data')[after]);
    const shipSale = () => send('POST', `/api/sale/${sale}/ship`, { session: admin, parameters: { carrier: 'Post' } });

    test('messages have the names of the version that the hook remembers', async () => {
      const created = await key(null);
      secret = `${created.id} ${created.private_key}`;
      await subscribe('first', { session, version: FIRST });
      await subscribe('standard', { session, version: FIRST }, { format: 'standard' });
      await subscribe('session', { session: pinned });
      await subscribe('default', { session });
      await subscribe('newest', { session: pinned, version: 'newest' });
      await subscribe('parameter', { session: pinned }, { api_version: SECOND });
      await subscribe('follows', { session: pinned }, { api_version: 'default' });
      expect((await shipSale()).status).toBe(200);
      const expected = {
        ...{ first: 'copies', standard: 'copies', session: 'copies' },
        ...{ default: 'pieces', newest: 'amount', parameter: 'pieces', follows: 'pieces' },
      };
      for (const [name, property] of Object.entries(expected)) {
        const post = await data(name);
        const event = name === 'newest' ? 'SaleSent' : 'SaleShipped';
        expect([name, nameIn(post.said.payload), post.said.payload[property]]).toEqual([name, property, 3]);
        expect([name, post.said.event]).toEqual([name, event]);
        if (name === 'standard') expect(JSON.parse(post.body).type).toBe(event);
        if (name !== 'standard') expect(signedBy(secret.split(' ')[1] ?? '', post)).toBe(true);
      }
    });

    test('the document of a version names its events as its messages do', async () => {
      const eventsOf = async (query: string) =>
        Object.keys((await send('GET', `/openapi.json${query}`)).body.webhooks).sort();
      expect(await eventsOf(`?version=${FIRST}`)).toEqual(['GamePraised', 'SaleShipped']);
      expect(await eventsOf('')).toEqual(['GamePraised', 'SaleSent']);
    });

    test('the record of a sale in a message is that of a fetch under the version', async () => {
      const fetched = await send('GET', `/api/sale/${sale}`, { session, headers: named(FIRST) });
      expect(JSON.stringify((await data('first')).said.payload)).toBe(fetched.text);
    });

    test('the metrics count sessions, keys and hooks that remember a version', async () => {
      const headers = { authorization: `Bearer ${METRICS_TOKEN}` };
      const { text } = await send('GET', '/metrics', { headers });
      const counted = [...text.matchAll(/^punchboard_version_remembered\{version="([^"]*)",by="(\w+)"\} (\d+)/gm)];
      expect(Object.fromEntries(counted.map(([, version, by, count]) => [`${version} ${by}`, Number(count)]))).toEqual({
        '2027-01-15 session': 2,
        '2027-01-15 apikey': 1,
        '2027-01-15 webhook': 3,
        '2027-06-01 session': 0,
        'newest session': 2,
        'newest apikey': 1,
        'newest webhook': 1,
        '2027-06-01 apikey': 2,
        '2027-06-01 webhook': 2,
      });
    });

    test('a create under a version is answered in its names, and each hook gets those of its own version', async () => {
      const { id: buyer, session: other } = await service.user('ben');
      const created = await key(null, { session_id: other });
      for (const version of [FIRST, SECOND, 'newest'])
        await subscribe(`bought-${version}`, { session: other, version }, { owner_id: buyer, api_key_id: created.id });
      const sold = await send('POST', '/api/sale', {
        ...{ session: admin, headers: named(FIRST) },
        parameters: { user_id: buyer, copies: 5 },
      });
      expect([sold.status, nameIn(sold.body), sold.body.copies]).toEqual([201, 'copies', 5]);
      const names = { [FIRST]: 'copies', [SECOND]: 'pieces', newest: 'amount' };
      for (const [version, name] of Object.entries(names)) {
        const { payload } = (await data(encodeURI(`bought-${version}`))).said;
        expect([version, nameIn(payload), payload[name]]).toEqual([version, name, 5]);
      }
    });

    test('once its version is dropped, a hook continues with the newest, waiting messages stay, and sessions are refused', async () => {
      receiver.answer = ({ path }) => (path === '/first' ? 500 : 200);
      await shipSale();
      const before = await data('first', 1);
      await data('session', 1);
      const database = join(service.folder, 'punchboard.db');
      await service.stop();
      receiver.answer = () => 200;
      await open(later, { database, files: join(service.folder, 'files') });
      const retried = await send('POST', `/api/webhook/${hooks.first}/retry`, { session: admin, parameters: {} });
      expect([retried.status, retried.body.retried]).toEqual([200, 1]);
      const again = await data('first', 2);
      expect([again.delivery, again.message]).toEqual([before.delivery, before.message]);
      expect(signedBy(secret.split(' ')[1] ?? '', again)).toBe(true);
      await shipSale();
      expect(nameIn((await data('first', 3)).said.payload)).toBe('amount');
      expect(nameIn((await data('default', 2)).said.payload)).toBe('pieces');
      expect(await shown(pinned)).toBe('400 malformed');
      expect(await shown(pinned, 'newest')).toBe('amount');
      expect(await shown(session)).toBe('pieces');
    });
  });
}

/** The newest version has another name for the event. */
function eventOf({ version }: { readonly version?: string }): string {
  return version === 'newest' ? 'SaleSent' : 'SaleShipped';
}

function named(version: string | null): Record<string, string> {
  return version === null ? {} : { 'punchboard-version': version };
}

function nameIn(sale: object): string | undefined {
  return NAMES.find((name) => name in sale);
}

describe('on SQLite', describeRemembered);
test('a key without a token also remembers the version', async () => {
  const service = await startService({ handwritten: handwritten as never, generated: tokenless });
  const { session } = await service.user('ann');
  const created = await clientOf(service.address)('POST', '/api/apikey', {
    ...{ session, headers: named(FIRST) },
    parameters: { name: 'K' },
  });
  await service.stop();
  expect([created.status, created.body.api_version]).toEqual([201, FIRST]);
});

test('versions are remembered in two processes, and for an event from outside', async () => {
  const receiver = await startHttpReceiver();
  const service = await startService({ generated: plain, processes: 2, defaultVersion: SECOND });
  try {
    await remembersInProcesses(service, receiver);
  } finally {
    // Processes that go on would keep the run from ending.
    await service.stop();
    await receiver.close();
  }
}, 60_000);

async function remembersInProcesses(service: TestService, receiver: HttpReceiver): Promise<void> {
  const send = clientOf(service.address);
  const [{ id }, root] = [await service.user('ann'), await service.user('root', true)];
  const parameters = { username: 'ann', password: PASSWORD };
  const { body: opened } = await send('POST', '/api/session', { parameters, headers: named(FIRST) });
  const session = opened.id as string;
  const sold = { user_id: id, amount: 3 };
  const sale = (await send('POST', '/api/sale', { session: root.session, parameters: sold, headers: named('newest') }))
    .body;
  const other = { user_id: id, copies: 3 };
  for (let at = 0; at < 4; at += 1) {
    const under = { session: root.session, parameters: other, headers: named(FIRST) };
    expect(nameIn((await send('POST', '/api/sale', under)).body)).toBe('copies');
  }
  for (let at = 0; at < 4; at += 1)
    expect(nameIn((await send('GET', `/api/sale/${sale.id}`, { session })).body)).toBe('copies');
  const key = (await send('POST', '/api/apikey', { session, parameters: { name: 'K' } })).body;
  const hook = { owner_class: 'User', owner_id: id, event: 'SaleShipped', callback_uri: receiver.address };
  await send('POST', '/api/webhook', { session, parameters: { ...hook, api_key_id: key.id } });
  const event = { event: 'SaleSent', owner_class: 'User', owner_id: id, payload: sale };
  expect(await service.service.engine.outbox?.publish(event, Date.now())).toBe(1);
  const { said } = await receiver.until((posts) => posts.find((post) => post.said.type === 'data'));
  expect(nameIn(said.payload)).toBe('copies');
  const place = ['--database', join(service.folder, 'punchboard.db'), '--generated', plain];
  const keyOf = (...more: readonly string[]) =>
    run(['key', 'add', '--username', 'ann', '--name', 'K', ...place, ...more], service.folder);
  const added = await keyOf('--scope', 'write', '--api-version', FIRST);
  expect(added.stderr).toBe('');
  const { token } = JSON.parse(added.stdout) as { readonly token: string };
  expect(nameIn((await send('GET', `/api/sale/${sale.id}`, { session: token })).body)).toBe('copies');
  expect(await keyOf('--resources', 'sale')).toMatchObject({
    code: 1,
    stderr: 'punchboard: API keys have no resources here.\n',
  });
}

onPostgres(describeRemembered);
