// A page of a list, before it is read: what is refused, which statement reads it, and with which values (D23).
import type { AnyDefinition, List, Scalar } from '../../definition.js';
import { failed, ServiceError } from '../../errors.js';
import type { Caller, Listed, Page } from '../records.js';
import { decodeCursor, encodeCursor } from './cursor.js';
import type { ListOrder, ListVariant } from './list-conditions.js';
import { viewerOf } from './viewers.js';

export interface PlannedPage {
  /** Of the statements that read it, and of its cursors. */
  readonly key: string;
  /** Parent, user and filters. */
  readonly bound: Readonly<Record<string, Scalar>>;
  /** Where the cursor continues; null: by page number. */
  readonly from: readonly Scalar[] | null;
}

/** Throws not_found for an unknown list, and invalid for an order, a filter or a cursor that the list does not have. */
export function planPage(definition: AnyDefinition, page: Page, parentId: string, caller: Caller): PlannedPage {
  listOf(definition, page.parent, page.list);
  refuseUnknown(definition, page);
  const filtered = Object.keys(page.filters).length > 0;
  const direction = page.descending ? 'desc' : 'asc';
  const parts: KeyParts = [page.parent, page.list, viewerOf(caller), page.orderBy, direction, filtered];
  const key = JSON.stringify(parts);
  const order = orderOf(definition, page.orderBy, page.descending);
  const from = page.cursor === null ? null : decodeCursor(key, typesOf(definition, order), page.cursor);
  return { key, bound: boundOf(definition, page, { parent: parentId, user: caller.user }), from };
}

/** What the key of a page says about its statements. */
export function variantOf(
  definition: AnyDefinition,
  key: string,
): { readonly list: List; readonly variant: ListVariant } {
  const [parent, name, viewer, orderBy, direction, filtered] = JSON.parse(key) as KeyParts;
  const order = orderOf(definition, orderBy, direction === 'desc');
  return { list: listOf(definition, parent, name), variant: { viewer, order, filtered } };
}

/** The parameters of a statement that continues after these values. */
export function afterOf(values: readonly Scalar[]): Readonly<Record<string, Scalar>> {
  return Object.fromEntries(values.map((value, index) => [`after${index}`, value]));
}

/** Rows read at a time: a page of the usual size takes one read, and a hundred large rows are never in memory together. */
export const CHUNK = 26;

/** A read item: its text, and its values in the list's order. */
export type Item = readonly [text: string, ...values: Scalar[]];

/** @param rows one more than the page holds, if anything follows */
export function listed(page: Page, key: string, rows: readonly Item[], total: number): Listed {
  const shown = fitting(rows.slice(0, page.size), page.maxBytes);
  const last = rows.length > shown.length ? shown.at(-1) : undefined;
  const cursor = last ? encodeCursor(key, last.slice(1)) : null;
  return { items: shown.map(([text]) => text), total, cursor };
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

type Bound = Readonly<Record<string, Scalar>>;

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
  const bound: Record<string, Scalar> = { ...caller };
  for (const column of definition.filters) {
    bound[`has_${column}`] = Object.hasOwn(page.filters, column) ? 1 : 0;
    bound[`is_${column}`] = page.filters[column] ?? null;
  }
  return bound;
}

/** The types of an order's values: a cursor of a client's own making may hold any. */
function typesOf({ columns }: AnyDefinition, order: ListOrder): readonly ('string' | 'number')[] {
  return order.columns.map((column) => (/^(text|json)$/.test(columns[column]?.type ?? 'text') ? 'string' : 'number'));
}
