// The SQL of each conversion of values. Pure.
import { type ConversionRule, conversionOf } from '../conversions.js';
import { elementChanges, type NameChange } from '../listed-names.js';
import type { ColumnPair } from '../match.js';
import { renamedValue } from '../sql-text.js';

/** How a value is converted, as SQL over the column. */
export interface Conversion {
  /** SQL of the converted value; null stays null. */
  readonly value: (old: string) => string;
  /** SQL condition: the value converts without loss; null: every value does. */
  readonly fits: ((old: string) => string) | null;
}

/** The SQL that converts the values of a column to its new state; null: they are not converted. */
export function conversionSql(pair: ColumnPair): Conversion | null {
  const { names } = pair;
  if (names !== undefined) return converts((old) => renamedNames(old, names));
  const way = conversionOf(pair);
  return way === null ? null : WAYS[way];
}

const converts = (value: Conversion['value'], fits: Conversion['fits'] = null): Conversion => ({ value, fits });
const cast = (type: 'TEXT' | 'INTEGER') => (old: string) => `CAST(${old} AS ${type})`;
const written = (old: string): string => `strftime('%Y-%m-%dT%H:%M:%fZ', ${old} / 1000.0, 'unixepoch')`;
const read = (old: string): string => `CAST(round(unixepoch(${old}, 'subsec') * 1000) AS INTEGER)`;
const isDate = (old: string): string => `coalesce(${written(read(old))} = ${old}, 0)`;
const midnight = (old: string): string => `(${old} || 'T00:00:00.000Z')`;
const day = (old: string): string => `substr(${written(old)}, 1, 10)`;
/** The digits after the decimal point. */
const places = (old: string): string => `substr(${old}, instr(${old} || '.', '.') + 1)`;

/** Only a list that has such a name changes, and in it nothing else. */
const renamedNames = (old: string, names: readonly NameChange[]): string => {
  const elements = `json_each(CASE json_type(${old}) WHEN 'array' THEN ${old} END) e`;
  const { value, isFormer } = renamedValue(`(${old} -> e.fullkey)`, elementChanges(names));
  const list = `SELECT json_group_array(json(${value}) ORDER BY e.key) FILTER (WHERE ${value} IS NOT NULL) FROM ${elements}`;
  return `CASE WHEN EXISTS (SELECT 1 FROM ${elements} WHERE ${isFormer}) THEN (${list}) ELSE ${old} END`;
};

const WAYS: Readonly<Record<ConversionRule, Conversion>> = {
  same: converts((old) => old),
  digits: converts(cast('TEXT')),
  number: converts(cast('INTEGER'), (old) => `${cast('TEXT')(cast('INTEGER')(old))} = ${old}`),
  whole: converts(cast('INTEGER'), (old) => `rtrim(${places(old)}, '0') = ''`),
  words: converts((old) => `CASE ${old} WHEN 1 THEN 'true' WHEN 0 THEN 'false' END`),
  truth: converts(
    (old) => `CASE ${old} WHEN 'true' THEN 1 WHEN 'false' THEN 0 END`,
    (old) => `${old} IN ('true', 'false')`,
  ),
  written: converts(written),
  read: converts(read, isDate),
  midnight: converts(
    (old) => read(midnight(old)),
    (old) => isDate(midnight(old)),
  ),
  day: converts(day, (old) => `coalesce(${midnight(day(old))} = ${written(old)}, 0)`),
};
