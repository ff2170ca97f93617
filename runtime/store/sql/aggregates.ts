// The SQL of an aggregate that a record shows over a list: the number of its records, or the sum or greatest value of a column.

import type { RecordsOfList } from '../../contract/definition.js';
import { literal, quoted } from '../../schema/sql-text.js';
import { definitionOf } from './access.js';
import { allOf } from './conditions.js';
import { isInside } from './references.js';
import { rowsOf } from './rows.js';
import type { RecordComposer } from './viewers.js';

/** The record that shows the aggregate. */
export interface AggregatingRow extends Pick<RecordComposer, 'definitions' | 'dialect'> {
  /** SQL of its id. */
  readonly id: string;
  /** SQL of its placement; '' where rows are not placed. */
  readonly placement: string;
}

/** @param value an aggregate over the rows of the list as `c` */
export function aggregateSql(value: string, { of, by, where = {} }: RecordsOfList, row: AggregatingRow): string {
  const { definitions, dialect, id, placement } = row;
  const items = definitionOf(definitions, of);
  const condition = allOf([
    isInside(items, by) ? dialect.placed('c', placement) : '1',
    `c.${quoted(by)} = ${id}`,
    ...Object.entries(where).map(([column, one]) => dialect.same(`c.${quoted(column)}`, literal(one))),
  ]);
  return `(SELECT ${value} FROM ${rowsOf(items, 'c')} WHERE ${dialect.where(condition)})`;
}
