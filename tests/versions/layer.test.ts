// D68: the layer around a version: which versions exist, the headers of a version, and mistakes in its table.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { EarlierResource, VersionTable } from '../../runtime/contract/versions.js';
import { inBoard } from '../evolution/pair.js';
import { edited, PAIRS, type Pair, state } from '../evolution/pairs.js';
import { clientOf } from '../support/client.js';
import { temporaryFolder } from '../support/paths.js';
import { METRICS_TOKEN } from '../support/quiet-service.js';
import { startService, type TestService } from '../support/service.js';
import { answers, type BuiltService, compileAll, make, prepare, VERSION } from './bench.js';
import { STARTED } from './groups.js';
import type { RecordedAnswer } from './requests.js';

const NAMES = [
  'field renamed',
  'reference renamed',
  'identity renamed, and its rows with it',
  'list renamed',
  'default changed',
  'required field added, with a copy of another',
  'boolean to bit',
  'path removed',
  'synonym removed',
];
const chosen = NAMES.map((name) => PAIRS.find((pair) => pair.name === name) as Pair);
const folder = temporaryFolder('versions-layer');
/** A field has two more names than today. */
const before = state(
  edited(STARTED, inBoard(['height: { kind: integer,', 'height: { kind: integer, synonyms: [tall, high],'])),
  null,
);
const after = state(
  chosen.reduce((texts, { edit }) => edited(texts, edit), STARTED),
  before.ledger,
);
const [old, now] = [join(folder, 'old'), join(folder, 'now')];
let services: { readonly old: BuiltService; readonly now: BuiltService };
let recorded: readonly RecordedAnswer[] = [];
const table = () => JSON.parse(readFileSync(join(now, 'versions', `${VERSION}.json`), 'utf8')) as VersionTable;

beforeAll(async () => {
  prepare(folder);
  services = {
    old: make(old, before, before.ledger, {}),
    now: make(now, after, before.ledger, { [VERSION]: before, '2027-06-01': after }),
  };
  compileAll([services.old, services.now]);
  recorded = await answers(services.old, null);
}, 120_000);

/** How many requests get another answer than before the edit. */
async function countDifferences(): Promise<number> {
  const today = await answers(services.now, VERSION);
  return recorded.filter(({ answer }, at) => today[at]?.answer !== answer).length;
}

describe('a mistake in the table of a version is noticed', () => {
  const right = () => readFileSync(join(now, 'versions', `${VERSION}.json`), 'utf8');
  let kept = '';
  beforeAll(() => {
    kept = right();
  });
  afterEach(() => writeFileSync(join(now, 'versions', `${VERSION}.json`), kept));

  const board = (change: (then: EarlierResource) => object) => (all: VersionTable) => {
    const { board: earlier } = all.resources;
    if (earlier === undefined) throw new Error('boards do not differ');
    return { ...all, resources: { ...all.resources, board: { ...earlier, ...change(earlier) } } };
  };
  const field = (name: string, change: object) =>
    board(({ fields }) => ({ fields: { ...fields, [name]: { ...fields[name], ...change } } }));

  test('the generated table has none', async () => expect(await countDifferences()).toBe(0), 60_000);

  test.each([
    ['a parameter', field('height', { sends: 'rank' })],
    ['a property', field('height', { shows: 'edition' })],
    ['a column of lists', field('height', { column: 'edition' })],
    ['a default', field('finish', { default: { value: 'gloss' } })],
    ['a form', field('folded', { form: 'string' })],
    ['an added value', board(() => ({ adds: {} }))],
    ['a relation', board(() => ({ relations: {} }))],
    ['a path', board(() => ({ routes: [] }))],
  ] as const)(
    '%s',
    async (_, change) => {
      writeFileSync(join(now, 'versions', `${VERSION}.json`), JSON.stringify(change(table())));
      expect(await countDifferences()).toBeGreaterThan(0);
    },
    60_000,
  );
});

