// The ledger: a number for life for every resource and every column, so that a rename is told from a removal.

import type { Column, Resource } from './model.js';

export interface Ledger {
  /** The next number to give. Numbers are never given twice, not even after a removal. */
  readonly next: number;
  readonly resources: Readonly<Record<string, LedgerEntry>>;
}

export interface LedgerEntry {
  readonly number: number;
  readonly columns: Readonly<Record<string, number>>;
}

export const EMPTY_LEDGER: Ledger = { next: 1, resources: {} };

type Unnumbered = Omit<Resource, 'number' | 'columns'> & { readonly columns: readonly Omit<Column, 'number'>[] };

/**
 * Gives numbers to what has none yet; what is gone keeps its entry.
 * @param resources in the order of their names, so that the same spec always gets the same numbers
 */
export function extendLedger(ledger: Ledger, resources: readonly Unnumbered[]): Ledger {
  let next = ledger.next;
  const entries = new Map(Object.entries(ledger.resources));
  for (const resource of resources) {
    const known = entries.get(resource.name);
    const number = known?.number ?? next++;
    const columns = new Map(Object.entries(known?.columns ?? {}));
    for (const { name } of resource.columns) if (!columns.has(name)) columns.set(name, next++);
    entries.set(resource.name, { number, columns: Object.fromEntries(columns) });
  }
  return { next, resources: Object.fromEntries([...entries].sort(([a], [b]) => (a < b ? -1 : 1))) };
}

/** The number of a resource; a missing one is a bug, since the ledger was extended first. */
export function resourceNumber(ledger: Ledger, resource: string): number {
  const number = ledger.resources[resource]?.number;
  if (number === undefined) throw new Error(`${resource} has no number in the ledger`);
  return number;
}

/** The number of a column; a missing one is a bug, since the ledger was extended first. */
export function columnNumber(ledger: Ledger, resource: string, column: string): number {
  const number = ledger.resources[resource]?.columns[column];
  if (number === undefined) throw new Error(`${resource}.${column} has no number in the ledger`);
  return number;
}

/** The ledger as the text of spec/ledger.json. */
export function ledgerText(ledger: Ledger): string {
  return `${JSON.stringify(ledger, null, 2)}\n`;
}
