// The table of values that no two records of any placement may share. It is placed by a hash of the value, so that a look-up and
// a claim touch one shard.
import { createHash } from 'node:crypto';
import { drawPlacement, placementOf } from '../../contract/ids.js';
import { isWithinShard, SHARD, UNIQUE_VALUES, uniquesAcross, uniqueValueName } from '../../schema/postgres/ddl.js';
import type { Schema, Table } from '../../schema/schema.js';
import { quoted } from '../../schema/sql-text.js';
import { hasValues, type Unique } from '../../schema/uniques.js';
import type { EngineOptions } from '../engine.js';
import type { IdentityParts } from '../identity.js';
import type { ReadParts } from '../records/reads.js';
import { rowsOf } from '../sql/rows.js';
import { tableOf } from './table-of.js';

/** A constraint whose values are claimed. */
export interface UniqueKey extends Unique {
  /** The name is composed from the ledger's numbers, so that it survives a rename of the table or its columns. */
  readonly name: string;
}

/** The constraints of a table whose values are claimed. */
export function uniqueKeysOf(table: Table): readonly UniqueKey[] {
  return uniquesAcross(table).map((unique) => ({ ...unique, name: uniqueValueName(table, unique.columns) }));
}

/**
 * The parameters `$1` to `$3` of the statements below. Null if the row claims nothing: one of its values is null, and nulls need
 * not be unique, or it does not meet the condition.
 */
export function uniqueParameters(
  { name, columns, where }: UniqueKey,
  row: Readonly<Record<string, unknown>>,
): [string, string, string] | null {
  const values = columns.map((column) => row[column] ?? null);
  if (values.includes(null) || !hasValues(row, where)) return null;
  const value = JSON.stringify(values);
  return [placementOfValue(`${name} ${value}`), name, value];
}

const WHERE = `${quoted(SHARD)} = $1 AND "constraint" = $2 AND "value" = $3`;

/** Reads the id of the record that has the value. */
export const FIND_UNIQUE = `SELECT "id" FROM ${quoted(UNIQUE_VALUES)} WHERE "${SHARD}" = @placement AND "constraint" = @constraint AND "value" = @value`;

/** Finds a user by the name that the user has claimed. */
export function userNamed({
  schema,
  principal,
}: Pick<EngineOptions, 'schema' | 'principal'>): IdentityParts['userNamed'] {
  const find = withValue(schema);
  return (queries, username) => find(queries, principal, 'username', username);
}

/** Finds a record by its claim of a value, or, for a unique reference within a placement, by the index on the value's shard. */
export function withValue(schema: Schema): ReadParts['withValue'] {
  return (queries, definition, column, value) => {
    const table = tableOf(schema, definition);
    if (isWithinShard(table, [column])) {
      const one = `t.${quoted(SHARD)} = @placement AND t.${quoted(column)} = @value`;
      const placement = placementOf(String(value));
      return queries.row(`SELECT t."id" FROM ${rowsOf(definition)} WHERE ${one}`, { placement, value });
    }
    const key = { name: uniqueValueName(table, [column]), columns: [column], where: null };
    const [placement = '', constraint = '', claimed = ''] = uniqueParameters(key, { [column]: value }) ?? [];
    return queries.row(FIND_UNIQUE, { placement, constraint, value: claimed });
  };
}

/** Claims the value for the record `$4`; refused by the primary key if another has it. */
export const CLAIM_UNIQUE = `INSERT INTO ${quoted(UNIQUE_VALUES)} (${quoted(SHARD)}, "constraint", "value", "id") VALUES ($1, $2, $3, $4)`;

/** Releases the value of the record `$4`. */
export const RELEASE_UNIQUE = `DELETE FROM ${quoted(UNIQUE_VALUES)} WHERE ${WHERE} AND "id" = $4`;

function placementOfValue(text: string): string {
  return drawPlacement(() => createHash('sha256').update(text).digest());
}
