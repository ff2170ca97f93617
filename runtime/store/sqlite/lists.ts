// Lists of one definition's records, by page number or by cursor (D23).
import type Database from 'better-sqlite3';
import type { AnyDefinition, Scalar } from '../../definition.js';
import { memoize } from '../../memoize.js';
import type { Caller, Listed, Page } from '../records.js';
import { afterOf, CHUNK, type Item, listed, planPage, variantOf } from '../sql/list-page.js';
import type { Composing } from '../sql/viewers.js';
import { listStatements } from './list-statement.js';

/** Reads a page of a list; the caller must already be known to have read access to its parent. */
export type ReadList = (page: Page, parentId: string, caller: Caller) => Listed;

type Bound = Readonly<Record<string, Scalar>>;

/** Statements are prepared when first used, one set per list, viewer, order and use of filters, and kept. */
export function createLists(db: Database.Database, composing: Composing, definition: AnyDefinition): ReadList {
  const prepared = memoize((key: string) => {
    const { list, variant } = variantOf(definition, key);
    const sql = listStatements(composing, definition, list, variant);
    return {
      byNumber: db.prepare<Bound, Item>(sql.byNumber).raw(),
      byCursor: db.prepare<Bound, Item>(sql.byCursor).raw(),
      count: db.prepare<Bound, number>(sql.count).pluck(),
    };
  });

  return (page, parentId, caller) => {
    const { key, bound, from } = planPage(definition, page, parentId, caller);
    const { byNumber, byCursor, count } = prepared(key);
    const read = (after: readonly Scalar[] | null, limit: number): Item[] =>
      after
        ? byCursor.all({ ...bound, limit, ...afterOf(after) })
        : byNumber.all({ ...bound, limit, offset: (page.number - 1) * page.size });
    const rows = readWithin(page, from, read);
    return listed(page, key, rows, count.get(bound) ?? 0);
  };
}

/** Rows from `from` on, up to one more than the page holds by number or bytes, which shows whether anything follows. */
function readWithin(
  { size, maxBytes }: Page,
  from: readonly Scalar[] | null,
  read: (after: readonly Scalar[] | null, limit: number) => readonly Item[],
): readonly Item[] {
  const rows: Item[] = [];
  let bytes = 0;
  for (let after = from, full = true; full && rows.length <= size && bytes <= maxBytes; ) {
    const limit = Math.min(CHUNK, size + 1 - rows.length);
    const chunk = read(after, limit);
    for (const row of chunk) bytes += Buffer.byteLength(row[0]);
    rows.push(...chunk);
    after = rows.at(-1)?.slice(1) ?? null;
    full = chunk.length === limit;
  }
  return rows;
}
