// How the shared operations use the store, which their answers do not show: when a password is hashed, what a fetch reads,
// and how a page of a list is requested. All that clients see of them is tested over HTTP (tests/service).
import type { ServiceError } from '../../runtime/contract/errors.js';
import { failed } from '../../runtime/contract/errors.js';
import { PROFILES } from '../../runtime/http/profiles.js';
import type { Call } from '../../runtime/operations/call.js';
import { type Collaborators, createOperations, type Operations } from '../../runtime/operations/operations.js';
import type { Change, ListedPage, Page, Permission, Records, RequestedRelations } from '../../runtime/store/records.js';
import { ADMIN, asParameters, BOOK, OWNER, SHELF } from './fixture.js';

const RECORD = '{"id":"b1","name":"One"}';
const RELATED = ['shelf', 'giver', 'scan'].map((name) => ({ name, text: `{"id":"${name}"}` }));

let changes: Change[];
let pages: Page[];
let wants: RequestedRelations[];
let hashed: string[];
let allowed: Permission;
/** The stored password. */
let secret: string | null;
let listed: ListedPage;
beforeEach(() => {
  [changes, pages, wants, hashed] = [[], [], [], []];
  [allowed, secret] = [{ allowed: true }, null];
  listed = { items: [], total: 0, cursor: null };
});

const record = (change: Change): string => {
  changes.push(change);
  const [first, ...rest] = change.failures;
  if (first !== undefined) throw failed([first, ...rest]);
  return RECORD;
};
/** Answers with the values above, and records the requests. */
const store = {
  create: async (change: Change) => ({ id: 'b7', text: record(change) }),
  update: async (_id: string, change: Change) => record(change),
  get: (_resource: string, _id: string, _caller: unknown, want: RequestedRelations = { objects: [], links: false }) => {
    wants.push(want);
    const objects = RELATED.filter(({ name }) => want.objects.includes(name));
    return { found: true, text: RECORD, objects, links: {} };
  },
  permission: () => allowed,
  secret: () => secret,
  list: (_resource: string, page: Page) => {
    pages.push(page);
    return listed;
  },
} as unknown as Records;

function operationsOf(more: Partial<Collaborators> = {}): Operations {
  const hashPassword = async (text: string) => {
    hashed.push(text);
    return `hash of ${text}`;
  };
  const verifyPassword = async (text: string, stored: string) => stored === `hash of ${text}`;
  const newSecret = () => 's'.repeat(27);
  return createOperations({ store, definitions: [BOOK, SHELF], hashPassword, verifyPassword, newSecret, ...more });
}

function call(parameters: object, more: Partial<Call> = {}): Call {
  const about = { definition: BOOK, id: 'b1', name: '', caller: OWNER, now: 1_700_000_000_000, upload: null };
  return { ...about, parameters: asParameters({ ...parameters }), ...more };
}

const refusal = async (run: () => unknown): Promise<ServiceError> => {
  try {
    await run();
  } catch (error) {
    return error as ServiceError;
  }
  throw new Error('was answered');
};

describe('a password', () => {
  const { create, update } = operationsOf();
  const MINIMAL = { name: 'One', shelf_id: 's1' };
  const NEW = { secret: 'open sesame' };

  test.each([
    ['created', () => create(call({ ...MINIMAL, ...NEW }, { id: '' }))],
    ['changed', () => update(call(NEW))],
    ['changed by an administrator', () => update(call(NEW, { caller: ADMIN }))],
  ])('that is %s reaches the store as its hash', async (_, run) => {
    await run();
    expect(changes[0]?.input.secret).toBe('hash of open sesame');
  });
  test('that is sent with an invalid parameter is neither hashed nor passed on', async () => {
    const error = await refusal(() => create(call({ shelf_id: 's1', ...NEW, quantity: 0 })));
    expect(error).toMatchObject({ code: 'required', failures: [{ field: 'name' }, { field: 'quantity' }] });
    expect({ ...changes[0]?.input }).toEqual({ shelf_id: 's1' });
    expect(hashed).toEqual([]);
  });
  test('from a caller who may not edit is not hashed', async () => {
    allowed = { allowed: false, code: 'forbidden' };
    expect(await refusal(() => update(call(NEW)))).toMatchObject({ code: 'forbidden' });
    expect(hashed).toEqual([]);
  });
  test('that comes with a wrong old one is not hashed; the store never gets an old one (D47)', async () => {
    secret = 'hash of let me in';
    const { failures } = await refusal(() => update(call({ ...NEW, old_secret: 'guessed it', quantity: 0 })));
    expect(failures.map(({ field }) => field).sort()).toEqual(['old_secret', 'quantity']);
    expect(hashed).toEqual([]);
    changes = [];
    await update(call({ ...NEW, old_secret: 'let me in' }));
    expect({ ...changes[0]?.input }).toEqual({ secret: 'hash of open sesame' });
  });
});

