// Joins the names of one kind as two branches have them, number by number: which name each has now, and which it had. Pure, and
// the same whichever branch is merged into the other.

import type { Names } from './names.js';

/** Two different things have one name: each branch gave it to another one. */
export interface NameClash {
  readonly name: string;
  readonly numbers: readonly number[];
}

export interface JoinedNames {
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

type Side = ReadonlyMap<number, Holder>;

/** What the merged descriptors no longer have retires when the ledger is extended; so what one branch has counts as live. */
export function joinNames(one: Omit<Names, 'former'>, other: Omit<Names, 'former'>): JoinedNames {
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

function holdersOf({ live, retired, formerly }: Omit<Names, 'former'>): Side {
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

function isGivenUp({ number, name }: Holder, sides: readonly Side[]): boolean {
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
