// Names, nulls, limits and the failures of all parameters (D17 to D20).
import { type InputSchema, inputSchemaOf, inputSchemaOfAction } from '../../runtime/operations/input-schema.js';
import { validateInput } from '../../runtime/operations/validate.js';
import type { Caller } from '../../runtime/store/records.js';
import { ADMIN, asParameters, BOOK, compile, OWNER } from './fixture.js';

const CREATE = inputSchemaOf(BOOK, 'create');
const UPDATE = inputSchemaOf(BOOK, 'update');
const MINIMAL = { name: 'One', shelf_id: 's1' };

function run(schema: InputSchema, parameters: Record<string, unknown>, caller: Caller = OWNER) {
  const { input, failures, ignored } = validateInput(schema, asParameters(parameters), caller);
  return { input: { ...input }, failures, ignored };
}
const failuresOf = (schema: InputSchema, parameters: Record<string, unknown>, caller: Caller = OWNER) =>
  run(schema, parameters, caller).failures.map(({ field, code, message }) => `${field} | ${code} | ${message}`);

describe('input', () => {
  test('converts text by the type of each field', () => {
    const sent = { ...MINIMAL, quantity: '3', pages: '60', lent: '0', price: 1.5, due: '2024-01-02 03:04:05' };
    expect(run(CREATE, sent)).toEqual({
      input: {
        name: 'One',
        shelf_id: 's1',
        quantity: 3,
        pages: 60,
        lent: false,
        price: '1.5',
        due: '2024-01-02T03:04:05.000Z',
      },
      failures: [],
      ignored: [],
    });
  });
  test('accepts a synonym', () => {
    expect(run(CREATE, { title: 'Two', shelf_id: 's1', cost: '2' }).input).toEqual({
      name: 'Two',
      shelf_id: 's1',
      price: '2',
    });
  });
  describe('F13: a synonym sent together with its name (D42)', () => {
    test.each<[string, Record<string, unknown>, Record<string, unknown>]>([
      ['the same text', { name: 'One', title: 'One' }, { name: 'One' }],
      ['the same number, as text and as a number', { price: '1.5', cost: 1.5 }, { price: '1.5' }],
      ['the same number in two notations', { cost: '005.10', price: '5.1' }, { price: '005.10' }],
    ])('%s is one value', (_, sent, input) => {
      expect(run(UPDATE, sent)).toEqual({ input, failures: [], ignored: [] });
      expect(run(CREATE, { ...MINIMAL, ...sent }).failures).toEqual([]);
    });
    test.each<[string, Record<string, unknown>, string]>([
      ['another text', { name: 'One', title: 'Two' }, 'name | invalid | name and title'],
      ['in the other order', { title: 'Two', name: 'One' }, 'name | invalid | title and name'],
      ['another number', { price: '5', cost: '5.01' }, 'price | invalid | price and cost'],
      ['a value that does not convert', { price: '5', cost: '1e5' }, 'price | invalid | price and cost'],
    ])('%s is invalid, naming both', (_, sent, words) => {
      const sentence = `${words} are names for the same parameter: their values must be equal.`;
      expect(failuresOf(UPDATE, sent)).toEqual([sentence]);
      expect(failuresOf(CREATE, { shelf_id: 's1', ...sent })).toContain(sentence);
      expect(run(UPDATE, sent).input).toEqual({});
    });
    test('null is ignored on create, and clears on update', () => {
      const { name: _, ...rest } = MINIMAL;
      expect(run(CREATE, { ...rest, title: 'One', name: null })).toMatchObject({
        input: { name: 'One' },
        failures: [],
      });
      expect(failuresOf(UPDATE, { name: 'One', title: null })).toHaveLength(1);
    });
  });
  test('reports unknown names, but not those that are silently ignored or the service’s own', () => {
    const sent = { ...MINIMAL, nmae: 'x', bottom_id: 'f', _include_relationships: 1, _page_number: '1', _x: 1 };
    expect(run(CREATE, sent).ignored).toEqual(['nmae', '_x']);
  });
  test('treats names of the prototype as unknown', () => {
    const hostile = JSON.parse('{"__proto__":{"name":"x"},"constructor":"c","toString":1,"hasOwnProperty":1}');
    const parameters = asParameters({});
    for (const key of Object.keys(hostile)) {
      Object.defineProperty(parameters, key, { value: hostile[key], enumerable: true });
    }
    const { input, failures, ignored } = validateInput(UPDATE, parameters, OWNER);
    expect(Object.keys(input)).toEqual([]);
    expect(failures).toEqual([]);
    expect(ignored).toEqual(['__proto__', 'constructor', 'toString', 'hasOwnProperty']);
  });
});

