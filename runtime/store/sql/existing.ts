// Finds the record that a create updates instead of making another one, where the definition says so.
import type { AnyDefinition, Row, WriteContext } from '../../definition.js';
import { placementOf } from '../../ids.js';
import { quoted } from '../../schema/sql-text.js';
import type { Change } from '../records.js';
import type { Composer } from './access.js';
import { allOf } from './conditions.js';
import { placeReference } from './owner.js';

/** The statement that finds its id, over `@placement` and the columns; null: a create always makes a new record. */
export function existingStatement({ dialect }: Composer, { name, existing }: AnyDefinition): string | null {
  if (existing === undefined) return null;
  const equal = existing.map((column) => `t.${quoted(column)} = @${column}`);
  const where = dialect.where(allOf([dialect.placed('t', '@placement'), ...equal]));
  return `SELECT t."id" AS "id" FROM ${quoted(name)} t WHERE ${where}`;
}

/** The values that identify it: those of the row that the create would store. */
export function existingValues(definition: AnyDefinition, { input }: Change, context: WriteContext): Row {
  const row = definition.handlers.create(input, context);
  const place = String(row[placeReference(definition)?.column ?? ''] ?? '');
  const values = (definition.existing ?? []).map((column) => [column, row[column] ?? null] as const);
  return { ...Object.fromEntries(values), placement: placementOf(place) };
}
