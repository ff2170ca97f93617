// Random values for a parameter: around its limits, of its kind in every notation, and of other kinds.
import fc from 'fast-check';
import type { ParameterKind } from '../../runtime/contract/definition.js';
import type { Check } from '../../runtime/schema/schema.js';
import { anyCharacter } from '../support/any-character.js';
import type { StoredParameter } from './validations.js';

/** One code point of every length in UTF-16 and UTF-8, characters that patterns and SQL treat specially, and unreadable ones. */
const CHARACTERS = [
  'a',
  'Z',
  '0',
  ' ',
  '\n',
  '\t',
  "'",
  '"',
  '%',
  '*',
  '?',
  '[',
  '\\',
  'é',
  '\u0301',
  '漢',
  '\u{1F3B2}',
  '\u2028',
];
const UNREADABLE = ['\u0000', '\ud800', '\udfff'];

export function valuesOf(stored: StoredParameter): fc.Arbitrary<unknown> {
  const { parameter, column } = stored;
  const ofKind = KINDS[parameter.kind](stored, column.check);
  return fc.oneof(
    { arbitrary: ofKind, weight: 6 },
    { arbitrary: anyTypes, weight: 1 },
    { arbitrary: fc.constant(parameter.example), weight: 1 },
  );
}

/** Values of every type. */
const anyTypes: fc.Arbitrary<unknown> = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }),
  fc.double(),
  fc.maxSafeInteger(),
  fc.string(),
  fc.constantFrom<unknown>(
    null,
    true,
    false,
    0,
    1,
    -1,
    '',
    '0',
    '1',
    [],
    {},
    NaN,
    Infinity,
    1e21,
    -0,
    '-0',
    '1e3',
    '0x10',
    ' 1',
  ),
);

type ForKind = (stored: StoredParameter, check: Check | null) => fc.Arbitrary<unknown>;

const KINDS: Readonly<Record<ParameterKind, ForKind>> = {
  text: (stored, check) => texts(check?.rule === 'length' ? [check.min, check.max ?? 255] : lengthsOf(stored)),
  password: (stored) => texts(lengthsOf(stored)),
  reference: (stored) => texts(lengthsOf(stored)),
  integer: (_, check) => {
    const limits =
      check?.rule === 'range'
        ? [check.min ?? 0, check.max ?? 0]
        : check?.rule === 'one_of'
          ? check.values.map(Number)
          : [0];
    const near = fc
      .tuple(fc.constantFrom(...limits), fc.integer({ min: -3, max: 3 }))
      .map(([limit, step]) => limit + step);
    const numbers = fc.oneof(near, fc.integer(), fc.maxSafeInteger());
    return fc.oneof(
      numbers,
      numbers.map(String),
      numbers.map((number) => number + 0.5),
    );
  },
  decimal: (_, check) => decimals(check?.rule === 'decimal' ? check : { min: 0, max: 100, scale: 2 }),
  boolean: () => fc.constantFrom<unknown>(true, false, 0, 1, 2, '0', '1', 'true', 'false', 'yes', 'TRUE', ''),
  token: (_, check) => {
    const values = check?.rule === 'choice' ? check.names.map(({ name }) => name) : [];
    const changed = fc.constantFrom<(text: string) => string>(
      (text) => text,
      (text) => text.toLowerCase(),
      (text) => text.toUpperCase(),
      (text) => ` ${text}`,
      (text) => `${text}s`,
      (text) => text.slice(1),
    );
    return fc.tuple(fc.constantFrom(...values), changed).map(([value, change]) => change(value));
  },
  url: (stored) => urls(stored),
  date: () =>
    fc.oneof(
      fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
      fc.constantFrom('2026-02-30T00:00:00Z', '2026-01-02 03:04:05'),
    ),
  day: () =>
    fc.oneof(
      fc.date({ noInvalidDate: true }).map((date) => date.toISOString().replace(/T.*/, '')),
      fc.constantFrom('2026-02-30', '2026-2-1', '2026-01-02T00:00:00Z'),
    ),
  json: ({ parameter }) =>
    fc.oneof(
      fc.jsonValue({ maxDepth: 3 }),
      fc.tuple(fc.constant(parameter.example), fc.jsonValue()).map(([example, value]) => replaceMember(example, value)),
    ),
};

function lengthsOf({ parameter: { schema } }: StoredParameter): readonly number[] {
  return [Number(schema.minLength ?? 0), Number(schema.maxLength ?? 255)];
}

