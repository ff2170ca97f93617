// Divides ids by the shard that each is on.
import { placementOf } from '../../ids.js';

/** Ids that a statement can ask for together, and the placement they share. */
export interface Placed {
  readonly shard: string;
  readonly ids: readonly string[];
}

/** In the order of placements, and of ids: transactions that lock rows in this order do not deadlock. */
export function byPlacement(ids: Iterable<string>): readonly Placed[] {
  const groups = new Map<string, string[]>();
  for (const id of [...new Set(ids)].sort()) {
    const shard = placementOf(id);
    const group = groups.get(shard);
    if (group === undefined) groups.set(shard, [id]);
    else group.push(id);
  }
  return [...groups].map(([shard, group]) => ({ shard, ids: group }));
}
