// The forms in which the ledger writes numbers and names.

import type { Formerly, Uses } from './ledger.js';
import type { Names } from './names.js';

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

export interface Assignment {
  /** A new number for a name. */
  assign(name: string): number;
  /** The key of the ledger that counts them, left out if each name stood for one thing only. */
  usesKey(): { readonly uses?: Uses };
}

/** Draws numbers for names of one owner. @param uses as recorded so far */
export function assignment(
  { live, retired, formerly }: Names,
  uses: Uses | undefined,
  draw: (name: string, earlier: number) => number,
): Assignment {
  const counts = new Map(Object.entries(uses ?? {}));
  const isKnown = (name: string): boolean =>
    live.has(name) || retired.has(name) || [...formerly.values()].some((names) => names.includes(name));
  return {
    assign(name) {
      const earlier = counts.get(name) ?? (isKnown(name) ? 1 : 0);
      if (earlier > 0) counts.set(name, earlier + 1);
      return draw(name, earlier);
    },
    usesKey: () => optionalKey('uses', counts),
  };
}
