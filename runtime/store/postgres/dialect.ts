// SQL as PostgreSQL has it: every row is placed by its id, and whatever reads it says where (D37).
import { SHARD } from '../../schema/postgres/ddl.js';
import { literal, quoted } from '../../schema/sql-text.js';
import { existsOne } from '../sql/conditions.js';
import type { Dialect } from '../sql/dialect.js';

export const POSTGRES: Dialect = {
  placement: (alias) => `${alias}.${quoted(SHARD)}`,
  placementOf: (id) => `left(${id}, 2)`,
  placed: (alias, placement) => `${alias}.${quoted(SHARD)} = ${placement}`,
  same: (left, right) => (right === 'NULL' ? `${left} IS NULL` : `${left} IS NOT DISTINCT FROM ${right}`),
  someItem: (list, key, value) =>
    existsOne(`json_array_elements((${list})::json) item`, [`item.value ->> ${literal(key)} = ${value}`]),
  where: (condition) => KNOWN[condition] ?? condition,
  flag: (condition) => `(${condition})::int`,
  ordered: (column, descending) => `${column}${descending ? ' DESC NULLS LAST' : ' NULLS FIRST'}`,
};

const KNOWN: Readonly<Record<string, string>> = { 0: 'false', 1: 'true' };
