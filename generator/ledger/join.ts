// Joins the ledgers of two branches that were merged, by number. The descriptors, which were merged too, decide afterwards what
// is still there. Pure, and the same whichever branch is merged into the other.

import {
  byName,
  byNumber,
  contentOf,
  type FormerNames,
  formerNamesKey,
  type Ledger,
  type LedgerEntry,
  type LedgerValues,
  type NameUses,
  optionalKey,
  type RenameStatements,
} from './ledger.js';
import type { Names } from './names.js';

/** One name for two things, one of each branch. */
export interface Clash extends NameClash {
  /** The number of the resource, for a name in it; null: it is the name of a resource. */
  readonly resource: number | null;
  /** The number of the column, for one of its values. */
  readonly column?: number;
}

/** @returns the ledger of both, with its clashes */
export function joinLedgers(one: Ledger, other: Ledger): Ledger {
  const { names, clashes } = joinNames(resourceNames(one), resourceNames(other));
  const all: Clash[] = clashes.map((clash) => ({ ...clash, resource: null }));
  for (const clash of [...(one.clashes ?? []), ...(other.clashes ?? [])]) all.push(clash);
  const entries = entriesOf(one);
  const others = entriesOf(other);
  const entry = ([name, number]: readonly [string, number]): readonly [string, LedgerEntry] => {
    const [own, foreign] = [entries.get(number), others.get(number)];
    // Assigned twice: each name keeps what it had.
    if (own?.name !== name && foreign?.name === name && !isOneThing(own, foreign)) return [name, foreign.entry];
    if (own?.name === name && foreign !== undefined && !isOneThing(own, foreign)) return [name, own.entry];
    const made = joinedEntry(own?.entry, foreign?.entry);
    all.push(...made.clashes);
    return [name, made.entry];
  };
  const resources = [...names.live].map(entry);
  const retired = [...names.retired].map(entry);
  return {
    ...joinedVersion(one, other),
    resources: byName(resources),
    ...optionalKey('retired', retired),
    ...joinedRest(names, one, other),
    ...(all.length === 0 ? {} : { clashes: withoutRepeats(all) }),
  };
}

function withoutRepeats(clashes: readonly Clash[]): readonly Clash[] {
  const keyOf = ({ resource, column, name }: Clash): string => JSON.stringify([resource, column, name]);
  const byKey = new Map(clashes.map((clash) => [keyOf(clash), clash]));
  return [...byKey].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, clash]) => clash);
}

/** Where both branches have reached the last revision, it stands for two contents: that of the joined ledger is a new one. */
function joinedVersion(one: Ledger, other: Ledger): Pick<Ledger, 'next' | 'content'> {
  const [own, foreign] = [one, other].map((ledger) => ledger.content ?? contentOf(ledger));
  if (one.next !== other.next) return one.next > other.next ? versionOf(one, own) : versionOf(other, foreign);
  return own === foreign ? versionOf(one, own) : { next: one.next, content: '' };
}

function versionOf({ next }: Ledger, content = ''): Pick<Ledger, 'next' | 'content'> {
  return { next, content };
}

interface NamedEntry {
  readonly name: string;
  readonly entry: LedgerEntry;
  readonly formerly: readonly string[];
}

function entriesOf({ resources, retired = {}, formerly = {} }: Ledger): ReadonlyMap<number, NamedEntry> {
  const all = [...Object.entries(retired), ...Object.entries(resources)];
  return new Map(
    all.map(([name, entry]) => [entry.number, { name, entry, formerly: formerly[entry.number] ?? [] }] as const),
  );
}

function isOneThing(one: NamedEntry | undefined, other: NamedEntry | undefined): boolean {
  if (one === undefined || other === undefined) return true;
  const names = [one.name, ...one.formerly];
  return [other.name, ...other.formerly].some((name) => names.includes(name));
}

