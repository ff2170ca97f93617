// Values for a field, derived from its keys alone: at each limit, one step outside it, and of another type.
import type { FieldFacts } from './facts.js';
import { brokenJson, fittingJson, sampleJson } from './json-values.js';

/** A value that must be refused, and how. */
export interface RefusedValue {
  readonly value: unknown;
  readonly code: 'invalid' | 'required';
}

interface Kind {
  /** Values that are accepted, including those at the limits; a unique one ends with `mark`. */
  taken(field: FieldFacts, mark: string): readonly unknown[];
  refused(field: FieldFacts): readonly RefusedValue[];
  /** The value as a record shows it. */
  shown(value: unknown, field: FieldFacts): unknown;
}

/** Limits of the language where a field has none of its own (spec/README.md). */
const LONGEST = { text: 255, password: 255, url: 2000 } as const;
const DECIMAL = { min: 0, max: 999_999_999, scale: 2 } as const;
/** An address at which nobody listens, so that no request ever leaves the machine. */
const ADDRESS = 'https://127.0.0.1:8/';
/** Two bytes in JavaScript's count, and one character. */
const WIDE = '😀';

const as = (value: unknown): unknown => value;
const invalid = (value: unknown): RefusedValue => ({ value, code: 'invalid' });

const KINDS: Readonly<Record<string, Kind>> = {
  text: { taken: texts, refused: (field) => [...wrongLengths(field, LONGEST.text), ...NO_TEXT], shown: as },
  password: { taken: texts, refused: (field) => [...wrongLengths(field, LONGEST.password), ...NO_TEXT], shown: as },
  url: {
    taken: ({ max = LONGEST.url }, mark) => [`${ADDRESS}${mark}`, ADDRESS.padEnd(max - mark.length, 'a') + mark],
    refused: ({ max = LONGEST.url }) =>
      [ADDRESS.padEnd(max + 1, 'a'), 'ftp://example.com/', 'example.com', `${ADDRESS}a b`].map(invalid),
    shown: as,
  },
  integer: {
    taken: (field) => field.values ?? ends(field),
    refused: (field) => {
      const { values, min, max, step = 1 } = field;
      const [least, most] = ends(field);
      const beyond = [...(min === undefined ? [] : [least - step]), ...(max === undefined ? [] : [most + step])];
      const wrong = values === undefined ? beyond : between(values as readonly number[]);
      const off = values === undefined && step > 1 ? [least + 1] : [];
      return [...wrong, ...off, 'many', 1.5, [1, 1]].map(invalid);
    },
    shown: as,
  },
  decimal: { taken: decimals, refused: (field) => wrongDecimals(field).map(invalid), shown: String },
  boolean: {
    taken: ({ words = {} }) => [...Object.keys(words), true, false],
    refused: () => ['maybe', 2, [true]].map(invalid),
    shown: (sent, { as: form, words = {} }) => {
      const value = typeof sent === 'string' ? words[sent] : sent;
      return form === 'bit' ? Number(value) : value;
    },
  },
  date: {
    taken: () => ['2026-01-02T03:04:05.678Z', '1999-12-31T23:59:59.999Z'],
    refused: () => ['yesterday', '2026-02-30T00:00:00Z', 5].map(invalid),
    shown: (value) => new Date(String(value)).toISOString(),
  },
  day: {
    taken: () => ['2026-01-31', '1999-12-31', '2028-02-29'],
    refused: () => ['2026-02-30', '31.01.2026', '2026-01-31T00:00:00Z', 'today', 5].map(invalid),
    shown: as,
  },
  enum: {
    taken: ({ values = [] }) => values,
    refused: ({ values = [] }) => [`${values[0]}x`, 'none of them', 7].map(invalid),
    shown: as,
  },
  json: {
    taken: ({ schema }) => fittingJson(schema ?? ANY_JSON),
    refused: ({ schema }) => [invalid('text'), ...brokenJson(schema ?? ANY_JSON)],
    shown: as,
  },
};

const ANY_JSON = { type: ['object', 'array'] };
const NO_TEXT: readonly RefusedValue[] = [7, ['a', 'b'], { a: 1 }, 'a\0b'].map(invalid);

/** Values that the field accepts. @param mark ends those that can be unique */
export function taken(field: FieldFacts, mark = ''): readonly unknown[] {
  return kind(field).taken(field, mark);
}

/** Values that the field refuses, each for one reason. */
export function refused(field: FieldFacts): readonly RefusedValue[] {
  return kind(field).refused(field);
}

/** A value that the field accepts, and that is not its default if possible. */
export function sample(field: FieldFacts, mark = ''): unknown {
  if (field.kind === 'json') return sampleJson(field.schema ?? ANY_JSON);
  if (field.kind === 'text' || field.kind === 'password') {
    const { min = 0, max = LONGEST.text } = field;
    return [...`Sample ${mark}`.padEnd(min, 'x')].slice(-max).join('');
  }
  if (field.kind === 'boolean') return field.default !== true;
  if (mark !== '' && isNumeric(field)) return numbered(field, Number.parseInt(mark, 16));
  const values = taken(field, mark);
  return values.find((value) => String(value) !== String(field.default)) ?? values[0];
}

function isNumeric({ kind: of, values }: FieldFacts): boolean {
  return values === undefined && ['integer', 'decimal', 'date', 'day'].includes(of);
}

