// Conversion of single values by kind (D20): what is accepted, what it becomes, and what is refused.
import type { ParameterKind } from '../../runtime/contract/definition.js';
import { coerce } from '../../runtime/operations/validate.js';

const nested = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);

const ACCEPTED: readonly (readonly [ParameterKind, unknown, unknown])[] = [
  ['text', 'a b', 'a b'],
  ['text', '', ''],
  ['text', '😀', '😀'],
  ['text', null, null],
  ['token', 'A', 'A'],
  ['token', '', null],
  ['url', 'https://example.com/', 'https://example.com/'],
  ['url', '', null],
  ['password', 'pass word', 'pass word'],
  ['password', '', null],
  ['reference', 'AB01', 'AB01'],
  ['reference', '', null],
  ['integer', 5, 5],
  ['integer', '5', 5],
  ['integer', '-5', -5],
  ['integer', '0', 0],
  ['integer', '-0', 0],
  ['integer', 5.0, 5],
  ['integer', '9007199254740991', 9007199254740991],
  ['integer', '', null],
  ['decimal', '12.50', '12.50'],
  ['decimal', 12.5, '12.5'],
  ['decimal', 0, '0'],
  ['decimal', '-1', '-1'],
  ['decimal', '', null],
  ['boolean', true, true],
  ['boolean', 1, true],
  ['boolean', '1', true],
  ['boolean', 'true', true],
  ['boolean', 'True', true],
  ['boolean', false, false],
  ['boolean', 0, false],
  ['boolean', '0', false],
  ['boolean', 'false', false],
  ['boolean', 'False', false],
  ['boolean', '', null],
  ['date', '2024-02-29T12:00:00Z', '2024-02-29T12:00:00.000Z'],
  ['date', '2024-02-29t12:00:00.1z', '2024-02-29T12:00:00.100Z'],
  ['date', '2024-02-29T12:00:00.123987Z', '2024-02-29T12:00:00.123Z'],
  ['date', '2024-01-01T00:30:00+01:00', '2023-12-31T23:30:00.000Z'],
  ['date', '2023-12-31T23:30:00-00:45', '2024-01-01T00:15:00.000Z'],
  ['date', '2024-02-29 12:00:00', '2024-02-29T12:00:00.000Z'],
  ['date', '', null],
  ['day', '2024-02-29', '2024-02-29'],
  ['day', '0000-01-01', '0000-01-01'],
  ['day', '', null],
  ['json', { a: [1] }, { a: [1] }],
  ['json', [], []],
  ['json', '{"a":"x"}', { a: 'x' }],
  ['json', nested(32), JSON.parse(nested(32))],
  ['json', '', null],
];

const REFUSED: readonly (readonly [ParameterKind, unknown])[] = [
  ...(['text', 'token', 'url', 'password', 'reference'] as const).flatMap((kind) =>
    [5, true, ['a'], {}, 'a\0b', '\ud800', 'x\udc00'].map((value) => [kind, value] as const),
  ),
  ...['1e3', '0x10', ' 5', '5 ', '+5', '5.0', 'five', '٥', '9007199254740992', 1.5, 2 ** 53, true, [5], {}, ' '].map(
    (value) => ['integer', value] as const,
  ),
  ...['1e3', '.5', '5.', '+1', ' 1', '1,5', 'x', 1e21, 1e-7, true, ['1'], {}, Number.NaN].map(
    (value) => ['decimal', value] as const,
  ),
  ...['yes', 'TRUE', '2', 2, -1, 'on', [true], {}, ' '].map((value) => ['boolean', value] as const),
  ...[
    '2024-02-30T12:00:00Z',
    '2023-02-29T12:00:00Z',
    '2023-02-29 12:00:00',
    '2024-13-01T00:00:00Z',
    '2024-01-01T24:00:00Z',
    '2024-01-01T12:60:00Z',
    '2016-12-31T23:59:60Z',
    '2024-01-01T12:00:00',
    '2024-01-01T12:00:00+24:00',
    '2024-01-01T12:00:00+01:60',
    '2024-01-01',
    '0000-01-01T00:00:00+00:01',
    '9999-12-31T23:59:59-00:01',
    'tomorrow',
    1704067200,
    ['2024-01-01T12:00:00Z'],
  ].map((value) => ['date', value] as const),
  ...[
    '2024-02-30',
    '2023-02-29',
    '2024-2-1',
    '2024-02-29T00:00:00Z',
    ' 2024-02-29',
    'tomorrow',
    20240229,
    ['2024-02-29'],
  ].map((value) => ['day', value] as const),
  ...[
    'x',
    '"text"',
    '5',
    'null',
    '{',
    5,
    true,
    nested(33),
    nested(100_000),
    { a: 'a\0' },
    { 'a\0': 1 },
    [{ b: ['\ud800'] }],
    '{"\\ud800":1}',
    '[1e999]',
  ].map((value) => ['json', value] as const),
];

const shown = (value: unknown): string => (JSON.stringify(value) ?? String(value)).slice(0, 40);

describe('accepts', () => {
  for (const [kind, value, expected] of ACCEPTED) {
    test(`${kind} ${shown(value)}`, () => expect(coerce(kind, value)).toEqual({ ok: true, value: expected }));
  }
});

describe('refuses', () => {
  for (const [kind, value] of REFUSED) {
    test(`${kind} ${shown(value)}`, () => expect(coerce(kind, value)).toMatchObject({ ok: false }));
  }
});

test('minus zero becomes zero', () => {
  expect(Object.is((coerce('integer', -0) as { value: unknown }).value, 0)).toBe(true);
});