function joinedEntry(
  one: LedgerEntry | undefined,
  other: LedgerEntry | undefined,
): { readonly entry: LedgerEntry; readonly clashes: readonly Clash[] } {
  const [own, foreign] = [one ?? other, other ?? one];
  if (own === undefined || foreign === undefined) throw new Error('a joined number is of neither branch');
  if (own === foreign) return { entry: own, clashes: [] };
  const { names, clashes } = joinNames(namesOf(own.columns, own), namesOf(foreign.columns, foreign));
  const columns = new Set([...Object.keys(own.values ?? {}), ...Object.keys(foreign.values ?? {})]);
  const values = [...columns].map((column) => {
    const joined = joinedValues(own.values?.[column], foreign.values?.[column]);
    return { column, ...joined };
  });
  const place = { resource: own.number };
  return {
    entry: {
      number: own.number,
      columns: Object.fromEntries([...names.live].sort(([, a], [, b]) => a - b)),
      ...optionalKey('retired', names.retired),
      ...joinedRest(names, own, foreign),
      ...optionalKey(
        'values',
        values.map((one) => [one.column, one.values] as const),
      ),
    },
    clashes: [
      ...clashes.map((clash) => ({ ...clash, ...place })),
      ...values.flatMap((one) => one.clashes.map((clash) => ({ ...clash, ...place, column: Number(one.column) }))),
    ],
  };
}

function joinedValues(
  one: LedgerValues = { names: {} },
  other: LedgerValues = { names: {} },
): { readonly values: LedgerValues; readonly clashes: readonly NameClash[] } {
  const { names, clashes } = joinNames(namesOf(one.names, one), namesOf(other.names, other));
  const latest = merged(one.latest, other.latest, (a, b) => Math.max(a, b));
  return {
    clashes,
    values: {
      names: Object.fromEntries([...names.live].sort(([, a], [, b]) => a - b)),
      ...optionalKey('retired', names.retired),
      ...optionalKey('latest', Object.entries(latest)),
      ...joinedRest(names, one, other),
    },
  };
}

interface EntryHistory {
  readonly formerly?: FormerNames;
  readonly was?: RenameStatements;
  readonly uses?: NameUses;
}

/** A statement that the branches do not agree on counts as not applied yet. */
function joinedRest({ formerly }: Omit<Names, 'former'>, one: EntryHistory, other: EntryHistory): EntryHistory {
  const isAgreed = (name: string): boolean =>
    one.was?.[name] === other.was?.[name] || !(name in (one.was ?? {}) && name in (other.was ?? {}));
  const was = Object.entries({ ...one.was, ...other.was }).filter(([name]) => isAgreed(name));
  const uses = merged(one.uses, other.uses, (a, b) => Math.max(a, b));
  return {
    ...formerNamesKey(formerly),
    ...optionalKey('was', was),
    ...optionalKey('uses', Object.entries(uses)),
  };
}

function merged(one: NameUses = {}, other: NameUses = {}, choose: (a: number, b: number) => number): NameUses {
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  return Object.fromEntries(
    [...names].map((name) => [name, choose(one[name] ?? other[name] ?? 0, other[name] ?? one[name] ?? 0)]),
  );
}

function resourceNames({ resources, retired = {}, formerly }: Ledger): Omit<Names, 'former'> {
  const numbers = (entries: Ledger['resources']) =>
    new Map(Object.entries(entries).map(([name, { number }]) => [name, number]));
  return { live: numbers(resources), retired: numbers(retired), formerly: byNumber(formerly) };
}

function namesOf(
  live: Readonly<Record<string, number>>,
  { retired = {}, formerly }: Pick<LedgerEntry, 'retired' | 'formerly'>,
): Omit<Names, 'former'> {
  return {
    live: new Map(Object.entries(live)),
    retired: new Map(Object.entries(retired)),
    formerly: byNumber(formerly),
  };
}

/** Two different things have one name: each branch gave it to another one. */
interface NameClash {
  readonly name: string;
  readonly numbers: readonly number[];
}

interface JoinedNames {
  readonly names: Omit<Names, 'former'>;
  readonly clashes: readonly NameClash[];
}

