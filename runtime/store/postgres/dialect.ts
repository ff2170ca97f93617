// SQL as PostgreSQL has it: every row is placed by its id, and whatever reads it says where (D37).
import { SHARD } from '../../schema/postgres/ddl.js';
import { literal, quoted } from '../../schema/sql-text.js';
import { existsOne } from '../sql/conditions.js';
import type { Dialect } from '../sql/dialect.js';

export const POSTGRES: Dialect = {
  placement: (alias) => `${alias}.${quoted(SHARD)}`,
  placementOf: (id) => `left(${id}, 2)`,
  placed: (alias, placement) => `${alias}.${quoted(SHARD)} = ${placement}`,
  among: (alias, ids) =>
    `(${alias}.${quoted(SHARD)}, ${alias}."id") IN (SELECT left(i, 2), i FROM json_array_elements_text(${ids}::json) i)`,
  // An index finds what is equal to a known value, but not what is not distinct from it.
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
