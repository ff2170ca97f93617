// The lists of records: those that belong to a record, with filters, search and order as the API offers them.

import type { AnyDefinition } from '../../../contract/definition.js';
import { ServiceError } from '../../../contract/errors.js';
import { boundName, filterNames } from '../../../contract/ranges.js';
import type { Parameters } from '../../../operations/call.js';
import type { PageRequest, PageRoute } from '../page.js';
import { callOf, nameOf, pathOf, propertyLabel, type Resources, type ShownRecord, valueCell } from '../resource.js';
import {
  type Cell,
  cell,
  choices,
  count,
  type Field,
  field,
  form,
  labelOf,
  pageView,
  section,
  table,
} from '../view.js';

export interface RecordPage {
  readonly paging: {
    readonly total_items: number;
    /** False: there may be more. */
    readonly complete?: false | 0;
    readonly next_cursor: string | null;
  };
  readonly items: readonly ShownRecord[];
}

/** Properties that a list shows beside the name. */
const COLUMNS = 4;

export function listPages(resources: Resources): readonly PageRoute[] {
  return [
    { method: 'GET', path: '/records/:type', run: (request) => showResource(resources, request) },
    {
      method: 'GET',
      path: '/records/:type/:id/lists/:list',
      run: (request) => showList(resources, request),
    },
  ];
}

/** All records of a resource, of which administrators have a list (D44). */
async function showResource(resources: Resources, request: PageRequest) {
  const definition = resourceNamed(resources, request.params.type ?? '');
  const { name, title, operations } = definition;
  const { query } = request;
  const search = searchField(definition, query);
  const names = search.map((one) => one.name);
  const call = callOf(definition, request, { parameters: asked(definition, query, names) });
  const listed = JSON.parse((await resources.operationsOf(definition).list(call)).body) as RecordPage;
  const links = operations.create === null ? [] : [{ text: 'New…', href: `/console/records/${name}/new` }];
  const sections = [section({ form: filterForm(definition, query, search) }), results(definition, listed, query)];
  return { page: pageView({ title, links, sections }) };
}

async function showList(resources: Resources, request: PageRequest) {
  const { type = '', id = '', list = '' } = request.params;
  const parent = resourceNamed(resources, type);
  const items = resources.definitions.find(({ lists }) =>
    lists.some((one) => one.parent === type && one.name === list),
  );
  if (items === undefined) throw new ServiceError('not_found', 'There is no such list.');
  const { fetch, list: run } = resources.operationsOf(parent);
  const record = JSON.parse((await fetch(callOf(parent, request, { id }))).body) as ShownRecord;
  const parameters = asked(items, request.query);
  const listed = JSON.parse((await run(callOf(parent, request, { id, name: list, parameters }))).body) as RecordPage;
  const trail = [{ text: nameOf(parent, record), href: pathOf(type, id) }];
  const sections = [section({ form: filterForm(items, request.query) }), results(items, listed, request.query)];
  return { page: pageView({ title: labelOf(list), trail, sections }) };
}

export function resourceNamed({ find }: Resources, type: string): AnyDefinition {
  const definition = find(type);
  if (definition === undefined) throw new ServiceError('not_found', 'There is no such resource.');
  return definition;
}

/** The field by which records are found, of a resource that can be searched. */
function searchField({ whole }: AnyDefinition, query: Parameters): readonly Field[] {
  return whole?.search === undefined ? [] : [field({ name: 'q', label: 'Search', value: text(query.q) })];
}

/** What a list of these items can be asked for. @param more names besides filters and order */
export function asked(items: AnyDefinition, query: Parameters, more: readonly string[] = []) {
  const names = [...filterNames(items), ...more, '_order_by', '_sort_order', '_cursor'];
  const given = names.filter((name) => (query[name] ?? '') !== '');
  return Object.fromEntries(given.map((name) => [name, query[name]]));
}

