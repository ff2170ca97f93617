// Joins the ledgers of two merged branches by number. The merged descriptors then decide which names still exist. Pure, and the
// same whichever branch is merged into the other.

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

/** A name that each branch has given to another thing. */
export interface Clash extends NameClash {
  /** The number of the resource, for a name in it; null for the name of a resource. */
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
    const [ours, theirs] = [entries.get(number), others.get(number)];
    // The number was assigned twice: each name keeps its entry.
    if (ours?.name !== name && theirs?.name === name && !isSameThing(ours, theirs)) return [name, theirs.entry];
    if (ours?.name === name && theirs !== undefined && !isSameThing(ours, theirs)) return [name, ours.entry];
    const joinedEntries = joinedEntry(ours?.entry, theirs?.entry);
    all.push(...joinedEntries.clashes);
    return [name, joinedEntries.entry];
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

/** If both branches reached the last revision with different contents, the content of the joined ledger is a new one. */
function joinedVersion(one: Ledger, other: Ledger): Pick<Ledger, 'next' | 'content'> {
  const [ours, theirs] = [one, other].map((ledger) => ledger.content ?? contentOf(ledger));
  if (one.next !== other.next) return one.next > other.next ? versionOf(one, ours) : versionOf(other, theirs);
  return ours === theirs ? versionOf(one, ours) : { next: one.next, content: '' };
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

function isSameThing(one: NamedEntry | undefined, other: NamedEntry | undefined): boolean {
  if (one === undefined || other === undefined) return true;
  const names = [one.name, ...one.formerly];
  return [other.name, ...other.formerly].some((name) => names.includes(name));
}

function joinedEntry(
  one: LedgerEntry | undefined,
  other: LedgerEntry | undefined,
): { readonly entry: LedgerEntry; readonly clashes: readonly Clash[] } {
  const [ours, theirs] = [one ?? other, other ?? one];
  if (ours === undefined || theirs === undefined) throw new Error('a joined number is of neither branch');
  if (ours === theirs) return { entry: ours, clashes: [] };
  const { names, clashes } = joinNames(namesOf(ours.columns, ours), namesOf(theirs.columns, theirs));
  const columns = new Set([...Object.keys(ours.values ?? {}), ...Object.keys(theirs.values ?? {})]);
  const values = [...columns].map((column) => {
    const joined = joinedValues(ours.values?.[column], theirs.values?.[column]);
    return { column, ...joined };
  });
  const place = { resource: ours.number };
  return {
    entry: {
      number: ours.number,
      columns: Object.fromEntries([...names.live].sort(([, a], [, b]) => a - b)),
      ...optionalKey('retired', names.retired),
      ...joinedRest(names, ours, theirs),
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

/** A statement on which the branches disagree counts as not applied yet. */
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

/** A name that each branch gave to a different thing. */
interface NameClash {
  readonly name: string;
  readonly numbers: readonly number[];
}

interface JoinedNames {
  readonly names: Omit<Names, 'former'>;
  readonly clashes: readonly NameClash[];
}

/** A name of a number in one branch or both. */
interface Holder {
  readonly number: number;
  readonly name: string;
  readonly isLive: boolean;
  readonly formerly: readonly string[];
}

type HoldersByNumber = ReadonlyMap<number, Holder>;

/** Names in one branch count as live: those missing from the merged descriptors retire when the ledger is extended. */
function joinNames(one: Omit<Names, 'former'>, other: Omit<Names, 'former'>): JoinedNames {
  const sides = [holdersOf(one), holdersOf(other)] as const;
  const numbers = [...new Set(sides.flatMap((side) => [...side.keys()]))].sort((a, b) => a - b);
  const holders = numbers.flatMap((number) => joined(sides[0].get(number), sides[1].get(number)));
  const live = new Map<string, number>();
  const retired = new Map<string, number>();
  const clashes: NameClash[] = [];
  for (const [name, all] of groupedByName(holders)) {
    const claiming = all.filter(({ isLive }) => isLive);
    // A branch that gave the name to something else knows both numbers.
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

/** Returns both holders of a number only if their names have nothing in common, since the number was then assigned twice. */
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

/** The later rename comes first; if both were renamed, their names decide on the order, and the descriptors on the name. */
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
