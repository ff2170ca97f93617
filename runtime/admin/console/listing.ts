// The query of a list (filters, search, order, beginning of its page), and the columns and page size that an operator chose.

import type { AnyDefinition } from '../../contract/definition.js';
import { ServiceError } from '../../contract/errors.js';
import type { MaybePromise } from '../../contract/maybe-promise.js';
import { boundName, filterNames } from '../../contract/ranges.js';
import type { Answer, Parameters } from '../../operations/call.js';
import { orderTerm } from '../../schema/order.js';
import type { PageRequest, SavedChoice } from './page.js';
import type { ShownRecord } from './resource.js';
import { choices, type Field, field, filterField, form, type Heading, type Link, labelOf } from './view.js';
import { choiceTitle, choiceValues, inSentence, nameProperty, pluralTitle } from './wording.js';

export interface RecordPage {
  readonly paging: {
    readonly total_items: number;
    /** False: there may be more. */
    readonly complete?: false | 0;
    readonly next_cursor: string | null;
  };
  readonly items: readonly ShownRecord[];
}

/** A page of a list, which may not be what was asked for. */
export interface ListResult extends RecordPage {
  /** Refused parameters, in words. */
  readonly warning: string | null;
  /** False: the records are not in the order that was asked for. */
  readonly isSorted: boolean;
}

const NO_RECORDS: RecordPage = { paging: { total_items: 0, next_cursor: null }, items: [] };
const ORDER = ['_order_by', '_sort_order'] as const;

/** The parameters of a list in a query. @param more names besides filters and order */
export function listParameters(
  items: AnyDefinition,
  query: Parameters,
  more: readonly string[] = [],
): Readonly<Record<string, string>> {
  const names = [...filterNames(items), ...more, ...ORDER, '_cursor'];
  return Object.fromEntries(names.flatMap((name) => (text(query[name]) === '' ? [] : [[name, text(query[name])]])));
}

/** The search parameters of a list of all records. */
export function searchNames({ whole }: AnyDefinition): readonly string[] {
  return whole?.search === undefined ? [] : ['q'];
}

/** Reads a page: without an order that is refused, and without any records if a filter is. Throws other refusals. */
export async function readPage(
  items: AnyDefinition,
  parameters: Parameters,
  run: (parameters: Parameters) => MaybePromise<Answer>,
): Promise<ListResult> {
  try {
    return { ...(JSON.parse((await run(parameters)).body) as RecordPage), warning: null, isSorted: true };
  } catch (thrown) {
    if (!(thrown instanceof ServiceError) || thrown.failures.length === 0) throw thrown;
    const others = thrown.failures.filter(({ field: name }) => name !== '_order_by');
    if (others.length > 0) {
      const messages = others.map(({ field: name, message }) =>
        message.replace(name, labelOf(name.replace(/\[\w+\]$/, ''))),
      );
      return { ...NO_RECORDS, warning: messages.join(' '), isSorted: true };
    }
    const { _order_by, _sort_order, _cursor, ...unsorted } = parameters;
    return { ...(await readPage(items, unsorted, run)), warning: tooMany(items, text(_order_by)), isSorted: false };
  }
}

function tooMany(items: AnyDefinition, order: string): string {
  const others = (items.finds ?? []).filter((name) => items.sortable.includes(name)).map(labelOf);
  const way =
    others.length === 0 ? '' : ` They can be sorted by ${inSentence(others.join(' or '))}, however many there are.`;
  const heading = inSentence(labelOf(orderTerm(order).name));
  return `There are too many ${inSentence(pluralTitle(items))} to sort them by ${heading}: narrow them with a filter first.${way}`;
}

/** Null: the list has neither filters nor a search. */
export function filterForm(items: AnyDefinition, query: Parameters, searched: readonly string[] = []) {
  const search = searched.map((name) => field({ name, label: 'Search', type: 'search', value: text(query[name]) }));
  const filters = items.filters.flatMap((name) => filterFields(items, name, query));
  const fields = [...search, ...filters];
  // The order is kept; the list begins again.
  const hidden = ORDER.flatMap((name) => (text(query[name]) === '' ? [] : [{ name, value: text(query[name]) }]));
  return fields.length === 0 ? null : form({ submit: 'Show', tone: 'quiet', fields, hidden });
}

/** One field for a value, or two for the ends of a range. */
function filterFields(items: AnyDefinition, column: string, query: Parameters): readonly Field[] {
  if (!items.ranges.includes(column)) {
    const base = { name: column, label: labelOf(column), value: text(query[column]) };
    const values = choiceValues(items, column)?.map((one) => [one, choiceTitle(items, column, one)] as const);
    return [values === undefined ? field(base) : filterField(base, values)];
  }
  const ends = [boundName(column, 'gte'), boundName(column, 'lte')] as const;
  return ends.map((name, at) => {
    const label = `${labelOf(column)}, ${at === 0 ? 'from' : 'to'}`;
    return field({ name, label, value: text(query[name]) });
  });
}