describe('an id that an administrator chooses', () => {
  const ID = 'A4D9F1E0-52C2-11E3-9F5B-3D1C6B6A7C20';
  const create = (id: string, more: Partial<Call> = {}) =>
    operationsOf().create(call({ name: 'One', shelf_id: 's1', _use_this_id: id }, { id: '', caller: ADMIN, ...more }));
  test('becomes the id of the record', async () => {
    expect((await create(ID)).ignored).toEqual([]);
    expect(changes[0]?.id).toBe(ID);
  });
  test.each([
    ['forbidden', ID, { caller: OWNER }],
    ['invalid', 'a/b', {}],
    ['invalid', 'a', {}],
  ])('is %s: %s', async (code, id, more) => {
    expect((await refusal(() => create(id, more))).failures).toMatchObject([{ field: '_use_this_id', code }]);
  });
  test('cannot be a word that a path has in place of an id', async () => {
    const definition = { ...BOOK, lookups: { named: 'name' } };
    expect((await refusal(() => create('named', { definition }))).failures[0]?.code).toBe('invalid');
    await create('name', { definition });
    expect(changes.at(-1)?.id).toBe('name');
  });
  test('is ignored if the owner decides the placement', async () => {
    const references = BOOK.references.map((one, at) => (at === 0 ? { ...one, place: true as const } : one));
    const placed = { ...BOOK, name: 'placed', references };
    const { create: run } = operationsOf({ definitions: [placed] });
    const parameters = { name: 'One', shelf_id: 's1', _use_this_id: ID };
    const { ignored } = await run(call(parameters, { id: '', caller: ADMIN, definition: placed }));
    expect([ignored, changes[0]?.id]).toEqual([['_use_this_id'], undefined]);
  });
});

describe('a fetch', () => {
  const { fetch } = operationsOf();

  test('returns immediately if the store does', () => expect(fetch(call({}))).not.toBeInstanceOf(Promise));
  test('with everything included is one read', async () => {
    await fetch(call({ _include_related_objects: '1', _include_relationships: '1' }));
    expect(wants).toEqual([{ objects: ['shelf', 'giver'], links: true }]);
  });
  // The record itself describes `scan`, and `cover` is an image: neither is included a second time.
  test.each<readonly [asked: unknown, names: readonly string[]]>([
    [1, ['shelf', 'giver']],
    [true, ['shelf', 'giver']],
    [
      ['shelf', 'giver'],
      ['shelf', 'giver'],
    ],
    ['giver, shelf, x', ['shelf', 'giver']],
    ...[0, false, null, 'cover', 'constructor', ['nobody'], {}].map((asked) => [asked, []] as const),
  ])('with the related objects %j includes %j', async (asked, names) => {
    const added = names.map((name) => `,"${name}":{"id":"${name}"}`).join('');
    const { body } = await fetch(call({ _include_related_objects: asked }));
    expect(body).toBe(`${RECORD.slice(0, -1)}${added}}`);
  });
});

