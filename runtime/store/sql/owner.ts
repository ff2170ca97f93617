// Finds the user who owns a record, along the references that give it its placement (D37).
import type { AnyDefinition, Reference } from '../../contract/definition.js';
import { quoted } from '../../schema/sql-text.js';
import { type Composer, type Definitions, definitionOf, rightExpression } from './access.js';
import { allOf } from './conditions.js';
import { rowsOf } from './rows.js';

/** The reference from which a record takes its placement; undefined for owners and for records without one. */
export function placeReference(definition: AnyDefinition): Reference | undefined {
  return definition.references.find((reference) => reference.place);
}

/** The reference from which new records take their placement. */
export interface PlacingColumn {
  readonly column: string;
  /** Whether it refers to a user: if it is not sent, the record belongs to the caller. */
  readonly isOfUser: boolean;
}

/** Null: records of the definition have no such reference. */
export function placingColumn(definitions: Definitions, definition: AnyDefinition): PlacingColumn | null {
  const place = placeReference(definition);
  return place === undefined
    ? null
    : { column: place.column, isOfUser: Boolean(definitionOf(definitions, place.to).principal) };
}

/**
 * SQL of the id of the user who owns the row of `definition` in `alias`; NULL if nobody does.
 * Throws an Error for circular placement.
 */
export function ownerExpression(composer: Composer, definition: AnyDefinition, row: PlacedRow): string {
  return follow(composer, definition, row, []);
}

export interface PlacedRow {
  /** Alias of the row's table in the statement. */
  readonly alias: string;
  /** SQL of the row's placement if it is known before the row is read; absent: the column of the row. */
  readonly placement?: string;
}

/** Composes every right once, so that an invalid right is found at start. */
export function checkAccess(composer: Composer, definition: AnyDefinition): void {
  for (const right of ['read', 'edit', ...Object.keys(definition.access.rights)]) {
    rightExpression(composer, { resource: definition.name, right, alias: 't', user: '@user' });
  }
  ownerExpression(composer, definition, { alias: 't' });
}

function follow(composer: Composer, definition: AnyDefinition, row: PlacedRow, path: readonly string[]): string {
  const { dialect, definitions } = composer;
  const { alias, placement = dialect.placement(alias) } = row;
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
  const owner = follow(composer, target, { alias: next, placement }, [...path, definition.name]);
  const one = allOf([dialect.placed(next, placement), `${next}."id" = ${column}`]);
  return `(SELECT ${owner} FROM ${rowsOf(target, next)} WHERE ${one})`;
}
