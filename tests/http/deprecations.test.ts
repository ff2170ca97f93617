// The headers and counters of a request that uses something deprecated (D38). Every date here was worked out by hand.

import { ServiceError } from '../../runtime/contract/errors.js';
import { createMetrics } from '../../runtime/http/metrics.js';
import { usesOf } from '../../runtime/http/notice.js';
import { PROFILES } from '../../runtime/http/profiles.js';
import { requestLimit } from '../../runtime/http/rate-limit.js';
import type { Operations } from '../../runtime/operations/operations.js';
import { METRICS_TOKEN } from '../support/quiet-service.js';
import { JSON_BODY, type Service, start } from './client.js';
import { appParts, definition, OPERATIONS } from './fixture.js';

const text = { kind: 'text' } as const;
const reference = { required: false, need: 'exists', onDelete: 'set_null', related: true } as const;

const DEFINITIONS = [
  definition('maker', {
    parameters: { name: text, size: text, logo_id: text, has_proofed_logo: text, boss_id: text },
    synonyms: { width: 'size', title: 'name' },
    references: [{ ...reference, column: 'boss_id', relation: 'boss', to: 'maker' }],
    lists: [{ parent: 'maker', name: 'makers', by: 'boss_id', where: {} }],
    actions: { ship: { by: 'admin', parameters: { by: text, name: text }, validate: () => true } },
    deprecations: [
      { field: 'size', deprecated: '2026-01-01', sunset: '2026-07-01', names: ['size', 'width'] },
      { field: 'logo', deprecated: '2025-11-11', names: ['logo_id', 'has_proofed_logo'] },
      { field: 'boss', sunset: '2026-03-01', names: ['boss_id', 'boss'] },
      { field: 'ship.name', action: 'ship', deprecated: '2025-12-31', names: ['name'] },
    ],
  }),
  definition(
    'pad',
    {
      lists: [{ parent: 'maker', name: 'pads', by: 'maker_id', where: {} }],
      deprecations: [{ field: null, deprecated: '2025-01-01', sunset: '2026-09-30', names: [] }],
    },
    { fetch: '/pad' },
  ),
  definition('part', {
    filters: ['old', 'colour'],
    sortable: ['date_created', 'old', 'paper'],
    lists: [
      { parent: 'maker', name: 'parts', by: 'maker_id', where: {} },
      { parent: 'maker', name: 'oldparts', by: 'maker_id', where: { old: 1 } },
      { parent: 'pad', name: 'padparts', by: 'pad_id', where: {} },
      { parent: 'pad', name: 'parts', by: 'pad_id', where: { old: 1 } },
    ],
    deprecations: [
      { field: 'old', deprecated: '2026-02-02', names: ['old'] },
      { field: 'paper', sunset: '2026-03-01', names: ['paper'] },
    ],
  }),
  definition('bin', {
    parameters: { maker_id: text },
    references: [{ ...reference, column: 'maker_id', relation: 'maker', to: 'maker' }],
    lists: [{ parent: 'maker', name: 'bins', by: 'maker_id', where: {} }],
    deprecations: [{ field: 'maker', deprecated: '2026-05-05', names: ['maker_id', 'maker'] }],
  }),
  definition('deck', {
    parameters: { identity: text, finish: text, colour: text },
    synonyms: { surface: 'finish' },
    filters: ['identity', 'finish'],
    sortable: ['date_created', 'identity'],
    oldNames: { olddeck: 'OldDeck', newdeck: 'NewDeck' },
    lists: [
      { parent: 'maker', name: 'decks', by: 'maker_id', where: {} },
      { parent: 'maker', name: 'olddecks', by: 'maker_id', where: { identity: 'OldDeck' } },
      { parent: 'maker', name: 'newdecks', by: 'maker_id', where: { identity: 'NewDeck' } },
    ],
    actions: { cut: { by: 'admin', parameters: { shape: text }, validate: () => true } },
    deprecations: [
      { field: 'identity=OldDeck', deprecated: '2026-02-02', names: ['identity'], value: 'OldDeck' },
      { field: 'finish=raw', sunset: '2026-03-01', names: ['finish', 'surface'], value: 'raw' },
      { field: 'cut.shape=-round, wide', action: 'cut', sunset: '2026-03-01', names: ['shape'], value: '-round, wide' },
    ],
  }),
  definition('stays', { parameters: { size: text } }),
  definition('upload', {
    upload: { part: 'file', maxBytes: 1000 },
    deprecations: [{ field: null, sunset: '2026-07-01', names: [] }],
  }),
];

