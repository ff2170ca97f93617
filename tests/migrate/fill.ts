// Rows for any schema: within its limits, with valid references, and nulls where they are allowed.

import type Database from 'better-sqlite3';
import type { Check, Column, Schema, Table } from '../../runtime/schema/schema.js';
import { pendingOf } from '../../runtime/store/sqlite/migrate/pending.js';
import { addWords } from './words.js';

/** @param rows in every table; an even number keeps references of a table to itself in a cycle */
export function fill(db: Database.Database, schema: Schema, rows: number, prefix?: string): void {
  // Tables may refer to each other in any order.
  db.exec('PRAGMA foreign_keys = OFF');
  for (const table of schema.tables) {
    const names = table.columns.map(({ name }) => `"${name}"`).join();
    const put = db.prepare(`INSERT INTO "${table.name}" (${names}) VALUES (${table.columns.map(() => '?').join()})`);
    for (const row of rowsOf(table, rows, prefix)) put.run(row);
  }
  addWords(db, schema);
  db.exec('PRAGMA foreign_keys = ON');
  const broken = db.prepare('PRAGMA foreign_key_check').all();
  if (broken.length > 0) throw new Error(JSON.stringify(broken));
}

/** The rows of a table, each with its values in the order of the columns. @param prefix the beginning of ids */
export function rowsOf(
  { columns }: Table,
  rows: number,
  prefix = 'r',
): readonly (readonly (string | number | null)[])[] {
  return Array.from({ length: rows }, (_, row) => columns.map((column) => cell(column, { row, rows, prefix })));
}

/** Deletes the rows that prevent a migration to a schema; returns how many rules they broke. */
export function clearTheWay(db: Database.Database, to: Schema): number {
  const broken = pendingOf(db, to)?.broken ?? [];
  for (const { table, rows } of broken) db.exec(`DELETE FROM "${table}" WHERE id IN (${rows})`);
  return broken.length;
}

interface CellPosition {
  readonly row: number;
  readonly rows: number;
  readonly prefix: string;
}

function cell({ name, number, type, nullable, check, references }: Column, { row, rows, prefix }: CellPosition) {
  if (name === 'id') return `${prefix}${row}`;
  if (nullable && row % 3 === 1) return null;
  if (references !== null) return `${prefix}${(row + 1) % rows}`;
  const value = check === null ? `${number}${row}` : SAMPLES[check.rule](check as never, row);
  return type === 'text' ? String(value) : Number(value);
}

type Samples = { readonly [R in Check['rule']]: (check: Extract<Check, { rule: R }>, row: number) => string | number };

const SAMPLES: Samples = {
  range: ({ min, max }, row) => Math.min((min ?? 0) + row, max ?? Number.MAX_SAFE_INTEGER),
  length: ({ min, max }, row) => `${row}`.padEnd(min, 'x').slice(0, max ?? undefined),
  choice: ({ names }, row) => names[row % names.length]?.name ?? '',
  one_of: ({ values }, row) => values[row % values.length] ?? '',
  decimal: ({ min }, row) => Math.ceil(min) + row,
  url: (_check, row) => `https://example.com/${row}`,
  json: (_check, row) => JSON.stringify({ row }),
};