/** A name of a number, as one branch or both have it. */
interface Holder {
  readonly number: number;
  readonly name: string;
  readonly isLive: boolean;
  readonly formerly: readonly string[];
}

type HoldersByNumber = ReadonlyMap<number, Holder>;

/** What the merged descriptors no longer have retires when the ledger is extended; so what one branch has counts as live. */
function joinNames(one: Omit<Names, 'former'>, other: Omit<Names, 'former'>): JoinedNames {
  const sides = [holdersOf(one), holdersOf(other)] as const;
  const numbers = [...new Set(sides.flatMap((side) => [...side.keys()]))].sort((a, b) => a - b);
  const holders = numbers.flatMap((number) => joined(sides[0].get(number), sides[1].get(number)));
  const live = new Map<string, number>();
  const retired = new Map<string, number>();
  const clashes: NameClash[] = [];
  for (const [name, all] of groupedByName(holders)) {
    const claiming = all.filter(({ isLive }) => isLive);
    // A branch that replaced what it had under the name knows both.
    const replaced = claiming.filter((holder) => claiming.length > 1 && isGivenUp(holder, sides));
    const [first, ...others] = claiming.filter((holder) => !replaced.includes(holder));
    for (const { number } of [...all.filter(({ isLive }) => !isLive), ...replaced]) retired.set(name, number);
    if (first !== undefined) live.set(name, first.number);
    if (others.length > 0) clashes.push({ name, numbers: [first, ...others].map((holder) => holder?.number ?? 0) });
  }
  const formerly = new Map(holders.flatMap((one) => (one.formerly.length > 0 ? [[one.number, one.formerly]] : [])));
  return { names: { live, retired, formerly }, clashes };
}

function holdersOf({ live, retired, formerly }: Omit<Names, 'former'>): HoldersByNumber {
  const holder = (isLive: boolean) => {
    return ([name, number]: readonly [string, number]) =>
      [number, { number, name, isLive, formerly: formerly.get(number) ?? [] }] as const;
  };
  return new Map([...[...retired].map(holder(false)), ...[...live].map(holder(true))]);
}

/** Two holders of one number only if their names have nothing in common: then it was assigned twice. */
function joined(one: Holder | undefined, other: Holder | undefined): readonly Holder[] {
  if (one === undefined || other === undefined) return [one ?? other].flatMap((holder) => holder ?? []);
  if (!historyOf(one).some((name) => historyOf(other).includes(name))) return [one, other];
  const [later, earlier] = inOrder(one, other);
  const added = historyOf(earlier).filter((name) => name !== later.name && !later.formerly.includes(name));
  return [{ ...later, isLive: one.isLive || other.isLive, formerly: [...later.formerly, ...added] }];
}

function historyOf({ name, formerly }: Holder): readonly string[] {
  return [...formerly, name];
}

/** The one that was renamed last comes first; if both were, the order is that of their names, and the descriptors decide. */
function inOrder(one: Holder, other: Holder): readonly [Holder, Holder] {
  const rank = (holder: Holder, against: Holder): number =>
    holder.formerly.includes(against.name) && holder.name !== against.name ? 1 : 0;
  const difference =
    rank(one, other) - rank(other, one) ||
    one.formerly.length - other.formerly.length ||
    (textOf(one) < textOf(other) ? 1 : -1);
  return difference > 0 ? [one, other] : [other, one];
}

function textOf(holder: Holder): string {
  return JSON.stringify([holder.name, holder.formerly]);
}

function isGivenUp({ number, name }: Holder, sides: readonly HoldersByNumber[]): boolean {
  return sides.some((side) => {
    const holder = side.get(number);
    return holder !== undefined && !holder.isLive && holder.name === name;
  });
}

function groupedByName(holders: readonly Holder[]): ReadonlyMap<string, readonly Holder[]> {
  const groups = new Map<string, Holder[]>();
  for (const holder of holders) groups.set(holder.name, [...(groups.get(holder.name) ?? []), holder]);
  return groups;
}
