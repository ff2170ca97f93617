// Lists of one definition's records, by page number or by cursor (D23).
import type Database from 'better-sqlite3';
import type { AnyDefinition, Scalar } from '../../contract/definition.js';
import { chain, type MaybePromise } from '../../contract/maybe-promise.js';
import { memoize } from '../../contract/memoize.js';
import type { Caller, ListedPage, Page } from '../records.js';
import type { ListCount } from '../sql/cursor.js';
import { afterOf, keyOf, patternIn } from '../sql/list-order.js';
import {
  CHUNK,
  countedOf,
  listed,
  type PageItem,
  type PlannedPage,
  planPage,
  refuseUnbounded,
  searchedRows,
} from '../sql/list-page.js';
import { boundMatches, boundPart, countMatches, findMatches, type Matches, partsById } from '../sql/matches.js';
import type { Composing } from '../sql/viewers.js';
import { type ListStatements, listStatements } from './list-statement.js';
import { boundOrder } from './requested-order.js';
import { createWordReads } from './words.js';

/** Reads a page of a list; the caller must already be known to have read access to its parent. */
export type ReadList = (page: Page, parentId: string, caller: Caller) => MaybePromise<ListedPage>;

type BoundValues = Readonly<Record<string, Scalar>>;

/** Statements are prepared when first used, and kept. */
export function createLists(db: Database.Database, composing: Composing, definition: AnyDefinition): ReadList {
  const kept = new Map<string, Statements>();
  const prepared = ({ statements, list, variant }: PlannedPage): Statements => {
    const made = kept.get(statements) ?? prepare(db, listStatements(composing, definition, list, variant));
    kept.set(statements, made);
    return made;
  };

  const words = createWordReads(db, definition);
  const readPage = (page: Page, planned: PlannedPage, matches: Matches): ListedPage => {
    const { key, variant, cursor } = planned;
    const part = partsById(matches, planned, page);
    const offset = part === null ? (page.number - 1) * page.size : 0;
    const bound = { ...planned.bound, ...boundOrder(variant.order), ...boundMatches(matches), offset };
    const statements = prepared(planned);
    const counting = (): ListCount => {
      const known = countMatches(matches, planned);
      if (known !== null) return known;
      const [rows, shown] = statements.count.get(bound) ?? [0, 0];
      refuseUnbounded(page, planned, rows);
      return countedOf(rows, shown, matches.isComplete);
    };
    // The first page counts for all that follow it, unless the whole list is sorted again for each.
    const counted = cursor === null || !variant.order.isOwn ? counting() : cursor.counted;
    const from = cursor?.values ?? null;
    const read: PageReads['read'] = (after, limit, searched) =>
      statements.page(keyOf(after)).all({
        ...{ ...bound, ...boundPart(part, after, limit), limit, searched },
        ...afterOf(after ?? []),
      });
    const searchEnd: PageReads['searchEnd'] = (after, searched, limit) => {
      if (part !== null) return part(after, limit).end;
      const end = counted.isComplete && cursor === null ? null : statements.end(keyOf(after));
      return end?.get({ ...bound, searched, ...afterOf(after ?? []) }) ?? null;
    };
    return listed(page, { key, counted, ...readWithin(page, from, { read, searchEnd }) });
  };
  return (page, parentId, caller) => {
    const planned = planPage(definition, page, parentId, caller);
    return chain(findMatches(words, planned), (matches) => readPage(page, planned, matches));
  };
}

type Statements = ReturnType<typeof prepare>;

function prepare(db: Database.Database, { count, page, end }: ListStatements) {
  return {
    count: db.prepare<BoundValues, [rows: number, shown: number]>(count).raw(),
    page: memoize((key: string) => db.prepare<BoundValues, PageItem>(page(patternIn(key))).raw()),
    end: memoize((key: string) => {
      const sql = end(patternIn(key));
      return sql === '' ? null : db.prepare<BoundValues, Scalar[]>(sql).raw();
    }),
  };
}

interface PageReads {
  read(after: readonly Scalar[] | null, limit: number, searched: number): readonly PageItem[];
  /** The last row that such a read searches; null: it reaches the end of the list. */
  searchEnd(after: readonly Scalar[] | null, searched: number, limit: number): readonly Scalar[] | null;
}

/** Rows from `from` on, up to one more than the page holds by number or bytes, which shows whether anything follows. */
function readWithin(page: Page, from: readonly Scalar[] | null, { read, searchEnd }: PageReads) {
  const { size, maxBytes } = page;
  const rows: PageItem[] = [];
  let [bytes, after] = [0, from];
  for (;;) {
    const limit = Math.min(CHUNK, size + 1 - rows.length);
    const searched = searchedRows(page, after === null);
    const chunk = read(after, limit, searched);
    for (const row of chunk) bytes += Buffer.byteLength(row[0]);
    rows.push(...chunk);
    if (chunk.length < limit) return { rows, end: searchEnd(after, searched, limit) };
    if (rows.length > size || bytes > maxBytes) return { rows, end: null };
    after = rows.at(-1)?.slice(1) ?? null;
  }
}
