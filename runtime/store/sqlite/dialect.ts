// The SQL of SQLite: one file holds all rows, so that rows are not placed.
import { literal, quoted } from '../../schema/sql-text.js';
import { existsOne } from '../sql/conditions.js';
import type { Dialect } from '../sql/dialect.js';

export const SQLITE: Dialect = {
  isPlaced: false,
  keyColumns: ['id'],
  placement: () => '',
  placementOf: () => '',
  placed: () => '1',
  among: (alias, ids) => `${alias}."id" IN (SELECT value FROM json_each(${ids}))`,
  isOneOf: (column, parameter) => `${column} IN (SELECT value FROM json_each(${parameter}))`,
  isSelected: (column, select) => `${column} IN (${select})`,
  listed: (parameter, alias) => `(SELECT value AS id FROM json_each(${parameter})) ${alias}`,
  greatest: (left, right) => `max(${left}, ${right})`,
  least: (left, right) => `min(${left}, ${right})`,
  text: (parameter) => parameter,
  lock: () => '',
  lockOut: () => null,
  insertInto: (table, columns) =>
    `INSERT INTO ${table} (${columns.map(quoted).join(', ')}) VALUES (${columns.map((column) => `@${column}`).join(', ')})`,
  insertFrom: (table, columns) =>
    `INSERT INTO ${table} (${Object.keys(columns).join(', ')}) SELECT ${Object.values(columns).join(', ')}`,
  key: (column) => column,
  compareKey: (alias, operator, id) => `${alias}.id ${operator} ${id}`,
  keyOrder: (alias) => `${alias}.id`,
  deleteUpTo: (table, column, { limit, key = 'id' }) =>
    `DELETE FROM ${table} WHERE ${key} IN (` +
    `SELECT ${key} FROM ${table} WHERE ${column} <= @before ORDER BY ${column} LIMIT ${limit}) RETURNING ${key}`,
  ending: (text, length) => `substr(${text}, -${length})`,
  same: (left, right) => `${left} IS ${right}`,
  someItem: (list, key, value) =>
    existsOne(`json_each(${list}) item`, [`json_extract(item.value, ${literal(`$.${key}`)}) = ${value}`]),
  where: (condition) => condition,
  flag: (condition) => condition,
  ordered: (column, descending) => `${column}${descending ? ' DESC' : ''}`,
};
