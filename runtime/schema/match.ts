// Matches the tables and columns of two schemas by their numbers, so that names can change freely. Pure.

import { conversionOf } from './conversions.js';
import { listsResources, type NameChange, nameChanges } from './listed-names.js';
import type { Column, Schema, Table } from './schema.js';

export interface ColumnPair {
  readonly from: Column;
  readonly to: Column;
  /** For a list of names of resources: the names in it that change; absent: none do. */
  readonly names?: readonly NameChange[];
}

export interface TablePair {
  readonly from: Table;
  readonly to: Table;
  /** The columns of both tables, in their new order. */
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

/**
 * Pairs what both schemas have: the same number under the same name, or under a former name. The same number under any other
 * name was assigned twice, by a ledger that was reverted after a database had used it. A table stored before tables had numbers
 * is identified by its columns.
 */
export function matchSchemas(remembered: Schema, to: Schema): Match {
  const from = numbered(remembered, to);
  const { kept, added, dropped } = pair(from.tables, to.tables);
  const names = nameChanges({ kept, added, dropped });
  return { from, to, kept: kept.map((both) => withNames(matchTables(both.from, both.to), names)), added, dropped };
}

/** The number of the table that a column refers to; null if it is not a reference. */
export function targetOf(schema: Schema, column: Column): number | null {
  const { references } = column;
  if (references === null) return null;
  return schema.tables.find(({ name }) => name === references.table)?.number ?? null;
}

/** The numbers of columns of a table, in the order of the given names. */
export function numbersOf(table: Table, names: readonly string[]): readonly number[] {
  return names.map((name) => table.columns.find((column) => column.name === name)?.number ?? Number.NaN);
}

/** Numbers as the text of a key. */
export function keyOf(numbers: readonly number[]): string {
  return numbers.join(' ');
}

/** A column whose values cannot be converted to its new kind is both dropped and added, with the same number. */
function matchTables(from: Table, to: Table): TablePair {
  const { kept, added, dropped } = pair(from.columns, to.columns);
  const refused = kept.filter((columns) => conversionOf(columns) === null);
  return {
    from,
    to,
    kept: kept.filter((columns) => !refused.includes(columns)),
    added: [...added, ...refused.map((columns) => columns.to)],
    dropped: [...dropped, ...refused.map((columns) => columns.from)],
  };
}

function withNames(tables: TablePair, names: readonly NameChange[]): TablePair {
  if (names.length === 0) return tables;
  const isList = ({ from, to }: ColumnPair) => listsResources(tables.from, from) && listsResources(tables.to, to);
  return { ...tables, kept: tables.kept.map((columns) => (isList(columns) ? { ...columns, names } : columns)) };
}

interface NumberedItem {
  readonly number: number;
  readonly name: string;
  readonly formerly?: readonly string[];
}

interface Pairing<T> {
  /** In their new order. */
  readonly kept: readonly { readonly from: T; readonly to: T }[];
  readonly added: readonly T[];
  readonly dropped: readonly T[];
}

function pair<T extends NumberedItem>(from: readonly T[], to: readonly T[]): Pairing<T> {
  const earlier = new Map(from.map((one) => [one.number, one]));
  const kept: { readonly from: T; readonly to: T }[] = [];
  const added: T[] = [];
  for (const one of to) {
    const old = earlier.get(one.number);
    if (old === undefined || !isSame(old, one)) added.push(one);
    else kept.push({ from: old, to: one });
  }
  const stays = new Set(kept.map((both) => both.from));
  return { kept, added, dropped: from.filter((one) => !stays.has(one)) };
}

function isSame(old: NumberedItem, { name, formerly = [] }: NumberedItem): boolean {
  return old.name === name || formerly.includes(old.name);
}

/** A table without a number gets the number of the table that has its columns now, or an unused number if no column is left. */
function numbered(schema: Schema, to: Schema): Schema {
  const holders = new Map(to.tables.flatMap(({ number, columns }) => columns.map((one) => [one.number, number])));
  const tables = schema.tables.map((table, at) => {
    const holder = table.columns.map((column) => holders.get(column.number)).find((number) => number !== undefined);
    return { ...table, number: (table.number as number | undefined) ?? holder ?? -1 - at };
  });
  return { ...schema, tables };
}