/** Null: there is nothing to choose. @param search the field to search by, first */
export function filterForm(items: AnyDefinition, query: Parameters, search: readonly Field[] = []) {
  const filters = items.filters.flatMap((name) => filterFields(items, name, query));
  const order = field({
    name: '_order_by',
    label: 'Order by',
    control: 'select',
    options: choices(
      [['', '–'], ...items.sortable.map((name) => [name, propertyLabel(name)] as const)],
      text(query._order_by),
    ),
  });
  const direction = field({
    name: '_sort_order',
    label: 'Direction',
    control: 'select',
    options: choices(
      [
        ['', 'ascending'],
        ['desc', 'descending'],
      ],
      text(query._sort_order),
    ),
  });
  const sorting = items.sortable.length === 0 ? [] : [order, direction];
  const fields = [...search, ...filters, ...sorting];
  return fields.length === 0 ? null : form({ submit: 'Show', tone: 'quiet', fields });
}

/** One field for a value, or two for the ends of a range. */
function filterFields(items: AnyDefinition, column: string, query: Parameters): readonly Field[] {
  if (!items.ranges.includes(column)) return [filterField(items, column, String(query[column] ?? ''))];
  const ends = [boundName(column, 'gte'), boundName(column, 'lte')] as const;
  return ends.map((name, at) => {
    const label = `${labelOf(column)}, ${at === 0 ? 'from' : 'to'}`;
    return field({ name, label, value: text(query[name]) });
  });
}

function filterField({ options, parameters }: AnyDefinition, name: string, value: string): Field {
  const words = parameters[name]?.kind === 'boolean' ? ['true', 'false'] : options[name]?.map(String);
  if (words === undefined) return field({ name, label: labelOf(name), value });
  const offered = choices([['', 'any'], ...words.map((one) => [one, one] as const)], value);
  return field({ name, label: labelOf(name), control: 'select', options: offered });
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** The records as a table; the way to the next page keeps what was asked for. */
export function results(items: AnyDefinition, { paging, items: records }: RecordPage, query: Parameters) {
  const columns = columnsOf(items);
  const next =
    paging.next_cursor === null
      ? null
      : {
          text: 'Next page',
          href: `?${new URLSearchParams({ ...asked(items, query, ['q']), _cursor: paging.next_cursor })}`,
        };
  return section({
    id: 'results',
    note: `${count(paging.total_items, 'record')}${paging.complete !== undefined ? ' or more' : ''}`,
    table: table({
      caption: items.title,
      columns: [items.title, ...columns.map(propertyLabel)],
      rows: records.map((record) => [linkTo(items, record), ...columns.map((name) => valueCell(items, record, name))]),
      empty: 'No record matches.',
      next,
    }),
  });
}

function linkTo(definition: AnyDefinition, record: ShownRecord): Cell {
  const name = nameOf(definition, record);
  const picture = Object.values(record).map((value) => valueCell(definition, { value }, 'value').image);
  const image = picture.find((one) => one !== null) ?? valueCell(definition, { record }, 'record').image;
  return cell(name, { href: pathOf(definition.name, String(record.id)), code: name === record.id, image });
}

/** The first plain properties, and the date of the last change. */
function columnsOf(definition: AnyDefinition): readonly string[] {
  const { properties, columns } = definition;
  const named = nameProperty(definition);
  const plain = Object.entries(properties).filter(([name, property]) => {
    if (property.kind !== 'column' || ['id', 'date_created', 'date_updated', named].includes(name)) return false;
    return columns[property.column]?.type !== 'json' && property.view !== 'created';
  });
  return [...plain.map(([name]) => name).slice(0, COLUMNS), 'date_updated'];
}

/** The property that `nameOf` shows. */
function nameProperty(definition: AnyDefinition): string {
  const marked = Object.fromEntries(Object.keys(definition.properties).map((name) => [name, name]));
  return nameOf(definition, marked);
}
