// The forms in which the ledger writes numbers and names.

import type { Formerly } from './ledger.js';

/** The next number that nothing has. */
export type AssignNumber = () => number;

export function byNumber(formerly: Formerly = {}): ReadonlyMap<number, readonly string[]> {
  return new Map(Object.entries(formerly).map(([number, names]) => [Number(number), names]));
}

/** Left out if nothing was renamed. Numeric keys are in order by themselves. */
export function formerNamesKey(formerly: ReadonlyMap<number, readonly string[]>): { readonly formerly?: Formerly } {
  return formerly.size === 0 ? {} : { formerly: Object.fromEntries(formerly) };
}

/** A key of the ledger, left out if it is empty. */
export function optionalKey<K extends string, T>(
  key: K,
  entries: Iterable<readonly [string, T]>,
): Partial<Record<K, Record<string, T>>> {
  const record = byName(entries);
  return Object.keys(record).length === 0 ? {} : ({ [key]: record } as Record<K, Record<string, T>>);
}

export function byName<T>(entries: Iterable<readonly [string, T]>): Record<string, T> {
  return Object.fromEntries([...entries].sort(([a], [b]) => (a < b ? -1 : 1)));
}
