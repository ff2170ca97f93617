// Puts dropped values back where there is none now: a column's into rows that still exist, a table's rows that do not.
// The side tables stay as they are until they are purged.
import type Database from 'better-sqlite3';
import { CommandError } from '../../../command.js';
import { literal, quoted } from '../../../schema/ddl.js';
import { convertsExactly } from '../../../schema/risks.js';
import type { Column, Schema, Table } from '../../../schema/schema.js';
import { type Dropped, listDropped, sideTable } from './dropped.js';
import { rememberedSchema } from './memory.js';

export interface Restored {
  readonly drop: Dropped;
  readonly back: number;
  /** References of a table's rows that stay empty, since what they refer to is not there. */
  readonly unlinked: number;
}

/**
 * Puts back what was dropped under a name, the newest drop first; how many values or rows of each came back. What has a
 * value by now, breaks a limit or refers to nothing stays aside.
 * @param name `<resource>.<column>`, or `<resource>` for the rows of a table; as the schema calls it now, or did when it was dropped
 * Throws CommandError where the schema has no place for it, or nothing of it is kept.
 */
export function restore(db: Database.Database, name: string): readonly Restored[] {
  const work = db.transaction(() => {
    // Rows of one table may refer to each other, in any order.
    db.exec('PRAGMA defer_foreign_keys = ON');
    const schema = rememberedSchema(db) ?? { revision: 0, tables: [] };
    const all = listDropped(db);
    if (all.length === 0) throw new CommandError(`nothing of ${name} is kept aside`);
    const { table, column } = place(schema, name, all);
    const drops = fitting(all, table, column);
    if (drops.length === 0) throw new CommandError(`nothing of ${name} is kept aside${kept(all)}`);
    return drops.map((drop) => ({
      drop,
      ...(column === null
        ? restoreRows(db, schema, table, drop)
        : { back: restoreValues(db, table, column, drop), unlinked: 0 }),
    }));
  });
  return work.immediate();
}

interface Place {
  readonly table: Table;
  readonly column: Column | null;
}

function place(schema: Schema, name: string, all: readonly Dropped[]): Place {
  const [resource = '', field] = name.split('.', 2);
  const table = schema.tables.find((one) => one.name === resource);
  const column = table?.columns.find((one) => one.name === field) ?? null;
  if (table !== undefined && (field === undefined || column !== null)) return { table, column };
  const moved = movedTo(schema, name, all);
  if (moved !== null) return moved;
  const back = `describe it again in the spec, run \`punchboard gen\` and \`punchboard migrate apply\`, then restore`;
  throw new CommandError(`the database has no ${name}: ${back}${kept(all)}`);
}

/** Where a name that `status` tells lives by now; null where its number is gone. */
function movedTo({ tables }: Schema, name: string, all: readonly Dropped[]): Place | null {
  const places = all.flatMap((drop): readonly Place[] => {
    const table = drop.name === name ? tables.find(({ number }) => number === drop.table) : undefined;
    const column = table?.columns.find(({ number }) => number === drop.column?.number) ?? null;
    return table === undefined || (drop.column !== null && column === null) ? [] : [{ table, column }];
  });
  return places[0] ?? null;
}

function kept(all: readonly Dropped[]): string {
  const names = [...new Set(all.map(({ name }) => name))];
  return names.length === 0 ? '' : ` (kept aside: ${names.join(', ')})`;
}

/** By number; by name only where nothing has the number, as of what was made anew: a name may have been another's. */
function fitting(all: readonly Dropped[], table: Table, column: Column | null): readonly Dropped[] {
  const own = all.filter((drop) => (drop.column === null) === (column === null));
  if (column === null)
    return first(
      own,
      ({ table: number }) => number === table.number,
      ({ name }) => name === table.name,
    );
  const inside = own.filter((drop) => drop.table === table.number);
  return first(
    inside,
    (drop) => drop.column?.number === column.number,
    (drop) => drop.column?.name === column.name,
  );
}

/** Those that pass the first test, or else the second. */
function first<T>(all: readonly T[], test: (one: T) => boolean, otherwise: (one: T) => boolean): readonly T[] {
  const found = all.filter(test);
  return found.length > 0 ? found : all.filter(otherwise);
}

