// The table kind x kind: what happens to the stored values of a field that changes its kind. Every expectation is derived by
// hand from the meaning of the values; none was taken from a run. The fields belong to a board and are named `x_id` or `x`, so
// that the values stay in one column.

import type { Kind } from '../../runtime/schema/schema.js';

export type Value = string | number;
/** `computed` has no column: a field that becomes computed is removed, and one that was computed is new. */
export type AnyKind = Kind | 'computed';

/** gone: the migration must drop the values by name. */
export type Cell =
  | 'gone'
  | {
      /** Stored values before and afterwards. */
      readonly rows: readonly (readonly [Value, Value])[];
      /** Stored values that block the change. */
      readonly bad: readonly Value[];
    };

const WORDS = "['red', 'true', '12', '1.5', 'https://example.com/']";

/** A field of each kind, as a descriptor writes it. */
export const FIELDS: Readonly<Record<AnyKind, string>> = {
  text: 'x_id: { kind: text, max: 40, description: X. }',
  url: 'x_id: { kind: url, max: 60, description: X. }',
  enum: `x_id: { kind: enum, values: ${WORDS}, description: X. }`,
  decimal: 'x_id: { kind: decimal, min: 0, max: 100, scale: 2, description: X. }',
  integer: 'x_id: { kind: integer, min: -9, max: 5000, description: X. }',
  boolean: 'x_id: { kind: boolean, description: X. }',
  date: 'x_id: { kind: date, description: X. }',
  day: 'x_id: { kind: day, description: X. }',
  json: 'x_id: { kind: json, schema: { type: object, required: [a] }, description: X. }',
  password: 'x_id: { kind: password, description: X. }',
  token: 'x_id: { kind: token, description: X. }',
  reference: 'x: { kind: reference, to: game, need: exists, description: X. }',
  image: 'x: { kind: image, description: X. }',
  file: 'x: { kind: file, description: X. }',
  computed: 'x_id: { kind: computed, text: "/boards/{id}", description: X. }',
};

/** A value of each kind; ids are those of the rows that the tests create. */
export const SAMPLES: Readonly<Record<Kind, Value>> = {
  text: 'any text',
  url: 'https://example.com/',
  enum: 'red',
  decimal: '1.50',
  integer: 12,
  boolean: 1,
  date: 1767323045678,
  day: '2026-01-31',
  json: '{"a":1}',
  password: 'scrypt$0123',
  token: '0123456789abcdef',
  reference: 'r0',
  image: 'r0',
  file: 'r0',
};

const same = (...values: readonly Value[]): Cell => ({ rows: values.map((value) => [value, value]), bad: [] });
const to = (...rows: readonly (readonly [Value, Value])[]): Cell => ({ rows, bad: [] });
const but = (cell: Cell, ...bad: readonly Value[]): Cell => (cell === 'gone' ? cell : { ...cell, bad });
const SHOWN_DATE = '2026-01-02T03:04:05.678Z';
const GONE = {
  text: 'gone',
  url: 'gone',
  enum: 'gone',
  decimal: 'gone',
  integer: 'gone',
  boolean: 'gone',
  date: 'gone',
  day: 'gone',
  json: 'gone',
  password: 'gone',
  token: 'gone',
  reference: 'gone',
  image: 'gone',
  file: 'gone',
  computed: 'gone',
} as const;

