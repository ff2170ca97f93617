// How the values of a column are converted when its field changes its kind: the table kind x kind, with the SQL of each
// conversion. Pure. The limits of the new kind are checked on the converted values (sqlite/risks.ts).

import type { ColumnPair } from './match.js';
import type { Column, Kind } from './schema.js';

/** How one value becomes another, as SQL over the column's. */
export interface Conversion {
  /** SQL of the value afterwards; null stays null. */
  readonly value: (old: string) => string;
  /** SQL that holds where the value converts and nothing of it is lost; null: every value does. */
  readonly fits: ((old: string) => string) | null;
  /** What rows break where it does not hold: `is not a whole number`. */
  readonly says: string;
}

/** How the values of a column are carried to its new state; null: they are not, and have to be dropped by name. */
export function conversionOf({ from, to }: ColumnPair): Conversion | null {
  const wanted = kindsOf(to);
  const possible = kindsOf(from);
  if (possible.some((kind) => wanted.includes(kind))) return WAYS.same;
  // A database from before kinds were kept may leave two open; where their ways part, nobody can tell.
  const [way, ...others] = new Set(possible.map((kind) => TABLE[kind][wanted[0]]));
  return way === undefined || others.length > 0 ? null : WAYS[way];
}

/** True where a stored value stays the very same, so that what held of all values together still does. */
export function keepsValues(pair: ColumnPair): boolean {
  return conversionOf(pair) === WAYS.same;
}

/** The kind of a column, or the kinds it may be where its schema is from before they were kept. */
export function kindsOf(column: Column): readonly [Kind, ...Kind[]] {
  const { kind, name, type, check, references } = column;
  if (kind !== undefined) return [kind];
  if (references !== null) return ['reference', 'image', 'file'];
  if (name === 'id') return ['text'];
  if (check?.rule === 'one_of') return type === 'text' ? ['enum'] : ['integer', 'boolean'];
  return check === null ? UNLIMITED[type] : LIMITED[check.rule];
}

/** Only a password had no limit among what is kept as text. */
const UNLIMITED = { text: ['password'], integer: ['date', 'integer'] } as const;
const LIMITED = { range: ['integer'], length: ['text'], decimal: ['decimal'], url: ['url'], json: ['json'] } as const;

type Way = 'same' | 'digits' | 'number' | 'whole' | 'words' | 'truth' | 'written' | 'read';

const converts = (value: Conversion['value'], fits: Conversion['fits'] = null, says = ''): Conversion => ({
  value,
  fits,
  says,
});
const cast = (type: 'TEXT' | 'INTEGER') => (old: string) => `CAST(${old} AS ${type})`;
/** A date as the plain profile shows it, from epoch milliseconds. */
const written = (old: string): string => `strftime('%Y-%m-%dT%H:%M:%fZ', ${old} / 1000.0, 'unixepoch')`;
const read = (old: string): string => `CAST(round(unixepoch(${old}, 'subsec') * 1000) AS INTEGER)`;
/** What stands behind the point of a decimal. */
const places = (old: string): string => `substr(${old}, instr(${old} || '.', '.') + 1)`;

const WAYS: Readonly<Record<Way, Conversion>> = {
  same: converts((old) => old),
  /** A whole number is its digits. */
  digits: converts(cast('TEXT')),
  /** A text is a number only where it comes back the same: no 007, no 1.0. */
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

/** A column of ids: what they name is checked as a changed reference. Which types a file may have is asked of requests. */
const IDS = { reference: 'same', image: 'same', file: 'same' } as const;

/**
 * From each kind to each; a pair that is not there is refused. Every kind but a secret is a text once it is written
 * down, and a text is any other where it reads as one. Of the pairs that are not there,
 * - a password is in none: its hash would be read, or a readable text be kept as a hash;
 * - most are of kinds that share no value: a URL is no number, a decimal is neither yes nor no;
 * - the others would be a guess: the milliseconds behind a date were never shown, a number does not say since when it
 *   counts or in what, and JSON loses digits of decimals.
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