/** Texts as long as a limit, or a little longer or shorter, in code points. */
function texts(lengths: readonly number[]): fc.Arbitrary<string> {
  const readable = fc.constantFrom(...CHARACTERS);
  const any = fc.oneof({ arbitrary: readable, weight: 60 }, { arbitrary: fc.constantFrom(...UNREADABLE), weight: 1 });
  const long = fc
    .tuple(fc.constantFrom(...lengths), fc.integer({ min: -2, max: 2 }), readable)
    .map(([length, step, character]) => character.repeat(Math.max(0, length + step)));
  return fc.oneof(
    long,
    fc.array(any, { maxLength: 12 }).map((characters) => characters.join('')),
    fc.string({ unit: anyCharacter }),
  );
}

function decimals({ min, max, scale }: { min: number; max: number; scale: number }): fc.Arbitrary<unknown> {
  const integerPart = fc.oneof(
    fc.tuple(fc.constantFrom(min, max), fc.integer({ min: -2, max: 2 })).map(([limit, step]) => String(limit + step)),
    fc.integer({ min, max }).map(String),
    fc.constantFrom('', '00', '007', '-0', '+1', '100000000000000000000'),
  );
  const fraction = fc.oneof(
    fc.constantFrom('', '.', '.0', '.9', `.${'0'.repeat(scale)}`, `.${'0'.repeat(scale + 1)}`, `.${'9'.repeat(scale)}`),
    fc.stringMatching(new RegExp(`^\\.[0-9]{1,${scale + 2}}$`)),
  );
  const notations = fc.tuple(integerPart, fraction).map((parts) => parts.join(''));
  return fc.oneof(notations, notations.map(Number), fc.constantFrom('1.2.3', '1,5', '1e2', 'NaN', 'abc', ' 1', '1 '));
}

/** Parts of an address: correct, borderline and invalid ones. */
const SCHEMES = ['http://', 'https://', 'http:', 'HTTP://', 'ftp://', 'https:///', '//', 'javascript:', ''];
const HOSTS = [
  ...['example.com', 'localhost', '127.0.0.1', '[::1]', '[::', 'ex ample', 'é.example', 'a_b', 'user:pw@host', ''],
  ...['%zz', '-', 'a:b'],
];
const PORTS = ['', '', ':8080', ':', ':x', ':99999'];
const TAILS = [
  ...['', '/', '/a?b=c#d', '/%41', '/%', '/#a#b', '/"<>', '/{x}', '/a|b', '/\\', '/^`', "/'()*", '/\u007f', '/ '],
  '/漢',
];

/** What a path, a query and a fragment may contain as it is, and encoded characters. */
const ADDRESS_SIGNS = [...'azAZ09-._~!$&()*+,;=:@/', "'", '%C3%A9', '%2f', '%00'];
const signs = fc.array(fc.constantFrom(...ADDRESS_SIGNS), { maxLength: 12 }).map((all) => all.join(''));
const paths = signs.map((text) => `/${text}`);
/** Correct addresses. The arbitrary of fast-check takes a second to prepare. */
const addresses = fc
  .tuple(fc.constantFrom('http', 'https'), fc.domain(), paths, fc.option(signs), fc.option(signs))
  .map(([scheme, host, path, query, fragment]) =>
    [`${scheme}://${host}${path}`, query === null ? '' : `?${query}`, fragment === null ? '' : `#${fragment}`].join(''),
  );

function urls({ parameter: { schema } }: StoredParameter): fc.Arbitrary<string> {
  const tail = fc.oneof(fc.constantFrom(...TAILS), paths);
  const assembled = fc
    .tuple(fc.constantFrom(...SCHEMES), fc.constantFrom(...HOSTS), fc.constantFrom(...PORTS), tail)
    .map((parts) => parts.join(''));
  const max = Number(schema.maxLength);
  const long = fc.integer({ min: -2, max: 2 }).map((step) => `https://example.com/${'x'.repeat(max - 20 + step)}`);
  return fc.oneof(
    { arbitrary: assembled, weight: 8 },
    { arbitrary: addresses, weight: 3 },
    { arbitrary: long, weight: 2 },
  );
}

/** The example with one member, of itself or of its first element, replaced. */
function replaceMember(example: unknown, value: unknown): unknown {
  if (Array.isArray(example)) return [replaceMember(example[0], value)];
  if (typeof example !== 'object' || example === null) return value;
  const [key] = Object.keys(example);
  return { ...example, [key ?? 'more']: value };
}
