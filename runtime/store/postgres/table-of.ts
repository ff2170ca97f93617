// Finds the table of a resource in the schema.
import type { AnyDefinition } from '../../contract/definition.js';
import type { Schema, Table } from '../../schema/schema.js';

/** Throws an Error if there is none, since definitions and schema were then generated at different times. */
export function tableOf(schema: Schema, { name }: AnyDefinition): Table {
  const table = schema.tables.find((one) => one.name === name);
  if (table === undefined) throw new Error(`the schema has no table ${name}`);
  return table;
}
