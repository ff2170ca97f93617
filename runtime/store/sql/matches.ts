// The matches of a search (D44): ids of records that have all of its words, from a bounded number of word entries.
import type { Scalar } from '../../contract/definition.js';
import { rangeOf, type WordRange } from '../../schema/text-words.js';
import type { Page } from '../records.js';
import type { Pending } from '../unit.js';
import type { ListCount } from './cursor.js';
import type { ListVariant } from './list-conditions.js';
import { VIEWERS } from './viewers.js';

/** The entries that one request reads for its longest word: a record that only has later entries is not found. */
export const ENTRIES = 2000;

export interface Matches {
  /** Sorted. */
  readonly ids: readonly string[];
  /** False: there may be more beyond the entries that were read. */
  readonly isComplete: boolean;
}

const ALL: Matches = { ids: [], isComplete: true };

/** The parameter of statements that show only matches. */
export function boundMatches({ ids }: Pick<Matches, 'ids'>): Readonly<Record<string, Scalar>> {
  return { matches: JSON.stringify(ids) };
}

/** The matches that one read of a page shows. */
export interface MatchesPart {
  readonly ids: readonly string[];
  /** Values of its last record in the order, if there are more matches. */
  readonly end: readonly Scalar[] | null;
}

/** The part of the matches that a page shows; null instead of the function if the part depends on more than ids. */
export type PartOf = (after: readonly Scalar[] | null, limit: number) => MatchesPart;

/** The number of records that a search shows; null if rows must be read for that, because there are filters. */
export function countMatches({ ids, isComplete }: Matches, { words, variant }: PlannedMatch): ListCount | null {
  return words.length === 0 || variant.filtered ? null : { total: ids.length, isComplete };
}

/** The parameters of a statement that shows a part of the matches. */
export function boundPart(
  part: PartOf | null,
  ...[after, limit]: Parameters<PartOf>
): Readonly<Record<string, Scalar>> {
  return part === null ? {} : boundMatches(part(after, limit));
}

/** If the order is by id, the part that a page shows is known before any record is read. */
export function partsById({ ids }: Matches, { words, variant }: PlannedMatch, page: Page): PartOf | null {
  const { order, filtered } = variant;
  const [first] = order.terms;
  if (words.length === 0 || filtered || first?.name !== 'id') return null;
  const ordered = first.descending ? ids.toReversed() : ids;
  const isAfter = (id: string, last: string) => (first.descending ? id < last : id > last);
  return (after, limit) => {
    const [last] = after ?? [];
    const next = ordered.findIndex((id) => isAfter(id, String(last)));
    const from = after === null ? (page.number - 1) * page.size : next < 0 ? ordered.length : next;
    const part = ordered.slice(from, from + limit);
    return { ids: part, end: from + limit < ordered.length ? part.slice(-1) : null };
  };
}

type PlannedMatch = { readonly words: readonly string[]; readonly variant: ListVariant };

/** Reads the table of words of one resource. */
export interface WordReads {
  /**
   * Ids of records with a word of the range, once for each such word, in the order of words.
   * @param listed 1: records that anyone may find; 0: other records
   */
  entries(range: WordRange, listed: 0 | 1, limit: number): Pending<readonly string[]>;
  /** The ids among `ids` that have a word of each range; there is at least one range. */
  among(ids: readonly string[], ranges: readonly WordRange[]): Pending<readonly string[]>;
}

/** The matches for a page; nothing is read if it is not a search. */
export function* findMatches(reads: WordReads, { words, variant }: PlannedMatch): Pending<Matches> {
  const [first, ...others] = words.map(rangeOf);
  if (first === undefined) return ALL;
  const limit = ENTRIES + 1;
  const listed = yield* reads.entries(first, 1, limit);
  const isMore = VIEWERS[variant.viewer].holds === 'everything' && listed.length < limit;
  const all = isMore ? [...listed, ...(yield* reads.entries(first, 0, limit - listed.length))] : listed;
  const distinct = [...new Set(all.slice(0, ENTRIES))].sort();
  const ids = distinct.length === 0 || others.length === 0 ? distinct : yield* reads.among(distinct, others);
  return { ids, isComplete: all.length <= ENTRIES };
}

/** Condition: a record has a word in each of `count` ranges. @param inRange the condition for one range */
export function inRanges(count: number, inRange: (from: string, to: string) => string): string {
  return Array.from({ length: count }, (_, at) => inRange(`@from${at}`, `@to${at}`)).join(' AND ');
}

/** The parameters of these conditions. */
export function boundRanges(ranges: readonly WordRange[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    ranges.flatMap(({ from, to }, at) => [
      [`from${at}`, from],
      [`to${at}`, to],
    ]),
  );
}
