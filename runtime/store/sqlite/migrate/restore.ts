// Restores dropped values unless something newer was written or dropped: those of a column into rows that still exist, and
// rows of a table that no longer exist. The side tables stay until they are purged.
import type Database from 'better-sqlite3';
import { conversionOf, kindsOf } from '../../../schema/conversions.js';
import type { Column, Schema, Table } from '../../../schema/schema.js';
import { literal, quoted } from '../../../schema/sql-text.js';
import { conversionSql } from '../../../schema/sqlite/conversions.js';
import { fitsSchema } from '../../../schema/sqlite/risks.js';
import { CommandError } from '../../../server/command.js';
import type { Restored } from '../../schema-keeper.js';
import { teachJsonSchema } from '../json-fits.js';
import { type Dropped, ENTRY, fitting, isRestorable, listDropped, STATE, sideTable } from './dropped.js';
import { rememberedSchema } from './memory.js';
import { fittingRows, isLoose, stopWatching, watchWrites } from './written.js';

/**
 * Restores what was dropped under a name, the newest drop first. Returns how many values or rows of each drop were
 * restored. What breaks a limit, has no target, or was written or dropped again since is not restored.
 * @param name `<resource>.<column>`, or `<resource>` for the rows of a table; its name in the schema now, or when it was dropped
 * Throws CommandError if the schema does not contain it, or none of its values are kept.
 */
