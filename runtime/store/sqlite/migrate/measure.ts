// Measures a table column by column, so that two states can be compared. Only reads.
import { createHash } from 'node:crypto';
import type Database from 'better-sqlite3';
import { quoted } from '../../../schema/sql-text.js';
import type { Measured } from '../../compare-measures.js';

/**
 * Reads a table once.
 * @param order the column its rows are sorted by
 * @param converted SQL to count instead of a column, by its name
 */
export function measureTable(
  db: Database.Database,
  table: string,
  order: string,
  converted: ReadonlyMap<string, string> = new Map(),
): Measured {
  const names = db.prepare<[string], string>('SELECT name FROM pragma_table_info(?)').pluck().all(table);
  const counts = names.map((name) => ({ name, filled: 0, hash: createHash('sha256') }));
  const values = names.map((name) => converted.get(name) ?? quoted(name));
  const select = db.prepare(`SELECT ${values.join(', ')} FROM ${quoted(table)} ORDER BY ${quoted(order)}`);
  let rows = 0;
  for (const row of select.raw().iterate() as Iterable<unknown[]>) {
    rows += 1;
    for (const [at, count] of counts.entries()) {
      const value = row[at] ?? null;
      const text = value === null ? '-' : String(value);
      if (value !== null) count.filled += 1;
      count.hash.update(`${value === null ? 'null' : text.length}:${text};`);
    }
  }
  const columns = new Map(counts.map(({ name, filled, hash }) => [name, { filled, hash: hash.digest('hex') }]));
  return { rows, columns };
}

/** Every table that belongs neither to the schema nor to this program's own bookkeeping. */
export function otherTables(db: Database.Database, named: readonly string[]): readonly string[] {
  const all = db.prepare<[], string>(
    `SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite!_%' ESCAPE '!'
     AND name NOT LIKE '!_punchboard%' ESCAPE '!'`,
  );
  return all
    .pluck()
    .all()
    .filter((name) => !named.includes(name));
}

/** The first column of a table, by which rows without an id are ordered. */
export function firstColumn(db: Database.Database, table: string): string {
  const name = db.prepare<[string], string>('SELECT name FROM pragma_table_info(?) LIMIT 1').pluck().get(table);
  return name ?? 'rowid';
}
