// Lists of records: all records of a resource, and those that belong to a record.

import type { AnyDefinition } from '../../../contract/definition.js';
import { ServiceError } from '../../../contract/errors.js';
import type { MaybePromise } from '../../../contract/maybe-promise.js';
import type { Answer, Parameters } from '../../../operations/call.js';
import {
  filterForm,
  headings,
  type ListResult,
  type ListView,
  listParameters,
  listView,
  neighbours,
  readPage,
  searchNames,
  viewForm,
} from '../listing.js';
import { type NameLookup, referredBy } from '../names.js';
import type { PageAnswer, PageRequest, PageRoute } from '../page.js';
import {
  callOf,
  imageIn,
  nameOf,
  pathOf,
  type Resources,
  readRecord,
  resourceNamed,
  type ShownRecord,
  valueCell,
} from '../resource.js';
import { type Cell, cell, type Link, labelOf, pageView, section, table } from '../view.js';
import { countText, inSentence, nameProperty, pluralTitle } from '../wording.js';
import { selectionSection } from './selection.js';

export function listPages(resources: Resources): readonly PageRoute[] {
  return [
    { method: 'GET', path: '/records/:type', run: (request) => show(resources, request) },
    { method: 'GET', path: '/records/:type/:id/lists/:list', run: (request) => show(resources, request) },
  ];
}

/** A list on a page, or in a file. */
export interface RecordList {
  /** The resource of the records. */
  readonly items: AnyDefinition;
  readonly title: string;
  /** Below `/console`. */
  readonly path: string;
  readonly trail: readonly Link[];
  readonly links: readonly Link[];
  /** Parameters besides filters and order. */
  readonly search: readonly string[];
  run(parameters: Parameters): MaybePromise<Answer>;
}

/** The list of all records of a resource, which administrators have (D44), or a list of a record. */
export async function listOf(resources: Resources, request: PageRequest): Promise<RecordList> {
  const { type = '', id, list = '' } = request.params;
  const definition = resourceNamed(resources, type);
  const { list: run } = resources.operationsOf(definition);
  if (id === undefined) {
    const { name, operations } = definition;
    return {
      ...{ items: definition, title: pluralTitle(definition), path: `/console/records/${name}`, trail: [] },
      links: operations.create === null ? [] : [{ text: 'New…', href: `/console/records/${name}/new` }],
      search: searchNames(definition),
      run: (parameters) => run(callOf(definition, request, { parameters })),
    };
  }
  const items = resources.definitions.find((one) => one.lists.some((own) => own.parent === type && own.name === list));
  if (items === undefined) throw new ServiceError('not_found', 'There is no such list.');
  const record = await readRecord(resources, callOf(definition, request, { id }));
  return {
    ...{ items, title: listTitle(items, list), path: `${pathOf(type, id)}/lists/${list}` },
    ...{ trail: [{ text: nameOf(definition, record), href: pathOf(type, id) }], links: [], search: [] },
    run: (parameters) => run(callOf(definition, request, { id, name: list, parameters })),
  };
}

export function listTitle(items: AnyDefinition, list: string): string {
  return list === items.plural ? pluralTitle(items) : labelOf(list);
}

async function show(resources: Resources, request: PageRequest): Promise<PageAnswer> {
  const list = await listOf(resources, request);
  const { items, title, trail, links, search } = list;
  const view = listView(items, request);
  const kept = listParameters(items, request.query, search);
  const read = await readPage(items, { ...kept, _items_per_page: String(view.size) }, list.run);
  const names = await resources.names(read.items.flatMap((record) => [...referredBy(items, record)]));
  const { _order_by, _sort_order, ...unsorted } = request.query;
  const query = read.isSorted ? request.query : unsorted;
  const filters = filterForm(items, query, search);
  const sections = [
    ...(filters === null ? [] : [section({ form: filters })]),
    results(list, read, { view, names, query, kept: listParameters(items, query, search) }),
    ...selectionSection(items),
    section({ summary: 'Columns and page size', form: viewForm(items, view, kept) }),
  ];
  const page = pageView({ title, trail, links, sections });
  return { page, ...(view.keep === undefined ? {} : { keep: view.keep }) };
}

/** The columns, names and query of a table of records. */
interface TableContext {
  readonly view: ListView;
  readonly names: NameLookup;
  readonly query: Parameters;
  /** The parameters of the list in the query, which every link keeps. */
  readonly kept: Readonly<Record<string, string>>;
}

function results({ items, path }: RecordList, read: ListResult, { view, names, query, kept }: TableContext) {
  const { paging, items: records, warning } = read;
  const { _cursor, ...filters } = kept;
  const file = (format: string): Link => ({
    text: `Export as ${format.toUpperCase()}`,
    href: `${path}/export?${new URLSearchParams({ ...filters, format })}`,
  });
  const total = countText(items, paging.total_items);
  return section({
    id: 'results',
    warning,
    note: paging.complete === undefined ? total : `More than ${total}`,
    links: records.length === 0 ? [] : [file('csv'), file('ndjson')],
    table: table({
      caption: pluralTitle(items),
      selects: true,
      columns: [...nameHeading(items, query, kept), ...headings(items, view.columns, query, kept)],
      rows: records.map((record) => [
        cell(nameOf(items, record), { check: String(record.id) }),
        linkTo(items, record),
        ...view.columns.map((name) => valueCell(items, record, name, names)),
      ]),
      empty: `No ${inSentence(pluralTitle(items))} found.`,
      ...neighbours(read, query, kept),
    }),
  });
}

/** The heading of the first column: the title of the resource, which sorts by the names of the records. */
function nameHeading(items: AnyDefinition, query: Parameters, kept: Parameters) {
  const [heading] = headings(items, [nameProperty(items) ?? 'id'], query, kept);
  return heading === undefined ? [] : [{ ...heading, text: items.title }];
}

function linkTo(definition: AnyDefinition, record: ShownRecord): Cell {
  const name = nameOf(definition, record);
  const pictures = [record, ...Object.values(record)].map(imageIn);
  const image = pictures.find((one) => one !== null) ?? null;
  return cell(name, { href: pathOf(definition.name, String(record.id)), code: name === record.id, image });
}
