// Existing rows get a value when a column is added or becomes required.
// The value is a literal, is composed from other columns, or is computed by a hand-written function.

import { type ColumnPair, type Match, matchSchemas } from './match.js';
import type { Column, CopyFill, Fill, FunctionFill, JoinFill, Schema, Table } from './schema.js';
import { literal, quoted } from './sql-text.js';
import { VERSION } from './version.js';

/** Whether a column was nullable, becomes required, and has something to fill in. */
export function isFilled({ from, to }: ColumnPair): boolean {
  return from.nullable && !to.nullable && hasFill(to);
}

/** Whether existing rows get a value. */
export function hasFill({ default: value, fill }: Column): boolean {
  return value !== null || fill !== undefined;
}

/** The value that is filled in, in words: `3`, `a copy of its name`, `what its function rank gives`. */
export function fillText({ default: value, fill }: Column): string {
  if (fill === undefined) return String(value);
  if ('function' in fill) return `what its function ${fill.function} gives`;
  if ('join' in fill) return `its ${fill.join.join(' and ')}, joined by ${JSON.stringify(fill.with)}`;
  const column = fill.through === undefined ? `its ${fill.column}` : `the ${fill.column} of its ${fill.through.column}`;
  return `${PARTS[fill.part ?? 'whole']} ${column}`;
}

const PARTS = { whole: 'a copy of', first: 'the first word of', rest: 'what follows the first word of' } as const;

/**
 * SQL of the value that is filled in; a text without a word is its own first word, and nothing follows it.
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

/** The columns that a fill function gets: those that are not filled themselves. */
export function givenColumns({ columns }: Table): readonly Column[] {
  return columns.filter(({ name, fill }) => fill === undefined && name !== VERSION);
}

/** The columns of one table that are copied from others. */
export interface Copies {
  /** The table while its copied columns may still be empty. */
  readonly from: Table;
  /** The table in its final form. */
  readonly to: Table;
  /** The copied columns in their final form. */
  readonly columns: readonly Column[];
  /** The columns among them that existed, and were empty in some rows. */
  readonly known: readonly Column[];
}

/**
 * A copy needs both columns under their new names. The migration therefore goes first to an intermediate schema, in which the
 * copied columns may be empty, and then copies.
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
