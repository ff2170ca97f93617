// Unique columns: no two rows of a table, or no two rows that meet a condition, may have the same values in them. Pure.

import { keyOf, numbersOf } from './match.js';
import type { Table } from './schema.js';
import { literal, quoted } from './sql-text.js';

/** The value that each of these columns must have; null: the column is empty. */
export type ColumnValues = Readonly<Record<string, string | number | null>>;

export interface Unique {
  readonly columns: readonly string[];
  /** Only rows with these values count; null: all rows do. */
  readonly where: ColumnValues | null;
}

/** Unique columns without a condition are constraints of the table; with a condition, they are partial indexes. */
export function uniquesOf({ uniques, indexes }: Pick<Table, 'uniques' | 'indexes'>): readonly Unique[] {
  return [
    ...uniques.map((columns) => ({ columns, where: null })),
    ...indexes.flatMap(({ columns, unique: where }) => (where === undefined ? [] : [{ columns, where }])),
  ];
}

/** Identifies unique columns: equal in two tables if the numbers of the columns and the conditions are equal. */
export function uniqueKey(table: Table): (unique: Unique) => string {
  return ({ columns, where }) => `${keyOf(numbersOf(table, columns))}${whereKey(table, where)}`;
}

/** The condition as part of a key; empty without a condition. */
export function whereKey(table: Table, where: ColumnValues | null | undefined): string {
  if (where == null) return '';
  return ` where ${JSON.stringify([numbersOf(table, Object.keys(where)), Object.values(where)])}`;
}

/** SQL condition: a row has the values. */
export function whereSql(where: ColumnValues): string {
  const terms = Object.entries(where).map(([name, value]) =>
    value === null ? `${quoted(name)} IS NULL` : `${quoted(name)} = ${literal(value)}`,
  );
  return terms.join(' AND ');
}

/** ` where returned is not set and state is lent`; empty without a condition. */
export function whereText(where: ColumnValues | null | undefined): string {
  if (where == null) return '';
  const terms = Object.entries(where).map(([name, value]) => `${name} is ${value ?? 'not set'}`);
  return ` where ${terms.join(' and ')}`;
}

/** Whether a row has the values. */
export function hasValues(row: Readonly<Record<string, unknown>>, where: ColumnValues | null): boolean {
  return where === null || Object.entries(where).every(([name, value]) => (row[name] ?? null) === value);
}
