// Extends the ledger: assigns numbers to new names, moves numbers along renames, keeps what was removed. Problems with a `was`
// are returned, not reported.

import { isDrawn } from '../../runtime/schema/numbers.js';
import type { RawResource } from '../language/language.js';
import {
  assignment,
  byName,
  byNumber,
  contentOf,
  formerNamesKey,
  type Ledger,
  type LedgerEntry,
  optionalKey,
} from './ledger.js';
import { assignNumbers, claim, createDraw, type Draw, type Names, namesOf } from './names.js';
import {
  fieldProblems,
  type Problem,
  renameStatement,
  resourceProblems,
  type WantedResource,
  wantedColumns,
  wantedFields,
} from './problems.js';
import { extendValues, valueNumbers } from './values.js';

export interface ExtendedLedger {
  /** Valid only if there are no problems. */
  readonly ledger: Ledger;
  readonly problems: readonly Problem[];
}

/**
 * @param ledger the numbers assigned so far
 * @param resources in the order of their names
 * @returns the ledger with every resource and column of the spec; extending it again changes nothing
 */
export function extendLedger(ledger: Ledger, resources: readonly RawResource[]): ExtendedLedger {
  const draw = createDraw(numbersOf(ledger));
  const entries = new Map(allEntries(ledger).map(([, entry]) => [entry.number, entry]));
  const names = resourceNames(ledger);
  const wanted = wantedResources(ledger, resources, names);
  const claims = claim(names, wanted);
  const { assign, usesKey } = assignment(names, ledger.uses, (name, earlier) =>
    draw({ kind: 'resource', owner: 0, name, earlier }),
  );
  const problems = [...resourceProblems(claims.faults, wanted, names)];
  const extended = new Map<string, LedgerEntry>();
  for (const resource of resources) {
    const number = claims.numbers.get(resource.resource) ?? assign(resource.resource);
    const result = extendedEntry(entries.get(number) ?? { number, columns: {} }, resource, draw);
    extended.set(resource.resource, result.entry);
    problems.push(...result.problems);
  }
  const settled = assignNumbers(names, new Map([...extended].map(([name, { number }]) => [name, number])));
  const retired = [...settled.retired].flatMap(([name, number]) => {
    const entry = entries.get(number);
    return entry === undefined ? [] : [[name, entry] as const];
  });
  const named = {
    resources: byName(extended),
    ...optionalKey('retired', retired),
    ...formerNamesKey(settled.formerly),
    ...optionalKey('was', statements(resources.map(({ resource, was }) => [resource, was]))),
    ...usesKey(),
  };
  return { problems, ledger: { ...revision(ledger, named), ...named } };
}

/** A new revision whenever a number gets another name: a server with the old revision must notice that it is outdated. */
function revision(ledger: Ledger, extended: Omit<Ledger, 'next' | 'content'>): Pick<Ledger, 'next' | 'content'> {
  // After a merge of counted numbers, `next` may be too low.
  const next = Math.max(ledger.next, highestCounted(ledger) + 1);
  const content = contentOf({ next, ...extended });
  if (content !== (ledger.content ?? contentOf(ledger))) return { next: next + 1, content };
  return { next, ...(ledger.content === undefined ? {} : { content }) };
}

/** Remembers the result if no number was drawn. */
function extendedEntry(known: LedgerEntry, resource: RawResource, draw: Draw): ExtendedEntry {
  const last = SETTLED.get(resource);
  if (last?.known === known) return last.extended;
  let isAssigned = false;
  const extended = extendEntry(known, resource, (thing) => {
    isAssigned = true;
    return draw(thing);
  });
  if (!isAssigned) SETTLED.set(resource, { known, extended });
  return extended;
}

const SETTLED = new WeakMap<RawResource, { readonly known: LedgerEntry; readonly extended: ExtendedEntry }>();

interface ExtendedEntry {
  readonly entry: LedgerEntry;
  readonly problems: readonly Problem[];
}

