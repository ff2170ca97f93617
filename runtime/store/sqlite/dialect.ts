// SQL as SQLite has it: one file holds all rows, so that none is placed.
import { literal } from '../../schema/sql-text.js';
import { existsOne } from '../sql/conditions.js';
import type { Dialect } from '../sql/dialect.js';

export const SQLITE: Dialect = {
  placement: () => '',
  placementOf: () => '',
  placed: () => '1',
  among: (alias, ids) => `${alias}."id" IN (SELECT value FROM json_each(${ids}))`,
  same: (left, right) => `${left} IS ${right}`,
  someItem: (list, key, value) =>
    existsOne(`json_each(${list}) item`, [`json_extract(item.value, ${literal(`$.${key}`)}) = ${value}`]),
  where: (condition) => condition,
  flag: (condition) => condition,
  ordered: (column, descending) => `${column}${descending ? ' DESC' : ''}`,
};
