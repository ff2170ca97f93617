// What a search finds (D44): the ids of records that have all its words, from a bounded number of entries of the table of words.
import type { Scalar } from '../../definition.js';
import { chain, type MaybePromise } from '../../maybe-promise.js';
import { rangeOf, type WordRange } from '../../schema/text-words.js';
import type { ListVariant } from './list-conditions.js';

/** Entries of the table of words that one request reads for its longest word: what only has later ones is not found. */
export const ENTRIES = 2000;

export interface Found {
  readonly ids: readonly string[];
  /** False: there may be more, beyond the entries that were read. */
  readonly isComplete: boolean;
}

const ALL: Found = { ids: [], isComplete: true };

/** The parameter of statements that show only what was found. */
export function boundFound({ ids }: Found): Readonly<Record<string, Scalar>> {
  return { found: JSON.stringify(ids) };
}

/** Reads the table of words of one resource. */
export interface WordReads {
  /** Ids with a word of the range, once for each such word, in the order of words. @param listed 1: those that everybody finds, 0: others */
  entries(range: WordRange, listed: 0 | 1, limit: number): MaybePromise<readonly string[]>;
  /** Those of `ids` that have a word of the range. */
  among(ids: readonly string[], range: WordRange): MaybePromise<readonly string[]>;
}

/** What the request for a page looks for; nothing is read for one that looks for no words. */
export function findFor(
  reads: WordReads,
  { words, variant }: { readonly words: readonly string[]; readonly variant: Pick<ListVariant, 'viewer'> },
): MaybePromise<Found> {
  const [first, ...others] = words.map(rangeOf);
  if (first === undefined) return ALL;
  const isAll = variant.viewer === 'admin';
  const limit = ENTRIES + 1;
  const read = chain(reads.entries(first, 1, limit), (ids) =>
    isAll && ids.length < limit ? chain(reads.entries(first, 0, limit - ids.length), (more) => [...ids, ...more]) : ids,
  );
  return chain(read, (ids) => {
    const distinct = [...new Set(ids.slice(0, ENTRIES))];
    return chain(keepThose(reads, distinct, others), (kept) => ({ ids: kept, isComplete: ids.length <= ENTRIES }));
  });
}

function keepThose(
  reads: WordReads,
  ids: readonly string[],
  [range, ...others]: readonly WordRange[],
): MaybePromise<readonly string[]> {
  if (range === undefined || ids.length === 0) return ids;
  return chain(reads.among(ids, range), (kept) => keepThose(reads, kept, others));
}
