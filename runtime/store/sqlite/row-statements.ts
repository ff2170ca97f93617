// The statements that write a row of one definition. Their named parameters are the columns of the row.
import type { AnyDefinition, ColumnDefinition } from '../../definition.js';
import { quoted } from '../../schema/sql-text.js';
import { referenceIn } from '../sql/references.js';

/** Stores a new row. */
export function insertStatement(definition: AnyDefinition): string {
  const columns = Object.entries(definition.columns);
  const names = columns.map(([name]) => quoted(name));
  const values = columns.map(([name, column]) => insertedValue(definition, name, column));
  return `INSERT INTO ${quoted(definition.name)} (${names.join(', ')}) VALUES (${values.join(', ')})`;
}

/** Changes these columns of the row with its id, at least one. */
export function updateStatement({ name }: AnyDefinition, changing: readonly string[]): string {
  const set = changing.map((column) => `${quoted(column)} = @${column}`).join(', ');
  return `UPDATE ${quoted(name)} SET ${set} WHERE "id" = @id`;
}

/** A value of another record is read by the insert itself, so that it cannot change in between. */
function insertedValue(definition: AnyDefinition, name: string, { copies }: ColumnDefinition): string {
  if (copies === undefined) return `@${name}`;
  const { to } = referenceIn(definition, copies.through);
  return `coalesce(@${name}, (SELECT ${quoted(copies.column)} FROM ${quoted(to)} WHERE "id" = @${copies.through}))`;
}