function extendEntry(entry: LedgerEntry, resource: RawResource, draw: Draw): ExtendedEntry {
  const names = columnNames(entry);
  const fields = wantedFields(resource, entry, names);
  const wanted = wantedColumns(resource, fields);
  const claims = claim(names, wanted);
  const { assign, usesKey } = assignment(names, entry.uses, (name, earlier) =>
    draw({ kind: 'column', owner: entry.number, name, earlier }),
  );
  const numbers = new Map(wanted.map(({ name }) => [name, claims.numbers.get(name) ?? assign(name)]));
  const settled = assignNumbers(names, numbers);
  const values = extendValues(entry, resource, { numbers, draw });
  return {
    problems: [
      ...fieldProblems(claims.faults, { resource: resource.resource, fields, wanted, names }),
      ...values.problems,
    ],
    entry: {
      number: entry.number,
      // Sorted by number, so that a rename changes one line.
      columns: Object.fromEntries([...settled.live].sort(([, a], [, b]) => a - b)),
      ...optionalKey('retired', settled.retired),
      ...formerNamesKey(settled.formerly),
      ...optionalKey('was', statements(fields.map(({ name, statedWas }) => [name, statedWas]))),
      ...usesKey(),
      ...optionalKey('values', values.entries),
    },
  };
}

function wantedResources(ledger: Ledger, resources: readonly RawResource[], names: Names): readonly WantedResource[] {
  return resources.map(({ resource: name, was }) => {
    const isApplied = names.live.has(name) && renameStatement(ledger.was, name) === was;
    return { name, statedWas: was, was: isApplied ? undefined : was, returns: false };
  });
}

/** Entries of the ledger by name, with removed resources last. */
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

function highestCounted(ledger: Ledger): number {
  let most = 0;
  for (const number of numbersOf(ledger)) if (number > most && !isDrawn(number)) most = number;
  return most;
}

/** Every number that is or was assigned. */
export function numbersOf(ledger: Ledger): Set<number> {
  return new Set(
    allEntries(ledger).flatMap(([, { number, columns, retired, values }]) => [
      number,
      ...Object.values(columns),
      ...Object.values(retired ?? {}),
      ...valueNumbers(values),
    ]),
  );
}

function statements(stated: readonly (readonly [string, string | null | undefined])[]): [string, string | null][] {
  return stated.flatMap(([name, was]) => (was === undefined ? [] : [[name, was] as [string, string | null]]));
}

export interface Removals {
  /** Removed resources, and names of new ones. */
  readonly gone: readonly string[];
  readonly added: readonly string[];
  /** By the name of a resource that stayed: removed columns, and names of new ones. */
  readonly columns: ReadonlyMap<string, { readonly gone: readonly string[]; readonly added: ReadonlySet<string> }>;
}

/** @param after the same ledger, extended by the current descriptors */
export function removals(before: Ledger, after: Ledger): Removals {
  const earlier = numbersOf(before);
  const isNew = (number: number | undefined): boolean => number !== undefined && !earlier.has(number);
  const numbers = new Set(Object.values(after.resources).map(({ number }) => number));
  const old = new Map(Object.values(before.resources).map((entry) => [entry.number, entry]));
  const columns = Object.entries(after.resources).flatMap(([name, entry]) => {
    const then = old.get(entry.number);
    if (then === undefined) return [];
    const remaining = new Set(Object.values(entry.columns));
    const removed = Object.keys(then.columns).filter((column) => !remaining.has(then.columns[column] ?? 0));
    const added = Object.keys(entry.columns).filter((column) => isNew(entry.columns[column]));
    return [[name, { gone: removed, added: new Set(added) }] as const];
  });
  return {
    gone: Object.keys(before.resources).filter((name) => !numbers.has(before.resources[name]?.number ?? 0)),
    added: Object.keys(after.resources).filter((name) => isNew(after.resources[name]?.number)),
    columns: new Map(columns),
  };
}