/** The least and the greatest whole number that fit. */
function ends({ min, max, step = 1 }: Pick<FieldFacts, 'min' | 'max' | 'step'>): readonly [number, number] {
  const [least, most] = [min ?? -Number.MAX_SAFE_INTEGER, max ?? Number.MAX_SAFE_INTEGER];
  return [Math.ceil(least / step) * step, Math.floor(most / step) * step];
}

/** A value within the limits that nothing else is likely to have. Numbers that are near to each other give values in order. */
export function numbered(field: FieldFacts, number: number): unknown {
  const { kind: of, min, max, step = 1 } = field;
  if (of === 'date') return new Date(number * 100).toISOString();
  if (of === 'day') return new Date((number % 2_000_000) * 86_400_000).toISOString().slice(0, 10);
  const [least, most] = of === 'decimal' ? [min ?? DECIMAL.min, max ?? DECIMAL.max] : ends({ ...field, min: min ?? 0 });
  const value = least + (number % (Math.floor((most - least) / step) + 1)) * step;
  return of === 'decimal' ? String(value) : value;
}

/** The value as a record shows it. */
export function shown(field: FieldFacts, value: unknown): unknown {
  return value === null || value === undefined ? null : kind(field).shown(value, field);
}

/** What a record shows if nothing was sent: a literal default, false for a boolean, or nothing. */
export function fallback(field: FieldFacts): unknown {
  if (field.kind === 'boolean') return shown(field, field.default ?? false);
  return shown(field, field.default);
}

/** Whether the default is the value in the descriptor; others are computed when a record is created. */
export function isLiteral(field: FieldFacts): boolean {
  const { kind: of, default: defaultValue } = field;
  if (of === 'text' && typeof defaultValue === 'object' && defaultValue !== null) return false;
  if (typeof defaultValue !== 'string' || (of !== 'text' && of !== 'reference')) return true;
  return !/^(session|upload)\.\w+$/.test(defaultValue);
}

/** Whether a record can show the value, whatever set it. */
export function fitsKind({ kind: of }: FieldFacts, value: unknown): boolean {
  if (value === null || value === undefined) return true;
  if (of === 'date') return typeof value === 'string' && /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value);
  if (of === 'integer') return Number.isInteger(value);
  if (of === 'json') return typeof value === 'object';
  return of === 'boolean' || typeof value === 'string';
}

function kind({ kind: name }: FieldFacts): Kind {
  const known = KINDS[name];
  if (known === undefined) throw new Error(`a field of kind ${name} has no value of its own`);
  return known;
}

function texts({ kind: of, required, min = 0, max = LONGEST.text }: FieldFacts, mark: string): readonly unknown[] {
  // An empty password is not a password, and no two records can have the same empty text.
  const least = Math.max(min, required || mark !== '' || of === 'password' ? 1 : 0);
  const long = (length: number) => (of === 'password' ? 'p' : WIDE).repeat(Math.max(0, length - mark.length)) + mark;
  const odd = ` '"<&>é ${mark}`.padEnd(min, '-');
  return [
    ...new Set(
      [mark === '' ? long(least) : signs(mark, least), long(max), odd].map((text) => [...text].slice(-max).join('')),
    ),
  ];
}

/** A text of that length, which nothing else is likely to have even if it is short. */
function signs(mark: string, length: number): string {
  const start = Number.parseInt(mark, 16);
  return Array.from({ length }, (_, at) =>
    String.fromCodePoint(0x4e00 + (Math.floor(start / 20_000 ** at) % 20_000)),
  ).join('');
}

function wrongLengths({ kind: of, required, min = 0, max }: FieldFacts, longest: number): readonly RefusedValue[] {
  const long = invalid('x'.repeat((max ?? longest) + 1));
  const least = of === 'password' ? Math.max(min, 1) : min;
  const short = least - 1;
  if (short > 0) return [long, invalid('x'.repeat(short))];
  return short === 0 && !required && of === 'text' ? [long, invalid('')] : [long];
}

/** Whole numbers next to the listed ones. */
function between(values: readonly number[]): readonly number[] {
  const beside = values.flatMap((value) => [value - 1, value + 1]);
  return [...new Set(beside)].filter((value) => !values.includes(value));
}

function decimals(field: FieldFacts): readonly unknown[] {
  const { least, most, text } = decimalUnits(field);
  const near = [least + 1n, most - 1n].filter((one) => one >= least && one <= most);
  return [...new Set([...[least, most, ...near].map(text), text(least).replace(/\.0+$/, '')])];
}

function wrongDecimals(field: FieldFacts): readonly unknown[] {
  const { least, most, text } = decimalUnits(field);
  const fine = `${text(least)}${text(least).includes('.') ? '1' : '.1'}`;
  return [text(most + 1n), text(least - 1n), fine, 'much', '1e3', '-0'];
}

/** The limits in units of the last digit that a value can have, and a function that writes such a number. */
function decimalUnits(field: FieldFacts) {
  const { min, max, scale } = { ...DECIMAL, ...field };
  const units = (value: number): bigint => {
    const [whole = '', fraction = ''] = String(Math.abs(value)).split('.');
    const size = BigInt(whole + fraction.padEnd(scale, '0'));
    return value < 0 ? -size : size;
  };
  const text = (value: bigint): string => {
    const digits = String(value < 0n ? -value : value).padStart(scale + 1, '0');
    const point = digits.length - scale;
    const fraction = scale === 0 ? '' : `.${digits.slice(point)}`;
    return `${value < 0n ? '-' : ''}${digits.slice(0, point)}${fraction}`;
  };
  return { least: units(min), most: units(max), text };
}
