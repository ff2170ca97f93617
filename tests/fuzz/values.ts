// Values for parameters, valid and hostile.

import type { Parameter } from '../../runtime/contract/definition.js';
import type { Chance } from '../support/chance.js';

/** One value in both notations, because not every JSON text is a JavaScript value. */
export interface Value {
  readonly json: string;
  /** The text in queries and forms. */
  readonly text: string;
}

/** Ids that exist, by resource. */
export interface Ids {
  one(resource: string, chance: Chance): string;
}

export function literal(value: unknown): Value {
  const json = JSON.stringify(value);
  return { json, text: typeof value === 'string' ? value : json };
}

const raw = (json: string): Value => ({ json, text: json });
const nested = (levels: number, open: string, core: string, close: string): string =>
  open.repeat(levels) + core + close.repeat(levels);

const HOSTILE: readonly Value[] = [
  ...[null, true, false, 0, 1, -1, 1.5, 1e21, 2 ** 31, 2 ** 53, -(2 ** 63)].map(literal),
  ...['1e400', '-0', '-1e999', '9007199254740993', '1E2', `0.${'1'.repeat(400)}`, '9'.repeat(500)].map(raw),
  ...['', ' ', '\t\n', '\0', 'a\0b', '\ud800', 'x\udfffy', '\u{10ffff}', '\ufeff', '\u202e', 'é', 'e\u0301', '😀'].map(
    literal,
  ),
  ...['null', 'undefined', 'NaN', 'Infinity', '0x10', '1_000', '١٢', 'true', 'on', '[object Object]'].map(literal),
  ...["'; DROP TABLE user; --", '" OR 1=1', '%', '_', '*', '{{7*7}}', '<script>', '../../etc/passwd'].map(literal),
  ...['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'length'].map(literal),
  ...[[], [[]], {}, ['a', 'b'], [null], [1, 2, 3], { a: 1 }, { length: 5 }, { toString: 1 }, { toJSON: 'x' }].map(
    literal,
  ),
  ...['{"__proto__":{"admin":true}}', '{"constructor":{"prototype":{}}}', '{"a":1,"a":2}', '[1e400]', '"\\ud800"'].map(
    raw,
  ),
  ...[10, 31, 33, 200].flatMap((levels) => [raw(nested(levels, '[', '', ']')), raw(nested(levels, '{"a":', '1', '}'))]),
  ...['x'.repeat(31), 'x'.repeat(256), 'x'.repeat(10_000), '😀'.repeat(5000), `${' '.repeat(3000)}x`].map(literal),
  ...[
    '2024-02-30T00:00:00Z',
    '0000-00-00 00:00:00',
    '+275760-09-13T00:00:00Z',
    '2024-01-01T24:00:00Z',
    '9999-12-31T23:59:59-23:59',
    '2024-01-01',
  ].map(literal),
  ...[
    'http://',
    'http://[::1',
    'javascript:alert(1)',
    `http://${'a'.repeat(3000)}`,
    'http://a b/',
    '//x',
    'http://\u0000',
    'file:///etc/passwd',
    'http://user:pass@h:99999/',
  ].map(literal),
  ...['00', '0'.repeat(26), 'zz0123456789abcdefghjkmnpq', '-1', '1;2', 'a/b', 'a%2fb', '.', '..'].map(literal),
];

const GOOD: Readonly<Record<Parameter['kind'], (chance: Chance) => unknown>> = {
  text: (chance) => `name ${chance.below(1e6)}`,
  password: (chance) => chance.one(['short', 'x'.repeat(10_000), 'p\0p', 'only now and then']),
  integer: (chance) => chance.one([1, 2, 3, '4', 40, 60, 99]),
  decimal: (chance) => chance.one(['0', '12.5', 7, '100', '0.0001']),
  boolean: (chance) => chance.one([true, false, 0, 1, '1', 'false']),
  date: () => '2024-02-29T12:00:00Z',
  day: () => '2024-02-29',
  token: () => 'x',
  url: (chance) => `http://127.0.0.1:${1 + chance.below(65_535)}/hook`,
  json: (chance) => chance.one([{ a: [1, 2] }, [{ name: 'x', quantity: 2 }], {}, []]),
  reference: () => '0',
};

/** How to draw a valid value of a parameter. */
export interface Field {
  readonly parameter: Parameter;
  /** The resource that a reference points to. */
  readonly to: string | null;
  readonly allowed: readonly (string | number)[];
}

export function goodValue({ parameter, to, allowed }: Field, ids: Ids, chance: Chance): Value {
  if (to !== null) return literal(ids.one(to, chance));
  if (allowed.length > 0) return literal(chance.one(allowed));
  return literal(GOOD[parameter.kind](chance));
}

export function hostileValue(chance: Chance): Value {
  if (chance.happens(0.9)) return chance.one(HOSTILE);
  const letters = Array.from({ length: 1 + chance.below(40) }, () => chance.below(chance.one([0x80, 0x250, 0x10000])));
  return literal(String.fromCharCode(...letters));
}
