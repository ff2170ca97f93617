// Plans a page of a list before it is read: refusals, the statements, their values, and the number of rows (D23). A request reads
// a bounded number of rows, however long the list is: on SQLite all other requests wait meanwhile.
import { REQUESTS } from '../../contract/defaults.js';
import type { AnyDefinition, List, Scalar } from '../../contract/definition.js';
import { type Failure, failed, ServiceError, throwAll } from '../../contract/errors.js';
import { BOUND_NAMES, boundName, filterNames } from '../../contract/ranges.js';
import { orderTerm } from '../../schema/order.js';
import type { Caller, ListedPage, Page } from '../records.js';
import { type Cursor, decodeCursor, encodeCursor, type ListCount } from './cursor.js';
import type { ListVariant } from './list-conditions.js';
import { type ListOrder, orderOf } from './list-order.js';
import { viewerOf, viewerWithScope } from './viewers.js';

/** Rows per read: a page of the usual size takes one read, and a hundred large rows are never in memory together. */
export const CHUNK = 26;

export interface PlannedPage {
  /** The key of its cursors. */
  readonly key: string;
  /** The key of its statements; there are few, however many orders callers request. */
  readonly statements: string;
  /** Null: all records. */
  readonly list: List | null;
  readonly variant: ListVariant;
  /** The words of a search; empty: it is not a search. */
  readonly words: readonly string[];
  /** Parent, user and filters. */
  readonly bound: Readonly<Record<string, Scalar>>;
  /** Null: by page number. */
  readonly cursor: Cursor | null;
}

/** Throws not_found for an unknown list, and invalid for an order, a filter or a cursor that the list does not have. */
export function planPage(definition: AnyDefinition, page: Page, parentId: string, caller: Caller): PlannedPage {
  const list = page.parent === null ? null : listOf(definition, page.parent, page.list);
  refuseUnknown(definition, page);
  const viewer = viewerOf(caller);
  const filtered = Object.keys(page.filters).length > 0;
  const { words = [] } = page;
  const searched = words.length > 0;
  const declared = list === null ? orderOfAll(definition, viewer) : definition.order;
  const terms = page.orderBy ?? (declared.join(',') || 'id');
  const indexed = list === null && isByFind(definition, viewer, terms) ? [terms] : declared;
  const requested = orderOf(indexed, terms, page.descending);
  // A list through another resource is sorted as a whole, and so are the matches of a search.
  const order = list?.through === undefined && !searched ? requested : { ...requested, isOwn: false };
  const identity = [page.parent, page.list, viewer, filtered, ...(searched ? [searched] : [])];
  const key = JSON.stringify([...identity, terms, page.descending, ...words]);
  const cursor = page.cursor === null ? null : decodeCursor(key, typesOf(definition, order), page.cursor);
  const reader = viewerWithScope(caller);
  // An index serves its order in both directions.
  const statements = JSON.stringify([...identity, reader, order.isOwn ? order.terms[0] : order.terms.length]);
  const bound = boundOf(definition, page, { parent: parentId, user: caller.user });
  return { key, statements, list, words, variant: { viewer: reader, order, filtered, searched }, bound, cursor };
}

/** Refuses a page that would read too much, once its list is counted. @param rows the counted rows, visible or not */
export function refuseUnbounded(
  { number, size, orderBy }: Page,
  { list, variant }: Pick<PlannedPage, 'list' | 'variant'>,
  rows: number,
): void {
  if (rows <= REQUESTS.scannedRows) return;
  const many = REQUESTS.scannedRows.toLocaleString('en');
  if (list?.through !== undefined) {
    const message = `The list holds more than ${many} records: read the lists of each ${list.through.resource} instead.`;
    throw new ServiceError('conflict', message);
  }
  if (!variant.order.isOwn) {
    const message = `_order_by ${orderBy} needs a list of at most ${many} records: read this one in its own order, by _cursor.`;
    throw failed([{ field: '_order_by', code: 'invalid', message }]);
  }
  refusePageAfter({ number, size }, rows);
}

/** Throws invalid for the number of a page that is not among the counted rows. */
export function refusePageAfter({ number, size }: Pick<Page, 'number' | 'size'>, rows: number): void {
  if (rows <= REQUESTS.scannedRows || (number - 1) * size < REQUESTS.scannedRows) return;
  const many = REQUESTS.scannedRows.toLocaleString('en');
  const message = `_page_number reaches only the first ${many} records of a list: continue with next_cursor as _cursor.`;
  throw failed([{ field: '_page_number', code: 'invalid', message }]);
}