describe('null and empty text', () => {
  test('count as not sent on create', () => {
    expect(run(CREATE, { ...MINIMAL, quantity: null, lent: '', due: null, note: '' })).toEqual({
      input: { ...MINIMAL, note: '' },
      failures: [],
      ignored: [],
    });
  });
  test('leave a required field missing on create', () => {
    expect(failuresOf(CREATE, { name: null, shelf_id: '' })).toEqual([
      'name | required | name is required.',
      'shelf_id | required | shelf_id is required.',
    ]);
  });
  test('clear a field, or ask for its default, on update', () => {
    expect(run(UPDATE, { due: null, site: '', quantity: null })).toEqual({
      input: { due: null, site: null, quantity: null },
      failures: [],
      ignored: [],
    });
  });
  test('cannot empty a required field on update', () => {
    expect(failuresOf(UPDATE, { name: '', shelf_id: null })).toEqual([
      'name | required | name is required.',
      'shelf_id | required | shelf_id is required.',
    ]);
  });
  test('may clear a nullable field that the update has to send', () => {
    const update = compile({ properties: { note: { type: 'string' }, lent: {} }, required: ['note', 'lent'] });
    const schema = inputSchemaOf({ ...BOOK, validate: { ...BOOK.validate, update } }, 'update');
    expect(failuresOf(schema, { note: null, lent: null })).toEqual(['lent | required | lent is required.']);
  });
});

describe('failures', () => {
  test('are reported together, one per field, in the order of the parameters', () => {
    const sent = { staff: 1, items: [{ quantity: 0, x: 1 }], pages: 50, quantity: '0', identity: 'D', lent: 'maybe' };
    expect(failuresOf(CREATE, sent)).toEqual([
      'name | required | name is required.',
      'shelf_id | required | shelf_id is required.',
      'identity | invalid | identity must be one of: A, B, C.',
      'quantity | invalid | quantity must be between 1 and 99.',
      'pages | invalid | pages must be one of: 40, 60, 80.',
      'lent | invalid | lent must be true or false.',
      'items/0/sku | required | items/0/sku is required.',
      'items/0/x | invalid | items/0/x is unknown.',
      'items/0/quantity | invalid | items/0/quantity must be >= 1.',
      'staff | forbidden | staff can be set by administrators only.',
    ]);
  });
  test('a value that does not convert is reported once', () => {
    expect(failuresOf(CREATE, { name: 5, shelf_id: ['a', 'b'] })).toEqual([
      'name | invalid | name must be text.',
      'shelf_id | invalid | shelf_id must be sent once, as a single value.',
    ]);
  });
  test.each([
    [{ name: 'x'.repeat(11) }, 'name | invalid | name must have at most 10 characters.'],
    [{ quantity: 100 }, 'quantity | invalid | quantity must be between 1 and 99.'],
    [{ quantity: '1e1' }, 'quantity | invalid | quantity must be an integer.'],
    [{ price: '1000' }, 'price | invalid | price must be a decimal number within its limits.'],
    [{ site: 'no url' }, 'site | invalid | site must be a valid URL.'],
    [{ secret: 'short' }, 'secret | invalid | secret must have at least 8 characters.'],
    [{ items: {} }, 'items | invalid | items must be of type array.'],
    [{ note: 'a\0' }, 'note | invalid | note must not contain U+0000 or unpaired surrogates.'],
  ])('%j', (sent, expected) => expect(failuresOf(UPDATE, sent)).toEqual([expected]));
  test('leave invalid parameters out of the input, and valid ones in it', () => {
    expect(run(UPDATE, { quantity: 0, identity: 'A', items: [{}] }).input).toEqual({ identity: 'A' });
  });
  test('an administrator may set what others may not', () => {
    expect(run(UPDATE, { staff: 'true' }, ADMIN)).toMatchObject({ input: { staff: true }, failures: [] });
  });
  test('name at most twenty places of one parameter', () => {
    expect(failuresOf(UPDATE, { items: Array.from({ length: 1000 }, () => ({})) })).toHaveLength(20);
  });
  test('cut the name of a field, but never within a character', () => {
    const [failure] = run(UPDATE, { items: [{ sku: 'a', ['x'.repeat(191) + '😀'.repeat(50)]: 1 }] }).failures;
    expect(failure?.field).toMatch(/^items\/0\/x+…$/);
  });
});

test('an action validates its own parameters', () => {
  const lend = BOOK.actions.lend;
  if (lend === undefined) throw new Error('lend is declared');
  expect(failuresOf(inputSchemaOfAction(lend), { days: '0', name: 'x' })).toEqual([
    'to | required | to is required.',
    'days | invalid | days must be >= 1.',
  ]);
});
