// Composes the statements of one list for one kind of viewer and one order, but does not run them.

import { REQUESTS } from '../../contract/defaults.js';
import type { AnyDefinition, List } from '../../contract/definition.js';
import { quoted } from '../../schema/sql-text.js';
import { type ListVariant, listConditions } from '../sql/list-conditions.js';
import { partsAfter, sortedBy } from '../sql/list-order.js';
import { rowsOf } from '../sql/rows.js';
import { type RecordComposer, VIEWERS } from '../sql/viewers.js';
import { recordText } from './record-text.js';
import { type OrderSql, requestedOrder } from './requested-order.js';

export interface ListStatements {
  /** A row of [rows of the list, shown rows], each at most the limit of counting plus one; binds parent, user, filters. */
  readonly count: string;
  /**
   * Rows of [text, ...values of the order]; binds parent, user, filters, order, limit, searched, and offset or after0, ...
   * @param pattern the pattern of the cursor's values; null: the page is by number
   */
  page(pattern: string | null): string;
  /** The values of the last row that such a page searches, if there are that many rows; '': it searches the whole list. */
  end(pattern: string | null): string;
}

/** For the parameters of filters, see ListConditions. */
export function listStatements(
  composing: RecordComposer,
  definition: AnyDefinition,
  list: List | null,
  variant: ListVariant,
): ListStatements {
  const { within, shown } = listConditions(composing, definition, list, variant);
  const from = `FROM ${rowsOf(definition)} WHERE ${within}`;
  const order = orderSql(composing, definition, variant);
  const columns = order.columns.join(', ');
  const pagingOf = (pattern: string | null) => `LIMIT @limit${pattern === null ? ' OFFSET @offset' : ''}`;
  const shownOf = (pattern: string | null) => {
    const paging = pagingOf(pattern);
    // Only ids and the values of the order, which an index may have, are skipped or sorted, not whole rows.
    if (shown === '1' && (pattern === null || !variant.order.isOwn)) {
      const ids = `${inOrder(`SELECT t."id" ${from}`, order, pattern)} ${paging}`;
      return `SELECT t.* FROM ${rowsOf(definition)} WHERE t."id" IN (${ids}) ${order.sorted}`;
    }
    const rows = inOrder(`SELECT t.* ${from}`, order, pattern);
    if (shown === '1') return `${rows} ${paging}`;
    // The rows come in order, and no more are read than fill the page: an ORDER BY here would read them all.
    return `SELECT t.* FROM (${rows} LIMIT @searched) t WHERE ${shown} ${paging}`;
  };
  const { text, rights } = recordText(composing, definition, VIEWERS[variant.viewer]);
  // An index has the rows in order, and texts are computed only once the page is reached: nothing has to be materialized.
  const isDirect = shown === '1' && rights === '' && variant.order.isOwn;
  // The page is selected before rights and texts are computed, so that they are only computed for its rows.
  const record = rights === '' ? '' : `, "@record" AS MATERIALIZED (SELECT t.*${rights} FROM "@page" t)`;
  return {
    count: countOf(shown, from),
    page: (pattern) => {
      if (isDirect && (pattern === null || order.partsAfter(pattern).length === 1))
        return `${inOrder(`SELECT ${text}, ${columns} ${from}`, order, pattern)} ${pagingOf(pattern)}`;
      return (
        `WITH "@page" AS MATERIALIZED (${shownOf(pattern)})${record} ` +
        `SELECT ${text}, ${columns} FROM ${record === '' ? '"@page"' : '"@record"'} t ${order.sorted}`
      );
    },
    end: (pattern) =>
      shown === '1' ? '' : `${inOrder(`SELECT ${columns} ${from}`, order, pattern)} LIMIT 1 OFFSET @searched - 1`,
  };
}

interface Order extends Pick<OrderSql, 'columns' | 'sorted'> {
  /** Conditions for the rows after the values, each for a part of the order, nearest first. */
  partsAfter(pattern: string): readonly string[];
}

function orderSql({ dialect }: RecordComposer, definition: AnyDefinition, { order }: ListVariant): Order {
  if (order.isOwn) {
    const columns = order.terms.map(({ name }) => `t.${quoted(name)}`);
    return { columns, sorted: sortedBy(dialect, order), partsAfter: (pattern) => partsAfter(order, pattern) };
  }
  const requested = requestedOrder(definition, order.terms.length);
  return { ...requested, partsAfter: () => [requested.after] };
}

/** The rows of `select` after those of a cursor, if any, one part of the index after the other. */
function inOrder(select: string, { sorted, partsAfter: partsOf }: Order, pattern: string | null): string {
  const parts = pattern === null ? ['1'] : partsOf(pattern);
  const selects = parts.map((part) => `${select}${part === '1' ? '' : ` AND ${part}`} ${sorted}`);
  if (selects.length === 1) return selects[0] ?? '';
  return selects.map((one) => `SELECT * FROM (${one} LIMIT @searched)`).join(' UNION ALL ');
}

function countOf(shown: string, from: string): string {
  const limited = (selected: string) => `FROM (SELECT ${selected} ${from} LIMIT ${REQUESTS.scannedRows + 1}) t`;
  // An index alone answers the first form.
  return shown === '1'
    ? `SELECT count(*), count(*) ${limited('1')}`
    : `SELECT count(*), count(iif(${shown}, 1, NULL)) ${limited('t.*')}`;
}