export function restore(db: Database.Database, name: string): readonly Restored[] {
  const work = db.transaction(() => {
    // Rows of one table may refer to each other, in any order.
    db.exec('PRAGMA defer_foreign_keys = ON');
    const schema = rememberedSchema(db) ?? { revision: 0, tables: [] };
    const all = listDropped(db);
    if (all.length === 0) throw new CommandError(`no values of ${name} are kept aside`);
    const found = place(schema, name, all);
    const { table, column } = found;
    const drops = column === null ? fittingRows(all, schema, table) : fitting(all, table, column);
    if (drops.length === 0) throw new CommandError(`no values of ${name} are kept aside${kept(all)}`);
    teachJsonSchema(db);
    stopWatching(db, schema);
    const restored = restorable(drops, found).map((drop) => ({
      drop,
      ...(column === null
        ? restoreRows(db, schema, table, drop)
        : { back: restoreValues(db, table, column, drop), unlinked: 0 }),
    }));
    watchWrites(db, schema);
    return restored;
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
  const back = `add it to the spec again, run \`punchboard gen\` and \`punchboard migrate apply\`, then restore`;
  throw new CommandError(`the database has no ${name}: ${back}${kept(all)}`);
}

/** Where something that `status` lists under its old name is now; null if its number no longer exists. */
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

/** Kept values of another kind are only restored if they convert to the column's kind; so a secret only into a secret. */
function restorable(drops: readonly Dropped[], { table, column }: Place): readonly Dropped[] {
  if (column === null) return drops;
  const fits = drops.filter((drop) => drop.column !== null && conversionOf({ from: drop.column, to: column }) !== null);
  const [refused] = drops;
  if (fits.length > 0 || refused?.column == null) return fits;
  const [was, is] = [kindsOf(refused.column), kindsOf(column)].map((kinds) => kinds.join(' or '));
  throw new CommandError(
    `${table.name}.${column.name} is ${is} now, and the values kept aside, of kind ${was}, do not convert to it`,
  );
}

function restoreValues(db: Database.Database, { name: table }: Table, column: Column, drop: Dropped): number {
  const { value, fits } = converted(drop.column ?? column, column);
  const side = sideTable(drop.number);
  const open = `${isRestorable(drop, column)} AND ${fits}`;
  // OR IGNORE skips rows where the value breaks a limit or is no longer unique.
  const { changes } = db
    .prepare(
      `UPDATE OR IGNORE ${quoted(table)} SET ${quoted(column.name)} = (
         SELECT ${value} FROM ${side} s WHERE s."id" = ${quoted(table)}."id")
       WHERE "id" IN (SELECT s."id" FROM ${side} s WHERE ${open})`,
    )
    .run();
  db.exec(
    `UPDATE ${side} AS s SET ${STATE} = ${ENTRY.overtaken}
     WHERE ${open} AND EXISTS (
       SELECT 1 FROM ${quoted(table)} t WHERE t."id" = s."id" AND t.${quoted(column.name)} IS ${value})`,
  );
  return changes;
}

function restoreRows(db: Database.Database, schema: Schema, table: Table, drop: Dropped): Omit<Restored, 'drop'> {
  const name = quoted(table.name);
  const side = sideTable(drop.number);
  const sources = table.columns.map((column) => ({ column, old: sourceOf(drop, table, column) }));
  const values = sources.map(({ column, old }) =>
    old === null || isLoose(column) ? literal(column.default) : converted(old, column).value,
  );
  const conditions = sources.flatMap(({ column, old }) => {
    if (old === null || isLoose(column)) return [];
    // References among the rows themselves are checked once all are restored.
    const own = column.references?.table === table.name ? { ...column, references: null } : column;
    return [converted(old, own).fits];
  });
  const { changes } = db
    .prepare(
      `INSERT OR IGNORE INTO ${name} (${table.columns.map((column) => quoted(column.name)).join(', ')})
       SELECT ${values.join(', ')} FROM ${side} s WHERE s.${STATE} = ${ENTRY.open} AND ${conditions.join(' AND ')}`,
    )
    .run();
  const back = changes - removeDangling(db, schema, table);
  db.exec(
    `UPDATE ${side} SET ${STATE} = ${ENTRY.back} WHERE ${STATE} = ${ENTRY.open} AND "id" IN (SELECT "id" FROM ${name})`,
  );
  const unlinked = sources.map(({ column, old }) =>
    old !== null && isLoose(column) ? restoreLinks(db, table, column, { number: drop.number, old }) : 0,
  );
  return { back, unlinked: unlinked.reduce((sum, one) => sum + one, 0) };
}

interface Links {
  /** Number of the side table. */
  readonly number: number;
  readonly old: Column;
}

/** Restores the references of rows whose targets exist. Returns how many stay empty. */
function restoreLinks(db: Database.Database, table: Table, column: Column, { number, old }: Links): number {
  const [name, side, target] = [quoted(table.name), sideTable(number), quoted(column.name)];
  const { value, fits } = converted(old, column);
  const back = `s.${STATE} = ${ENTRY.back}`;
  db.exec(
    `UPDATE OR IGNORE ${name} SET ${target} = (SELECT ${value} FROM ${side} s WHERE s."id" = ${name}."id")
     WHERE ${target} IS NULL AND "id" IN (SELECT s."id" FROM ${side} s WHERE ${back} AND ${fits})`,
  );
  const unlinked = `SELECT count(*) FROM ${name} t JOIN ${side} s ON s."id" = t."id"
    WHERE ${back} AND t.${target} IS NULL AND ${value} IS NOT NULL`;
  return db.prepare<[], number>(unlinked).pluck().get() ?? 0;
}

/** By number; by name only if no column has that number, so that no value is restored twice. Null if it does not convert. */
function sourceOf({ columns }: Dropped, table: Table, column: Column): Column | null {
  if (column.name === 'id') return column;
  const numbers = new Set(table.columns.map(({ number }) => number));
  const found =
    columns.find(({ number }) => number === column.number) ??
    columns.find(({ name, number }) => name === column.name && !numbers.has(number));
  return found === undefined || conversionOf({ from: found, to: column }) === null ? null : found;
}

interface Converted {
  /** SQL of the value, over the side table as `s`. */
  readonly value: string;
  /** SQL condition: it converts, and its target exists. */
  readonly fits: string;
}

function converted(old: Column, column: Column): Converted {
  const kept = `s.${quoted(old.name)}`;
  const way = conversionSql({ from: old, to: column });
  const value = way?.value(kept) ?? 'NULL';
  const conditions = [way?.fits?.(kept) ?? '1', fitsSchema(column.check, value)];
  if (column.references !== null) {
    conditions.push(`EXISTS (SELECT 1 FROM ${quoted(column.references.table)} r WHERE r."id" = ${value})`);
  }
  return { value, fits: `(${kept} IS NULL OR (${conditions.join(' AND ')}))` };
}

/** Removes rows that refer to rows of their own table that were not restored. Returns how many. */
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
