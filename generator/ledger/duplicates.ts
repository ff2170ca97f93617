// Finds numbers that a ledger assigns twice, as happens when two branches both add something and are merged.

import { allEntries } from './extend.js';
import type { Ledger, LedgerEntry } from './ledger.js';
import { valueNumbers } from './values.js';

export interface Duplicate {
  readonly number: number;
  /** `boxtop` or `boxtop.top_id`. */
  readonly one: string;
  readonly other: string;
}

/** Two resources that share several numbers are reported once. */
export function duplicates(ledger: Ledger): readonly Duplicate[] {
  const first = new Map<number, Holder>();
  const byPair = new Map<string, Duplicate>();
  for (const holder of allEntries(ledger).flatMap(holders)) {
    const earlier = first.get(holder.number);
    if (earlier === undefined) first.set(holder.number, holder);
    else {
      const pair = `${earlier.resource} ${holder.resource}`;
      const duplicate = { number: holder.number, one: earlier.name, other: holder.name };
      if (!byPair.has(pair)) byPair.set(pair, duplicate);
    }
  }
  return [...byPair.values()];
}

interface Holder {
  readonly number: number;
  readonly resource: string;
  readonly name: string;
}

function holders([resource, { number, columns, retired, values }]: readonly [string, LedgerEntry]): readonly Holder[] {
  const all = [...Object.entries(columns), ...Object.entries(retired ?? {})];
  return [
    { number, resource, name: resource },
    ...valueNumbers(values).map((one) => ({ number: one, resource, name: `a value of ${resource}` })),
    ...all.map(([column, columnNumber]) => ({ number: columnNumber, resource, name: `${resource}.${column}` })),
  ];
}