describe('a page of a list', () => {
  const about = { definition: SHELF, id: 's1', name: 'books' };
  const list = (parameters: object, more: Partial<Collaborators> = {}) =>
    operationsOf(more).list(call(parameters, about));
  const FIRST = { parent: 'shelf', list: 'books', number: 1, size: 25, maxBytes: 26_214_400 };

  test('is the first one in the default order unless the request says otherwise', async () => {
    await list({});
    expect(pages).toEqual([{ ...FIRST, orderBy: null, descending: false, cursor: null, filters: {} }]);
  });
  test('is requested with its order, its cursor, and filters as the engine stores values', async () => {
    const filters = { identity: 'A', quantity: '7', lent: 'true', due: '1970-01-01 00:00:01', shelf_id: '' };
    const order = { _items_per_page: '100', _order_by: 'quantity', _sort_order: 'desc', _cursor: 'abc' };
    await list({ ...order, ...filters });
    const kept = { identity: 'A', quantity: 7, lent: 1, due: 1000, shelf_id: null };
    expect(pages).toEqual([
      { ...FIRST, size: 100, orderBy: 'quantity', descending: true, cursor: 'abc', filters: kept },
    ]);
  });
  test('is requested with the bounds of a range, under the names of the profile too', async () => {
    await list({ 'quantity[gte]': '2', 'quantity[lt]': 7, 'due[gt]': '1970-01-01 00:00:01', 'lent[gte]': 'true' });
    const kept = { 'quantity[gte]': 2, 'quantity[lt]': 7, 'due[gt]': 1000 };
    const asked = { _start_quantity: '2', _end_due: '1970-01-01 00:00:01', _start_lent: 1 };
    const { ignored } = await list(asked, { lists: PROFILES.wing });
    expect(pages.map(({ filters }) => filters)).toEqual([kept, { 'quantity[gte]': 2, 'due[lte]': 1000 }]);
    expect(ignored).toEqual(['_start_lent']);
    const { failures } = await refusal(() => list({ 'quantity[gte]': 'many' }));
    expect(failures.map(({ message }) => message)).toEqual(['quantity[gte] must be an integer.']);
  });
  test('is requested with days that exist, also of a field that callers cannot send', async () => {
    const parameters = { ...BOOK.parameters, printed: { kind: 'day' as const } };
    const columns = { ...BOOK.columns, printed: { type: 'text' as const }, bound: { type: 'text' as const } };
    const filters = ['printed', 'bound'];
    const book = { ...BOOK, parameters, columns, filters, ranges: filters };
    const listed = (sent: object) => operationsOf({ definitions: [book, SHELF] }).list(call(sent, about));
    const asked = { printed: '2026-02-01', 'bound[gte]': '2026-02-28' };
    await listed(asked);
    expect(pages.map((page) => page.filters)).toEqual([asked]);
    const { failures } = await refusal(() => listed({ 'printed[gte]': '2026-2-1', 'bound[lt]': '2026-02-30' }));
    expect(failures.map(({ field, code }) => [field, code])).toEqual([
      ['printed[gte]', 'invalid'],
      ['bound[lt]', 'invalid'],
    ]);
  });
  test('is refused with all failures together', async () => {
    const sent = { _page_number: 'x', _order_by: 'id; drop', _sort_order: 'down', _cursor: ['a'], quantity: 'many' };
    const { failures } = await refusal(() => list({ ...sent, _items_per_page: '101' }));
    expect(failures.map(({ field, code, message }) => `${field} | ${code} | ${message}`)).toEqual([
      '_page_number | invalid | _page_number must be an integer.',
      '_items_per_page | invalid | _items_per_page must be between 1 and 100.',
      '_order_by | invalid | _order_by must be one of: name, quantity.',
      '_sort_order | invalid | _sort_order must be one of: asc, desc.',
      '_cursor | invalid | _cursor must be sent once, as a single value.',
      'quantity | invalid | quantity must be an integer.',
    ]);
    expect(pages).toEqual([]);
  });
  test.each([
    [false, undefined],
    [0, { otherPageSize: null, boundPrefixes: {}, formatBoolean: Number }],
  ])(
    'of a list that is longer than the counted part says so in the format of the profile: %s',
    async (complete, lists) => {
      listed = { items: [], total: 0, complete: false, cursor: 'c9' };
      const { body } = await list({}, lists === undefined ? {} : { lists });
      expect(JSON.parse(body).paging).toMatchObject({ complete, next_cursor: 'c9' });
    },
  );
});