describe('a service with two versions', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService({ generated: now, handwritten: { behaviours: {}, actions: {} } as never });
  });
  afterAll(() => service.stop());

  const under = (version: string | null, path = '/api/board/_options') =>
    clientOf(service.address)('GET', path, { headers: version === null ? {} : { 'punchboard-version': version } });

  test('the refusal of an unknown version lists the versions', async () => {
    const { status, body } = await under('2026-01-01');
    expect([status, body.code]).toEqual([400, 'malformed']);
    expect(body.detail).toBe('There is no version 2026-01-01; use 2027-01-15, 2027-06-01 or "newest".');
  });

  test('headers give the name of a version, its sunset, and the date of the next one', async () => {
    const { headers } = await under(VERSION);
    expect(headers.get('punchboard-version')).toBe(VERSION);
    expect(headers.get('sunset')).toBe('Thu, 01 Jan 2099 00:00:00 GMT');
    expect(headers.get('deprecation')).toBe(`@${Date.parse('2027-06-01') / 1000}`);
    const last = await under('2027-06-01');
    expect([last.headers.get('punchboard-version'), last.headers.get('deprecation')]).toEqual(['2027-06-01', null]);
    for (const newest of [null, 'newest']) expect((await under(newest)).headers.get('punchboard-version')).toBeNull();
  });

  test('requests under each version are counted', async () => {
    const uses = async () => {
      const headers = { authorization: `Bearer ${METRICS_TOKEN}` };
      const { text } = await clientOf(service.address)('GET', '/metrics', { headers });
      return [...text.matchAll(/^punchboard_version_use_total\{version="([^"]*)"\} (\d+)/gm)].map(
        ([, version, count]) => [version, Number(count)] as const,
      );
    };
    const before = new Map(await uses());
    expect([...before.keys()]).toEqual([VERSION, '2027-06-01']);
    for (const version of [VERSION, VERSION, null]) await under(version);
    expect(new Map(await uses())).toEqual(new Map([...before, [VERSION, (before.get(VERSION) ?? 0) + 2]]));
  });

  test('current names have no effect under an earlier version, and are reported as ignored', async () => {
    const { id, session } = await service.user('cid');
    const send = clientOf(service.address);
    const headers = { 'punchboard-version': VERSION };
    const game = (await send('POST', '/api/game', { session, parameters: { name: 'G', user_id: id } })).body.id;
    const created = await send('POST', '/api/board', {
      ...{ session, headers },
      parameters: { name: 'B', game_id: game, height: 5, tallness: 6 },
    });
    expect([created.status, created.headers.get('ignored-parameters')]).toEqual([201, 'tallness']);
    expect(created.body.height).toBe(5);
    expect('tallness' in created.body).toBe(false);
    const today = await send('GET', `/api/board/${created.body.id}`, { session });
    expect([today.body.tallness, today.body.height]).toEqual([5, undefined]);
  });

  test('among three names of a parameter, those with different values are refused', async () => {
    const { session } = await service.user('kim');
    const send = clientOf(service.address);
    const parameters = { name: 'B', game_id: 'none', height: null, tall: 5, high: 6 };
    const { body } = await send('POST', '/api/board', {
      session,
      headers: { 'punchboard-version': VERSION },
      parameters,
    });
    expect(body.errors[0].message).toBe('tall and high are names for the same parameter: their values must be equal.');
  });

  test('fetches and lists are composed in the names of the version, and never parsed', async () => {
    const { id, session } = await service.user('fay');
    const send = clientOf(service.address);
    const headers = { 'punchboard-version': VERSION };
    const game = (await send('POST', '/api/game', { session, parameters: { name: 'G', user_id: id } })).body.id;
    const parameters = { name: 'B', game_id: game, height: 5, identity: 'Hall' };
    const board = (await send('POST', '/api/board', { session, headers, parameters })).body;
    const parse = jest.spyOn(JSON, 'parse');
    const parsed = () => parse.mock.calls.filter(([text]) => text.includes(board.id)).length;
    try {
      const textOf = async (path: string) =>
        (
          await fetch(`${service.address}${path}`, { headers: { ...headers, authorization: `Bearer ${session}` } })
        ).text();
      const [fetched, listed] = [await textOf(`/api/board/${board.id}`), await textOf(`/api/game/${game}/boards`)];
      expect(parsed()).toBe(0);
      expect(JSON.parse(fetched)).toEqual(board);
      expect(listed).toContain(`"items":[${fetched}]`);
      // A record that includes other objects is mapped.
      await textOf(`/api/board/${board.id}?_include_relationships=1`);
      expect(parsed()).toBe(2);
    } finally {
      parse.mockRestore();
    }
  });

  test('a property that the caller may not see today is left out', async () => {
    const { session } = await service.user('dan');
    const send = clientOf(service.address);
    const game = (await send('POST', '/api/game', { session, parameters: { name: 'G' } })).body.id;
    const headers = { 'punchboard-version': VERSION };
    const parameters = { name: 'B', game_id: game, notes: 'secret' };
    const board = (await send('POST', '/api/board', { session, headers, parameters })).body.id;
    const [own, other] = [session, null].map((one) => send('GET', `/api/board/${board}`, { session: one, headers }));
    expect((await own)?.body.notes).toBe('secret');
    expect('notes' in ((await other)?.body ?? {})).toBe(false);
    const { session: stranger } = await service.user('eve');
    const hidden = await send('GET', `/api/game/${game}`, { session: stranger, headers });
    expect(hidden.status).toBe(403);
  });

  test('the API document of a version is that of the earlier service', async () => {
    const earlier = JSON.parse((await under(null, `/openapi.json?version=${VERSION}`)).text);
    const expected = JSON.parse(readFileSync(join(old, 'openapi.json'), 'utf8'));
    expect(Object.keys(earlier.paths).sort()).toEqual(Object.keys(expected.paths).sort());
    const properties = ({ components }: typeof earlier) => Object.keys(components.schemas.board.properties);
    expect(properties(earlier).sort()).toEqual(properties(expected).sort());
    const today = JSON.parse((await under(null, '/openapi.json')).text);
    expect(properties(today)).toContain('tallness');
    expect((await under(null, '/openapi.json?version=2026-01-01')).status).toBe(400);
    // The docs pages describe the version, too, and send its name with requests.
    const page = (await under(null, `/docs/board?version=${VERSION}`)).text;
    expect(page).toContain(`data-version="${VERSION}"`);
    expect([page, (await under(null, '/docs/board')).text].map((text) => text.includes('tallness'))).toEqual([
      false,
      true,
    ]);
  });
});

test('callers that name no version get the default version', async () => {
  const handwritten = { behaviours: {}, actions: {} } as never;
  const service = await startService({ generated: now, handwritten, defaultVersion: VERSION });
  const reply = await clientOf(service.address)('GET', '/api/card/_options');
  await service.stop();
  expect(reply.headers.get('punchboard-version')).toBe(VERSION);
  const refused = startService({ generated: now, handwritten, defaultVersion: '2026-01-01' });
  await expect(refused).rejects.toThrow('there is no version 2026-01-01 for --default-version');
}, 60_000);
