// What becomes of the names that a column may hold, one of a list (D45): added, removed, renamed. Pure.

import type { Check, ChoiceName, Column } from './schema.js';

export interface Names {
  readonly added: readonly string[];
  /** Rows keep them. */
  readonly removed: readonly string[];
  readonly renamed: readonly ValueRename[];
}

export interface ValueRename {
  readonly from: string;
  readonly to: string;
}

const NONE: Names = { added: [], removed: [], renamed: [] };

/** Nothing for a column that held, or will hold, anything else. */
export function namesOf({ from, to }: Readonly<Record<'from' | 'to', Pick<Column, 'check'>>>): Names {
  const before = listed(from.check);
  if (before === null || to.check?.rule !== 'choice') return NONE;
  const now = to.check.names;
  const old = new Map(before.map((one) => [one.name, one]));
  const live = new Set(now.map(({ name }) => name));
  const renamed = now.flatMap((name) => {
    const earlier = (name.formerly ?? []).filter((one) => !live.has(one) && isSame(old.get(one), name));
    return earlier.map((one) => ({ from: one, to: name.name }));
  });
  const gone = new Set(renamed.map((one) => one.from));
  const given = new Set(renamed.map((one) => one.to));
  return {
    added: now.map(({ name }) => name).filter((name) => !old.has(name) && !given.has(name)),
    removed: before.map(({ name }) => name).filter((name) => !live.has(name) && !gone.has(name)),
    renamed,
  };
}

/** What each former name is called today; a name that several had is that of the last one. */
export function formerNames(check: Check | null): readonly ValueRename[] {
  if (check?.rule !== 'choice') return [];
  const live = new Set(check.names.map(({ name }) => name));
  // Counted numbers are in the order of time; where drawn ones take part, the schema says which was the last.
  const inTurn = [...check.names].sort((one, other) => one.number - other.number);
  const called = (of: 'formerly' | 'latest') =>
    inTurn.flatMap((one) => (one[of] ?? []).map((former) => [former, one.name] as const));
  const today = new Map([...called('formerly'), ...called('latest')]);
  return [...today].filter(([former]) => !live.has(former)).map(([from, to]) => ({ from, to }));
}

/** A schema stored before names had numbers has none of them. */
function isSame(old: ChoiceName | undefined, { number }: ChoiceName): boolean {
  return old !== undefined && (old.number === 0 || old.number === number);
}

function listed(check: Check | null): readonly ChoiceName[] | null {
  if (check?.rule === 'choice') return check.names;
  if (check?.rule !== 'one_of' || check.values.some((value) => typeof value !== 'string')) return null;
  return check.values.map((name) => ({ number: 0, name: String(name) }));
}
