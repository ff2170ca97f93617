// Lists of one definition's records, by page number or by cursor (D23). A list through the reference that places its records
// is read from one shard; any other from all.
import type { AnyDefinition, Scalar } from '../../contract/definition.js';
import { memoize } from '../../contract/memoize.js';
import type { Table } from '../../schema/schema.js';
import type { Caller, ListedPage, Page } from '../records.js';
import type { ListCount } from '../sql/cursor.js';
import { idOf } from '../sql/ids.js';
import { afterOf, keyOf, patternIn } from '../sql/list-order.js';
import {
  CHUNK,
  countedOf,
  listed,
  type PageItem,
  type PlannedPage,
  planPage,
  refuseUnbounded,
  searchedRows,
} from '../sql/list-page.js';
import { boundMatches, boundPart, countMatches, findMatches, type PartOf, partsById } from '../sql/matches.js';
import { type ListStatements, listStatements } from './list-statement.js';
import { prepareNamed, type Query } from './named.js';
import type { Reading } from './record-text.js';
import { createWordReads } from './words.js';

/** Reads a page of a list; the caller must already be known to have read access to its parent. */
export type ReadList = (query: Query, page: Page, parentId: string, caller: Caller) => Promise<ListedPage>;

export function createLists(reading: Reading, definition: AnyDefinition, table: Table): ReadList {
  const kept = new Map<string, Statements>();
  const prepared = ({ statements, list, variant }: PlannedPage): Statements => {
    const compose = () => listStatements(reading, definition, list, variant);
    // A connection keeps what it has prepared for good, so that orders of a request's own making are not.
    if (!variant.order.isOwn) return prepare(UNPREPARED, compose());
    const made = kept.get(statements) ?? prepare(reading.connections, compose());
    kept.set(statements, made);
    return made;
  };
  const words = createWordReads(reading.connections, table);
  return async (query, page, parentId, caller) => {
    const planned = planPage(definition, page, parentId, caller);
    const matches = await findMatches(words(query), planned);
    const { key, variant, cursor } = planned;
    const statements = prepared(planned);
    const { id: parent, placement } = page.parent === null ? NO_PARENT : idOf(parentId);
    const part = partsById(matches, planned, page);
    const offset = part === null ? (page.number - 1) * page.size : 0;
    const bound = { ...planned.bound, ...boundMatches(matches), parent, placement, offset };
    const counting = async (): Promise<ListCount> => {
      const known = countMatches(matches, planned);
      if (known !== null) return known;
      const [row] = await reading.run(query, statements.count, bound);
      refuseUnbounded(page, planned, Number(row?.rows));
      return countedOf(Number(row?.rows), Number(row?.shown), matches.isComplete);
    };
    const counted = cursor === null || !variant.order.isOwn ? await counting() : cursor.counted;
    const reads = createReads({ reading, query, statements, bound, part });
    const searchEnd: PageReads['searchEnd'] =
      counted.isComplete && cursor === null && part === null ? async () => null : reads.searchEnd;
    const read = await readWithin(page, cursor?.values ?? null, { ...reads, searchEnd });
    return listed(page, { key, counted, ...read });
  };
}

const NO_PARENT = { id: '', placement: '' };

const UNPREPARED = { prepare: (text: string) => ({ name: '', text }) };

type Statements = ReturnType<typeof prepare>;

function prepare(connections: Pick<Reading['connections'], 'prepare'>, { texts, count, page, end }: ListStatements) {
  const named = (text: string) => prepareNamed(connections, text);
  return {
    texts,
    count: named(count),
    page: memoize((key: string) => named(page(patternIn(key)))),
    end: memoize((key: string) => {
      const text = end(patternIn(key));
      return text === '' ? null : named(text);
    }),
  };
}

interface PageReads {
  read(after: readonly Scalar[] | null, limit: number, searched: number): Promise<readonly PageItem[]>;
  /** The last row that such a read searches; null: it reaches the end of the list. */
  searchEnd(after: readonly Scalar[] | null, searched: number, limit: number): Promise<readonly Scalar[] | null>;
}

interface PageRead {
  readonly reading: Reading;
  readonly query: Query;
  readonly statements: Statements;
  readonly bound: Readonly<Record<string, Scalar>>;
  readonly part: PartOf | null;
}

function createReads({ reading, query, statements: { texts, page, end }, bound, part }: PageRead): PageReads {
  return {
    async read(after, limit, searched) {
      const values = { ...bound, ...boundPart(part, after, limit), limit, searched, ...afterOf(after ?? []) };
      const rows = await reading.run(query, page(keyOf(after)), values);
      const shown = await texts.texts(query, rows, bound.user as string | null);
      return rows.map((row, at) => [shown[at] ?? '', ...valuesOf(row)]);
    },
    async searchEnd(after, searched, limit) {
      if (part !== null) return part(after, limit).end;
      const statement = end(keyOf(after));
      if (statement === null) return null;
      const [row] = await reading.run(query, statement, { ...bound, searched, ...afterOf(after ?? []) });
      return row === undefined ? null : valuesOf(row);
    },
  };
}

/** Rows from `from` on, up to one more than the page holds by number or bytes, which shows whether anything follows. */
async function readWithin(page: Page, from: readonly Scalar[] | null, { read, searchEnd }: PageReads) {
  const { size, maxBytes } = page;
  const rows: PageItem[] = [];
  let [bytes, after] = [0, from];
  for (;;) {
    const limit = Math.min(CHUNK, size + 1 - rows.length);
    const searched = searchedRows(page, after === null);
    const chunk = await read(after, limit, searched);
    for (const [text] of chunk) bytes += Buffer.byteLength(text);
    rows.push(...chunk);
    if (chunk.length < limit) return { rows, end: await searchEnd(after, searched, limit) };
    if (rows.length > size || bytes > maxBytes) return { rows, end: null };
    after = (rows.at(-1)?.slice(1) as Scalar[] | undefined) ?? null;
  }
}

function valuesOf(row: Readonly<Record<string, Scalar>>): readonly Scalar[] {
  return Object.keys(row)
    .filter((name) => name.startsWith('@order'))
    .map((name) => row[name] ?? null);
}
