// The version of a record's row (D57): every table of records has this column, and no record shows it. It is 1 for a new row, and
// each statement that changes the row raises it by one. Pure.
import type { Column, Table } from './schema.js';
import { quoted } from './sql-text.js';

export const VERSION = '_version';

/** The version of a new row, and of rows older than row versions. */
export const FIRST_VERSION = 1;

/** The column, which is numbered like any other. */
export function versionColumn(number: number): Column {
  const limits = { nullable: false, default: FIRST_VERSION, check: null, references: null };
  return { number, name: VERSION, type: 'integer', kind: 'integer', ...limits };
}

/** The beginning of each statement that changes rows: nothing else writes UPDATE and the table of a record (tested). */
export function updateSql(table: string, sets: string, alias = 't'): string {
  return `UPDATE ${quoted(table)} AS ${alias} SET ${sets}, ${raised(alias)}`;
}

/** The same for a migration, whose table may not have the column yet. @param how `OR IGNORE` */
export function migrationUpdateSql({ name, columns }: Pick<Table, 'name' | 'columns'>, sets: string, how = ''): string {
  const versioned = columns.some((column) => column.name === VERSION);
  return `UPDATE${how} ${quoted(name)} AS t SET ${sets}${versioned ? `, ${raised('t')}` : ''}`;
}

function raised(alias: string): string {
  return `${quoted(VERSION)} = ${alias}.${quoted(VERSION)} + 1`;
}
