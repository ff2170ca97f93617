// The ledger: a permanent number for every resource and column, and what became of names that were given up.
// extend.ts adds to it.

import type { Note } from '../remembered.js';
import type { Clash } from './join.js';

export interface Ledger {
  /** The revision that follows. Numbers were counted by it once; now they are drawn (draw.ts), and never reused, even after a removal. */
  readonly next: number;
  /** What the last revision stands for (content.ts), so that two branches with the same one can be told apart; absent: unchanged since numbers were counted. */
  readonly content?: string;
  readonly resources: Readonly<Record<string, LedgerEntry>>;
  /** Removed resources, under their last names. */
  readonly retired?: Readonly<Record<string, LedgerEntry>>;
  /** Earlier names of resources, by number. */
  readonly formerly?: Formerly;
  /** The current `was` statements of resources: a statement recorded here has been applied. */
  readonly was?: Statements;
  readonly uses?: Uses;
  /** Of two branches that were just joined; never written. */
  readonly clashes?: readonly Clash[];
}

export interface LedgerEntry {
  readonly number: number;
  readonly columns: Readonly<Record<string, number>>;
  /** Removed columns, under their last names. */
  readonly retired?: Readonly<Record<string, number>>;
  /** Earlier names of columns, by number. */
  readonly formerly?: Formerly;
  /** The current `was` statements of fields, by field name. */
  readonly was?: Statements;
  readonly uses?: Uses;
  /** The values of columns that hold one of a list of names, by the number of the column. */
  readonly values?: Readonly<Record<string, LedgerValues>>;
}

/** As of the columns of a resource. */
export interface LedgerValues {
  readonly names: Readonly<Record<string, number>>;
  readonly retired?: Readonly<Record<string, number>>;
  readonly formerly?: Formerly;
  /** Of the names that several values gave up: the number of the one that did so last. */
  readonly latest?: Readonly<Record<string, number>>;
  readonly was?: Statements;
  readonly uses?: Uses;
}

/** How many things a number was drawn for under one name, where that is more than one. */
export type Uses = Readonly<Record<string, number>>;

/** Every name that a number was renamed from, by number, the earliest first: a database may be at any of them. */
export type Formerly = Readonly<Record<string, readonly string[]>>;

/** An earlier name; null if the name stands for something new. */
export type Statements = Readonly<Record<string, string | null>>;

export const EMPTY_LEDGER: Ledger = { next: 1, resources: {} };

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

/** Every earlier name of a table or of one of its columns, the earliest first. */
export function formerNames(ledger: Ledger, resource: string, column?: string): readonly string[] {
  if (column === undefined) return ledger.formerly?.[resourceNumber(ledger, resource)] ?? [];
  return ledger.resources[resource]?.formerly?.[columnNumber(ledger, resource, column)] ?? [];
}

/** The values of a column; none if it does not hold one of a list of names. */
export function columnValues(ledger: Ledger, resource: string, column: string): LedgerValues {
  const number = columnNumber(ledger, resource, column);
  return ledger.resources[resource]?.values?.[number] ?? { names: {} };
}

/** The same ledger, of which each resource is a question. */
export function notedLedger(ledger: Ledger, note: Note<Ledger>): Ledger {
  const resources = new Proxy(ledger.resources, {
    get: (_, name) => note(`resources ${String(name)}`, (one) => one.resources[String(name)]),
  });
  return {
    ...ledger,
    resources,
    get formerly() {
      return note('formerly', (one) => one.formerly);
    },
  } as Ledger;
}

/** The ledger as the text of spec/ledger.json. */
export function ledgerText(ledger: Ledger): string {
  return `${JSON.stringify(ledger, null, 2)}\n`;
}
