// Names and their numbers: which name keeps its number, which takes one over, and which are retired.
// The same for resources and for the columns of one resource.

export interface Names {
  readonly live: ReadonlyMap<string, number>;
  /** Gone, under the last name. */
  readonly retired: ReadonlyMap<string, number>;
  /** Names given up by a rename and not taken up again, with the number that lives on under another name. */
  readonly former: ReadonlyMap<string, number>;
  /** Every earlier name of a number. */
  readonly formerly: ReadonlyMap<number, readonly string[]>;
}

/** @param formerly every earlier name by number; a name that something has now, or had last, is no former one */
export function namesOf({ live, retired, formerly }: Omit<Names, 'former'>): Names {
  const given = [...formerly].flatMap(([number, earlier]) => earlier.map((name) => [name, number] as const));
  const former = new Map(given.filter(([name]) => !live.has(name) && !retired.has(name)));
  return { live, retired, former, formerly };
}

/** A name the descriptors use. */
export interface Wanted {
  readonly name: string;
  /** Its earlier name; null: it is new; undefined: nothing is said, or it was said and followed before. */
  readonly was: string | null | undefined;
  /** Whether a retired number comes back without a word. */
  readonly returns: boolean;
}

/** Why a name cannot have a number. `holder` has the number that `name` asks for. */
export type Fault =
  | { readonly kind: 'taken'; readonly name: string; readonly holder: string }
  | { readonly kind: 'unknown'; readonly name: string }
  | { readonly kind: 'reused'; readonly name: string };

export interface Claims {
  /** The number each wanted name takes over; null: a new one. */
  readonly numbers: ReadonlyMap<string, number | null>;
  readonly faults: readonly Fault[];
}

/** Statements come first, then names that stayed; with faults the claims are of no use. */
export function claim(names: Names, wanted: readonly Wanted[]): Claims {
  const numbers = new Map<string, number | null>();
  const holders = new Map<number, string>();
  const faults: Fault[] = [];
  const take = (name: string, number: number): void => {
    const holder = holders.get(number);
    if (holder !== undefined) faults.push({ kind: 'taken', name, holder });
    else holders.set(number, name);
    numbers.set(name, holder === undefined ? number : null);
  };
  for (const { name, was } of wanted) {
    if (was === undefined || was === null) continue;
    const number = meant(names, name, was);
    if (number === undefined) faults.push({ kind: 'unknown', name });
    else take(name, number);
  }
  for (const one of wanted) {
    if (numbers.has(one.name)) continue;
    const { number, reused } = one.was === undefined ? stayed(names, one, holders) : NEW;
    if (reused) faults.push({ kind: 'reused', name: one.name });
    if (number === null) numbers.set(one.name, null);
    else {
      const taker = holders.get(number);
      // The statement is what is wrong: it asks for what is still there.
      if (taker !== undefined) faults.push({ kind: 'taken', name: taker, holder: one.name });
      numbers.set(one.name, number);
      holders.set(number, one.name);
    }
  }
  return { numbers, faults };
}

const NEW = { number: null, reused: false } as const;

/** The number a statement speaks of. One's own name brings back what had it before what has it now. */
function meant({ live, retired, former }: Names, name: string, was: string): number | undefined {
  const order = was === name ? [retired, live, former] : [live, retired, former];
  return order.map((numbers) => numbers.get(was)).find((number) => number !== undefined);
}

/** Of a name about which nothing is said. */
function stayed(
  { live, retired, former }: Names,
  { name, returns }: Wanted,
  holders: ReadonlyMap<number, string>,
): { readonly number: number | null; readonly reused: boolean } {
  const number = live.get(name);
  if (number !== undefined) return { number, reused: false };
  const before = retired.get(name);
  if (!returns) return { number: null, reused: before !== undefined || former.has(name) };
  return { number: before !== undefined && !holders.has(before) ? before : null, reused: false };
}

/** Whether a number goes by another name than before. */
export function isRenaming({ live, retired }: Names, numbers: ReadonlyMap<string, number>): boolean {
  const taken = new Set(numbers.values());
  return [...retired, ...live].some(([name, number]) => taken.has(number) && numbers.get(name) !== number);
}

/** What becomes of all names once `numbers` are given: a number without a name retires under its last. */
export function settle(names: Names, numbers: ReadonlyMap<string, number>): Names {
  const taken = new Set(numbers.values());
  const before = [...names.retired, ...names.live];
  const formerly = new Map(names.formerly);
  for (const [name, number] of before) {
    const earlier = formerly.get(number) ?? [];
    const isRenamed = taken.has(number) && numbers.get(name) !== number;
    if (isRenamed && !earlier.includes(name)) formerly.set(number, [...earlier, name]);
  }
  return namesOf({ live: numbers, retired: new Map(before.filter(([, number]) => !taken.has(number))), formerly });
}
