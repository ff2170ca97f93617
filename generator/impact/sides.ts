// One resource before and after the edit, with the lookups that the rules share.

import type { Column, JsonSchema, Model, Resource } from '../model/model.js';
import type { Call, CallKind } from './calls.js';

export interface Side {
  readonly model: Model;
  readonly resource: Resource;
  readonly calls: readonly Call[];
}

export interface Sides {
  readonly from: Side;
  readonly to: Side;
}

/** Pairs resources by name, because callers know nothing but names. */
export function bothSides(
  from: { readonly model: Model; readonly calls: readonly Call[] },
  to: { readonly model: Model; readonly calls: readonly Call[] },
): readonly Sides[] {
  const side = ({ model, calls }: typeof from, resource: Resource): Side => ({
    model,
    resource,
    calls: calls.filter((call) => call.resource === resource.name),
  });
  return to.model.resources.flatMap((resource) => {
    const old = from.model.resources.find(({ name }) => name === resource.name);
    return old === undefined ? [] : [{ from: side(from, old), to: side(to, resource) }];
  });
}

/** Keys of the operations of these kinds that exist on both sides. */
export function shared({ from, to }: Sides, kinds: readonly CallKind[]): readonly string[] {
  const before = new Set(from.calls.filter(({ kind }) => kinds.includes(kind)).map(({ key }) => key));
  const own = to.calls.filter(({ isOld }) => isOld === undefined);
  return own.filter(({ key, kind }) => kinds.includes(kind) && before.has(key)).map(({ key }) => key);
}

export function columnOf({ columns }: Resource, name: string): Column | undefined {
  return columns.find((column) => column.name === name);
}

/** Identifies a column across renames: its number in the ledger, or the name if there is no such column. */
export function keyOf(resource: Resource, name: string): string {
  return String(columnOf(resource, name)?.number ?? name);
}

/** The schema of a value in comparable form: a decimal by its limits, which its pattern spells out digit by digit. */
export function comparable(schema: JsonSchema, column: Column | undefined): JsonSchema {
  if (column?.check?.rule !== 'decimal' || schema.pattern === undefined) return schema;
  const { pattern: _, ...rest } = schema;
  const { min, max, scale } = column.check;
  return { ...rest, minimum: min, maximum: max, scale };
}
