// The lists of records: of all of a resource, and of those that belong to a record.

import type { AnyDefinition } from '../../../contract/definition.js';
import { ServiceError } from '../../../contract/errors.js';
import type { MaybePromise } from '../../../contract/maybe-promise.js';
import type { Answer, Parameters } from '../../../operations/call.js';
import {
  asked,
  filterForm,
  headings,
  type ListView,
  listView,
  neighbours,
  type ReadPage,
  readPage,
  searchNames,
  viewForm,
} from '../listing.js';
import { type Named, referredBy } from '../names.js';
import type { PageAnswer, PageRequest, PageRoute } from '../page.js';
import {
  callOf,
  imageIn,
  nameOf,
  pathOf,
  type Resources,
  resourceNamed,
  type ShownRecord,
  valueCell,
} from '../resource.js';
import { type Cell, cell, count, type Link, labelOf, pageView, section, table } from '../view.js';
import { inSentence, nameProperty, pluralTitle } from '../words.js';
import { selectionSection } from './selection.js';

export function listPages(resources: Resources): readonly PageRoute[] {
  return [
    { method: 'GET', path: '/records/:type', run: (request) => show(resources, request) },
    { method: 'GET', path: '/records/:type/:id/lists/:list', run: (request) => show(resources, request) },
  ];
}

/** A list that a page shows, or a file holds. */
export interface RecordList {
  /** The resource of the records. */
  readonly items: AnyDefinition;
  readonly title: string;
  /** Below `/console`. */
  readonly path: string;
  readonly trail: readonly Link[];
  readonly links: readonly Link[];
  /** What it can be asked for besides filters and order. */
  readonly search: readonly string[];
  run(parameters: Parameters): MaybePromise<Answer>;
}

/** All records of a resource, of which administrators have a list (D44), or those of a list of a record. */
export async function listOf(resources: Resources, request: PageRequest): Promise<RecordList> {
  const { type = '', id, list = '' } = request.params;
  const definition = resourceNamed(resources, type);
  const { fetch, list: run } = resources.operationsOf(definition);
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
  const record = JSON.parse((await fetch(callOf(definition, request, { id }))).body) as ShownRecord;
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
  const kept = asked(items, request.query, search);
  const read = await readPage(items, { ...kept, _items_per_page: String(view.size) }, list.run);
  const names = await resources.names(read.items.flatMap((record) => [...referredBy(items, record)]));
  const { _order_by, _sort_order, ...unsorted } = request.query;
  const query = read.isSorted ? request.query : unsorted;
  const filters = filterForm(items, query, search);
  const sections = [
    ...(filters === null ? [] : [section({ form: filters })]),
    results(list, read, { view, names, query, kept: asked(items, query, search) }),
    ...selectionSection(items),
    section({ summary: 'Columns and page size', form: viewForm(items, view, kept) }),
  ];
  const page = pageView({ title, trail, links, sections });
  return { page, ...(view.keep === undefined ? {} : { keep: view.keep }) };
}

interface Shown {
  readonly view: ListView;
  readonly names: Named;
  readonly query: Parameters;
  readonly kept: Readonly<Record<string, string>>;
}

/** The records as a table; every link keeps what was asked for. */
function results({ items, path }: RecordList, read: ReadPage, { view, names, query, kept }: Shown) {
  const { paging, items: records, warning } = read;
  const many = inSentence(pluralTitle(items));
  const { _cursor, ...filters } = kept;
  const file = (format: string): Link => ({
    text: `Export as ${format.toUpperCase()}`,
    href: `${path}/export?${new URLSearchParams({ ...filters, format })}`,
  });
  const total = count(paging.total_items, inSentence(items.title), many);
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
      empty: `There are no ${many} like that.`,
      ...neighbours(read, query, kept),
    }),
  });
}

/** The first column has the name of the resource, and sorts by that of the records. */
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
