// The ledger: a permanent number for every resource and column, and the history of their names; its written form, and the hash
// of its content. extend.ts adds to it.

import { sha256 } from '../../runtime/schema/hash.js';
import { memoizeByObject } from '../memoize.js';
import type { Clash } from './join.js';
import type { Names } from './names.js';

export interface Ledger {
  /** The next revision. It used to count numbers, too; now they are drawn (names.ts), and never reused, even after a removal. */
  readonly next: number;
  /** The content hash of the last revision, to tell branches apart; absent if unchanged since numbers were counted. */
  readonly content?: string;
  readonly resources: Readonly<Record<string, LedgerEntry>>;
  /** Removed resources, under their last names. */
  readonly retired?: Readonly<Record<string, LedgerEntry>>;
  /** Earlier names of resources, by number. */
  readonly formerly?: FormerNames;
  /** The current `was` statements of resources: a statement recorded here has been applied. */
  readonly was?: RenameStatements;
  readonly uses?: NameUses;
  /** Conflicts between two branches that were just joined; never written. */
  readonly clashes?: readonly Clash[];
}

export interface LedgerEntry {
  readonly number: number;
  readonly columns: Readonly<Record<string, number>>;
  /** Removed columns, under their last names. */
  readonly retired?: Readonly<Record<string, number>>;
  /** Earlier names of columns, by number. */
  readonly formerly?: FormerNames;
  /** The current `was` statements of fields, by field name. */
  readonly was?: RenameStatements;
  readonly uses?: NameUses;
  /** The values of columns that hold one of a list of names, by the number of the column. */
  readonly values?: Readonly<Record<string, LedgerValues>>;
}

/** The values have the same keys as the columns of a resource. */
export interface LedgerValues {
  readonly names: Readonly<Record<string, number>>;
  readonly retired?: Readonly<Record<string, number>>;
  readonly formerly?: FormerNames;
  /** For each name that several values gave up, the number of the last of them. */
  readonly latest?: Readonly<Record<string, number>>;
  readonly was?: RenameStatements;
  readonly uses?: NameUses;
}

/** How many numbers were drawn for one name, if more than one. */
export type NameUses = Readonly<Record<string, number>>;

/** Every earlier name by number, earliest first: a database may be at any of them. */
export type FormerNames = Readonly<Record<string, readonly string[]>>;

/** An earlier name; null if the name is new. */
export type RenameStatements = Readonly<Record<string, string | null>>;

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

/** Every earlier name of a table or of one of its columns, earliest first. */
export function formerNames(ledger: Ledger, resource: string, column?: string): readonly string[] {
  if (column === undefined) return ledger.formerly?.[resourceNumber(ledger, resource)] ?? [];
  return ledger.resources[resource]?.formerly?.[columnNumber(ledger, resource, column)] ?? [];
}

/** The values of a column; empty if it does not hold one of a list of names. */
export function columnValues(ledger: Ledger, resource: string, column: string): LedgerValues {
  const number = columnNumber(ledger, resource, column);
  return ledger.resources[resource]?.values?.[number] ?? { names: {} };
}

/** The ledger as the text of spec/ledger.json. */
export function ledgerText(ledger: Ledger): string {
  return `${JSON.stringify(ledger, null, 2)}\n`;
}

export function byNumber(formerly: FormerNames = {}): ReadonlyMap<number, readonly string[]> {
  return new Map(Object.entries(formerly).map(([number, names]) => [Number(number), names]));
}

/** Left out if nothing was renamed. Numeric keys are always sorted. */
export function formerNamesKey(formerly: ReadonlyMap<number, readonly string[]>): { readonly formerly?: FormerNames } {
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

interface Assignment {
  /** A new number for a name. */
  assign(name: string): number;
  /** The key of the ledger that counts them; left out if each name was used only once. */
  usesKey(): { readonly uses?: NameUses };
}

/** Draws numbers for the names of one owner. @param uses as recorded so far */
export function assignment(
  { live, retired, formerly }: Names,
  uses: NameUses | undefined,
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

/** @returns 16 hexadecimal digits */
export function contentOf({ resources, retired = {} }: Ledger): string {
  const entries = [...Object.entries(resources), ...Object.entries(retired)];
  const texts = entries.map(([name, entry]) => [entry.number, `${name}${textOf(entry)}`] as const);
  const lines = texts.sort(([a], [b]) => a - b).map(([number, text]) => `${number} ${text}`);
  return sha256(lines.join('\n')).slice(0, 16);
}

const textOf = memoizeByObject(({ columns, retired = {}, values = {} }: LedgerEntry): string => {
  const ofValues = Object.entries(values).map(([column, one]) => `\n ${column}${valuesText(one)}`);
  return named(columns, retired) + ofValues.join('');
});

function valuesText({ names, retired = {} }: LedgerValues): string {
  return named(names, retired);
}

function named(live: Readonly<Record<string, number>>, retired: Readonly<Record<string, number>>): string {
  const pairs = [...Object.entries(live), ...Object.entries(retired)].sort(([, a], [, b]) => a - b);
  return JSON.stringify(pairs);
}
