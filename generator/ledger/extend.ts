// Carries the ledger on: gives numbers to what is new, lets numbers follow renames, keeps what is gone.
// Judges no descriptor: what is wrong with a statement is handed back as troubles.

import type { RawResource } from '../language/language.js';
import { stated, wantedColumns, wantedFields } from './columns.js';
import type { Formerly, Ledger, LedgerEntry } from './ledger.js';
import { claim, isRenaming, type Names, namesOf, settle } from './names.js';
import { fieldTroubles, resourceTroubles, type Trouble, type WantedResource } from './troubles.js';

export interface Extended {
  /** Of use only without troubles. */
  readonly ledger: Ledger;
  readonly troubles: readonly Trouble[];
}

type Give = () => number;

/**
 * @param ledger the numbers given so far
 * @param resources in the order of their names, so that the same spec always gets the same numbers
 * @returns the ledger that knows every resource and column of the spec; extending again changes nothing
 */
export function extendLedger(ledger: Ledger, resources: readonly RawResource[]): Extended {
  const first = Math.max(ledger.next, highest(ledger) + 1);
  let next = first;
  const give = (): number => next++;
  const entries = new Map(allEntries(ledger).map(([, entry]) => [entry.number, entry]));
  const names = resourceNames(ledger);
  const wanted = wantedResources(ledger, resources, names);
  const claims = claim(names, wanted);
  const troubles = [...resourceTroubles(claims.faults, wanted, names)];
  const extended = new Map<string, LedgerEntry>();
  let renamed = false;
  for (const resource of resources) {
    const number = claims.numbers.get(resource.resource) ?? give();
    const one = extendEntry(entries.get(number) ?? { number, columns: {} }, resource, give);
    extended.set(resource.resource, one.entry);
    troubles.push(...one.troubles);
    renamed ||= one.renamed;
  }
  const numbers = new Map([...extended].map(([name, { number }]) => [name, number]));
  const settled = settle(names, numbers);
  renamed ||= isRenaming(names, numbers);
  // The revision is the last number given: a server that knows only the old name must see that it is the older one.
  if (renamed && next === first) give();
  const retired = [...settled.retired].flatMap(([name, number]) => {
    const entry = entries.get(number);
    return entry === undefined ? [] : [[name, entry] as const];
  });
  return {
    troubles,
    ledger: {
      next,
      resources: byName(extended),
      ...kept('retired', retired),
      ...keptNames(settled.formerly),
      ...kept('was', statements(resources.map(({ resource, was }) => [resource, was]))),
    },
  };
}

function extendEntry(
  entry: LedgerEntry,
  resource: RawResource,
  give: Give,
): { readonly entry: LedgerEntry; readonly troubles: readonly Trouble[]; readonly renamed: boolean } {
  const names = columnNames(entry);
  const fields = wantedFields(resource, entry, names);
  const wanted = wantedColumns(resource, fields);
  const claims = claim(names, wanted);
  const numbers = new Map(wanted.map(({ name }) => [name, claims.numbers.get(name) ?? give()]));
  const settled = settle(names, numbers);
  return {
    renamed: isRenaming(names, numbers),
    troubles: fieldTroubles(claims.faults, { resource: resource.resource, fields, wanted, names }),
    entry: {
      number: entry.number,
      // By number, so that a rename is one line of a diff.
      columns: Object.fromEntries([...settled.live].sort(([, a], [, b]) => a - b)),
      ...kept('retired', settled.retired),
      ...keptNames(settled.formerly),
      ...kept('was', statements(fields.map(({ name, said }) => [name, said]))),
    },
  };
}

function wantedResources(ledger: Ledger, resources: readonly RawResource[], names: Names): readonly WantedResource[] {
  return resources.map(({ resource: name, was }) => {
    const followed = names.live.has(name) && stated(ledger.was, name) === was;
    return { name, said: was, was: followed ? undefined : was, returns: false };
  });
}

/** Entries of the ledger by name, those of resources that are gone last. */
export function allEntries(ledger: Ledger): readonly (readonly [string, LedgerEntry])[] {
  return [...Object.entries(ledger.resources), ...Object.entries(ledger.retired ?? {})];
}

function resourceNames(ledger: Ledger): Names {
  const numbers = (entries: Ledger['resources']) =>
    new Map(Object.entries(entries).map(([name, { number }]) => [name, number]));
  return namesOf({
    live: numbers(ledger.resources),
    retired: numbers(ledger.retired ?? {}),
    formerly: byNumber(ledger.formerly),
  });
}

function columnNames({ columns, retired, formerly }: LedgerEntry): Names {
  return namesOf({
    live: new Map(Object.entries(columns)),
    retired: new Map(Object.entries(retired ?? {})),
    formerly: byNumber(formerly),
  });
}

function byNumber(formerly: Formerly = {}): ReadonlyMap<number, readonly string[]> {
  return new Map(Object.entries(formerly).map(([number, names]) => [Number(number), names]));
}

/** Left out while nothing was renamed. Keys that are numbers are in their order by themselves. */
function keptNames(formerly: ReadonlyMap<number, readonly string[]>): { readonly formerly?: Formerly } {
  return formerly.size === 0 ? {} : { formerly: Object.fromEntries(formerly) };
}

/** After a merge of two branches `next` may be behind. */
function highest(ledger: Ledger): number {
  const numbers = allEntries(ledger).flatMap(([, { number, columns, retired }]) => [
    number,
    ...Object.values(columns),
    ...Object.values(retired ?? {}),
  ]);
  return numbers.reduce((most, number) => Math.max(most, number), 0);
}

function statements(said: readonly (readonly [string, string | null | undefined])[]): [string, string | null][] {
  return said.flatMap(([name, was]) => (was === undefined ? [] : [[name, was] as [string, string | null]]));
}

/** A key of the ledger, left out while it has nothing to say. */
function kept<K extends string, T>(
  key: K,
  entries: Iterable<readonly [string, T]>,
): Partial<Record<K, Record<string, T>>> {
  const record = byName(entries);
  return Object.keys(record).length === 0 ? {} : ({ [key]: record } as Record<K, Record<string, T>>);
}

function byName<T>(entries: Iterable<readonly [string, T]>): Record<string, T> {
  return Object.fromEntries([...entries].sort(([a], [b]) => (a < b ? -1 : 1)));
}