const LINK = '</openapi.json>; rel="deprecation"; type="application/json"';
const JAN_2025 = '@1735689600';
const NOV_2025 = '@1762819200';
const DEC_2025 = '@1767139200';
const JAN_2026 = '@1767225600';
const FEB_2026 = '@1769990400';
const MAR_2026 = '@1772323200';
const MAY_2026 = '@1777939200';
const MARCH = 'Sun, 01 Mar 2026 00:00:00 GMT';
const JULY = 'Wed, 01 Jul 2026 00:00:00 GMT';
const SEPTEMBER = 'Wed, 30 Sep 2026 00:00:00 GMT';

interface Case {
  readonly it: string;
  /** Method and path; a JSON body behind a space. */
  readonly sent: string;
  readonly deprecation?: string;
  readonly sunset?: string;
  /** What is counted, as `<resource>/<field>`. */
  readonly uses?: readonly string[];
}

const CASES: readonly Case[] = [
  { it: 'nothing sent', sent: 'POST /api/maker' },
  { it: 'nothing deprecated is sent', sent: 'POST /api/maker {"name":"a","title":"b"}' },
  { it: 'a field', sent: 'POST /api/maker {"size":"1"}', deprecation: JAN_2026, sunset: JULY, uses: ['maker/size'] },
  {
    it: 'a synonym',
    sent: 'PUT /api/maker/m {"width":"1"}',
    deprecation: JAN_2026,
    sunset: JULY,
    uses: ['maker/size'],
  },
  { it: 'null', sent: 'PUT /api/maker/m {"size":null}', deprecation: JAN_2026, sunset: JULY, uses: ['maker/size'] },
  { it: 'in the query', sent: 'PUT /api/maker/m?logo_id=f', deprecation: NOV_2025, uses: ['maker/logo'] },
  {
    it: 'both names of a field count once',
    sent: 'PUT /api/maker/m {"logo_id":"f","has_proofed_logo":"1"}',
    deprecation: NOV_2025,
    uses: ['maker/logo'],
  },
  { it: 'only a sunset', sent: 'PUT /api/maker/m {"boss_id":"m"}', sunset: MARCH, uses: ['maker/boss'] },
  {
    it: 'the earliest of each',
    sent: 'PUT /api/maker/m {"boss_id":"m","size":"1","logo_id":"f"}',
    deprecation: NOV_2025,
    sunset: MARCH,
    uses: ['maker/boss', 'maker/logo', 'maker/size'],
  },
  { it: 'a fetch that shows it', sent: 'GET /api/maker/m' },
  { it: 'a parameter of another operation', sent: 'GET /api/maker/m?size=1' },
  { it: 'a delete', sent: 'DELETE /api/maker/m?size=1' },
  { it: 'the allowed values', sent: 'GET /api/maker/_options' },
  { it: 'all related objects', sent: 'GET /api/maker/m?_include_related_objects=1' },
  {
    it: 'a related object by name',
    sent: 'GET /api/maker/m?_include_related_objects=%20boss,x',
    sunset: MARCH,
    uses: ['maker/boss'],
  },
  {
    it: 'HEAD gets the same headers as GET',
    sent: 'HEAD /api/maker/m?_include_related_objects=x&_include_related_objects=boss',
    sunset: MARCH,
    uses: ['maker/boss'],
  },
  { it: 'an action', sent: 'POST /api/maker/m/ship {"by":"a","size":"1"}' },
  {
    it: 'a parameter of an action',
    sent: 'POST /api/maker/m/ship {"name":"a"}',
    deprecation: DEC_2025,
    uses: ['maker/ship.name'],
  },
  { it: 'the parameter of that name elsewhere', sent: 'PUT /api/maker/m {"name":"a"}' },
  { it: 'a list', sent: 'GET /api/maker/m/parts?colour=red&_order_by=date_created' },
  { it: 'a filter', sent: 'GET /api/maker/m/parts?old=1', deprecation: FEB_2026, uses: ['part/old'] },
  { it: 'an order', sent: 'GET /api/maker/m/parts?_order_by=old', deprecation: FEB_2026, uses: ['part/old'] },
  { it: 'a field that is not a filter', sent: 'GET /api/maker/m/parts?paper=1' },
  { it: 'an order, no filter', sent: 'GET /api/maker/m/parts?_order_by=paper', sunset: MARCH, uses: ['part/paper'] },
  { it: 'the condition of a list', sent: 'GET /api/maker/m/oldparts', deprecation: FEB_2026, uses: ['part/old'] },
  { it: 'condition and filter', sent: 'GET /api/maker/m/oldparts?old=1', deprecation: FEB_2026, uses: ['part/old'] },
  { it: 'a list by a reference', sent: 'GET /api/maker/m/bins', deprecation: MAY_2026, uses: ['bin/maker'] },
  { it: 'a list of its own type', sent: 'GET /api/maker/m/makers', sunset: MARCH, uses: ['maker/boss'] },
  {
    it: 'a list of a resource',
    sent: 'GET /api/maker/m/pads',
    deprecation: JAN_2025,
    sunset: SEPTEMBER,
    uses: ['pad/'],
  },
  { it: 'a list below it', sent: 'GET /api/pad/p/padparts', deprecation: JAN_2025, sunset: SEPTEMBER, uses: ['pad/'] },
  {
    it: 'a list of that name elsewhere',
    sent: 'GET /api/pad/p/parts',
    deprecation: JAN_2025,
    sunset: SEPTEMBER,
    uses: ['pad/', 'part/old'],
  },
  ...['POST /api/pad', 'PUT /api/pad/p', 'DELETE /api/pad/p', 'GET /api/pad/_options', 'GET /pad/p', 'HEAD /pad/p'].map(
    (sent) => ({ it: 'a resource', sent, deprecation: JAN_2025, sunset: SEPTEMBER, uses: ['pad/'] }),
  ),
  { it: 'the field of another resource', sent: 'POST /api/stays {"size":"1"}' },
  {
    it: 'a value',
    sent: 'POST /api/deck {"identity":"OldDeck"}',
    deprecation: FEB_2026,
    uses: ['deck/identity=OldDeck'],
  },
  { it: 'another value', sent: 'POST /api/deck {"identity":"NewDeck","finish":"fine","colour":"raw"}' },
  { it: 'a value by a synonym', sent: 'PUT /api/deck/d {"surface":"raw"}', sunset: MARCH, uses: ['deck/finish=raw'] },
  {
    it: 'two values',
    sent: 'PUT /api/deck/d {"finish":"raw","identity":"OldDeck"}',
    deprecation: FEB_2026,
    sunset: MARCH,
    uses: ['deck/finish=raw', 'deck/identity=OldDeck'],
  },
  {
    it: 'a value of an action',
    sent: 'POST /api/deck/d/cut?shape=-round,%20wide',
    sunset: MARCH,
    uses: ['deck/cut.shape=-round, wide'],
  },
  { it: 'no value of an action', sent: 'POST /api/deck/d/cut?shape=wide' },
  {
    it: 'a filter by a value',
    sent: 'GET /api/maker/m/decks?identity=OldDeck',
    deprecation: FEB_2026,
    uses: ['deck/identity=OldDeck'],
  },
  { it: 'a filter by another', sent: 'GET /api/maker/m/decks?identity=NewDeck&_order_by=identity' },
  {
    it: 'the list of a value',
    sent: 'GET /api/maker/m/olddecks',
    deprecation: FEB_2026,
    uses: ['deck/identity=OldDeck'],
  },
  { it: 'the list of another', sent: 'GET /api/maker/m/newdecks' },
  {
    it: 'an old name of the type that means a value',
    sent: 'POST /api/olddeck',
    deprecation: FEB_2026,
    uses: ['deck/identity=OldDeck'],
  },
  { it: 'an old name that means another', sent: 'POST /api/newdeck' },
  { it: 'a fetch of a record that may have it', sent: 'GET /api/deck/d?_include_related_objects=identity' },
  { it: 'bytes of an upload', sent: 'GET /files/f/key', sunset: JULY, uses: ['upload/'] },
  { it: 'no such path', sent: 'GET /api/pad/p/nothing' },
  { it: 'no such method', sent: 'PATCH /api/pad/p' },
  { it: 'unreadable', sent: 'POST /api/pad {"size":' },
];

