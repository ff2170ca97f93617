// What the descriptors no longer have since the ledger was last extended, and what they have that is new.

import { numbersOf } from './extend.js';
import type { Ledger } from './ledger.js';

export interface Departures {
  /** Resources that are gone, and names of new ones. */
  readonly gone: readonly string[];
  readonly added: readonly string[];
  /** By the name of a resource that stayed: columns that are gone, and names of new ones. */
  readonly columns: ReadonlyMap<string, { readonly gone: readonly string[]; readonly added: ReadonlySet<string> }>;
}

/** @param after the same ledger, extended by the descriptors of today */
export function departures(before: Ledger, after: Ledger): Departures {
  const known = numbersOf(before);
  const isNew = (number: number | undefined): boolean => number !== undefined && !known.has(number);
  const numbers = new Set(Object.values(after.resources).map(({ number }) => number));
  const old = new Map(Object.values(before.resources).map((entry) => [entry.number, entry]));
  const columns = Object.entries(after.resources).flatMap(([name, entry]) => {
    const then = old.get(entry.number);
    if (then === undefined) return [];
    const kept = new Set(Object.values(entry.columns));
    const gone = Object.keys(then.columns).filter((column) => !kept.has(then.columns[column] ?? 0));
    const added = Object.keys(entry.columns).filter((column) => isNew(entry.columns[column]));
    return [[name, { gone, added: new Set(added) }] as const];
  });
  return {
    gone: Object.keys(before.resources).filter((name) => !numbers.has(before.resources[name]?.number ?? 0)),
    added: Object.keys(after.resources).filter((name) => isNew(after.resources[name]?.number)),
    columns: new Map(columns),
  };
}