export const CELLS: Readonly<Record<Kind, Readonly<Record<AnyKind, Cell>>>> = {
  text: {
    text: same('any text', '007'),
    url: but(same('https://example.com/'), 'example.com', 'ftp://example.com/'),
    enum: but(same('red', 'https://example.com/'), 'green', 'Red'),
    decimal: but(same('1.50', '7'), '007', '1.555', '-1', '101', ' 1', 'one'),
    integer: but(to(['12', 12], ['-3', -3], ['0', 0]), '007', '1.0', '1e3', '', '6000', 'one'),
    boolean: but(to(['true', 1], ['false', 0]), '1', 'yes', 'True'),
    date: but(
      to([SHOWN_DATE, 1767323045678], ['1969-12-31T23:59:59.999Z', -1]),
      '2026-01-02',
      '2026-01-02 03:04:05',
      '2026-02-30T00:00:00.000Z',
      'yesterday',
      '5',
    ),
    day: but(same('2026-01-31', '2024-02-29'), '2026-02-30', '2026-1-31', '2026-01-31T00:00:00.000Z', 'yesterday!', ''),
    json: but(same('{"a":1}'), '{"b":1}', '[1]', '12', 'text', '{"a":'),
    password: 'gone',
    token: 'gone',
    reference: but(same('r0', 'r1'), 'nobody'),
    image: but(same('r0', 'r1'), 'nobody'),
    file: but(same('r0', 'r1'), 'nobody'),
    computed: 'gone',
  },
  url: {
    ...GONE,
    text: but(same('https://example.com/'), 'https://example.com/a/path/longer/than/40'),
    url: same('https://example.com/'),
    enum: but(same('https://example.com/'), 'https://example.com/other'),
  },
  enum: {
    ...GONE,
    text: same('red', 'true', '12'),
    url: but(same('https://example.com/'), 'red'),
    enum: same('red', 'true', '12'),
    decimal: but(same('12', '1.5'), 'red'),
    integer: but(to(['12', 12]), '1.5', 'red'),
    boolean: but(to(['true', 1]), 'red', '12'),
  },
  decimal: {
    ...GONE,
    text: same('1.50', '0', '100'),
    enum: but(same('1.5', '12'), '1.50', '3'),
    decimal: same('1.50', '100'),
    integer: but(to(['5', 5], ['5.00', 5], ['100', 100], ['0', 0]), '1.50', '0.01'),
  },
  integer: {
    ...GONE,
    text: to([12, '12'], [-3, '-3'], [0, '0']),
    enum: but(to([12, '12']), 13),
    decimal: but(to([12, '12'], [100, '100']), -3, 101),
    integer: same(12, -3),
    boolean: but(same(0, 1), 2, -1),
  },
  boolean: {
    ...GONE,
    text: to([1, 'true'], [0, 'false']),
    enum: but(to([1, 'true']), 0),
    integer: same(0, 1),
    boolean: same(0, 1),
  },
  date: {
    ...GONE,
    text: to([1767323045678, SHOWN_DATE], [0, '1970-01-01T00:00:00.000Z'], [-1, '1969-12-31T23:59:59.999Z']),
    date: same(1767323045678, 0, -1),
    day: but(
      to([1769817600000, '2026-01-31'], [0, '1970-01-01'], [-86400000, '1969-12-31']),
      1767323045678,
      1769817600001,
      -1,
    ),
  },
  day: {
    ...GONE,
    text: same('2026-01-31', '1969-12-31'),
    date: but(
      to(['2026-01-31', 1769817600000], ['1970-01-01', 0], ['1969-12-31', -86400000]),
      '2026-02-30',
      '2026-1-310',
    ),
    day: same('2026-01-31', '2024-02-29'),
  },
  json: {
    ...GONE,
    text: but(same('{"a":1}'), '{"a":"0123456789012345678901234567890123456789"}'),
    json: same('{"a":1}', '{"a":[]}'),
  },
  password: { ...GONE, password: same('scrypt$0123') },
  token: { ...GONE, token: same('0123456789abcdef') },
  reference: {
    ...GONE,
    text: same('r0', 'r1'),
    reference: same('r0', 'r1'),
    image: same('r0', 'r1'),
    file: same('r0', 'r1'),
  },
  image: {
    ...GONE,
    text: same('r0', 'r1'),
    reference: same('r0', 'r1'),
    image: same('r0', 'r1'),
    file: same('r0', 'r1'),
  },
  file: {
    ...GONE,
    text: same('r0', 'r1'),
    reference: same('r0', 'r1'),
    image: same('r0', 'r1'),
    file: same('r0', 'r1'),
  },
};
