// Fetch with what can be included (D21, D22), options (D24) and actions.
import type { ServiceError } from '../../runtime/errors.js';
import { createOperations, type Operations } from '../../runtime/operations/operations.js';
import { ANONYMOUS, BOOK, call, FakeStore, FOUND, OWNER, SHELF } from './fixture.js';

let store: FakeStore;
let operations: Operations;
beforeEach(() => {
  store = new FakeStore();
  store.objects = [
    { name: 'shelf', text: '{"id":"s1"}' },
    { name: 'giver', text: '{"id":"p1"}' },
    { name: 'scan', text: '{"id":"f1"}' },
  ];
  const hashPassword = async () => '';
  operations = createOperations({
    store,
    definitions: [BOOK, SHELF],
    hashPassword,
    verifyPassword: async () => true,
  });
});
const code = async (run: () => unknown): Promise<string> => {
  try {
    await run();
    return 'answered';
  } catch (error) {
    return (error as ServiceError).code;
  }
};
const body = async (parameters: Record<string, unknown>) => (await operations.fetch(call(parameters))).body;

const WITH_SHELF = '{"id":"b1","name":"One","shelf":{"id":"s1"}}';
const WITH_BOTH = '{"id":"b1","name":"One","shelf":{"id":"s1"},"giver":{"id":"p1"}}';

describe('fetch', () => {
  test('OK', async () => {
    expect(await operations.fetch(call({ session_id: 'x', color: 'red' }, { caller: ANONYMOUS }))).toEqual({
      status: 200,
      body: FOUND,
      ignored: ['color'],
    });
  });
  test('returns synchronously if the store does', () => {
    expect(operations.fetch(call({}))).not.toBeInstanceOf(Promise);
  });
  for (const refusal of ['not_found', 'forbidden', 'login_required'] as const) {
    test(refusal, async () => {
      store.found = { found: false, code: refusal };
      expect(await code(() => operations.fetch(call({})))).toBe(refusal);
      expect(() => operations.fetch(call({}))).toThrow(/^Book/);
    });
  }
});

describe('related objects', () => {
  // `scan` is described by the record itself, `cover` is an image: neither is included a second time.
  test.each([1, '1', true, 'true'])('all for %j', async (value) => {
    expect(await body({ _include_related_objects: value })).toBe(WITH_BOTH);
  });
  test.each([0, '0', '', false, null, 'cover', 'constructor', ['nobody'], {}])('none for %j', async (value) => {
    expect(await body({ _include_related_objects: value })).toBe(FOUND);
  });
  test.each([['shelf,giver'], [['shelf', 'giver']], ['giver, shelf, x']])('both for %j', async (value) => {
    expect(await body({ _include_related_objects: value })).toBe(WITH_BOTH);
  });
  test('one by name', async () => {
    expect(await body({ _include_related_objects: 'shelf' })).toBe(WITH_SHELF);
    expect(store.wants).toEqual([{ objects: ['shelf'], links: false }]);
  });
  test('what the store leaves out is left out', async () => {
    store.objects = [];
    expect(await body({ _include_related_objects: 'shelf' })).toBe(FOUND);
  });
  test('one read for the record with everything included', async () => {
    await body({ _include_related_objects: '1', _include_relationships: '1' });
    expect(store.wants).toEqual([{ objects: ['shelf', 'giver'], links: true }]);
  });
  test('members go to the end of the record, not of an object in it', async () => {
    store.found = { found: true, text: '{"id":"b1","face":{"id":"f1"},"name":"}"}' };
    expect(await body({ _include_related_objects: 'shelf' })).toBe(
      '{"id":"b1","face":{"id":"f1"},"name":"}","shelf":{"id":"s1"}}',
    );
  });
  test('members can be added to an empty record too', async () => {
    store.found = { found: true, text: '{}' };
    expect(await body({ _include_related_objects: 'shelf' })).toBe('{"shelf":{"id":"s1"}}');
  });
});

describe('relationships', () => {
  test('self and the parents that are set', async () => {
    expect(JSON.parse(await body({ _include_relationships: '1' }))).toEqual({
      id: 'b1',
      name: 'One',
      _relationships: { self: '/api/book/b1', shelf: '/api/shelf/s1', giver: '/api/person/p1' },
    });
  });
  test('not what the caller may not know of', async () => {
    store.linked = { shelf: 's1' };
    expect(JSON.parse(await body({ _include_relationships: 'yes' }))._relationships).toEqual({
      self: '/api/book/b1',
      shelf: '/api/shelf/s1',
    });
  });
  test('lists', async () => {
    store.found = { found: true, text: '{"id":"s1"}' };
    const request = call({ _include_relationships: 1 }, { definition: SHELF, id: 's1' });
    expect((await operations.fetch(request)).body).toBe(
      '{"id":"s1","_relationships":{"self":"/api/shelf/s1","books":"/api/shelf/s1/books"}}',
    );
  });
  test.each([0, '0', '', false])('none for %j', async (value) => {
    expect(await body({ _include_relationships: value })).toBe(FOUND);
  });
});

test('options', async () => {
  expect(await operations.options(call({}, { id: '' }))).toEqual({
    status: 200,
    body: '{"identity":["A","B","C"],"pages":[40,60,80],"_identity":{"A":"A","B":"B","C":"C"}}',
    ignored: [],
  });
});

describe('action', () => {
  const act = (parameters: Record<string, unknown>, name = 'lend') => operations.action(call(parameters, { name }));
  test('OK', async () => {
    expect(await act({ to: 'Ann', days: '3', x: 1 })).toEqual({ status: 200, body: FOUND, ignored: ['x'] });
    const action = { name: 'lend', caller: OWNER, input: { to: 'Ann', days: 3 }, failures: [], now: 1_700_000_000_000 };
    expect(store.actions).toEqual([action]);
  });
  test('Parameters that failed are left to the store, which judges the right before them', async () => {
    expect(await code(() => act({}))).toBe('required');
    expect(store.actions).toMatchObject([{ failures: [{ field: 'to', code: 'required' }] }]);
  });
  test.each(['constructor', 'burn', ''])('%j is not there', async (name) => {
    expect(await code(() => act({}, name))).toBe('not_found');
  });
});
