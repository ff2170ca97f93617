// Ids with their placements, as statements take them: one record, or ids grouped by their shards.
import { placementOf } from '../../contract/ids.js';
import type { Dialect } from './dialect.js';

/** The values of `@id` and of its `@placement`. */
export function idOf(id: string): { readonly placement: string; readonly id: string } {
  // PostgreSQL refuses U+0000 in any text. No id contains it or its replacement.
  const text = id.includes('\0') ? id.replaceAll('\0', '\u0001') : id;
  return { placement: placementOf(text), id: text };
}

/** Ids that one statement can read, and the placement they share. */
export type PlacedIds = {
  readonly placement: string;
  readonly ids: readonly string[];
};

/** Groups in the order of placements and ids: transactions that lock rows in this order do not deadlock. */
export function byPlacement(ids: Iterable<string>): readonly PlacedIds[] {
  const groups = new Map<string, string[]>();
  for (const id of [...new Set(ids)].sort()) {
    const placement = placementOf(id);
    const group = groups.get(placement);
    if (group === undefined) groups.set(placement, [id]);
    else group.push(id);
  }
  return [...groups].map(([placement, group]) => ({ placement, ids: group }));
}

/** Groups of ids that one statement can read: a single group where rows are not placed. */
export function groupsOf({ isPlaced }: Dialect, ids: Iterable<string>): readonly PlacedIds[] {
  if (isPlaced) return byPlacement(ids);
  const all = [...new Set(ids)];
  return all.length === 0 ? [] : [{ placement: '', ids: all }];
}
