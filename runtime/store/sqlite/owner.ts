// The user who owns a record, found along the references that give it its placement (D37).
import type { AnyDefinition, Reference } from '../../definition.js';
import { quoted } from '../../schema/sql-text.js';
import { type Definitions, definitionOf } from './access.js';

/** The reference from which a record takes its placement; undefined for owners and for records without one. */
export function placeReference(definition: AnyDefinition): Reference | undefined {
  return definition.references.find((reference) => reference.place);
}

/**
 * SQL of the owner's id of the row of `definition` in `alias`; NULL if nobody owns it.
 * Throws an Error for circular placement.
 */
export function ownerExpression(definitions: Definitions, definition: AnyDefinition, alias: string): string {
  return follow(definitions, definition, alias, []);
}

function follow(definitions: Definitions, definition: AnyDefinition, alias: string, path: readonly string[]): string {
  if (path.includes(definition.name)) {
    throw new Error(`circular placement: ${[...path, definition.name].join(' -> ')}`);
  }
  if (definition.principal) return `${alias}."id"`;
  const place = placeReference(definition);
  if (!place) return 'NULL';
  const target = definitionOf(definitions, place.to);
  const column = `${alias}.${quoted(place.column)}`;
  if (target.principal) return column;
  const next = `o${path.length + 1}`;
  const owner = follow(definitions, target, next, [...path, definition.name]);
  return `(SELECT ${owner} FROM ${quoted(place.to)} ${next} WHERE ${next}."id" = ${column})`;
}
