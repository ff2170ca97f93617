// Decides on every engine which values kept aside may be restored, and into which column or table. Pure.

import { CommandError } from '../contract/command-error.js';
import { type Adoption, renumberedColumn } from '../schema/adopt.js';
import { conversionOf, kindsOf } from '../schema/conversions.js';
import type { Column, Schema, Table } from '../schema/schema.js';

/** The values kept from one drop, in the side table `_punchboard_dropped_<number>`. */
export interface DroppedValues {
  readonly number: number;
  /** Epoch milliseconds. */
  readonly dropped: number;
  /** The ledger's number of the table. */
  readonly table: number;
  /** The name that allowed the drop: `boxtop`, or `boxtop.top_id` for a column. */
  readonly name: string;
  readonly rows: number;
  /** The columns of the side table besides `id`; only the dropped column if a column was dropped. */
  readonly columns: readonly Column[];
  /** The column that was dropped, as it was; null for a whole table. */
  readonly column: Column | null;
  /** On PostgreSQL, since when newer values may have been written, in epoch milliseconds; null: the column has not come back. */
  readonly watched?: number | null;
  /** On PostgreSQL, the value that replaced nulls. */
  readonly filler?: string | number | null;
}

/** The column or table to be restored, and the drops that hold its values, newest first. */
export interface RestoreTarget extends DropPlace {
  readonly drops: readonly DroppedValues[];
}

/**
 * @param name `<resource>.<column>`, or `<resource>` for the rows of a table, under its current name or that of the drop
 * Throws CommandError if the schema does not have it, or none of its values are kept.
 */
export function findRestoreTarget(schema: Schema, name: string, all: readonly DroppedValues[]): RestoreTarget {
  if (all.length === 0) throw new CommandError(`no values of ${name} are kept aside`);
  const target = place(schema, name, all);
  const { table, column } = target;
  const drops = column === null ? dropsOfTable(all, schema, table) : dropsOfColumn(all, table, column);
  if (drops.length === 0) throw new CommandError(`no values of ${name} are kept aside${kept(all)}`);
  return { ...target, drops: requireConvertible(drops, target) };
}

/** The drops of a column, newest first: those with its number, or else with its name if no column has their number. */
export function dropsOfColumn(
  all: readonly DroppedValues[],
  table: Table,
  { number, name }: Column,
): readonly DroppedValues[] {
  const ofTable = all.filter(({ column, table: holder }) => column !== null && holder === table.number);
  const numbered = ofTable.filter(({ column }) => column?.number === number);
  if (numbered.length > 0) return numbered;
  const taken = new Set(table.columns.map((column) => column.number));
  return ofTable.filter(({ column }) => column !== null && column.name === name && !taken.has(column.number));
}

/** The drops of a whole table, newest first: those with its number, or else with its name if no table has their number. */
export function dropsOfTable(
  all: readonly DroppedValues[],
  { tables }: Schema,
  table: Table,
): readonly DroppedValues[] {
  const ofTables = all.filter(({ column }) => column === null);
  const numbered = ofTables.filter((drop) => drop.table === table.number);
  if (numbered.length > 0) return numbered;
  const taken = new Set(tables.map(({ number }) => number));
  return ofTables.filter((drop) => drop.name === table.name && !taken.has(drop.table));
}

/** The drops that an adoption changes, with their new numbers. */
export function adoptedDrops<D extends DroppedValues>(all: readonly D[], { renumber }: Adoption): readonly D[] {
  return all.flatMap((drop) => {
    const [table = ''] = drop.name.split('.');
    const adopted: D = {
      ...drop,
      table: renumber(drop.table, table),
      columns: drop.columns.map((column) => renumberedColumn(column, renumber)),
      column: drop.column === null ? null : renumberedColumn(drop.column, renumber),
    };
    return JSON.stringify(adopted) === JSON.stringify(drop) ? [] : [adopted];
  });
}

/** Whether a reference is emptied when its target is deleted, so that the row outlives the target. */
export function isClearedOnDelete({ nullable, references }: Column): boolean {
  return nullable && references?.onDelete === 'set_null';
}

/**
 * The kept column for a column, by number; by name only if no column has its number, so that no value is restored twice. Null if
 * there is none, or if its values do not convert.
 */
export function sourceOf({ columns }: DroppedValues, table: Table, column: Column): Column | null {
  if (column.name === 'id') return column;
  const numbers = new Set(table.columns.map(({ number }) => number));
  const source =
    columns.find(({ number }) => number === column.number) ??
    columns.find(({ name, number }) => name === column.name && !numbers.has(number));
  return source === undefined || conversionOf({ from: source, to: column }) === null ? null : source;
}

/** The target of restored values: a column, or the rows of a table. */
export interface DropPlace {
  readonly table: Table;
  readonly column: Column | null;
}

/** Throws CommandError if the schema does not have it. */
function place(schema: Schema, name: string, all: readonly DroppedValues[]): DropPlace {
  const [resource = '', field] = name.split('.', 2);
  const table = schema.tables.find((one) => one.name === resource);
  const column = table?.columns.find((one) => one.name === field) ?? null;
  if (table !== undefined && (field === undefined || column !== null)) return { table, column };
  const moved = movedTo(schema, name, all);
  if (moved !== null) return moved;
  const back = `add it to the spec again, run \`punchboard gen\` and \`punchboard migrate apply\`, then restore`;
  throw new CommandError(`the database has no ${name}: ${back}${kept(all)}`);
}

/** The current place of a column or table that `status` lists under its old name; null if its number no longer exists. */
function movedTo({ tables }: Schema, name: string, all: readonly DroppedValues[]): DropPlace | null {
  const places = all.flatMap((drop): readonly DropPlace[] => {
    const table = drop.name === name ? tables.find(({ number }) => number === drop.table) : undefined;
    const column = table?.columns.find(({ number }) => number === drop.column?.number) ?? null;
    return table === undefined || (drop.column !== null && column === null) ? [] : [{ table, column }];
  });
  return places[0] ?? null;
}

function kept(all: readonly DroppedValues[]): string {
  const names = [...new Set(all.map(({ name }) => name))];
  return names.length === 0 ? '' : ` (kept aside: ${names.join(', ')})`;
}

/** Kept values of another kind are only restored if they convert to the column's kind: a secret only into a secret. */
function requireConvertible(drops: readonly DroppedValues[], { table, column }: DropPlace): readonly DroppedValues[] {
  if (column === null) return drops;
  const fits = drops.filter((drop) => drop.column !== null && conversionOf({ from: drop.column, to: column }) !== null);
  const [refused] = drops;
  if (fits.length > 0 || refused?.column == null) return fits;
  const [was, is] = [kindsOf(refused.column), kindsOf(column)].map((kinds) => kinds.join(' or '));
  throw new CommandError(
    `${table.name}.${column.name} is ${is} now, and the values kept aside, of kind ${was}, do not convert to it`,
  );
}
