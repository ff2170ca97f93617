// Records that are made with others (D40): what is stored together, and which rows are still without one. No statement is run here.
import type { AnyDefinition, Reference, Row, WriteContext } from '../../contract/definition.js';
import { placementOf } from '../../contract/ids.js';
import { quoted } from '../../schema/sql-text.js';
import { type Composer, type Definitions, definitionOf } from './access.js';
import { anyOf, existsOne } from './conditions.js';
import type { IncomingReference } from './referring.js';
import { rowsOf } from './rows.js';
import type { Sources } from './write-plan.js';

/** A reference whose target is made with the record. */
export type MakingReference = Reference & Required<Pick<Reference, 'makes'>>;

export interface NewRow {
  readonly definition: AnyDefinition;
  readonly row: Row;
}

/** What is made with one record. */
export interface RequiredTargets {
  /** Its columns that refer to what is made. */
  readonly columns: Row;
  /** In an order in which each refers only to rows before it. */
  readonly rows: readonly NewRow[];
}

export const NOTHING_MADE: RequiredTargets = { columns: {}, rows: [] };

/** What a row is made for: its id, the time, no user. */
export type MadeFor = Pick<WriteContext, 'id' | 'now' | 'random'>;

export function makingsOf({ references }: AnyDefinition): readonly MakingReference[] {
  return references.filter((reference): reference is MakingReference => reference.makes !== undefined);
}

/** Draws the ids, so that the record is stored complete, before what is made with it. */
export function madeWith(
  definitions: Definitions,
  ids: Sources['ids'],
  makings: readonly MakingReference[],
  to: MadeFor,
): RequiredTargets {
  const columns: Row = {};
  const rows: NewRow[] = [];
  for (const { column, to: resource, makes } of makings) {
    const target = definitionOf(definitions, resource);
    const context: WriteContext = {
      ...to,
      id: ids.next(placementOf(to.id), to.now),
      user: null,
      upload: null,
      token: null,
    };
    const own = madeWith(definitions, ids, makingsOf(target), context);
    const row = { ...target.handlers.create({ ...makes.input, [makes.by]: to.id }, context), ...own.columns };
    columns[column] = context.id;
    rows.push({ definition: target, row }, ...own.rows);
  }
  return { columns, rows };
}

/** The columns of a maker that refer to records of `target` by whose reference `by` these refer back. */
function madeColumns(maker: AnyDefinition, target: AnyDefinition, by: string): readonly string[] {
  const own = makingsOf(maker).filter(({ to, makes }) => to === target.name && makes.by === by);
  return own.map(({ column }) => column);
}

/** SQL condition: the row `t` of the referring resource was made with the record to which it refers; null: none is. */
export function madeBack(
  { dialect }: Composer,
  maker: AnyDefinition,
  { child, reference }: IncomingReference,
): string | null {
  const columns = madeColumns(maker, child, reference.column);
  if (columns.length === 0) return null;
  return existsOne(rowsOf(maker, 'm'), [
    dialect.placed('m', '@placement'),
    `m."id" = t.${quoted(reference.column)}`,
    anyOf(columns.map((column) => `m.${quoted(column)} = t."id"`)),
  ]);
}

/** SQL condition: the record `@record` of `@placement` was made with one of `maker`, and cannot go to another; '0': none is. */
export function isHeld({ dialect }: Composer, maker: AnyDefinition, target: AnyDefinition, by: string): string {
  return existsOne(rowsOf(maker, 'm'), [
    dialect.placed('m', '@placement'),
    anyOf(madeColumns(maker, target, by).map((column) => `m.${quoted(column)} = @record`)),
  ]);
}
