// Exports a list with its filters as NDJSON or CSV. The list is read page by page as the file is received, so that memory does
// not grow with its length, and other requests are served in between.

import type { AnyDefinition } from '../../../contract/definition.js';
import { listParameters, type RecordPage } from '../listing.js';
import type { PageAnswer, PageRequest, PageRoute } from '../page.js';
import type { Resources, ShownRecord } from '../resource.js';
import { listOf, type RecordList } from './records.js';

export function exportPages(resources: Resources): readonly PageRoute[] {
  return ['/records/:type/export', '/records/:type/:id/lists/:list/export'].map((path) => ({
    method: 'GET',
    path,
    run: (request) => exported(resources, request),
  }));
}

/** Each has a media type, a first line, which may be empty, and the lines of records. */
const FORMATS = {
  ndjson: {
    type: 'application/x-ndjson; charset=utf-8',
    head: () => '',
    line: (record: ShownRecord) => `${JSON.stringify(record)}\n`,
  },
  csv: {
    type: 'text/csv; charset=utf-8',
    head: (columns: readonly string[]) => `${columns.map(csvCell).join(',')}\r\n`,
    line: (record: ShownRecord, columns: readonly string[]) =>
      `${columns.map((name) => csvCell(record[name])).join(',')}\r\n`,
  },
};

/** The first records are read before anything is sent, so that a refusal of the list is shown on a page. */
async function exported(resources: Resources, request: PageRequest): Promise<PageAnswer> {
  const list = await listOf(resources, request);
  const { items, search } = list;
  const name = request.query.format === 'ndjson' ? 'ndjson' : 'csv';
  const { _cursor, ...parameters } = listParameters(items, request.query, search);
  const pages = pagesOf(list, { ...parameters, _items_per_page: '100' });
  const first = await pages.next();
  const format = FORMATS[name];
  const chunks = textOf(format, columnsOf(items), first.value ?? [], pages);
  return { download: { name: `${items.plural}.${name}`, type: format.type, chunks } };
}

async function* pagesOf({ run }: RecordList, parameters: Readonly<Record<string, string>>) {
  let cursor: string | null = null;
  do {
    const answer = await run({ ...parameters, ...(cursor === null ? {} : { _cursor: cursor }) });
    const { items, paging }: RecordPage = JSON.parse(answer.body);
    yield items;
    cursor = paging.next_cursor;
    // Requests that wait are served first.
    await new Promise((resolve) => setImmediate(resolve));
  } while (cursor !== null);
}

async function* textOf(
  format: (typeof FORMATS)[keyof typeof FORMATS],
  columns: readonly string[],
  first: readonly ShownRecord[],
  others: AsyncIterable<readonly ShownRecord[]>,
) {
  const lines = (records: readonly ShownRecord[]) => records.map((record) => format.line(record, columns)).join('');
  yield format.head(columns) + lines(first);
  for await (const records of others) yield lines(records);
}

/** The properties of a record itself, by the names of the API, so that an export can be imported. */
function columnsOf(items: AnyDefinition): readonly string[] {
  return Object.entries(items.properties).flatMap(([name, { kind, view }]) =>
    ['constant', 'description'].includes(kind) || view === 'created' || view === 'nobody' ? [] : [name],
  );
}

/** A text that a spreadsheet would take for a formula begins with an apostrophe, which prevents that. */
export function csvCell(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const plain = /^[=+\-@\t\r\n]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
}