let service: Service;
afterEach(() => service.close());

describe.each(['plain', 'wing'] as const)('%s', (wire) => {
  const served = (operations: Operations = OPERATIONS, definitions = DEFINITIONS) =>
    start({ definitions, operations, profile: PROFILES[wire], metrics: createMetrics([], usesOf(definitions)) });

  async function ask(sent: string) {
    const [method = '', path = '', body] = sent.split(' ', 3);
    return service.send(method, path, body === undefined ? {} : { headers: JSON_BODY, body });
  }

  async function counted(): Promise<readonly string[]> {
    const { text: figures } = await service.send('GET', '/metrics', {
      headers: { Authorization: `Bearer ${METRICS_TOKEN}` },
    });
    const lines = [...figures.matchAll(/^punchboard_deprecated_use_total\{resource="(.*)",field="(.*)"\} (\d+)$/gm)];
    return lines.flatMap(([, resource, field, count]) => Array(Number(count)).fill(`${resource}/${field}`)).sort();
  }

  test.each(CASES)('$it: $sent', async ({ sent, deprecation, sunset, uses = [] }) => {
    service = await served();
    const { headers } = await ask(sent);
    expect({ deprecation: headers.deprecation, sunset: headers.sunset, link: headers.link }).toEqual({
      deprecation,
      sunset,
      link: deprecation === undefined ? undefined : LINK,
    });
    expect(await counted()).toEqual(uses);
  });

  test('a refused request has the headers and is counted too', async () => {
    const refuse = (code: 'login_required' | 'invalid') => () => {
      throw new ServiceError(code, 'No.');
    };
    service = await served({ ...OPERATIONS, create: refuse('login_required'), update: refuse('invalid') });
    for (const sent of ['POST /api/maker {"size":"1"}', 'PUT /api/maker/m {"size":"1"}']) {
      const { status, headers } = await ask(sent);
      expect([status >= 400, headers.deprecation, headers.sunset]).toEqual([true, JAN_2026, JULY]);
    }
    expect(await counted()).toEqual(['maker/size', 'maker/size']);
  });

  test('a request over the limit has no headers and is not counted', async () => {
    service = await start({
      definitions: DEFINITIONS,
      profile: PROFILES[wire],
      rateLimit: requestLimit(1),
      metrics: createMetrics([], usesOf(DEFINITIONS)),
    });
    const replies = [await ask('DELETE /api/pad/p'), await ask('DELETE /api/pad/p')];
    expect(replies.map(({ status, headers }) => [status, headers.deprecation])).toEqual([
      [200, JAN_2025],
      [wire === 'wing' ? 452 : 429, undefined],
    ]);
    expect(await counted()).toEqual(['pad/']);
  });

  test('on a shared path the record decides', async () => {
    const shared = [
      definition('maker'),
      definition(
        'partner',
        { deprecations: [{ field: null, deprecated: '2025-01-01', names: [] }] },
        { fetch: '/api/maker' },
      ),
    ];
    let holder = 'maker';
    service = await start({
      definitions: shared,
      profile: PROFILES[wire],
      store: { ...appParts().store, locate: (resources) => resources.indexOf(holder) },
    });
    expect((await ask('GET /api/maker/m')).headers.deprecation).toBeUndefined();
    holder = 'partner';
    expect((await ask('GET /api/maker/m')).headers.deprecation).toBe(JAN_2025);
  });

  test('a deprecation is never later than the sunset', async () => {
    service = await served(OPERATIONS, [
      definition('maker', {
        parameters: { a: text, b: text },
        deprecations: [
          { field: 'a', sunset: '2026-03-01', names: ['a'] },
          { field: 'b', deprecated: '2026-05-05', names: ['b'] },
        ],
      }),
    ]);
    const { headers } = await ask('POST /api/maker {"a":"1","b":"1"}');
    expect([headers.deprecation, headers.sunset]).toEqual([MAR_2026, MARCH]);
  });

  test('names that nobody uses are counted as 0', async () => {
    service = await served();
    const { text: figures } = await service.send('GET', '/metrics', {
      headers: { Authorization: `Bearer ${METRICS_TOKEN}` },
    });
    expect(figures.match(/^punchboard_deprecated_use_total.*$/gm)).toEqual([
      'punchboard_deprecated_use_total{resource="maker",field="size"} 0',
      'punchboard_deprecated_use_total{resource="maker",field="logo"} 0',
      'punchboard_deprecated_use_total{resource="maker",field="boss"} 0',
      'punchboard_deprecated_use_total{resource="maker",field="ship.name"} 0',
      'punchboard_deprecated_use_total{resource="pad",field=""} 0',
      'punchboard_deprecated_use_total{resource="part",field="old"} 0',
      'punchboard_deprecated_use_total{resource="part",field="paper"} 0',
      'punchboard_deprecated_use_total{resource="bin",field="maker"} 0',
      'punchboard_deprecated_use_total{resource="deck",field="identity=OldDeck"} 0',
      'punchboard_deprecated_use_total{resource="deck",field="finish=raw"} 0',
      'punchboard_deprecated_use_total{resource="deck",field="cut.shape=-round, wide"} 0',
      'punchboard_deprecated_use_total{resource="upload",field=""} 0',
    ]);
  });

  test('without deprecations there is no counter', async () => {
    service = await served(OPERATIONS, [definition('stays', { parameters: { size: text } })]);
    const { headers } = await ask('POST /api/stays {"size":"1"}');
    expect(Object.keys(headers).filter((name) => ['deprecation', 'sunset', 'link'].includes(name))).toEqual([]);
    expect(
      (await service.send('GET', '/metrics', { headers: { Authorization: `Bearer ${METRICS_TOKEN}` } })).text,
    ).not.toContain('deprecated_use');
  });
});
