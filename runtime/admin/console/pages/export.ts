// A list as a file, NDJSON or CSV, with what its filters say: read page by page as it is received, so that it takes the same memory
// however long it is, and other requests go on in between.

import type { AnyDefinition } from '../../../contract/definition.js';
import { asked, type RecordPage } from '../listing.js';
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

interface Format {
  readonly type: string;
  /** The first line, if there is one. */
  head(columns: readonly string[]): string;
  line(record: ShownRecord, columns: readonly string[]): string;
}

const FORMATS: Readonly<Record<string, Format>> = {
  ndjson: {
    type: 'application/x-ndjson; charset=utf-8',
    head: () => '',
    line: (record) => `${JSON.stringify(record)}\n`,
  },
  csv: {
    type: 'text/csv; charset=utf-8',
    head: (columns) => `${columns.map(csvCell).join(',')}\r\n`,
    line: (record, columns) => `${columns.map((name) => csvCell(record[name])).join(',')}\r\n`,
  },
};

/** A refusal of the list is one of the page: its first records are read before anything is sent. */
async function exported(resources: Resources, request: PageRequest): Promise<PageAnswer> {
  const list = await listOf(resources, request);
  const { items, search } = list;
  const name = request.query.format === 'ndjson' ? 'ndjson' : 'csv';
  const { _cursor, ...parameters } = asked(items, request.query, search);
  const pages = pagesOf(list, { ...parameters, _items_per_page: '100' });
  const first = await pages.next();
  const format = FORMATS[name] as Format;
  const chunks = textOf(format, columnsOf(items), { first: first.value ?? [], others: pages });
  return { download: { name: `${items.plural}.${name}`, type: format.type, chunks } };
}

async function* pagesOf({ run }: RecordList, parameters: Readonly<Record<string, string>>) {
  let cursor: string | null = null;
  do {
    const answer = await run({ ...parameters, ...(cursor === null ? {} : { _cursor: cursor }) });
    const { items, paging }: RecordPage = JSON.parse(answer.body);
    yield items;
    cursor = paging.next_cursor;
    // What waits meanwhile goes first.
    await new Promise((resolve) => setImmediate(resolve));
  } while (cursor !== null);
}

interface Pages {
  readonly first: readonly ShownRecord[];
  readonly others: AsyncIterable<readonly ShownRecord[]>;
}

async function* textOf(format: Format, columns: readonly string[], { first, others }: Pages) {
  const lines = (records: readonly ShownRecord[]) => records.map((record) => format.line(record, columns)).join('');
  yield format.head(columns) + lines(first);
  for await (const records of others) yield lines(records);
}

/** Everything that a record shows of itself, by the names of the API, so that what is exported can be imported. */
function columnsOf(items: AnyDefinition): readonly string[] {
  return Object.entries(items.properties).flatMap(([name, { kind, view }]) =>
    ['constant', 'description'].includes(kind) || view === 'created' || view === 'nobody' ? [] : [name],
  );
}

/** A spreadsheet would take a text for a formula that begins like one; after an apostrophe it does not. */
export function csvCell(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const plain = /^[=+\-@\t\r\n]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
}
