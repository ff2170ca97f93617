// Composes the statements of one list for one kind of viewer and one order, but does not run them.

import { REQUESTS } from '../../contract/defaults.js';
import type { AnyDefinition, List } from '../../contract/definition.js';
import { SHARD } from '../../schema/postgres/ddl.js';
import { quoted } from '../../schema/sql-text.js';
import { type ListVariant, listConditions } from '../sql/list-conditions.js';
import { type ListOrder, partsAfter, sortedBy } from '../sql/list-order.js';
import { rowsOf } from '../sql/rows.js';
import type { ReadContext, RecordTexts } from './record-text.js';
import { recordTexts } from './record-text.js';

export interface ListStatements {
  readonly texts: RecordTexts;
  /** A row of `rows` and `shown`, each at most the limit of counting plus one; binds parent, placement, user, filters. */
  readonly count: string;
  /**
   * Rows of texts and `@order0` ...; binds parent, placement, user, filters, limit, searched, and offset or after0, ...
   * @param pattern the pattern of the cursor's values; null: the page is by number
   */
  page(pattern: string | null): string;
  /** `@order0` ... of the last row that such a page searches, if there are that many rows; '': it searches the whole list. */
  end(pattern: string | null): string;
}

export function listStatements(
  reading: ReadContext,
  definition: AnyDefinition,
  list: List | null,
  variant: ListVariant,
): ListStatements {
  const conditions = listConditions(reading, definition, list, variant);
  const texts = recordTexts(reading, definition, variant.viewer, conditions.placement);
  const columns = variant.order.terms.map(({ name }, at) => `t.${quoted(name)} AS ${quoted(`@order${at}`)}`).join(', ');
  const selected = [texts.selected, columns].filter((part) => part !== '').join(', ');
  const order =
    list === null && isByIdAlone(variant, conditions.within) ? byKey(variant.order) : inColumns(reading, variant.order);
  const part = { definition, variant, ...conditions, ...order, selected, columns };
  if (list === null) return ofWhole(part, texts);
  return conditions.placement === '@placement' ? ofOneShard(part, texts) : ofAllShards(part, texts);
}

interface OrderSql {
  readonly sorted: string;
  /** Conditions for rows after a cursor, each for a part of the order. */
  readonly after: (pattern: string) => readonly string[];
}

function inColumns({ dialect }: ReadContext, order: ListOrder): OrderSql {
  return { sorted: sortedBy(dialect, order), after: (pattern) => partsAfter(order, pattern) };
}

/** The order of the primary key, which equals the order of ids, since they begin with their placement. */
function byKey({ terms }: ListOrder): OrderSql {
  const falls = terms[0]?.descending === true;
  const [direction, sign] = falls ? [' DESC', '<'] : ['', '>'];
  const shard = `t.${quoted(SHARD)}`;
  return {
    sorted: `ORDER BY ${shard}${direction}, t."id"${direction}`,
    after: () => [`(${shard}, t."id") ${sign} (left(@after0, 2), @after0)`],
  };
}

/** True for a list of all rows by id; the index of a condition ends with the ids, and serves their order itself. */
function isByIdAlone({ order, searched }: ListVariant, within: string): boolean {
  return order.terms[0]?.name === 'id' && (within === ALL || searched);
}

interface ListParts extends ReturnType<typeof listConditions>, OrderSql {
  readonly definition: AnyDefinition;
  readonly variant: ListVariant;
  readonly selected: string;
  readonly columns: string;
}

const ALL = 'true';

/** The page is selected before rights and properties are computed, so that they are only computed for its rows. */
function ofOneShard(parts: ListParts, texts: RecordTexts): ListStatements {
  const { sorted, selected } = parts;
  const { page, ...others } = pagesOf(parts);
  return { texts, ...others, page: (pattern) => `SELECT ${selected} FROM (${page(pattern)}) t ${sorted}` };
}

