// The rows of a resource in a statement. Nothing else names a table of records (tested), so that a rule for all reads, such as
// hiding some rows of a resource, would be written only here.
import type { AnyDefinition } from '../../contract/definition.js';
import { quoted } from '../../schema/sql-text.js';
import { updateSql } from '../../schema/version.js';
import { allOf } from './conditions.js';
import type { Dialect } from './dialect.js';

/** The rows that a statement reads, after FROM or JOIN. */
export function rowsOf({ name }: AnyDefinition, alias = 't'): string {
  return `${quoted(name)} ${alias}`;
}

/** The table that a statement writes, after INSERT INTO or DELETE FROM: rows that a read has found, or a new row. */
export function tableFor({ name }: AnyDefinition): string {
  return quoted(name);
}

/** The beginning of a statement that changes rows, as `t`, and raises their version (D57). */
export function updateOf({ name }: AnyDefinition, sets: string): string {
  return updateSql(name, sets);
}

/** Condition: the row has `@id`, which is placed at `@placement`. */
export function oneRow(dialect: Dialect, alias = 't'): string {
  return allOf([dialect.placed(alias, '@placement'), `${alias}."id" = @id`]);
}