function restoreValues(db: Database.Database, table: Table, column: Column, drop: Dropped): number {
  if (drop.column === null) return 0;
  const side = sideTable(drop.number);
  const old = aside(drop.column);
  const target = quoted(column.name);
  const empty = column.default === null ? '' : ` OR ${target} = ${literal(column.default)}`;
  // OR IGNORE passes over rows where the value breaks a limit or is not unique any more.
  const { changes } = db
    .prepare(
      `UPDATE OR IGNORE ${quoted(table.name)} SET ${target} = (
         SELECT ${converted(old, column)} FROM ${side} s WHERE s."id" = ${quoted(table.name)}."id")
       WHERE (${target} IS NULL${empty})
         AND "id" IN (SELECT s."id" FROM ${side} s WHERE ${conditions(old, column)})`,
    )
    .run();
  return changes;
}

function restoreRows(db: Database.Database, schema: Schema, table: Table, drop: Dropped): Omit<Restored, 'drop'> {
  const sources = table.columns.map((column) => ({ column, old: sourceOf(drop, table, column) }));
  const values = sources.map(({ column, old }) => {
    if (old === null || isLoose(column)) return literal(column.default);
    return converted(aside(old), column);
  });
  const among = sources.flatMap(({ column, old }) => {
    if (old === null || isLoose(column)) return [];
    // References among the rows themselves are looked at when all are back.
    return [conditions(aside(old), column.references?.table === table.name ? { ...column, references: null } : column)];
  });
  const { changes } = db
    .prepare(
      `INSERT OR IGNORE INTO ${quoted(table.name)} (${table.columns.map(({ name }) => quoted(name)).join(', ')})
       SELECT ${values.join(', ')} FROM ${sideTable(drop.number)} s WHERE ${among.join(' AND ')}`,
    )
    .run();
  const back = changes - removeDangling(db, schema, table);
  const loose = sources.filter(({ column, old }) => old !== null && isLoose(column));
  const unlinked = loose.map(({ column, old }) => restoreLinks(db, table, column, { ...drop, column: old }));
  return { back, unlinked: unlinked.reduce((sum, one) => sum + one, 0) };
}

/** A reference that the row outlives: had it not been dropped, it would be empty by now where its target is gone. */
function isLoose({ nullable, references }: Column): boolean {
  return nullable && references?.onDelete === 'set_null';
}

/** Puts the references of rows back as far as their targets are there; how many stay empty. */
function restoreLinks(db: Database.Database, table: Table, column: Column, drop: Dropped): number {
  restoreValues(db, table, column, drop);
  const unlinked = `SELECT count(*) FROM ${quoted(table.name)} t JOIN ${sideTable(drop.number)} s ON s."id" = t."id"
    WHERE t.${quoted(column.name)} IS NULL AND s.${quoted(drop.column?.name ?? column.name)} IS NOT NULL`;
  return db.prepare<[], number>(unlinked).pluck().get() ?? 0;
}

/** By number; by name where its number is nowhere else, so that no value comes back twice. */
function sourceOf({ columns }: Dropped, table: Table, column: Column): Column | null {
  if (column.name === 'id') return column;
  const numbers = new Set(table.columns.map(({ number }) => number));
  const found =
    columns.find(({ number }) => number === column.number) ??
    columns.find(({ name, number }) => name === column.name && !numbers.has(number));
  return found ?? null;
}

/** A column of a side table: its name is the SQL of its value. */
function aside(column: Column): Column {
  return { ...column, name: `s.${quoted(column.name)}` };
}

/** @param old its name is the SQL of its value */
function converted(old: Column, column: Column): string {
  return old.type === column.type ? old.name : `CAST(${old.name} AS ${column.type.toUpperCase()})`;
}

function conditions(old: Column, column: Column): string {
  const exact = `(${old.name} IS NULL OR ${convertsExactly(old.name, old.type, column.type)})`;
  if (column.references === null) return exact;
  const target = quoted(column.references.table);
  return `${exact} AND (${old.name} IS NULL OR EXISTS (SELECT 1 FROM ${target} r WHERE r."id" = ${old.name}))`;
}

/** Rows that refer to rows of their own table that did not come back; how many went again. */
function removeDangling(db: Database.Database, { tables }: Schema, table: Table): number {
  const own = tables.find(({ number }) => number === table.number)?.columns ?? [];
  const name = quoted(table.name);
  const dangling = own
    .filter(({ references }) => references?.table === table.name)
    .map(
      ({ name: column }) => `(${quoted(column)} IS NOT NULL AND ${quoted(column)} NOT IN (SELECT "id" FROM ${name}))`,
    );
  if (dangling.length === 0) return 0;
  const remove = db.prepare(`DELETE FROM ${name} WHERE ${dangling.join(' OR ')}`);
  let removed = 0;
  for (;;) {
    const { changes } = remove.run();
    if (changes === 0) return removed;
    removed += changes;
  }
}
