// The statements of one list for one kind of viewer and one order. Composes them, but does not run them.
import type { AnyDefinition, List } from '../../definition.js';
import { literal, quoted } from '../../schema/sql-text.js';
import { allOf } from '../sql/conditions.js';
import { type Composing, VIEWERS, type ViewerName, viewerRight } from '../sql/viewers.js';
import { recordText } from './record-text.js';

export interface ListOrder {
  /** Columns in order of precedence; the id comes last. */
  readonly columns: readonly string[];
  readonly descending: boolean;
}

/** One way to read a list. The variants of a list are few, however many filters it has. */
export interface ListVariant {
  readonly viewer: ViewerName;
  readonly order: ListOrder;
  /** False: without the filters, which prevent SQLite from reading an index in order even if none is used. */
  readonly filtered: boolean;
}

export interface ListStatements {
  /** Rows of [text, ...order columns]; binds parent, user, filters, limit, offset. */
  readonly byNumber: string;
  /** The same from a cursor on; binds after0, after1, ... in place of the offset. */
  readonly byCursor: string;
  /** How many there are; binds parent, user, filters. */
  readonly count: string;
}

/** Two parameters per filter: `has_<column>` (0/1) and `is_<column>`. */
export function listStatements(
  composing: Composing,
  definition: AnyDefinition,
  list: List,
  { viewer, order, filtered }: ListVariant,
): ListStatements {
  const known = VIEWERS[viewer];
  const where = allOf([
    `t.${quoted(list.by)} = @parent`,
    ...Object.entries(list.where).map(([column, value]) => `t.${quoted(column)} IS ${literal(value)}`),
    ...(filtered ? definition.filters : []).map(
      (column) => `(@has_${column} = 0 OR t.${quoted(column)} IS @is_${column})`,
    ),
    viewerRight(composing, definition, known, { right: 'read', alias: 't' }),
  ]);
  const from = `FROM ${quoted(definition.name)} t WHERE ${where}`;
  const { text, rights } = recordText(composing, definition, known);
  const sorted = `ORDER BY ${order.columns.map((column) => `t.${quoted(column)}${order.descending ? ' DESC' : ''}`).join(', ')}`;
  // The page is selected before rights and texts are computed, so that they are only computed for what is shown.
  const shown = [text, ...order.columns.map((column) => `t.${quoted(column)}`)].join(', ');
  const record = rights === '' ? '' : `, "@record" AS MATERIALIZED (SELECT t.*${rights} FROM "@page" t)`;
  const page = (more: string, offset: string) =>
    `WITH "@page" AS MATERIALIZED (SELECT t.* ${from}${more} ${sorted} LIMIT @limit${offset})${record} ` +
    `SELECT ${shown} FROM ${record === '' ? '"@page"' : '"@record"'} t ${sorted}`;
  return {
    byNumber: page('', ' OFFSET @offset'),
    byCursor: page(` AND ${afterCursor(order)}`, ''),
    count: `SELECT count(*) ${from}`,
  };
}

/**
 * Rows after the bound ones. NULL comes first, as in ORDER BY, which a comparison of row values would not respect:
 * each column decides if all before it are equal.
 */
function afterCursor({ columns, descending }: ListOrder): string {
  const last = columns.length - 1;
  const cases = columns.map((column, place) => {
    const equal = columns.slice(0, place).map((before, index) => `t.${quoted(before)} IS @after${index}`);
    const [value, bound] = [`t.${quoted(column)}`, `@after${place}`];
    const beyond = `${value} ${descending ? '<' : '>'} ${bound}`;
    const nulls = descending
      ? `(${value} IS NULL AND ${bound} IS NOT NULL)`
      : `(${value} IS NOT NULL AND ${bound} IS NULL)`;
    return `(${[...equal, place === last ? beyond : `(${beyond} OR ${nulls})`].join(' AND ')})`;
  });
  return cases.length === 1 ? (cases[0] ?? '1') : `(${cases.join(' OR ')})`;
}
