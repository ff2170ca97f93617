// Finds the name that somebody probably meant.
import { closest, distance } from 'fastest-levenshtein';

/** The nearest of `names` if it is near enough to be meant, else null. Ignores case. */
export function suggest(word: string, names: Iterable<string>): string | null {
  const byFolded = new Map<string, string>();
  for (const name of names) if (name !== word) byFolded.set(name.toLowerCase(), name);
  if (byFolded.size === 0 || word === '') return null;
  const folded = word.toLowerCase();
  const nearest = closest(folded, [...byFolded.keys()]);
  return distance(folded, nearest) <= tolerance(folded, nearest) ? (byFolded.get(nearest) ?? null) : null;
}

/** A third of the longer word, but at least two edits in words of four letters, so that two swapped letters are found. */
function tolerance(word: string, name: string): number {
  const length = Math.max(word.length, name.length);
  return length <= 3 ? 1 : Math.max(2, Math.floor(length / 3));
}
