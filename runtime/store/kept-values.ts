// Which of the values kept aside may be restored into what, on every engine. Pure.

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
  /** `boxtop`, or `boxtop.top_id` for a column; the name that allowed the drop. */
  readonly name: string;
  readonly rows: number;
  /** The columns of the side table besides `id`; the dropped column alone if a column was dropped. */
  readonly columns: readonly Column[];
  /** The column that was dropped, as it was; null for a whole table. */
  readonly column: Column | null;
  /** On PostgreSQL, epoch milliseconds since when somebody may have written newer values; null: what was dropped has not come back. */
  readonly watched?: number | null;
  /** On PostgreSQL, what took the place of nulls. */
  readonly filler?: string | number | null;
}

/** What is to be restored, and the drops that it may come from, newest first. */
export interface RestoreTarget extends DropPlace {
  readonly drops: readonly DroppedValues[];
}

/**
 * @param name `<resource>.<column>`, or `<resource>` for the rows of a table; its name in the schema now, or when it was dropped
 * Throws CommandError if the schema does not contain it, or none of its values are kept.
 */
export function restoring(schema: Schema, name: string, all: readonly DroppedValues[]): RestoreTarget {
  if (all.length === 0) throw new CommandError(`no values of ${name} are kept aside`);
  const found = place(schema, name, all);
  const { table, column } = found;
  const drops = column === null ? fittingRows(all, schema, table) : fitting(all, table, column);
  if (drops.length === 0) throw new CommandError(`no values of ${name} are kept aside${kept(all)}`);
  return { ...found, drops: convertible(drops, found) };
}

/**
 * The drops of a column, newest first: those with its number. If there are none, as for a column that was created
 * again, those with its name whose number no other column of the table has.
 */
export function fitting(
  all: readonly DroppedValues[],
  table: Table,
  { number, name }: Column,
): readonly DroppedValues[] {
  const own = all.filter(({ column, table: holder }) => column !== null && holder === table.number);
  const numbered = own.filter(({ column }) => column?.number === number);
  if (numbered.length > 0) return numbered;
  const taken = new Set(table.columns.map((column) => column.number));
  return own.filter(({ column }) => column !== null && column.name === name && !taken.has(column.number));
}

/** The drops of a whole table, newest first: those with its number, or else with its name if no table has their number. */
export function fittingRows(all: readonly DroppedValues[], { tables }: Schema, table: Table): readonly DroppedValues[] {
  const own = all.filter(({ column }) => column === null);
  const numbered = own.filter((drop) => drop.table === table.number);
  if (numbered.length > 0) return numbered;
  const taken = new Set(tables.map(({ number }) => number));
  return own.filter((drop) => drop.name === table.name && !taken.has(drop.table));
}

/** The drops as they are once the database is adopted, those that differ. */
export function adoptedDrops<D extends DroppedValues>(all: readonly D[], { number }: Adoption): readonly D[] {
  return all.flatMap((drop) => {
    const [table = ''] = drop.name.split('.');
    const adopted: D = {
      ...drop,
      table: number(drop.table, table),
      columns: drop.columns.map((column) => renumberedColumn(column, number)),
      column: drop.column === null ? null : renumberedColumn(drop.column, number),
    };
    return JSON.stringify(adopted) === JSON.stringify(drop) ? [] : [adopted];
  });
}

/** A reference that the row outlives: had it not been dropped, it would be empty by now if its target was deleted. */
export function isLoose({ nullable, references }: Column): boolean {
  return nullable && references?.onDelete === 'set_null';
}

/** By number; by name only if no column has that number, so that no value is restored twice. Null if it does not convert. */
export function sourceOf({ columns }: DroppedValues, table: Table, column: Column): Column | null {
  if (column.name === 'id') return column;
  const numbers = new Set(table.columns.map(({ number }) => number));
  const found =
    columns.find(({ number }) => number === column.number) ??
    columns.find(({ name, number }) => name === column.name && !numbers.has(number));
  return found === undefined || conversionOf({ from: found, to: column }) === null ? null : found;
}

/** What values are to be restored into: a column, or the rows of a table. */
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

/** Where something that `status` lists under its old name is now; null if its number no longer exists. */
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

/** Kept values of another kind are only restored if they convert to the column's kind; so a secret only into a secret. */
function convertible(drops: readonly DroppedValues[], { table, column }: DropPlace): readonly DroppedValues[] {
  if (column === null) return drops;
  const fits = drops.filter((drop) => drop.column !== null && conversionOf({ from: drop.column, to: column }) !== null);
  const [refused] = drops;
  if (fits.length > 0 || refused?.column == null) return fits;
  const [was, is] = [kindsOf(refused.column), kindsOf(column)].map((kinds) => kinds.join(' or '));
  throw new CommandError(
    `${table.name}.${column.name} is ${is} now, and the values kept aside, of kind ${was}, do not convert to it`,
  );
}
