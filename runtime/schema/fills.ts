// The rows that exist are filled when a column is added to them, or may no longer be empty.
// The value is a literal, is made of other columns, or is computed by a hand-written function.

import { type ColumnPair, type Match, matchSchemas } from './match.js';
import type { Column, CopyFill, Fill, FunctionFill, JoinFill, Schema, Table } from './schema.js';
import { literal, quoted } from './sql-text.js';
import { VERSION } from './version.js';

/** Whether a column was nullable, becomes required, and has something to fill in. */
export function isFilled({ from, to }: ColumnPair): boolean {
  return from.nullable && !to.nullable && hasFill(to);
}

/** Whether rows from before the column get a value. */
export function hasFill({ default: value, fill }: Column): boolean {
  return value !== null || fill !== undefined;
}

/** What is filled in, for people: `3`, `a copy of its name`, `what its function rank gives`. */
export function fillText({ default: value, fill }: Column): string {
  if (fill === undefined) return String(value);
  if ('function' in fill) return `what its function ${fill.function} gives`;
  if ('join' in fill) return `its ${fill.join.join(' and ')}, joined by ${JSON.stringify(fill.with)}`;
  const column = fill.through === undefined ? `its ${fill.column}` : `the ${fill.column} of its ${fill.through.column}`;
  return `${PARTS[fill.part ?? 'whole']} ${column}`;
}

const PARTS = { whole: 'a copy of', first: 'the first word of', rest: 'what follows the first word of' } as const;

/**
 * SQL of what is filled in; a text without a word is its own first word, and nothing follows it.
 * @param row the table or alias whose columns it reads
 * @param position the engine's function for where a text is in another
 */
export function fillSql(fill: CopyFill | JoinFill, row: string, position: 'instr' | 'strpos'): string {
  const value = (column: string): string => `${row}.${quoted(column)}`;
  if ('join' in fill) {
    // Citus refuses concat_ws(), which is not immutable, on columns.
    const texts = fill.join.map((column) => `coalesce(${literal(fill.with)} || nullif(${value(column)}, ''), '')`);
    return `nullif(substr(${texts.join(' || ')}, ${[...fill.with].length + 1}), '')`;
  }
  const whole = value(fill.column);
  if (fill.part === undefined) return whole;
  const text = `trim(${whole})`;
  const blank = `${position}(${text} || ' ', ' ')`;
  if (fill.part === 'first') return `coalesce(nullif(substr(${text}, 1, ${blank} - 1), ''), ${whole})`;
  return `nullif(trim(substr(${text}, ${blank})), '')`;
}

/** Whether a hand-written function gives the value. */
export function isComputed(fill: Fill | undefined): fill is FunctionFill {
  return fill !== undefined && 'function' in fill;
}

/** The columns of the row that such a function gets: those that are not filled themselves. */
export function givenColumns({ columns }: Table): readonly Column[] {
  return columns.filter(({ name, fill }) => fill === undefined && name !== VERSION);
}

/** The columns of one table that are copied from others. */
export interface Copies {
  /** The same table with and without the columns allowed to be empty. */
  readonly from: Table;
  readonly to: Table;
  /** As they are meant to be. */
  readonly columns: readonly Column[];
  /** Columns that were there, and were empty in some rows. */
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
