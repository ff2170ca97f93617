// Lists the records of every resource that refer to a record (D56): resource by resource, each in the order of the ids.

import { REQUESTS } from '../../contract/defaults.js';
import type { AnyDefinition, Row } from '../../contract/definition.js';
import type { Caller, ListedPage, Page } from '../records.js';
import { decodeCursor } from '../sql/cursor.js';
import type { Dialect } from '../sql/dialect.js';
import { listCount, type PageItem, refusePageAfter, toListedPage } from '../sql/list-page.js';
import type { RecordUse } from '../sql/uses.js';
import { type ViewerName, viewerOf, viewerWithScope } from '../sql/viewers.js';
import { awaitAll, type Pending, type Queries, rowsAmong } from '../unit.js';

/** The context for reading the records that use a record. */
export interface UsesReads {
  readonly queries: Queries;
  readonly dialect: Dialect;
  text(resource: string, viewer: ViewerName, id: string, user: string | null): Pending<string | null | undefined>;
}

export interface UsesPage {
  readonly id: string;
  readonly page: Page;
  readonly caller: Caller;
}

const KEY = 'uses';

/** The caller must already be known to have read access to the record. Reads a bounded number of ids of each column. */
export function* listUses(
  reads: UsesReads,
  uses: readonly RecordUse[],
  { id, page, caller }: UsesPage,
): Pending<ListedPage> {
  const cursor = page.cursor === null ? null : decodeCursor(KEY, ['string', 'string'], page.cursor);
  const [resource = '', after = ''] = (cursor?.values ?? []) as readonly string[];
  const from = Math.max(
    0,
    uses.findIndex(({ definition }) => definition.name === resource),
  );
  const usingRecords: (readonly [definition: AnyDefinition, id: string])[] = [];
  let [scanned, end]: [number, readonly [string, string] | null] = [0, null];
  for (const [at, use] of uses.slice(from).entries()) {
    const { definition, statements } = use;
    if (scanned > REQUESTS.scannedRows) break;
    const bound = { id, after: at === 0 ? after : '', limit: REQUESTS.scannedRows + 1 - scanned };
    const all = yield* idsOf(statements.map((statement) => reads.queries.rows(statement, bound)));
    const ids = [...new Set(all)].sort().slice(0, bound.limit);
    scanned += ids.length;
    // Further ids are left to the next page, however few of these are shown.
    if (scanned > REQUESTS.scannedRows) end = [definition.name, ids.at(-1) ?? ''];
    const readable = new Set(yield* readableOf(reads, use, ids, caller));
    usingRecords.push(...ids.filter((one) => readable.has(one)).map((one) => [definition, one] as const));
  }
  if (cursor === null) refusePageAfter(page, scanned);
  const start = cursor === null ? (page.number - 1) * page.size : 0;
  const shown = usingRecords.slice(start, start + page.size + 1);
  const viewer = viewerWithScope(caller);
  const texts = yield* awaitAll(
    shown.map(([definition, one]) => reads.text(definition.name, viewer, one, caller.user)),
  );
  const rows = shown.flatMap(([definition, one], at): PageItem[] => {
    const text = texts[at] ?? null;
    return text === null ? [] : [[text, definition.name, one]];
  });
  const counted = cursor?.counted ?? listCount(scanned, usingRecords.length, true);
  return toListedPage(page, { key: KEY, counted, rows, end });
}

/** The records that the caller may read, in any order. */
function* readableOf(
  { queries, dialect }: UsesReads,
  use: RecordUse,
  ids: readonly string[],
  caller: Caller,
): Pending<readonly string[]> {
  const statement = use.readableBy(viewerOf(caller));
  if (statement === null) return ids;
  const { user } = caller;
  const rows = yield* rowsAmong(queries, dialect, ids, [statement, { user }]);
  return rows.map(({ id }) => String(id));
}

function* idsOf(reads: readonly Pending<readonly Row[]>[]): Pending<readonly string[]> {
  return (yield* awaitAll(reads)).flat().map(({ id }) => String(id));
}