/** The headings of columns. Those of sortable columns are links: first ascending, then descending. */
export function headings(
  items: AnyDefinition,
  columns: readonly string[],
  query: Parameters,
  kept: Parameters,
): readonly Heading[] {
  const order = text(query._order_by);
  const falls = text(query._sort_order) === 'desc';
  return columns.map((name) => {
    if (!items.sortable.includes(name)) return { text: labelOf(name), href: null, sort: null };
    const sort = name !== order ? null : falls ? 'descending' : 'ascending';
    const direction = sort === 'ascending' ? { _sort_order: 'desc' } : {};
    const { _cursor, _sort_order, ...others } = kept as Readonly<Record<string, string>>;
    return { text: labelOf(name), href: `?${new URLSearchParams({ ...others, _order_by: name, ...direction })}`, sort };
  });
}

const BACK = '_back';
/** The most pages that the way back leads through one by one; beyond them it leads to the first. */
const MOST_BACK = 8;
const FIRST = '-';

/** Links to the previous and the next page. The address holds the way back: the cursors of the pages before this one. */
export function neighbours(
  { paging }: RecordPage,
  query: Parameters,
  kept: Readonly<Record<string, string>>,
): { readonly previous: Link | null; readonly next: Link | null } {
  const back = text(query[BACK]) === '' ? [] : text(query[BACK]).split('.');
  const { _cursor: current, ...others } = kept;
  const link = (shown: string, cursor: string, before: readonly string[]): Link => ({
    text: shown,
    href: `?${new URLSearchParams({
      ...others,
      ...(cursor === FIRST ? {} : { _cursor: cursor }),
      ...(before.length === 0 ? {} : { [BACK]: before.slice(-MOST_BACK).join('.') }),
    })}`,
  });
  const previous = current === undefined ? null : link('Previous page', back.at(-1) ?? FIRST, back.slice(0, -1));
  const { next_cursor: after } = paging;
  return { previous, next: after === null ? null : link('Next page', after, [...back, current ?? FIRST]) };
}

/** The numbers of records that a page of a list may have. */
export const PAGE_SIZES = [25, 50, 100];
/** Properties that a list shows beside the name. */
const COLUMNS = 4;

/** The columns and page size of the lists of a resource. */
export interface ListView {
  readonly size: number;
  /** Properties. */
  readonly columns: readonly string[];
  /** The choice that the browser is to keep; undefined: this request made none. */
  readonly keep: SavedChoice | undefined;
}

/** The choice of this request, or else the one that the browser has kept, or else the default. */
export function listView(items: AnyDefinition, { query, kept }: Pick<PageRequest, 'query' | 'kept'>): ListView {
  const name = `list.${items.name}`;
  const isChosen = query._items_per_page !== undefined;
  const chosen = [query._columns ?? []].flat().map(String);
  const [before, ...columns] = isChosen ? [text(query._items_per_page), ...chosen] : (kept[name] ?? '').split('.');
  const offered = columnsOf(items);
  const known = offered.filter((one) => columns.includes(one));
  const size = PAGE_SIZES.find((one) => one === Number(before)) ?? 25;
  const value = [String(size), ...known].join('.');
  const byDefault = [...offered.filter((one) => isPlain(items, one)).slice(0, COLUMNS), 'date_updated'];
  return { size, columns: known.length > 0 ? known : byDefault, keep: isChosen ? { name, value } : undefined };
}

/** The form for columns and page size. @param kept parameters of the list that stay as they are */
export function viewForm(items: AnyDefinition, { size, columns }: ListView, kept: Readonly<Record<string, string>>) {
  const { _cursor, ...others } = kept;
  const options = columnsOf(items).map((value) => ({ value, text: labelOf(value), selected: columns.includes(value) }));
  const sizes = PAGE_SIZES.map((one) => [String(one), String(one)] as const);
  const fields = [
    field({ name: '_columns', label: 'Columns', control: 'checks', wide: true, options }),
    field({
      name: '_items_per_page',
      label: 'Records on a page',
      control: 'select',
      options: choices(sizes, `${size}`),
    }),
  ];
  const hidden = Object.entries(others).map(([name, value]) => ({ name, value }));
  return form({ submit: 'Apply', tone: 'quiet', fields, hidden });
}

/** The properties that a list can show. */
function columnsOf(items: AnyDefinition): readonly string[] {
  const named = nameProperty(items);
  return Object.entries(items.properties).flatMap(([name, property]) => {
    const isShown = ['column', 'bit', 'count', 'sum', 'latest', 'copy'].includes(property.kind);
    const isOther = name !== 'id' && name !== named && property.view !== 'created' && property.view !== 'nobody';
    return isShown && isOther ? [name] : [];
  });
}

/** Whether a list shows a property by default: not JSON, the dates of every record, or pictures, which are beside the names. */
function isPlain({ properties, columns, references }: AnyDefinition, name: string): boolean {
  const property = properties[name];
  if (property?.kind !== 'column' || ['date_created', 'date_updated'].includes(name)) return false;
  const isPicture = references.some(({ column, accepts }) => column === name && accepts !== undefined);
  return !isPicture && columns[property.column]?.type !== 'json';
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
