// The statements of one list for one kind of viewer and one order. Composes them, but does not run them.
import type { AnyDefinition, List } from '../../definition.js';
import { quoted } from '../../schema/sql-text.js';
import { type ListVariant, listConditions } from '../sql/list-conditions.js';
import { type Composing, VIEWERS } from '../sql/viewers.js';
import { recordText } from './record-text.js';

export interface ListStatements {
  /** Rows of [text, ...order columns]; binds parent, user, filters, limit, offset. */
  readonly byNumber: string;
  /** The same from a cursor on; binds after0, after1, ... in place of the offset. */
  readonly byCursor: string;
  /** How many there are; binds parent, user, filters. */
  readonly count: string;
}

/** For the parameters of filters and cursors see ListConditions. */
export function listStatements(
  composing: Composing,
  definition: AnyDefinition,
  list: List,
  variant: ListVariant,
): ListStatements {
  const { where, after, sorted } = listConditions(composing, definition, list, variant);
  const from = `FROM ${quoted(definition.name)} t WHERE ${where}`;
  const { text, rights } = recordText(composing, definition, VIEWERS[variant.viewer]);
  // The page is selected before rights and texts are computed, so that they are only computed for what is shown.
  const shown = [text, ...variant.order.columns.map((column) => `t.${quoted(column)}`)].join(', ');
  const record = rights === '' ? '' : `, "@record" AS MATERIALIZED (SELECT t.*${rights} FROM "@page" t)`;
  const page = (more: string, offset: string) =>
    `WITH "@page" AS MATERIALIZED (SELECT t.* ${from}${more} ${sorted} LIMIT @limit${offset})${record} ` +
    `SELECT ${shown} FROM ${record === '' ? '"@page"' : '"@record"'} t ${sorted}`;
  return {
    byNumber: page('', ' OFFSET @offset'),
    byCursor: page(` AND ${after}`, ''),
    count: `SELECT count(*) ${from}`,
  };
}
