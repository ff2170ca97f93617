// The SQL of each conversion of values. Pure. No expression fails for any value: AND guarantees no order of evaluation, so
// each conversion is only computed where it is possible.
import { type ConversionRule, conversionOf } from '../conversions.js';
import { elementChanges, type NameChange } from '../listed-names.js';
import type { ColumnPair } from '../match.js';
import { renamedValue } from '../sql-text.js';

/** How a value is converted, as SQL over the column. */
export interface Conversion {
  /** SQL of the converted value; null stays null, and a value that does not fit becomes null. */
  readonly value: (old: string) => string;
  /** SQL condition that a value converts without loss, never null unless the value is; null: every value does. */
  readonly fits: ((old: string) => string) | null;
}

/** The SQL that converts the values of a column to its new state; null: they are not converted. */
export function conversionSql(pair: ColumnPair): Conversion | null {
  const { names } = pair;
  if (names !== undefined) return { value: (old) => renamedNames(old, names), fits: null };
  const way = conversionOf(pair);
  return way === null ? null : WAYS[way];
}

const BIGGEST = '9223372036854775807';
const DATE = '^(?!0000)[0-9]{4}-(0[1-9]|1[0-2])-[0-3][0-9]T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9][.][0-9]{3}Z$';
const LAST_DATE = Date.UTC(9999, 11, 31, 23, 59, 59, 999);
const FIRST_DATE = -62_135_596_800_000;

const integral = (old: string): string =>
  `CASE WHEN ${old} ~ '^(0|-?[1-9][0-9]{0,18})$' THEN ${old}::numeric BETWEEN -${BIGGEST} - 1 AND ${BIGGEST} ELSE false END`;
const whole = (old: string): string => `${old} ~ '^[0-9]{1,18}([.]0*)?$'`;
/** Writes what to_char would, which Citus refuses within CASE because it could depend on the settings of the session. */
const isoText = (time: string): string =>
  [
    ...[part(time, 'year', 4), `'-'`, part(time, 'month', 2), `'-'`, part(time, 'day', 2), `'T'`],
    ...[part(time, 'hour', 2), `':'`, part(time, 'minute', 2), `':'`],
    `lpad(floor(extract(second FROM ${time}))::text, 2, '0')`,
    `'.'`,
    `lpad((extract(milliseconds FROM ${time})::bigint % 1000)::text, 3, '0')`,
    `'Z'`,
  ].join(' || ');
const part = (time: string, field: string, digits: number): string =>
  `lpad(extract(${field} FROM ${time})::text, ${digits}, '0')`;
const written = (old: string): string =>
  `CASE WHEN ${old} BETWEEN ${FIRST_DATE} AND ${LAST_DATE} THEN ` +
  `${isoText(`(timestamp 'epoch' + ${old} * interval '1 millisecond')`)} END`;
/** N21: PostgreSQL 15 cannot test whether a text is a valid time, so the time is computed from the first of its month. */
const read = (old: string): string => {
  const number = (from: number, digits: number): string => `substr(${old}, ${from}, ${digits})::int`;
  const numbers = [number(1, 4), number(6, 2), '1', number(12, 2), number(15, 2), `substr(${old}, 18, 6)::float8`];
  const time = `(make_timestamp(${numbers.join(', ')}) + (${number(9, 2)} - 1) * interval '1 day')`;
  const exists = `extract(month FROM ${time}) = ${number(6, 2)}`;
  return `CASE WHEN ${old} ~ '${DATE}' THEN CASE WHEN ${exists} THEN (extract(epoch FROM ${time}) * 1000)::bigint END END`;
};
const isDate = (old: string): string => `coalesce(${written(`(${read(old)})`)} = ${old}, false)`;
const midnight = (old: string): string => `(${old} || 'T00:00:00.000Z')`;
const day = (old: string): string => `substr(${written(old)}, 1, 10)`;
const isMidnight = (old: string): string => `coalesce(${midnight(day(old))} = ${written(old)}, false)`;

/** Only a list that has such a name changes, and in it nothing else. */
const renamedNames = (old: string, names: readonly NameChange[]): string => {
  const array = `CASE json_typeof(${old}::json) WHEN 'array' THEN ${old}::json END`;
  const elements = `json_array_elements(${array}) WITH ORDINALITY e ("json", "place")`;
  const { value, isFormer } = renamedValue('e."json"::text', elementChanges(names));
  // json_agg() is not immutable, so that Citus refuses it here.
  const list = `SELECT '[' || coalesce(string_agg(${value}, ',' ORDER BY e."place"), '') || ']' FROM ${elements}`;
  return `CASE WHEN EXISTS (SELECT 1 FROM ${elements} WHERE ${isFormer}) THEN (${list}) ELSE ${old} END`;
};

const WAYS: Readonly<Record<ConversionRule, Conversion>> = {
  same: { value: (old) => old, fits: null },
  digits: { value: (old) => `${old}::text`, fits: null },
  number: { value: (old) => `CASE WHEN ${integral(old)} THEN ${old}::bigint END`, fits: integral },
  whole: { value: (old) => `CASE WHEN ${whole(old)} THEN split_part(${old}, '.', 1)::bigint END`, fits: whole },
  words: { value: (old) => `CASE ${old} WHEN 1 THEN 'true' WHEN 0 THEN 'false' END`, fits: null },
  truth: {
    value: (old) => `CASE ${old} WHEN 'true' THEN 1 WHEN 'false' THEN 0 END`,
    fits: (old) => `${old} IN ('true', 'false')`,
  },
  written: { value: written, fits: null },
  read: { value: read, fits: isDate },
  midnight: { value: (old) => read(midnight(old)), fits: (old) => isDate(midnight(old)) },
  day: { value: (old) => `CASE WHEN ${isMidnight(old)} THEN ${day(old)} END`, fits: isMidnight },
};
