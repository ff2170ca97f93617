// How the values of a column are converted when its field changes its kind: the table kind × kind. Pure. Each engine has the
// SQL of each conversion; the limits of the new kind are checked on the converted values (risks.ts).

import type { ColumnPair } from './match.js';
import type { Column, Kind } from './schema.js';

/**
 * How a value is converted; null stays null. same: it does not change. digits: a whole number becomes its digits. number: a text
 * becomes a number if that converts back to the same text: not 007, not 1.0. whole: a decimal becomes a number, however many
 * zeros it is written with: 5.00 is 5. words: 1 and 0 become true and false. truth: the way back. written: epoch
 * milliseconds become a date as the plain profile shows it. read: the way back. midnight: a day becomes the date at which it
 * begins in UTC. day: the way back, for dates that are the beginning of a day.
 */
export type ConversionRule =
  | 'same'
  | 'digits'
  | 'number'
  | 'whole'
  | 'words'
  | 'truth'
  | 'written'
  | 'read'
  | 'midnight'
  | 'day';

/** How the values of a column are converted to its new state; null: they are not, and must be dropped by name. */
export function conversionOf({ from, to }: ColumnPair): ConversionRule | null {
  const wanted = kindsOf(to);
  const possible = kindsOf(from);
  if (possible.some((kind) => wanted.includes(kind))) return 'same';
  // A schema stored before kinds were may allow two; if they convert differently, neither is chosen.
  const [way, ...others] = new Set(possible.map((kind) => TABLE[kind][wanted[0]]));
  return way === undefined || others.length > 0 ? null : way;
}

/** True if stored values do not change, so that unique values stay unique. */
export function keepsValues(pair: ColumnPair): boolean {
  return conversionOf(pair) === 'same' && pair.names === undefined;
}

/** What is wrong with values that a conversion would lose; null: there are no such values. */
export function problemOf(way: ConversionRule): string | null {
  return PROBLEMS[way];
}

/** The kind of a column, or its possible kinds if its schema was stored before kinds were. */
export function kindsOf(column: Column): readonly [Kind, ...Kind[]] {
  const { kind, name, type, check, references } = column;
  if (kind !== undefined) return [kind];
  if (references !== null) return ['reference', 'image', 'file'];
  if (name === 'id') return ['text'];
  if (check?.rule === 'choice') return ['enum'];
  if (check?.rule === 'one_of') return type === 'text' ? ['enum'] : ['integer', 'boolean'];
  return check === null ? UNLIMITED[type] : LIMITED[check.rule];
}

/** The possible kinds of a column without a limit: of those stored as text, only a password had none. */
const UNLIMITED = { text: ['password'], integer: ['date', 'integer'] } as const;
const LIMITED = { range: ['integer'], length: ['text'], decimal: ['decimal'], url: ['url'], json: ['json'] } as const;

/** What is wrong with a value that does not convert; null: every value converts. */
const PROBLEMS: Readonly<Record<ConversionRule, string | null>> = {
  same: null,
  digits: null,
  number: 'is not a whole number',
  whole: 'is not a whole number',
  words: null,
  truth: 'is neither true nor false',
  written: null,
  read: 'is not a date such as 2026-01-02T03:04:05.678Z',
  midnight: 'is not a day of the calendar',
  day: 'is not midnight UTC, so that its time would be lost',
};

/** Kinds that hold ids: targets are checked as for a changed reference. The types of files are only checked in requests. */
const IDS = { reference: 'same', image: 'same', file: 'same' } as const;

/**
 * From each kind to each; a missing pair is refused. Every kind except a secret can be written as text,
 * and a text converts to any other kind if it reads as one. Of the missing pairs,
 * - those with a password or token would show its hash, or store readable text as a hash;
 * - most have no values in common: a URL is not a number, a decimal is neither true nor false;
 * - the others would be guesses: the milliseconds behind a date were never shown, a number has neither an epoch nor
 *   a unit, and JSON loses digits of decimals.
 */
const TABLE: Readonly<Record<Kind, Readonly<Partial<Record<Kind, ConversionRule>>>>> = {
  text: {
    ...{ url: 'same', enum: 'same', decimal: 'same', integer: 'number', boolean: 'truth', date: 'read', json: 'same' },
    day: 'same',
    ...IDS,
  },
  url: { text: 'same', enum: 'same' },
  enum: { text: 'same', url: 'same', decimal: 'same', integer: 'number', boolean: 'truth' },
  decimal: { text: 'same', enum: 'same', integer: 'whole' },
  integer: { text: 'digits', enum: 'digits', decimal: 'digits', boolean: 'same' },
  boolean: { text: 'words', enum: 'words', integer: 'same' },
  date: { text: 'written', day: 'day' },
  day: { text: 'same', date: 'midnight' },
  json: { text: 'same' },
  password: {},
  token: {},
  reference: { text: 'same', ...IDS },
  image: { text: 'same', ...IDS },
  file: { text: 'same', ...IDS },
};
