// Selects, in SQL, the rows that a plan cannot keep, and composes the SQL that converts values. Pure.

import { isFilled } from '../fills.js';
import { jsonSchemaOf, limitOfToday } from '../limits.js';
import type { ColumnPair, Match } from '../match.js';
import type { Risk } from '../plan.js';
import { type BrokenRows, type CheckedColumn, type CheckedCondition, type RowRule, risksOf } from '../risks.js';
import type { Column, Table } from '../schema.js';
import { literal, quoted } from '../sql-text.js';
import { conversionSql } from './conversions.js';
import { checkSql, SHARD, TYPES } from './ddl.js';

export interface PostgresRisk extends Risk {
  /** SQL that selects the `id` of each row on the unchanged database, and its `value` if that is yet to be validated. */
  readonly rows: string;
  /** Rows break the rule only if this check, which PostgreSQL cannot perform, rejects their value; null: all rows do. */
  readonly jsonCheck: JsonCheck | null;
}

export interface JsonCheck {
  /** Null: the value has only to be JSON. */
  readonly schema: Readonly<Record<string, unknown>> | null;
  /** Whether the value is JSON; false: the text itself is validated. */
  readonly json: boolean;
}

export function postgresRisks(match: Match): readonly PostgresRisk[] {
  return risksOf(match).map(withRows);
}

/** SQL for the new value of a column. @param old SQL of the old value */
export function newValueSql(pair: ColumnPair, old = quoted(pair.from.name)): string {
  const value = converted(pair, old);
  return isFilled(pair) ? `coalesce(${value}, ${literal(pair.to.default)})` : value;
}

/** SQL condition: there is a value, and it does not convert; null: every value converts. */
export function unconverted(pair: ColumnPair, old = quoted(pair.from.name)): string | null {
  const fits = conversionSql(pair)?.fits ?? null;
  return fits === null ? null : `${old} IS NOT NULL AND NOT (${fits(old)})`;
}

/** The check that a value within its limit must still pass; null: none. */
export function jsonCheckOf(check: Column['check']): JsonCheck | null {
  const schema = jsonSchemaOf(check);
  return schema === undefined ? null : { schema, json: check?.rule === 'json' };
}

function withRows({ risk, table, broken }: RowRule): PostgresRisk {
  // One function per rule; the type of the table ties each to its rule's data.
  const rows = ROWS[broken.rule] as (broken: BrokenRows, table: Table) => string;
  return { ...risk, rows: rows(broken, table), jsonCheck: jsonCheckOfRows(broken) };
}

function jsonCheckOfRows(broken: BrokenRows): JsonCheck | null {
  if (broken.rule === 'json_schema') return jsonCheckOf(broken.pair.to.check);
  return broken.rule === 'limit' && broken.pair.to.check?.rule === 'json' ? { schema: null, json: true } : null;
}

function converted(pair: ColumnPair, old = quoted(pair.from.name)): string {
  return conversionSql(pair)?.value(old) ?? 'NULL';
}

function sourceSql(source: CheckedColumn): string {
  if (source.pair !== undefined) return newValueSql(source.pair);
  const { type, default: value } = source.column;
  return `${literal(value)}::${TYPES[type]}`;
}

type Rule = BrokenRows['rule'];
type Writers = { readonly [R in Rule]: (broken: Extract<BrokenRows, { rule: R }>, table: Table) => string };

const ROWS: Writers = {
  every: (_broken, table) => select(table),
  value: ({ column, value }, table) => `${select(table)} WHERE ${quoted(column.name)} = ${literal(value)}`,
  empty: ({ column }, table) => `${select(table)} WHERE ${quoted(column.name)} IS NULL`,
  unconverted: ({ pair }, table) => `${select(table)} WHERE ${unconverted(pair)}`,
  limit: ({ pair }, table) =>
    pair.to.check?.rule === 'json'
      ? selectValues(pair, table)
      : `${select(table)} WHERE ${exact(pair)} AND NOT (${sound(pair)})`,
  json_schema: ({ pair }, table) =>
    pair.to.check?.rule === 'json' ? selectValues(pair, table) : `${selectValues(pair, table)} AND (${sound(pair)})`,
  reference: ({ value, target }, table) => {
    const missing = target === null ? '' : ` AND NOT ${isThere(target)}`;
    return `SELECT "id" FROM (${select(table, referring(value))}) r WHERE "refers_to" IS NOT NULL${missing}`;
  },
  across: ({ value, target }, table) => {
    if (target === null) return `${select(table)} WHERE false`;
    const isOther = `left(r."refers_to", 2) <> r."${SHARD}"`;
    return `SELECT "id" FROM (${select(table, referring(value))}) r WHERE ${isOther} AND ${isThere(target)}`;
  },
  unique: ({ values, where }, table) => {
    const names = values.map((_value, at) => `"value_${at}"`);
    const selected = values.map((value, at) => `, ${sourceSql(value)} AS ${names[at]}`).join('');
    const present = names.map((name) => `${name} IS NOT NULL`).join(' AND ');
    const counting = where.length === 0 ? '' : ` WHERE ${where.map(met).join(' AND ')}`;
    const counts = `SELECT "id", count(*) OVER (PARTITION BY ${names.join(', ')}) AS "alike"`;
    return `SELECT "id" FROM (${counts} FROM (${select(table, selected)}${counting}) r WHERE ${present}) c WHERE "alike" > 1`;
  },
};

function referring(value: CheckedColumn): string {
  return `, "${SHARD}", ${sourceSql(value)} AS "refers_to"`;
}

/** SQL condition: the target of a row exists, in any placement. */
function isThere({ name }: Table): string {
  const target = `t."${SHARD}" = left(r."refers_to", 2) AND t."id" = r."refers_to"`;
  return `EXISTS (SELECT 1 FROM ${quoted(name)} t WHERE ${target})`;
}

function select({ name }: Table, more = ''): string {
  return `SELECT "id"${more} FROM ${quoted(name)}`;
}

/** Selects the values to validate here, since the condition that a text is JSON fails for a text that is not. */
function selectValues(pair: ColumnPair, table: Table): string {
  return `${select(table, `, ${converted(pair)} AS "value"`)} WHERE ${exact(pair)}`;
}

/** SQL condition: the new value of the column is among the listed values. */
function met({ value, isOneOf }: CheckedCondition): string {
  return `(${isOneOf.map((one) => `${sourceSql(value)} IS NOT DISTINCT FROM ${literal(one)}`).join(' OR ')})`;
}

/** SQL condition: there is a value, and it converts. */
function exact(pair: ColumnPair): string {
  const old = quoted(pair.from.name);
  const fits = conversionSql(pair)?.fits ?? null;
  return fits === null ? `${old} IS NOT NULL` : `${old} IS NOT NULL AND ${fits(old)}`;
}

/** SQL condition: the converted value is within the limit. */
function sound(pair: ColumnPair): string {
  return pair.to.check === null ? 'true' : checkSql(limitOfToday(pair.to.check), `(${converted(pair)})`);
}
