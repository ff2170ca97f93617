// Which table and column of one schema is which of another: by their numbers, so that a name may go anywhere. Pure.

import type { Column, Schema, Table } from './schema.js';

export interface ColumnPair {
  readonly from: Column;
  readonly to: Column;
}

export interface TablePair {
  readonly from: Table;
  readonly to: Table;
  /** Columns of both, in the order they have afterwards. */
  readonly kept: readonly ColumnPair[];
  readonly added: readonly Column[];
  readonly dropped: readonly Column[];
}

export interface Match {
  readonly from: Schema;
  readonly to: Schema;
  readonly kept: readonly TablePair[];
  readonly added: readonly Table[];
  readonly dropped: readonly Table[];
}

/** Pairs what both schemas have. A table remembered from before tables had numbers is told by its name. */
export function matchSchemas(remembered: Schema, to: Schema): Match {
  const from = numbered(remembered, to);
  const earlier = new Map(from.tables.map((table) => [table.number, table]));
  const numbers = new Set(to.tables.map(({ number }) => number));
  return {
    from,
    to,
    kept: to.tables.flatMap((table) => {
      const old = earlier.get(table.number);
      return old === undefined ? [] : [matchTables(old, table)];
    }),
    added: to.tables.filter(({ number }) => !earlier.has(number)),
    dropped: from.tables.filter(({ number }) => !numbers.has(number)),
  };
}

/** The number of the table that a column refers to; null where it refers to none. */
export function targetOf(schema: Schema, column: Column): number | null {
  const { references } = column;
  if (references === null) return null;
  return schema.tables.find(({ name }) => name === references.table)?.number ?? null;
}

/** The numbers of columns of a table, in the order of their names. */
export function numbersOf(table: Table, names: readonly string[]): readonly number[] {
  return names.map((name) => table.columns.find((column) => column.name === name)?.number ?? Number.NaN);
}

/** Numbers as one text, to look them up by. */
export function keyOf(numbers: readonly number[]): string {
  return numbers.join(' ');
}

function matchTables(from: Table, to: Table): TablePair {
  const earlier = new Map(from.columns.map((column) => [column.number, column]));
  const numbers = new Set(to.columns.map(({ number }) => number));
  return {
    from,
    to,
    kept: to.columns.flatMap((column) => {
      const old = earlier.get(column.number);
      return old === undefined ? [] : [{ from: old, to: column }];
    }),
    added: to.columns.filter(({ number }) => !earlier.has(number)),
    dropped: from.columns.filter(({ number }) => !numbers.has(number)),
  };
}

/** Tables without a number get that of their name; those without even that, one that nothing else has. */
function numbered(schema: Schema, to: Schema): Schema {
  const byName = new Map(to.tables.map(({ name, number }) => [name, number]));
  const tables = schema.tables.map((table, at) => ({
    ...table,
    number: (table.number as number | undefined) ?? byName.get(table.name) ?? -1 - at,
  }));
  return { ...schema, tables };
}
