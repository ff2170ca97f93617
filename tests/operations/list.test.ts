// Lists (D23): what is requested from the store, and the paging around its items.
import type { ServiceError } from '../../runtime/errors.js';
import { createOperations, type Operations } from '../../runtime/operations/operations.js';
import { BOOK, call, FakeStore, SHELF } from './fixture.js';

let store: FakeStore;
let operations: Operations;
beforeEach(() => {
  store = new FakeStore();
  operations = createOperations({
    store,
    definitions: [BOOK, SHELF],
    hashPassword: async () => '',
    verifyPassword: async () => true,
  });
});
const list = (parameters: Record<string, unknown>, name = 'books') =>
  operations.list(call(parameters, { definition: SHELF, id: 's1', name }));
const failures = (parameters: Record<string, unknown>): string[] => {
  try {
    list(parameters);
    return [];
  } catch (error) {
    return (error as ServiceError).failures.map(({ field, code, message }) => `${field} | ${code} | ${message}`);
  }
};

test('answers the items with the paging', async () => {
  store.listed = { items: ['{"id":"b1"}', '{"id":"b2"}'], total: 52, cursor: 'c9' };
  expect(await list({ _page_number: '2', colour: 'red' })).toEqual({
    status: 200,
    body:
      '{"paging":{"total_items":52,"total_pages":3,"page_number":2,"items_per_page":25,"next_page_number":3,' +
      '"previous_page_number":1,"next_cursor":"c9"},"items":[{"id":"b1"},{"id":"b2"}]}',
    ignored: ['colour'],
  });
});

test.each([
  [false, { otherPageSize: null, formatBoolean: (value: boolean) => value }],
  [0, { otherPageSize: null, formatBoolean: Number }],
])('a list that is longer than was counted says so in the format of the profile: %s', async (complete, lists) => {
  const passwords = { hashPassword: async () => '', verifyPassword: async () => true };
  store.listed = { items: [], total: 0, complete: false, cursor: 'c9' };
  const { list: run } = createOperations({ store, definitions: [BOOK, SHELF], ...passwords, lists });
  const { body } = await run(call({}, { definition: SHELF, id: 's1', name: 'books' }));
  expect(JSON.parse(body).paging.complete).toBe(complete);
});

test('an empty list has a page all the same', async () => {
  expect(JSON.parse((await list({})).body)).toEqual({
    paging: {
      total_items: 0,
      total_pages: 0,
      page_number: 1,
      items_per_page: 25,
      next_page_number: 2,
      previous_page_number: 1,
      next_cursor: null,
    },
    items: [],
  });
});

test('requests the first page in the default order by default', async () => {
  await list({});
  expect(store.pages).toEqual([
    {
      parent: 'shelf',
      list: 'books',
      number: 1,
      size: 25,
      maxBytes: 26_214_400,
      orderBy: null,
      descending: false,
      cursor: null,
      filters: {},
    },
  ]);
});

test('passes order, cursor and filters on, as the engine keeps them', async () => {
  await list({
    _items_per_page: '100',
    _order_by: 'quantity',
    _sort_order: 'desc',
    _cursor: 'abc',
    identity: 'A',
    quantity: '7',
    lent: 'true',
    due: '1970-01-01 00:00:01',
    shelf_id: '',
  });
  expect(store.pages).toEqual([
    {
      parent: 'shelf',
      list: 'books',
      number: 1,
      size: 100,
      maxBytes: 26_214_400,
      orderBy: 'quantity',
      descending: true,
      cursor: 'abc',
      filters: { identity: 'A', quantity: 7, lent: 1, due: 1000, shelf_id: null },
    },
  ]);
});

test.each(['0', '-1', '1000000001'])('_page_number %s', (value) => {
  expect(failures({ _page_number: value })).toEqual([
    '_page_number | invalid | _page_number must be between 1 and 1000000000.',
  ]);
});
test.each(['0', '101', 0])('_items_per_page %s', (value) => {
  expect(failures({ _items_per_page: value })).toEqual([
    '_items_per_page | invalid | _items_per_page must be between 1 and 100.',
  ]);
});

test('reports all failures together', () => {
  const sent = { _page_number: 'x', _order_by: 'id; drop', _sort_order: 'down', _cursor: ['a'], quantity: 'many' };
  expect(failures(sent)).toEqual([
    '_page_number | invalid | _page_number must be an integer.',
    '_order_by | invalid | _order_by must be one of: name, quantity.',
    '_sort_order | invalid | _sort_order must be one of: asc, desc.',
    '_cursor | invalid | _cursor must be sent once, as a single value.',
    'quantity | invalid | quantity must be an integer.',
  ]);
  expect(store.pages).toEqual([]);
});

test.each(['games', 'constructor', '__proto__'])('%s is not a list of a shelf', (name) => {
  expect(() => list({}, name)).toThrow(expect.objectContaining({ code: 'not_found' }));
});
