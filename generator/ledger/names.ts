// Decides which names keep their numbers, which take over another's, which are retired, and which get new numbers; the same for
// resources and for the columns of one resource.

import { sha256 } from '../../runtime/schema/hash.js';
import { FIRST_DRAWN, NUMBER_LIMIT } from '../../runtime/schema/numbers.js';

export interface Names {
  readonly live: ReadonlyMap<string, number>;
  /** Removed, under its last name. */
  readonly retired: ReadonlyMap<string, number>;
  /** Names given up by a rename and not reused, with the number that now has another name. */
  readonly former: ReadonlyMap<string, number>;
  /** Every earlier name of a number. */
  readonly formerly: ReadonlyMap<number, readonly string[]>;
}

/** @param formerly every earlier name by number; a name that is live or retired does not count as former */
export function namesOf({ live, retired, formerly }: Omit<Names, 'former'>): Names {
  const pairs = [...formerly].flatMap(([number, earlier]) => earlier.map((name) => [name, number] as const));
  const former = new Map(pairs.filter(([name]) => !live.has(name) && !retired.has(name)));
  return { live, retired, former, formerly };
}

/** A name that the descriptors use. */
export interface WantedName {
  readonly name: string;
  /** Its earlier name; null if it is new; undefined if there is no statement, or it was already applied. */
  readonly was: string | null | undefined;
  /** Whether a retired number returns without a statement. */
  readonly returns: boolean;
}

/** Why a name cannot have a number. `owner` has the number that `name` claims. */
export type Fault =
  | { readonly kind: 'taken'; readonly name: string; readonly owner: string }
  | { readonly kind: 'unknown'; readonly name: string }
  | { readonly kind: 'reused'; readonly name: string };

export interface Claims {
  /** The number that each wanted name takes over; null for a new one. */
  readonly numbers: ReadonlyMap<string, number | null>;
  readonly faults: readonly Fault[];
}

/** Statements come first, then names that stayed. If there are faults, the claims are invalid. */
export function claim(names: Names, wanted: readonly WantedName[]): Claims {
  const numbers = new Map<string, number | null>();
  const owners = new Map<number, string>();
  const faults: Fault[] = [];
  const take = (name: string, number: number): void => {
    const owner = owners.get(number);
    if (owner !== undefined) faults.push({ kind: 'taken', name, owner });
    else owners.set(number, name);
    numbers.set(name, owner === undefined ? number : null);
  };
  for (const { name, was } of wanted) {
    if (was === undefined || was === null) continue;
    const number = numberFor(names, name, was);
    if (number === undefined) faults.push({ kind: 'unknown', name });
    else take(name, number);
  }
  for (const candidate of wanted) {
    if (numbers.has(candidate.name)) continue;
    const { number, reused } = candidate.was === undefined ? unstated(names, candidate, owners) : NEW;
    if (reused) faults.push({ kind: 'reused', name: candidate.name });
    if (number === null) numbers.set(candidate.name, null);
    else {
      const taker = owners.get(number);
      // The statement is wrong, because the name that it refers to still exists.
      if (taker !== undefined) faults.push({ kind: 'taken', name: taker, owner: candidate.name });
      numbers.set(candidate.name, number);
      owners.set(number, candidate.name);
    }
  }
  return { numbers, faults };
}

const NEW = { number: null, reused: false } as const;

/** The number that a statement refers to. For a name that refers to itself, the retired number precedes the live one. */
function numberFor({ live, retired, former }: Names, name: string, was: string): number | undefined {
  const order = was === name ? [retired, live, former] : [live, retired, former];
  return order.map((numbers) => numbers.get(was)).find((number) => number !== undefined);
}

/** The number of a name without a statement. */
function unstated(
  { live, retired, former }: Names,
  { name, returns }: WantedName,
  owners: ReadonlyMap<number, string>,
): { readonly number: number | null; readonly reused: boolean } {
  const number = live.get(name);
  if (number !== undefined) return { number, reused: false };
  const before = retired.get(name);
  if (!returns) return { number: null, reused: before !== undefined || former.has(name) };
  return { number: before !== undefined && !owners.has(before) ? before : null, reused: false };
}

/** All names once `numbers` are assigned: a number without a name retires under its last name. */
export function assignNumbers(names: Names, numbers: ReadonlyMap<string, number>): Names {
  const taken = new Set(numbers.values());
  const before = [...names.retired, ...names.live];
  const formerly = new Map(names.formerly);
  for (const [name, number] of before) {
    const earlier = formerly.get(number) ?? [];
    if (isRenamed(numbers, taken, [name, number]) && !earlier.includes(name)) formerly.set(number, [...earlier, name]);
  }
  return namesOf({ live: numbers, retired: new Map(before.filter(([, number]) => !taken.has(number))), formerly });
}

/** The numbers that get another name, by their previous names. */
export function renamesOf({ live, retired }: Names, numbers: ReadonlyMap<string, number>): ReadonlyMap<string, number> {
  const taken = new Set(numbers.values());
  return new Map([...retired, ...live].filter((named) => isRenamed(numbers, taken, named)));
}

function isRenamed(
  numbers: ReadonlyMap<string, number>,
  taken: ReadonlySet<number>,
  [name, number]: readonly [string, number],
): boolean {
  return taken.has(number) && numbers.get(name) !== number;
}

/** The input of a draw, which gives the same number in every branch. */
interface NumberRequest {
  readonly kind: 'resource' | 'column' | 'value';
  /** The number of the resource of a column, or of the column of a value; 0 for a resource. */
  readonly owner: number;
  readonly name: string;
  /** How many things had the name before. */
  readonly earlier: number;
}

export type Draw = (thing: NumberRequest) => number;

/** @param taken numbers that are or were assigned; the drawn ones are added */
export function createDraw(taken: Set<number>): Draw {
  return (thing) => {
    for (let attempt = 0; ; attempt++) {
      const number = hashOf(thing, attempt);
      if (taken.has(number)) continue;
      taken.add(number);
      return number;
    }
  };
}

function hashOf({ kind, owner, name, earlier }: NumberRequest, attempt: number): number {
  const hash = Number.parseInt(sha256(JSON.stringify([kind, owner, name, earlier, attempt])).slice(0, 12), 16);
  return FIRST_DRAWN + (hash % (NUMBER_LIMIT - FIRST_DRAWN));
}
