// Rows that get a value when a column comes, or may no longer be empty: a literal, or a copy of another column. Pure.

import { type ColumnPair, type Match, matchSchemas } from './match.js';
import type { Column, Schema, Table } from './schema.js';

/** Whether a column was nullable, becomes required, and has something to fill in. */
export function isFilled({ from, to }: ColumnPair): boolean {
  return from.nullable && !to.nullable && hasFill(to);
}

/** Whether rows from before the column get a value. */
export function hasFill({ default: value, fill }: Column): boolean {
  return value !== null || fill !== undefined;
}

/** What is filled in, for people: `3`, `a copy of its name`, `a copy of the name of its game_id`. */
export function fillText({ default: value, fill }: Column): string {
  if (fill === undefined) return String(value);
  const column = fill.through === undefined ? `its ${fill.column}` : `the ${fill.column} of its ${fill.through.column}`;
  return `a copy of ${column}`;
}

/** The columns of one table that are copied from others. */
export interface Copies {
  /** The same table with and without the columns allowed to be empty. */
  readonly from: Table;
  readonly to: Table;
  /** As they are meant to be. */
  readonly columns: readonly Column[];
  /** Those that were there, and were empty in some rows. */
  readonly known: readonly Column[];
}

/**
 * A copy needs both columns under their new names, so that it takes a schema in between, in which what is copied may still be
 * empty, and then the copies.
 */
export function beforeCopies(match: Match): { readonly match: Match; readonly copies: readonly Copies[] } {
  const copied = match.kept.flatMap(({ to, kept, added }) => {
    const known = kept.filter((pair) => isFilled(pair) && pair.to.fill !== undefined).map((pair) => pair.to);
    const columns = [...known, ...added.filter(({ fill }) => fill !== undefined)];
    return columns.length === 0 ? [] : [{ from: relaxed(to, columns), to, columns, known }];
  });
  if (copied.length === 0) return { match, copies: [] };
  const tables = match.to.tables.map((table) => copied.find(({ to }) => to === table)?.from ?? table);
  return { match: matchSchemas(match.from, { ...match.to, tables } satisfies Schema), copies: copied };
}

function relaxed(table: Table, filled: readonly Column[]): Table {
  const columns = table.columns.map((column) => (filled.includes(column) ? { ...column, nullable: true } : column));
  return { ...table, columns };
}
