// Runs statements and reads their rows, and divides ids by the shard that each is on.

import { placementOf } from '../../../ids.js';
import type { Call } from '../connections.js';
import type { Query } from '../named.js';

/** The rows as what the statement selects; its text and the type must agree. */
export async function select<T>(query: Query, { statement, values }: Call): Promise<readonly T[]> {
  return (await query(statement, values)) as readonly unknown[] as readonly T[];
}

/** Runs statements in this order, sent together. */
export async function runAll(query: Query, calls: readonly Call[]): Promise<void> {
  await Promise.all(calls.map(({ statement, values }) => query(statement, values)));
}

/** Ids that a statement can ask for together, and the placement they share. */
export interface Placed {
  readonly shard: string;
  readonly ids: readonly string[];
}

/** In the order of placements, and of ids: whoever locks rows in this order waits for nobody who waits for them. */
export function byPlacement(ids: Iterable<string>): readonly Placed[] {
  const all = new Map<string, string[]>();
  for (const id of [...new Set(ids)].sort()) {
    const shard = placementOf(id);
    all.set(shard, [...(all.get(shard) ?? []), id]);
  }
  return [...all].map(([shard, group]) => ({ shard, ids: group }));
}
