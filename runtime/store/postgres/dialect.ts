// The SQL of PostgreSQL: every row is placed by its id, and every statement that reads a row names its placement (D37).
import { SHARD } from '../../schema/postgres/ddl.js';
import { literal, quoted } from '../../schema/sql-text.js';
import { existsOne } from '../sql/conditions.js';
import type { Dialect } from '../sql/dialect.js';

export const POSTGRES: Dialect = {
  isPlaced: true,
  keyColumns: [SHARD, 'id'],
  placement: (alias) => `${alias}.${quoted(SHARD)}`,
  placementOf: (id) => `left(${id}, 2)`,
  placed: (alias, placement) => `${alias}.${quoted(SHARD)} = ${placement}`,
  among: (alias, ids) =>
    `(${alias}.${quoted(SHARD)}, ${alias}."id") IN (SELECT left(i, 2), i FROM json_array_elements_text(${ids}::json) i)`,
  isOneOf: (column, parameter) => `${column} = ANY(${parameter})`,
  isSelected: (column, select) => `${column} = ANY(ARRAY(${select}))`,
  listed: (parameter, alias) => `unnest(${parameter}::text[]) AS ${alias} (id)`,
  greatest: (left, right) => `greatest(${left}, ${right})`,
  least: (left, right) => `least(${left}, ${right})`,
  text: (parameter) => `${parameter}::text COLLATE "C"`,
  lock: (strength) => ` ${LOCKS[strength]}`,
  lockOut: (subject) => `SELECT pg_advisory_xact_lock(hashtext(${literal(subject)}))`,
  insertInto: (table, columns) =>
    `INSERT INTO ${table} (${[SHARD, ...columns].map(quoted).join(', ')}) ` +
    `VALUES (@placement, ${columns.map((column) => `@${column}`).join(', ')})`,
  insertFrom: (table, columns, alias) =>
    `INSERT INTO ${table} (${[SHARD, ...Object.keys(columns)].join(', ')}) ` +
    `SELECT ${[`${alias}.${SHARD}`, ...Object.values(columns)].join(', ')}`,
  key: (column) => `${SHARD}, ${column}`,
  compareKey: (alias, operator, id) => `(${alias}.${SHARD}, ${alias}.id) ${operator} (left(${id}, 2), ${id})`,
  keyOrder: (alias) => `${alias}.${SHARD}, ${alias}.id`,
  deleteUpTo: (table, column, { limit, key = 'id' }) =>
    `WITH old AS (SELECT ${SHARD}, ${key} FROM ${table} WHERE ${column} <= @before ORDER BY ${column} LIMIT ${limit}) ` +
    `DELETE FROM ${table} a USING old WHERE a.${SHARD} = old.${SHARD} AND a.${key} = old.${key} RETURNING a.${key}`,
  ending: (text, length) => `right(${text}, ${length})`,
  // An index serves `=`, but not IS NOT DISTINCT FROM.
  same: (left, right) => {
    if (right === 'NULL') return `${left} IS NULL`;
    return right.startsWith('@') ? `${left} IS NOT DISTINCT FROM ${right}` : `${left} = ${right}`;
  },
  someItem: (list, key, value) =>
    existsOne(`json_array_elements((${list})::json) item`, [`item.value ->> ${literal(key)} = ${value}`]),
  where: (condition) => KNOWN[condition] ?? condition,
  flag: (condition) => `(${condition})::int`,
  ordered: (column, descending) => `${column}${descending ? ' DESC NULLS LAST' : ' NULLS FIRST'}`,
};

const KNOWN: Readonly<Record<string, string>> = { 0: 'false', 1: 'true' };

const LOCKS = {
  change: 'FOR NO KEY UPDATE',
  delete: 'FOR UPDATE',
  reference: 'FOR KEY SHARE OF t',
  share: 'FOR SHARE',
} as const;
