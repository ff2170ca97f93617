// The statements that write a row of one definition, over the columns of the row and its `@placement`.
import type { AnyDefinition } from '../../contract/definition.js';
import { quoted } from '../../schema/sql-text.js';
import type { Dialect } from './dialect.js';
import { oneRow, tableFor, updateOf } from './rows.js';

/** Stores a new row. */
export function insertStatement(dialect: Dialect, definition: AnyDefinition): string {
  return dialect.insertInto(tableFor(definition), Object.keys(definition.columns));
}

/** Changes the given columns, at least one, of the row with its id. */
export function updateStatement(dialect: Dialect, definition: AnyDefinition, changing: readonly string[]): string {
  const set = changing.map((column) => `${quoted(column)} = @${column}`).join(', ');
  return `${updateOf(definition, set)} WHERE ${oneRow(dialect)}`;
}
