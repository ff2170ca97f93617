// How the values of a column are converted when its field changes its kind: the table kind x kind, with the SQL of each
// conversion. Pure. The limits of the new kind are checked on the converted values (sqlite/risks.ts).

import type { ColumnPair } from './match.js';
import type { Column, Kind } from './schema.js';

/** How a value is converted, as SQL over the column. */
export interface Conversion {
  /** SQL of the converted value; null stays null. */
  readonly value: (old: string) => string;
  /** SQL condition: the value converts without loss; null: every value does. */
  readonly fits: ((old: string) => string) | null;
  /** What is wrong with rows for which it does not hold: `is not a whole number`. */
  readonly problem: string;
}

/** How the values of a column are converted to its new state; null: they are not, and must be dropped by name. */
export function conversionOf({ from, to }: ColumnPair): Conversion | null {
  const wanted = kindsOf(to);
  const possible = kindsOf(from);
  if (possible.some((kind) => wanted.includes(kind))) return WAYS.same;
  // In a database from before kinds were stored, two may be possible; if they convert differently, neither is chosen.
  const [way, ...others] = new Set(possible.map((kind) => TABLE[kind][wanted[0]]));
  return way === undefined || others.length > 0 ? null : WAYS[way];
}

/** True if stored values do not change, so that what was true of all values together (uniqueness) still is. */
export function keepsValues(pair: ColumnPair): boolean {
  return conversionOf(pair) === WAYS.same;
}

/** The kind of a column, or its possible kinds if its schema is from before they were stored. */
export function kindsOf(column: Column): readonly [Kind, ...Kind[]] {
  const { kind, name, type, check, references } = column;
  if (kind !== undefined) return [kind];
  if (references !== null) return ['reference', 'image', 'file'];
  if (name === 'id') return ['text'];
  if (check?.rule === 'one_of') return type === 'text' ? ['enum'] : ['integer', 'boolean'];
  return check === null ? UNLIMITED[type] : LIMITED[check.rule];
}

/** Of the kinds stored as text, only a password had no limit. */
const UNLIMITED = { text: ['password'], integer: ['date', 'integer'] } as const;
const LIMITED = { range: ['integer'], length: ['text'], decimal: ['decimal'], url: ['url'], json: ['json'] } as const;

type Way = 'same' | 'digits' | 'number' | 'whole' | 'words' | 'truth' | 'written' | 'read';

const converts = (value: Conversion['value'], fits: Conversion['fits'] = null, problem = ''): Conversion => ({
  value,
  fits,
  problem,
});
const cast = (type: 'TEXT' | 'INTEGER') => (old: string) => `CAST(${old} AS ${type})`;
/** A date as the plain profile shows it, from epoch milliseconds. */
const written = (old: string): string => `strftime('%Y-%m-%dT%H:%M:%fZ', ${old} / 1000.0, 'unixepoch')`;
const read = (old: string): string => `CAST(round(unixepoch(${old}, 'subsec') * 1000) AS INTEGER)`;
/** The digits after the decimal point. */
const places = (old: string): string => `substr(${old}, instr(${old} || '.', '.') + 1)`;

const WAYS: Readonly<Record<Way, Conversion>> = {
  same: converts((old) => old),
  /** A whole number becomes its digits. */
  digits: converts(cast('TEXT')),
  /** A text is a number only if it converts back to the same text: not 007, not 1.0. */
  number: converts(cast('INTEGER'), (old) => `${cast('TEXT')(cast('INTEGER')(old))} = ${old}`, 'is not a whole number'),
  /** 5.00 is 5: a decimal is a number, however many zeros it is written with. */
  whole: converts(cast('INTEGER'), (old) => `rtrim(${places(old)}, '0') = ''`, 'is not a whole number'),
  words: converts((old) => `CASE ${old} WHEN 1 THEN 'true' WHEN 0 THEN 'false' END`),
  truth: converts(
    (old) => `CASE ${old} WHEN 'true' THEN 1 WHEN 'false' THEN 0 END`,
    (old) => `${old} IN ('true', 'false')`,
    'is neither true nor false',
  ),
  written: converts(written),
  read: converts(
    read,
    (old) => `coalesce(${written(read(old))} = ${old}, 0)`,
    'is not a date such as 2026-01-02T03:04:05.678Z',
  ),
};

/** A column of ids: their targets are checked like those of a changed reference. The types of files are only checked in requests. */
const IDS = { reference: 'same', image: 'same', file: 'same' } as const;

/**
 * From each kind to each; a missing pair is refused. Every kind except a secret can be written as text,
 * and a text converts to any other kind if it reads as one. Of the missing pairs,
 * - those with a password would show its hash, or store readable text as a hash;
 * - most are of kinds without common values: a URL is not a number, a decimal is neither true nor false;
 * - the others would be a guess: the milliseconds behind a date were never shown, a number has neither an epoch nor
 *   a unit, and JSON loses digits of decimals.
 */
const TABLE: Readonly<Record<Kind, Readonly<Partial<Record<Kind, Way>>>>> = {
  text: {
    ...{ url: 'same', enum: 'same', decimal: 'same', integer: 'number', boolean: 'truth', date: 'read', json: 'same' },
    ...IDS,
  },
  url: { text: 'same', enum: 'same' },
  enum: { text: 'same', url: 'same', decimal: 'same', integer: 'number', boolean: 'truth' },
  decimal: { text: 'same', enum: 'same', integer: 'whole' },
  integer: { text: 'digits', enum: 'digits', decimal: 'digits', boolean: 'same' },
  boolean: { text: 'words', enum: 'words', integer: 'same' },
  date: { text: 'written' },
  json: { text: 'same' },
  password: {},
  reference: { text: 'same', ...IDS },
  image: { text: 'same', ...IDS },
  file: { text: 'same', ...IDS },
};
