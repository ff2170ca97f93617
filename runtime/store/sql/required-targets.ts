// Records that are made with others (D40): the rows that are stored together, and conditions about them. Pure.
import type { AnyDefinition, Reference, Row, WriteContext } from '../../contract/definition.js';
import { placementOf } from '../../contract/ids.js';
import { quoted } from '../../schema/sql-text.js';
import { type Composer, type Definitions, definitionOf } from './access.js';
import { anyOf, existsOne } from './conditions.js';
import type { IncomingReference } from './referring.js';
import { rowsOf } from './rows.js';
import type { Sources } from './write-plan.js';

/** A reference whose target is made with the record. */
export type CreatingReference = Reference & Required<Pick<Reference, 'makes'>>;

export interface NewRow {
  readonly definition: AnyDefinition;
  readonly row: Row;
}

/** The records that are made with one record. */
export interface RequiredTargets {
  /** The columns of the record that refer to them. */
  readonly columns: Row;
  /** Ordered so that each row refers only to rows before it. */
  readonly rows: readonly NewRow[];
}

export const NO_REQUIRED_TARGETS: RequiredTargets = { columns: {}, rows: [] };

/** The record for which rows are made: its id and the time, but no user. */
export type RequiringRecord = Pick<WriteContext, 'id' | 'now' | 'random'>;

export function creatingReferences({ references }: AnyDefinition): readonly CreatingReference[] {
  return references.filter((reference): reference is CreatingReference => reference.makes !== undefined);
}

/** Draws the ids first, so that the record can be stored complete before the records that are made with it. */
export function planRequiredTargets(
  definitions: Definitions,
  ids: Sources['ids'],
  references: readonly CreatingReference[],
  to: RequiringRecord,
): RequiredTargets {
  const columns: Row = {};
  const rows: NewRow[] = [];
  for (const { column, to: resource, makes } of references) {
    const target = definitionOf(definitions, resource);
    const context: WriteContext = {
      ...to,
      id: ids.next(placementOf(to.id), to.now),
      user: null,
      upload: null,
      token: null,
    };
    const nested = planRequiredTargets(definitions, ids, creatingReferences(target), context);
    const row = { ...target.handlers.create({ ...makes.input, [makes.by]: to.id }, context), ...nested.columns };
    columns[column] = context.id;
    rows.push({ definition: target, row }, ...nested.rows);
  }
  return { columns, rows };
}

/** The columns of `maker` that refer to records of `target` made with it, which refer back by `by`. */
function targetColumns(maker: AnyDefinition, target: AnyDefinition, by: string): readonly string[] {
  const references = creatingReferences(maker).filter(({ to, makes }) => to === target.name && makes.by === by);
  return references.map(({ column }) => column);
}

/** SQL condition: the row `t` of the referring resource was made with the record to which it refers; null: no row is. */
export function createdWithTargetSql(
  { dialect }: Composer,
  maker: AnyDefinition,
  { child, reference }: IncomingReference,
): string | null {
  const columns = targetColumns(maker, child, reference.column);
  if (columns.length === 0) return null;
  return existsOne(rowsOf(maker, 'm'), [
    dialect.placed('m', '@placement'),
    `m."id" = t.${quoted(reference.column)}`,
    anyOf(columns.map((column) => `m.${quoted(column)} = t."id"`)),
  ]);
}

/** SQL condition: `@record` of `@placement` was made with a record of `maker`, and cannot move to another; '0': no record is. */
export function createdWithAnySql(
  { dialect }: Composer,
  maker: AnyDefinition,
  target: AnyDefinition,
  by: string,
): string {
  return existsOne(rowsOf(maker, 'm'), [
    dialect.placed('m', '@placement'),
    anyOf(targetColumns(maker, target, by).map((column) => `m.${quoted(column)} = @record`)),
  ]);
}
