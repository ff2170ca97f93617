// Reads a page of the records of one definition, by page number or by cursor (D23): the matches of a search, the count, and a
// bounded number of rows at a time.
import type { AnyDefinition, Scalar } from '../../contract/definition.js';
import type { Caller, ListedPage, Page } from '../records.js';
import type { ListCount } from '../sql/cursor.js';
import { afterOf, keyOf } from '../sql/list-order.js';
import {
  CHUNK,
  listCount,
  type PageItem,
  type PlannedPage,
  planPage,
  refuseUnbounded,
  searchedRows,
  toListedPage,
} from '../sql/list-page.js';
import {
  boundMatches,
  boundPart,
  countMatches,
  findMatches,
  type PartOf,
  partsById,
  type WordReads,
} from '../sql/matches.js';
import type { Pending } from '../unit.js';

type BoundValues = Readonly<Record<string, Scalar>>;

/** The statements of one list as an engine runs them. `pattern` describes the values after which a page begins. */
export interface ListReads {
  count(bound: BoundValues): Pending<readonly [rows: number, shown: number]>;
  page(pattern: string, bound: BoundValues): Pending<readonly PageItem[]>;
  /** The values of the last row that such a page searches, in the list's order; null: it reaches the end of the list. */
  end(pattern: string, bound: BoundValues): Pending<readonly Scalar[] | null>;
}

export interface ListSource {
  readonly definition: AnyDefinition;
  readonly words: WordReads;
  readsOf(planned: PlannedPage): ListReads;
}

/** The caller must already be known to have read access to the parent. */
export function* readList(source: ListSource, page: Page, parentId: string, caller: Caller): Pending<ListedPage> {
  const planned = planPage(source.definition, page, parentId, caller);
  const matches = yield* findMatches(source.words, planned);
  const { key, variant, cursor } = planned;
  const part = partsById(matches, planned, page);
  const offset = part === null ? (page.number - 1) * page.size : 0;
  const bound = { ...planned.bound, ...boundMatches(matches) };
  const reads = source.readsOf(planned);
  // The count of the first page is kept for all that follow, unless the whole list is sorted again for each.
  const isCounted = cursor !== null && variant.order.isOwn;
  let counted = isCounted ? cursor.counted : countMatches(matches, planned);
  if (counted === null) {
    const [rows, shown] = yield* reads.count(bound);
    refuseUnbounded(page, planned, rows);
    counted = listCount(rows, shown, matches.isComplete);
  }
  const read = yield* readWithin({ reads, page, planned, bound, offset, part, counted });
  return toListedPage(page, { key, counted, ...read });
}

interface Reading {
  readonly reads: ListReads;
  readonly page: Page;
  readonly planned: PlannedPage;
  readonly bound: BoundValues;
  /** The number of rows before a page by number; otherwise 0. */
  readonly offset: number;
  readonly part: PartOf | null;
  readonly counted: ListCount;
}

interface Read {
  readonly rows: readonly PageItem[];
  readonly end: readonly Scalar[] | null;
}

/** Rows from the cursor on, up to one more than fit on the page, which shows whether anything follows. */
function* readWithin(reading: Reading): Pending<Read> {
  const { reads, page, planned, bound, offset, part } = reading;
  const { size, maxBytes } = page;
  const rows: PageItem[] = [];
  let [bytes, after] = [0, planned.cursor?.values ?? null];
  for (;;) {
    const limit = Math.min(CHUNK, size + 1 - rows.length);
    const searched = searchedRows(page, after === null);
    const values = { ...bound, offset, ...boundPart(part, after, limit), limit, searched, ...afterOf(after ?? []) };
    const chunk = yield* reads.page(keyOf(after), values);
    for (const [text] of chunk) bytes += Buffer.byteLength(text);
    rows.push(...chunk);
    if (chunk.length < limit) {
      const end = part === null ? yield* searchEnd(reading, after, searched) : part(after, limit).end;
      return { rows, end };
    }
    if (rows.length > size || bytes > maxBytes) return { rows, end: null };
    after = (rows.at(-1)?.slice(1) as Scalar[] | undefined) ?? null;
  }
}

function* searchEnd(
  { reads, planned, bound, counted }: Reading,
  after: readonly Scalar[] | null,
  searched: number,
): Pending<readonly Scalar[] | null> {
  if (counted.isComplete && planned.cursor === null) return null;
  return yield* reads.end(keyOf(after), { ...bound, searched, ...afterOf(after ?? []) });
}
