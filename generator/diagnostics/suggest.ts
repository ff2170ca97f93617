// Finds the name that somebody probably meant.
import { closest, distance } from 'fastest-levenshtein';

export interface Suggestion {
  /** The word as written. */
  readonly word: string;
  /** The name that was probably meant. */
  readonly name: string;
  /** Whether no other name is similar, so that `check --fix` may write it. */
  readonly isCertain: boolean;
}

/** The nearest of `names` if it is near enough to be meant, else null. Ignores case. */
export function suggest(word: string, names: Iterable<string>): string | null {
  return suggestion(word, names)?.name ?? null;
}

/** The same, and whether another name could be meant. */
export function suggestion(word: string, names: Iterable<string>): Suggestion | null {
  const byFolded = new Map<string, string>();
  for (const name of names) if (name !== word) byFolded.set(name.toLowerCase(), name);
  if (byFolded.size === 0 || word === '') return null;
  const folded = word.toLowerCase();
  const isNear = (name: string): boolean => distance(folded, name) <= tolerance(folded, name);
  const nearest = closest(folded, [...byFolded.keys()]);
  const name = isNear(nearest) ? byFolded.get(nearest) : undefined;
  if (name === undefined) return null;
  return { word, name, isCertain: [...byFolded.keys()].filter(isNear).length === 1 };
}

/** A third of the longer word, but at least two edits in words of four letters, so that two swapped letters match. */
function tolerance(word: string, name: string): number {
  const length = Math.max(word.length, name.length);
  return length <= 3 ? 1 : Math.max(2, Math.floor(length / 3));
}