/**
 * @param rows the number of rows of the list, at most the limit of counting plus one @param shown how many the caller sees
 * @param isAll whether a search has read all of its matches
 */
export function listCount(rows: number, shown: number, isAll: boolean): ListCount {
  return { total: Math.min(shown, REQUESTS.scannedRows), isComplete: isAll && rows <= REQUESTS.scannedRows };
}

/** Rows that one read of a page may search: the reads of a cursor's page share the limit. */
export function searchedRows({ size }: Page, isFirst: boolean): number {
  return isFirst ? REQUESTS.scannedRows : Math.ceil(REQUESTS.scannedRows / Math.ceil((size + 1) / CHUNK));
}

/** A read item: its text, and its values in the list's order. */
export type PageItem = readonly [text: string, ...values: Scalar[]];

export interface ReadPage {
  readonly key: string;
  readonly counted: ListCount;
  /** The rows of the page, and one more if there is one. */
  readonly rows: readonly PageItem[];
  /** Values of the last row searched, if the search ended before the list and before the page was full. */
  readonly end: readonly Scalar[] | null;
}

export function toListedPage(page: Page, { key, counted, rows, end }: ReadPage): ListedPage {
  const shown = fitting(rows.slice(0, page.size), page.maxBytes);
  const last = rows.length > shown.length ? shown.at(-1)?.slice(1) : end;
  const cursor = last ? encodeCursor(key, { counted, values: last as readonly Scalar[] }) : null;
  const { total, isComplete } = counted;
  return { items: shown.map(([text]) => text), total, ...(isComplete ? {} : { complete: false }), cursor };
}

/** As many rows as fit, but at least one, since a cursor must make progress. */
function fitting(rows: readonly PageItem[], maxBytes: number): readonly PageItem[] {
  let bytes = 0;
  const first = rows.findIndex(([text], at) => {
    bytes += Buffer.byteLength(text);
    return bytes > maxBytes && at > 0;
  });
  return first < 0 ? rows : rows.slice(0, first);
}

type BoundValues = Readonly<Record<string, Scalar>>;

/** Whether the text has an index with all records in its order. */
function isByFind({ finds = [], whole }: AnyDefinition, viewer: string, terms: string): boolean {
  const isAll = viewer === 'admin' || Object.keys(whole?.where ?? {}).length === 0;
  return isAll && finds.includes(orderTerm(terms).name);
}

/** The order of all records for which there is an index. */
function orderOfAll({ order, whole }: AnyDefinition, viewer: string): readonly string[] {
  if (whole === undefined) return [];
  return viewer === 'admin' && Object.keys(whole.where).length > 0 ? [] : order;
}

function listOf(definition: AnyDefinition, parent: string, name: string): List {
  const list = definition.lists.find((one) => one.parent === parent && one.name === name);
  if (!list) throw new ServiceError('not_found', `${parent} has no list named ${name}`);
  return list;
}

function refuseUnknown(definition: AnyDefinition, { orderBy, filters }: Page): void {
  const { sortable } = definition;
  const failures: Failure[] = [];
  const refuse = (field: string, message: string) => failures.push({ field, code: 'invalid', message });
  const terms = orderBy === null ? [] : orderBy.split(',').map(orderTerm);
  if (!terms.every(({ name }) => sortable.includes(name)))
    refuse('_order_by', `_order_by must be one of ${sortable.join(', ')}`);
  const asked = Object.keys(filters);
  const known = asked.length === 0 ? [] : filterNames(definition);
  for (const name of asked) if (!known.includes(name)) refuse(name, `the list cannot be filtered by ${name}`);
  throwAll(failures);
}

function boundOf(definition: AnyDefinition, page: Page, caller: BoundValues): BoundValues {
  const bound: Record<string, Scalar> = { ...caller };
  for (const column of definition.filters) {
    bound[`has_${column}`] = Object.hasOwn(page.filters, column) ? 1 : 0;
    bound[`is_${column}`] = page.filters[column] ?? null;
  }
  for (const column of definition.ranges) {
    for (const one of BOUND_NAMES) bound[`${one}_${column}`] = page.filters[boundName(column, one)] ?? null;
  }
  return bound;
}

/** The types of an order's values, since a cursor made up by a client may hold any values. */
function typesOf({ columns }: AnyDefinition, order: ListOrder): readonly ('string' | 'number')[] {
  return order.terms.map(({ name }) => (/^(text|json)$/.test(columns[name]?.type ?? 'text') ? 'string' : 'number'));
}
