// Extends the ledger: assigns numbers to what is new, lets numbers follow renames, keeps what was removed.
// Problems with a `was` are returned, not reported.

import type { RawResource } from '../language/language.js';
import { stated, wantedColumns, wantedFields } from './columns.js';
import type { Ledger, LedgerEntry } from './ledger.js';
import { claim, isRenaming, type Names, namesOf, settle } from './names.js';
import { fieldProblems, type Problem, resourceProblems, type WantedResource } from './problems.js';
import { extendValues, valueNumbers } from './values.js';
import { type AssignNumber, byName, byNumber, formerNamesKey, optionalKey } from './written.js';

export interface Extended {
  /** Valid only if there are no problems. */
  readonly ledger: Ledger;
  readonly problems: readonly Problem[];
}

/**
 * @param ledger the numbers assigned so far
 * @param resources in the order of their names, so that the same spec always gets the same numbers
 * @returns the ledger that knows every resource and column of the spec; extending again changes nothing
 */
export function extendLedger(ledger: Ledger, resources: readonly RawResource[]): Extended {
  const first = Math.max(ledger.next, highest(ledger) + 1);
  let next = first;
  const assign = (): number => next++;
  const entries = new Map(allEntries(ledger).map(([, entry]) => [entry.number, entry]));
  const names = resourceNames(ledger);
  const wanted = wantedResources(ledger, resources, names);
  const claims = claim(names, wanted);
  const problems = [...resourceProblems(claims.faults, wanted, names)];
  const extended = new Map<string, LedgerEntry>();
  let renamed = false;
  for (const resource of resources) {
    const number = claims.numbers.get(resource.resource) ?? assign();
    const one = extendedEntry(entries.get(number) ?? { number, columns: {} }, resource, assign);
    extended.set(resource.resource, one.entry);
    problems.push(...one.problems);
    renamed ||= one.renamed;
  }
  const numbers = new Map([...extended].map(([name, { number }]) => [name, number]));
  const settled = settle(names, numbers);
  renamed ||= isRenaming(names, numbers);
  // The revision is the last number assigned: a server that knows only the old name must see that it is out of date.
  if (renamed && next === first) assign();
  const retired = [...settled.retired].flatMap(([name, number]) => {
    const entry = entries.get(number);
    return entry === undefined ? [] : [[name, entry] as const];
  });
  return {
    problems,
    ledger: {
      next,
      resources: byName(extended),
      ...optionalKey('retired', retired),
      ...formerNamesKey(settled.formerly),
      ...optionalKey('was', statements(resources.map(({ resource, was }) => [resource, was]))),
    },
  };
}

/** The same again for what needed no number the last time. */
function extendedEntry(known: LedgerEntry, resource: RawResource, assign: AssignNumber): ExtendedEntry {
  const last = SETTLED.get(resource);
  if (last?.known === known) return last.extended;
  let isAssigned = false;
  const extended = extendEntry(known, resource, () => {
    isAssigned = true;
    return assign();
  });
  if (!isAssigned) SETTLED.set(resource, { known, extended });
  return extended;
}

const SETTLED = new WeakMap<RawResource, { readonly known: LedgerEntry; readonly extended: ExtendedEntry }>();

interface ExtendedEntry {
  readonly entry: LedgerEntry;
  readonly problems: readonly Problem[];
  readonly renamed: boolean;
}

function extendEntry(entry: LedgerEntry, resource: RawResource, assign: AssignNumber): ExtendedEntry {
  const names = columnNames(entry);
  const fields = wantedFields(resource, entry, names);
  const wanted = wantedColumns(resource, fields);
  const claims = claim(names, wanted);
  const numbers = new Map(wanted.map(({ name }) => [name, claims.numbers.get(name) ?? assign()]));
  const settled = settle(names, numbers);
  const values = extendValues(entry, resource, { numbers, assign });
  return {
    renamed: isRenaming(names, numbers) || values.renamed,
    problems: [
      ...fieldProblems(claims.faults, { resource: resource.resource, fields, wanted, names }),
      ...values.problems,
    ],
    entry: {
      number: entry.number,
      // By number, so that a rename is one line of a diff.
      columns: Object.fromEntries([...settled.live].sort(([, a], [, b]) => a - b)),
      ...optionalKey('retired', settled.retired),
      ...formerNamesKey(settled.formerly),
      ...optionalKey('was', statements(fields.map(({ name, statedWas }) => [name, statedWas]))),
      ...optionalKey('values', values.entries),
    },
  };
}

function wantedResources(ledger: Ledger, resources: readonly RawResource[], names: Names): readonly WantedResource[] {
  return resources.map(({ resource: name, was }) => {
    const isApplied = names.live.has(name) && stated(ledger.was, name) === was;
    return { name, statedWas: was, was: isApplied ? undefined : was, returns: false };
  });
}

/** Entries of the ledger by name, those of removed resources last. */
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

/** After a merge of two branches `next` may be behind. */
function highest(ledger: Ledger): number {
  const numbers = allEntries(ledger).flatMap(([, { number, columns, retired, values }]) => [
    number,
    ...Object.values(columns),
    ...Object.values(retired ?? {}),
    ...valueNumbers(values),
  ]);
  return numbers.reduce((most, number) => Math.max(most, number), 0);
}

function statements(stated: readonly (readonly [string, string | null | undefined])[]): [string, string | null][] {
  return stated.flatMap(([name, was]) => (was === undefined ? [] : [[name, was] as [string, string | null]]));
}
