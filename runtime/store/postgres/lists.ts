// Lists of one definition's records, by page number or by cursor (D23). A list through the reference that places its records
// is read from one shard; any other from all.
import type { AnyDefinition, Scalar } from '../../definition.js';
import { memoize } from '../../memoize.js';
import { quoted } from '../../schema/sql-text.js';
import type { Caller, Listed, Page } from '../records.js';
import { type ListVariant, listConditions } from '../sql/list-conditions.js';
import { afterOf, CHUNK, type Item, listed, planPage, variantOf } from '../sql/list-page.js';
import { type NamedStatement, prepareNamed, type Query } from './named.js';
import { idOf } from './record-statements.js';
import { type Reading, type RecordTexts, recordTexts } from './record-text.js';

/** Reads a page of a list; the caller must already be known to have read access to its parent. */
export type ReadList = (query: Query, page: Page, parentId: string, caller: Caller) => Promise<Listed>;

export function createLists(reading: Reading, definition: AnyDefinition): ReadList {
  const prepared = memoize((key: string) => {
    const { list, variant } = variantOf(definition, key);
    const { where, after, sorted, placement } = listConditions(reading, definition, list, variant);
    const texts = recordTexts(reading, definition, variant.viewer, placement);
    const from = `FROM ${quoted(definition.name)} t WHERE ${where}`;
    const selected = `SELECT ${[texts.selected, orderColumns(variant)].join(', ')}`;
    const page = (more: string, offset: string) => {
      const rows = `${from}${more} ${sorted} LIMIT @limit${offset}`;
      // Of one shard, the page is selected before rights and properties are computed, so that they are only computed for what is
      // shown. A page of all shards is put together afterwards, where they could not be computed any more.
      return placement === '@placement' ? `${selected} FROM (SELECT t.* ${rows}) t ${sorted}` : `${selected} ${rows}`;
    };
    const prepare = (sql: string) => prepareNamed(reading.connections, sql);
    return {
      texts,
      count: prepare(`SELECT count(*) AS "count" ${from}`),
      byNumber: prepare(page('', ' OFFSET @offset')),
      byCursor: prepare(page(` AND ${after}`, '')),
    };
  });
  return async (query, page, parentId, caller) => {
    const { key, bound, from } = planPage(definition, page, parentId, caller);
    const { count, ...statements } = prepared(key);
    const { id: parent, placement } = idOf(parentId);
    const values = { ...bound, parent, placement };
    const read = createRead(reading, query, statements, { ...values, offset: (page.number - 1) * page.size });
    const [rows, [counted]] = await Promise.all([readWithin(page, from, read), reading.run(query, count, values)]);
    return listed(page, key, rows, Number(counted?.count));
  };
}

interface Statements {
  readonly texts: RecordTexts;
  readonly byNumber: NamedStatement;
  readonly byCursor: NamedStatement;
}

type Read = (after: readonly Scalar[] | null, limit: number) => Promise<readonly Item[]>;

function createRead(
  reading: Reading,
  query: Query,
  { texts, byNumber, byCursor }: Statements,
  bound: Readonly<Record<string, Scalar>>,
): Read {
  return async (after, limit) => {
    const statement = after ? byCursor : byNumber;
    const rows = await reading.run(query, statement, { ...bound, limit, ...(after ? afterOf(after) : {}) });
    const shown = await texts.texts(query, rows, bound.user as string | null);
    return rows.map((row, at) => [shown[at] ?? '', ...valuesOf(row)]);
  };
}

/** Rows from `from` on, up to one more than the page holds by number or bytes, which shows whether anything follows. */
async function readWithin({ size, maxBytes }: Page, from: readonly Scalar[] | null, read: Read): Promise<Item[]> {
  const rows: Item[] = [];
  let bytes = 0;
  for (let after = from, full = true; full && rows.length <= size && bytes <= maxBytes; ) {
    const limit = Math.min(CHUNK, size + 1 - rows.length);
    const chunk = await read(after, limit);
    for (const [text] of chunk) bytes += Buffer.byteLength(text);
    rows.push(...chunk);
    after = (rows.at(-1)?.slice(1) as Scalar[] | undefined) ?? null;
    full = chunk.length === limit;
  }
  return rows;
}

function orderColumns({ order }: ListVariant): string {
  return order.columns.map((column, at) => `t.${quoted(column)} AS ${quoted(`@order${at}`)}`).join(', ');
}

function valuesOf(row: Readonly<Record<string, Scalar>>): readonly Scalar[] {
  return Object.keys(row)
    .filter((name) => name.startsWith('@order'))
    .map((name) => row[name] ?? null);
}