/** The same for all shards: the ids of the page are collected first, since rights and properties are computed on each shard. */
function ofWhole(parts: ListParts, texts: RecordTexts): ListStatements {
  const { definition, sorted, selected, variant } = parts;
  // With the order of an index, no more rows are read than are counted.
  const { page, ...others } = pagesOf(parts, variant.order.isOwn ? ` ${sorted}` : '');
  const key = `t.${quoted(SHARD)}, t."id"`;
  const idsOf = (pattern: string | null) => `SELECT ${key} FROM (${page(pattern)}) t`;
  return {
    texts,
    ...others,
    page: (pattern) => `SELECT ${selected} FROM ${rowsOf(definition)} WHERE (${key}) IN (${idsOf(pattern)}) ${sorted}`,
  };
}

/** The statements that read a bounded number of rows. @param countedIn the order in which rows are counted, if any */
function pagesOf(parts: ListParts, countedIn = ''): Omit<ListStatements, 'texts'> {
  const { within, shown, sorted, columns, variant, after } = parts;
  const listRows = `${rowsOf(parts.definition)} WHERE ${within}`;
  // The matches of a search are read before they are sorted; otherwise all rows might be read in their order.
  const matches = `(WITH matches AS MATERIALIZED (SELECT t.* FROM ${listRows}) SELECT * FROM matches) t WHERE true`;
  const from = (after: string) => `FROM ${variant.searched ? matches : listRows}${after}`;
  const rows = (pattern: string | null): string => {
    const all = pattern === null ? [] : after(pattern);
    if (!variant.order.isOwn || all.length < 2) return `SELECT t.* ${from(afterAny(all))} ${sorted}`;
    // Each part is a range of an index.
    const inTurn = all.map((one) => `(SELECT t.* ${from(` AND ${one}`)} ${sorted} LIMIT @searched)`);
    return `SELECT t.* FROM (${inTurn.join(' UNION ALL ')}) t ${sorted}`;
  };
  const page = (pattern: string | null) => {
    const searched =
      shown === ALL ? rows(pattern) : `SELECT t.* FROM (${rows(pattern)} LIMIT @searched) t WHERE ${shown} ${sorted}`;
    return `${searched} LIMIT @limit${pattern === null ? ' OFFSET @offset' : ''}`;
  };
  const shownRows = shown === ALL ? 'count(*)' : `count(*) FILTER (WHERE ${shown})`;
  const counted = shown === ALL ? '1' : 't.*';
  return {
    count: `SELECT count(*) AS "rows", ${shownRows} AS "shown" FROM (SELECT ${counted} ${from('')}${countedIn} LIMIT ${REQUESTS.scannedRows + 1}) t`,
    page,
    end: (pattern) =>
      shown === ALL ? '' : `SELECT ${columns} FROM (${rows(pattern)}) t ${sorted} LIMIT 1 OFFSET @searched - 1`,
  };
}

/** Rights and properties cannot be computed after the pages of the shards are merged. */
function ofAllShards(parts: ListParts, texts: RecordTexts): ListStatements {
  const { within, shown, sorted, selected, after: partsOf } = parts;
  const where = [within, shown].filter((one) => one !== ALL).join(' AND ') || ALL;
  const from = (after: string) => `FROM ${rowsOf(parts.definition)} WHERE ${where}${after}`;
  return {
    texts,
    count: `SELECT count(*) AS "rows", count(*) AS "shown" FROM (SELECT 1 ${from('')} LIMIT ${REQUESTS.scannedRows + 1}) t`,
    page: (pattern) =>
      pattern === null
        ? `SELECT ${selected} ${from('')} ${sorted} LIMIT @limit OFFSET @offset`
        : `SELECT ${selected} ${from(afterAny(partsOf(pattern)))} ${sorted} LIMIT @limit`,
    end: () => '',
  };
}

function afterAny(parts: readonly string[]): string {
  return parts.length === 0 ? '' : ` AND (${parts.map((part) => `(${part})`).join(' OR ')})`;
}
