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
}

/**
 * Puts back what was dropped under a name, the newest drop first; how many values or rows of each came back. What has a
 * value by now, breaks a limit or refers to nothing stays aside.
 * @param name `<resource>.<column>`, or `<resource>` for the rows of a table; as the schema calls it now
 * Throws CommandError where the schema has no place for it, or nothing of it is kept.
 */
export function restore(db: Database.Database, name: string): readonly Restored[] {
  const work = db.transaction(() => {
    // Rows of one table may refer to each other, in any order.
    db.exec('PRAGMA defer_foreign_keys = ON');
    const schema = rememberedSchema(db) ?? { revision: 0, tables: [] };
    const all = listDropped(db);
    const { table, column } = place(schema, name, all);
    const drops = all.filter((drop) => fits(drop, table, column));
    if (drops.length === 0) throw new CommandError(`nothing of ${name} is kept aside${kept(all)}`);
    return drops.map((drop) => ({
      drop,
      back: column === null ? restoreRows(db, schema, table, drop) : restoreValues(db, table, column, drop),
    }));
  });
  return work.immediate();
}

function place(
  schema: Schema,
  name: string,
  all: readonly Dropped[],
): { readonly table: Table; readonly column: Column | null } {
  const [resource = '', field] = name.split('.', 2);
  const table = schema.tables.find((one) => one.name === resource);
  const column = table?.columns.find((one) => one.name === field) ?? null;
  if (table !== undefined && (field === undefined || column !== null)) return { table, column };
  const back = `describe it again in the spec, run \`punchboard gen\` and \`punchboard migrate apply\`, then restore`;
  throw new CommandError(`the database has no ${name}: ${back}${kept(all)}`);
}

function kept(all: readonly Dropped[]): string {
  const names = [...new Set(all.map(({ name }) => name))];
  return names.length === 0 ? '' : ` (kept aside: ${names.join(', ')})`;
}

/** By number; by name where the table or the column was made anew. */
function fits(drop: Dropped, table: Table, column: Column | null): boolean {
  if (column === null) return drop.column === null && (drop.table === table.number || drop.name === table.name);
  if (drop.column === null || drop.table !== table.number) return false;
  return drop.column.number === column.number || drop.column.name === column.name;
}

function restoreValues(db: Database.Database, table: Table, column: Column, drop: Dropped): number {
  if (drop.column === null) return 0;
  const side = sideTable(drop.number);
  const old = { ...drop.column, name: `s.${quoted(drop.column.name)}` };
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

function restoreRows(db: Database.Database, schema: Schema, table: Table, drop: Dropped): number {
  const sources = table.columns.map((column) => ({ column, old: sourceOf(drop, column) }));
  const values = sources.map(({ column, old }) => (old === null ? literal(column.default) : converted(old, column)));
  const among = sources.flatMap(({ column, old }) => {
    if (old === null) return [];
    // References among the rows themselves are looked at when all are back.
    return [conditions(old, column.references?.table === table.name ? { ...column, references: null } : column)];
  });
  const { changes } = db
    .prepare(
      `INSERT OR IGNORE INTO ${quoted(table.name)} (${table.columns.map(({ name }) => quoted(name)).join(', ')})
       SELECT ${values.join(', ')} FROM ${sideTable(drop.number)} s WHERE ${among.join(' AND ')}`,
    )
    .run();
  return changes - removeDangling(db, schema, table);
}

function sourceOf(drop: Dropped, column: Column): Column | null {
  if (column.name === 'id') return { ...column, name: 's."id"' };
  const { columns } = drop;
  const found =
    columns.find(({ number }) => number === column.number) ?? columns.find(({ name }) => name === column.name);
  return found === undefined ? null : { ...found, name: `s.${quoted(found.name)}` };
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
