// Compares two measurements of a database, before and after a migration on a copy of it: a difference that the plan does not
// explain is a finding. Pure; each engine measures.

import { namesOf } from '../schema/choices.js';
import { keepsValues } from '../schema/conversions.js';
import { hasFill, isFilled } from '../schema/fills.js';
import type { ColumnPair, Match, TablePair } from '../schema/match.js';
import type { Column } from '../schema/schema.js';
import { renamedValue } from '../schema/sql-text.js';
import { VERSION } from '../schema/version.js';

export interface MeasuredColumn {
  /** Rows that hold a value. */
  readonly filled: number;
  /** Hash of all values in the order of their ids; a number is hashed as text. */
  readonly hash: string;
}

export interface Measurement {
  readonly rows: number;
  /** By name. */
  readonly columns: ReadonlyMap<string, MeasuredColumn>;
}

/** By the name of the table; values that the new kind stores differently are measured as they are stored afterwards. */
export type Measures = ReadonlyMap<string, Measurement>;

export interface ComparedMeasures {
  readonly match: Match;
  readonly before: Measures;
  readonly after: Measures;
  /** Rows of the newest side table of a drop; null: there is none. */
  readonly kept: (name: string) => number | null;
}

/** Unexpected differences, one line each. */
export function compare({ match, before, after, kept }: ComparedMeasures): readonly string[] {
  return [...differences(match, before, after), ...unkept(match, before, kept)];
}

/**
 * SQL that is measured before a migration in place of a column whose values change, by the column's name.
 * @param carried SQL of a value converted to its new kind
 */
function convertedColumns({ kept }: TablePair, carried: (pair: ColumnPair) => string): ReadonlyMap<string, string> {
  const entries = kept.map((pair): [string, string] | null => {
    const { renamed } = namesOf(pair);
    if (isFilled(pair) || (keepsValues(pair) && renamed.length === 0)) return null;
    const value = carried(pair);
    return [pair.from.name, renamed.length === 0 ? value : renamedValue(value, renamed).value];
  });
  return new Map(entries.filter((entry) => entry !== null));
}

/** The same for all tables that stay, by their old names. */
export function convertedByTable(
  { kept }: Match,
  carried: (pair: ColumnPair) => string,
): ReadonlyMap<string, ReadonlyMap<string, string>> {
  return new Map(kept.map((pair) => [pair.from.name, convertedColumns(pair, carried)]));
}

const NONE: Measurement = { rows: 0, columns: new Map() };

function differences(match: Match, before: Measures, after: Measures): readonly string[] {
  const named = new Set(match.from.tables.map(({ name }) => name));
  const others = [...before].filter(([name]) => !named.has(name));
  return [
    ...match.kept.flatMap((pair) =>
      tableDifferences(pair, before.get(pair.from.name) ?? NONE, after.get(pair.to.name) ?? NONE),
    ),
    ...match.added.flatMap(({ name }) => unequal(name, 'rows', 0, after.get(name)?.rows ?? 0)),
    ...others.flatMap(([name, old]) => otherDifferences(name, old, after.get(name) ?? NONE)),
  ];
}

function tableDifferences({ to, kept, added }: TablePair, before: Measurement, after: Measurement): readonly string[] {
  return [
    ...unequal(to.name, 'rows', before.rows, after.rows),
    // A change of values raises the version.
    ...kept
      .filter((pair) => pair.to.name !== VERSION)
      .flatMap((pair) => {
        const name = `${to.name}.${pair.to.name}`;
        const [old, now] = [before.columns.get(pair.from.name), after.columns.get(pair.to.name)];
        const filled = isFilled(pair) ? before.rows : old?.filled;
        const counts = unequal(name, 'values', filled ?? 0, now?.filled ?? 0);
        return counts.length > 0 || isFilled(pair) || old?.hash === now?.hash ? counts : [`${name}: the values differ`];
      }),
    ...added.flatMap((column) =>
      addedDifferences(to.name, column, before.rows, after.columns.get(column.name)?.filled ?? 0),
    ),
  ];
}

/** A value copied into an optional column may be empty. */
function addedDifferences(table: string, column: Column, rows: number, filled: number): readonly string[] {
  if (column.fill !== undefined && column.nullable) return [];
  return unequal(`${table}.${column.name}`, 'values', hasFill(column) ? rows : 0, filled);
}

function otherDifferences(table: string, before: Measurement, after: Measurement): readonly string[] {
  const counts = unequal(table, 'rows', before.rows, after.rows);
  if (counts.length > 0) return counts;
  const changed = [...before.columns].filter(([name, { hash }]) => after.columns.get(name)?.hash !== hash);
  return changed.map(([name]) => `${table}.${name}: the values differ`);
}

function unequal(subject: string, unit: string, before: number, after: number): readonly string[] {
  return before === after ? [] : [`${subject}: ${after} ${unit} instead of ${before}`];
}

/** Dropped or filled values that were not kept aside. */
function unkept(match: Match, before: Measures, kept: ComparedMeasures['kept']): readonly string[] {
  const missing = (name: string, unit: string, expected: number): readonly string[] =>
    expected === 0 ? [] : unequal(`${name}, kept aside`, unit, expected, kept(name) ?? 0);
  return [
    ...match.dropped.flatMap(({ name }) => missing(name, 'rows', before.get(name)?.rows ?? 0)),
    ...match.kept.flatMap(({ from, to, dropped, kept: columns }) => {
      const { rows, columns: measured } = before.get(from.name) ?? NONE;
      const filled = (name: string): number => measured.get(name)?.filled ?? 0;
      return [
        ...dropped.flatMap(({ name }) => missing(`${to.name}.${name}`, 'values', filled(name))),
        ...columns
          .filter(isFilled)
          .flatMap((pair) => missing(`${to.name}.${pair.to.name}`, 'nulls', rows - filled(pair.from.name))),
      ];
    }),
  ];
}
