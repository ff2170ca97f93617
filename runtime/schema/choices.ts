// Compares the names of which a column may hold one (D45): added, removed, renamed. Pure.

import type { Check, ChoiceName, Column } from './schema.js';

export interface Names {
  readonly added: readonly string[];
  /** Rows keep them. */
  readonly removed: readonly string[];
  readonly renamed: readonly ValueRename[];
  /** New names of values that rows may already hold for removed values. */
  readonly taken: readonly string[];
  /** Whether an earlier name now belongs to another value, so that each row must be converted exactly once. */
  readonly reuses: boolean;
}

export interface ValueRename {
  readonly from: string;
  readonly to: string;
}

/** The service writes the default of a choice itself, so that a new default changes no table. */
export function withoutDefault(column: Column): Column {
  return column.check?.rule === 'choice' ? { ...column, default: null } : column;
}

const NONE: Names = { added: [], removed: [], renamed: [], taken: [], reuses: false };

/** Empty for a column that held, or will hold, other values than names. */
export function namesOf({ from, to }: Readonly<Record<'from' | 'to', Pick<Column, 'check'>>>): Names {
  const before = listed(from.check);
  if (before === null || to.check?.rule !== 'choice') return NONE;
  const now = to.check.names;
  const old = new Map(before.map((one) => [one.name, one]));
  const live = new Set(now.map(({ name }) => name));
  const renamed = now.flatMap((name) => {
    const earlier = (name.formerly ?? []).filter((one) => one !== name.name && isSame(old.get(one), name, live));
    return earlier.map((one) => ({ from: one, to: name.name }));
  });
  const replaced = new Set(renamed.map((one) => one.from));
  const adopted = new Set(renamed.map((one) => one.to));
  const isNew = (name: string): boolean => !adopted.has(name) && (!old.has(name) || replaced.has(name));
  return {
    added: now.map(({ name }) => name).filter(isNew),
    removed: before.map(({ name }) => name).filter((name) => !live.has(name) && !replaced.has(name)),
    renamed,
    taken: now
      .filter(({ name, reused }) => adopted.has(name) && !replaced.has(name) && (reused === true || old.has(name)))
      .map(({ name }) => name),
    reuses: [...replaced].some((name) => live.has(name)),
  };
}

/** The current name for each former one; if several values had the same former name, the value that had it last counts. */
export function formerNames(check: Check | null): readonly ValueRename[] {
  if (check?.rule !== 'choice') return [];
  const live = new Set(check.names.map(({ name }) => name));
  // Counted numbers are in chronological order; where there are drawn numbers, the schema says which value had the name last.
  const inTurn = [...check.names].sort((one, other) => one.number - other.number);
  const called = (of: 'formerly' | 'latest') =>
    inTurn.flatMap((one) => (one[of] ?? []).map((former) => [former, one.name] as const));
  const today = new Map([...called('formerly'), ...called('latest')]);
  return [...today].filter(([former]) => !live.has(former)).map(([from, to]) => ({ from, to }));
}

/** In a schema stored before names had numbers, the number is 0: there, a name that is still in use means the same value. */
function isSame(old: ChoiceName | undefined, { number }: ChoiceName, live: ReadonlySet<string>): boolean {
  return old !== undefined && (old.number === 0 ? !live.has(old.name) : old.number === number);
}

function listed(check: Check | null): readonly ChoiceName[] | null {
  if (check?.rule === 'choice') return check.names;
  if (check?.rule !== 'one_of' || check.values.some((value) => typeof value !== 'string')) return null;
  return check.values.map((name) => ({ number: 0, name: String(name) }));
}
