// Lists of one definition's records, by page number or by cursor (D23).
import type Database from 'better-sqlite3';
import type { AnyDefinition, List, Scalar } from '../../definition.js';
import { failed, ServiceError } from '../../errors.js';
import { memoize } from '../../memoize.js';
import type { Caller, Listed, Page } from '../records.js';
import { decodeCursor, encodeCursor } from '../sql/cursor.js';
import { type Composing, viewerOf } from '../sql/viewers.js';
import { type ListOrder, listStatements } from './list-statement.js';

/** Reads a page of a list; the caller must already be known to have read access to its parent. */
export type ReadList = (page: Page, parentId: string, caller: Caller) => Listed;

type Bound = Record<string, Scalar>;
type Item = [text: string, ...values: Scalar[]];

/** Statements are prepared when first used, one set per list, viewer, order and use of filters, and kept. */
export function createLists(db: Database.Database, composing: Composing, definition: AnyDefinition): ReadList {
  const prepared = memoize((key: string) => {
    const [parent, name, viewer, orderBy, direction, filtered] = JSON.parse(key) as KeyParts;
    const order = orderOf(definition, orderBy, direction === 'desc');
    const sql = listStatements(composing, definition, listOf(definition, parent, name), { viewer, order, filtered });
    return {
      order,
      byNumber: db.prepare<Bound, Item>(sql.byNumber).raw(),
      byCursor: db.prepare<Bound, Item>(sql.byCursor).raw(),
      count: db.prepare<Bound, number>(sql.count).pluck(),
    };
  });

  return (page, parentId, caller) => {
    listOf(definition, page.parent, page.list);
    refuseUnknown(definition, page);
    const direction = page.descending ? 'desc' : 'asc';
    const filtered = Object.keys(page.filters).length > 0;
    const parts: KeyParts = [page.parent, page.list, viewerOf(caller), page.orderBy, direction, filtered];
    const key = JSON.stringify(parts);
    const { order, byNumber, byCursor, count } = prepared(key);
    const from = page.cursor === null ? null : decodeCursor(key, order.columns.length, page.cursor);
    const bound = boundOf(definition, page, { parent: parentId, user: caller.user });
    const read = (after: readonly Scalar[] | null, limit: number): Item[] =>
      after
        ? byCursor.all({ ...bound, limit, ...afterOf(after) })
        : byNumber.all({ ...bound, limit, offset: (page.number - 1) * page.size });
    const rows = readWithin(page, from, read);
    const shown = fitting(rows.slice(0, page.size), page.maxBytes);
    const last = rows.length > shown.length ? shown.at(-1) : undefined;
    return {
      items: shown.map(([text]) => text),
      total: count.get(bound) ?? 0,
      cursor: last ? encodeCursor(key, last.slice(1)) : null,
    };
  };
}

/** Rows read at a time: a page of the usual size takes one read, and a hundred large rows are never in memory together. */
const CHUNK = 26;

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

/** As many as fit, but at least one: a cursor must make progress. */
function fitting(rows: readonly Item[], maxBytes: number): readonly Item[] {
  let bytes = 0;
  const first = rows.findIndex(([text], at) => {
    bytes += Buffer.byteLength(text);
    return bytes > maxBytes && at > 0;
  });
  return first < 0 ? rows : rows.slice(0, first);
}

type KeyParts = [
  parent: string,
  name: string,
  viewer: ReturnType<typeof viewerOf>,
  orderBy: string | null,
  direction: 'asc' | 'desc',
  filtered: boolean,
];

function listOf(definition: AnyDefinition, parent: string, name: string): List {
  const list = definition.lists.find((one) => one.parent === parent && one.name === name);
  if (!list) throw new ServiceError('not_found', `${parent} has no list named ${name}`);
  return list;
}

function refuseUnknown(definition: AnyDefinition, page: Page): void {
  if (page.orderBy !== null && !definition.sortable.includes(page.orderBy)) {
    const message = `_order_by must be one of ${definition.sortable.join(', ')}`;
    throw failed([{ field: '_order_by', code: 'invalid', message }]);
  }
  const unknown = Object.keys(page.filters).filter((column) => !definition.filters.includes(column));
  const [first, ...rest] = unknown.map((field) => ({
    field,
    code: 'invalid' as const,
    message: `the list cannot be filtered by ${field}`,
  }));
  if (first) throw failed([first, ...rest]);
}

function orderOf(definition: AnyDefinition, orderBy: string | null, descending: boolean): ListOrder {
  const columns = orderBy === null ? definition.order : [orderBy];
  return { columns: [...columns.filter((column) => column !== 'id'), 'id'], descending };
}

function boundOf(definition: AnyDefinition, page: Page, caller: Bound): Bound {
  const bound = { ...caller };
  for (const column of definition.filters) {
    bound[`has_${column}`] = Object.hasOwn(page.filters, column) ? 1 : 0;
    bound[`is_${column}`] = page.filters[column] ?? null;
  }
  return bound;
}

function afterOf(values: readonly Scalar[]): Bound {
  return Object.fromEntries(values.map((value, index) => [`after${index}`, value]));
}
