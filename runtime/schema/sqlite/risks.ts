// Selects, in SQL, the rows that a plan cannot keep, and composes the SQL that converts values. Pure.

import { fillSql, givenColumns, isComputed, isFilled } from '../fills.js';
import { jsonSchemaOf, limitOfToday } from '../limits.js';
import type { ColumnPair, TablePair } from '../match.js';
import type { Change, Risk } from '../plan.js';
import { type BrokenRows, type CheckedColumn, type CheckedCondition, type RowRule, sourceOf } from '../risks.js';
import type { Column, Schema, Table } from '../schema.js';
import { literal, quoted } from '../sql-text.js';
import { conversionSql } from './conversions.js';
import { checkSql } from './ddl.js';

export interface SqliteRisk extends Risk {
  /** SQL that selects the ids of the rows, on the unchanged database. */
  readonly rows: string;
}

export function withRows({ risk, table, broken }: RowRule): SqliteRisk {
  const { remedy, allow, ...subject } = risk;
  // One function per rule; the type of the table ties each to its rule's data.
  const rows = ROWS[broken.rule] as (broken: BrokenRows, table: string) => string;
  return { ...subject, rows: rows(broken, quoted(table.name)), remedy, allow };
}

/** SQL that selects the ids of the rows that a drop deletes or whose value it deletes; null: the table is not known. */
export function droppedRowsSql(
  { table, column }: Pick<Change, 'table' | 'column'>,
  { from, to }: { readonly from: Schema; readonly to: Schema },
): string | null {
  const number = to.tables.find(({ name }) => name === table)?.number;
  const old = from.tables.find((one) => (number === undefined ? one.name === table : one.number === number));
  if (old === undefined) return null;
  const filled = column === null ? '' : ` WHERE ${quoted(column)} IS NOT NULL`;
  return `SELECT "id" FROM ${quoted(old.name)}${filled}`;
}

/** SQL for the new value of a column, over the unchanged table. @param copied SQL of the value that is copied into it */
export function newValueSql(pair: ColumnPair, copied: (column: Column) => string | null = () => null): string {
  const value = converted(pair);
  return isFilled(pair) ? `coalesce(${value}, ${copied(pair.to) ?? literal(pair.to.default)})` : value;
}

/** SQL of the value copied into a column of a table; null: none is. @param row the name of the table's row in the statement */
export function copiedValueSql(to: Table, { name, fill }: Column, row = quoted(to.name)): string | null {
  if (fill === undefined) return null;
  if (isComputed(fill)) return `${COMPUTE}(${literal(to.name)}, ${literal(name)}, ${rowJson(to, row)})`;
  if ('join' in fill || fill.through === undefined) return fillSql(fill, row, 'instr');
  const one = `r."id" = ${row}.${quoted(fill.through.column)}`;
  return `(SELECT ${fillSql(fill, 'r', 'instr')} FROM ${quoted(fill.through.table)} r WHERE ${one})`;
}

/** The SQL function that a migration registers: (table, column, row as JSON) -> the value that the column's function computes. */
export const COMPUTE = 'punchboard_compute';

/** The row as several JSON objects in a list, since SQLite limits the arguments of a function. */
function rowJson(to: Table, row: string): string {
  const columns = givenColumns(to).map(({ name }) => `${literal(name)}, ${row}.${quoted(name)}`);
  const objects = Array.from({ length: Math.ceil(columns.length / 50) }, (_, at) =>
    columns.slice(at * 50, at * 50 + 50),
  );
  return `json_array(${objects.map((some) => `json_object(${some.join(', ')})`).join(', ')})`;
}

/** The SQL of the new value of every column of a table, by the column's new name. */
export function carriedColumns(pair: TablePair): ReadonlyMap<string, string> {
  return new Map(
    pair.to.columns.map(({ name }) => [
      name,
      sourceSql(sourceOf(pair, name), (column) => copiedValueSql(pair.to, column)),
    ]),
  );
}

/** Name of the SQL function registered on each connection: (JSON Schema, JSON text) -> 1 if the value is valid. */
export const FITS_SCHEMA = 'punchboard_fits_schema';

/** SQL condition: a value fits the JSON Schema of its limit. */
export function fitsSchema(check: Column['check'], value: string): string {
  const schema = jsonSchemaOf(check);
  if (schema === undefined) return '1';
  const text = check?.rule === 'json' ? value : `json_quote(${value})`;
  return `${FITS_SCHEMA}(${literal(JSON.stringify(schema))}, ${text})`;
}

function converted(pair: ColumnPair): string {
  return conversionSql(pair)?.value(quoted(pair.from.name)) ?? 'NULL';
}

function sourceSql(source: CheckedColumn | null, copied?: (column: Column) => string | null): string {
  if (source?.pair !== undefined) return newValueSql(source.pair, copied);
  return literal(source?.column.default ?? null);
}

type Rule = BrokenRows['rule'];
type Writers = { readonly [R in Rule]: (broken: Extract<BrokenRows, { rule: R }>, table: string) => string };

const ROWS: Writers = {
  every: (_broken, table) => `SELECT "id" FROM ${table}`,
  value: ({ column, value }, table) => `SELECT "id" FROM ${table} WHERE ${quoted(column.name)} = ${literal(value)}`,
  empty: ({ column }, table) => `SELECT "id" FROM ${table} WHERE ${quoted(column.name)} IS NULL`,
  unconverted: ({ pair }, table) => {
    const old = quoted(pair.from.name);
    return `SELECT "id" FROM ${table} WHERE ${old} IS NOT NULL AND NOT (${conversionSql(pair)?.fits?.(old)})`;
  },
  limit: ({ pair }, table) => `SELECT "id" FROM ${table} WHERE ${exact(pair)} AND NOT (${sound(pair)})`,
  json_schema: ({ pair }, table) => {
    const fits = fitsSchema(pair.to.check, converted(pair));
    return `SELECT "id" FROM ${table} WHERE ${exact(pair)} AND (${sound(pair)}) AND NOT ${fits}`;
  },
  reference: ({ value, target }, table) => {
    const missing =
      target === null
        ? ''
        : ` AND NOT EXISTS (SELECT 1 FROM ${quoted(target.name)} target WHERE target."id" = refers_to)`;
    const referring = `SELECT "id", ${sourceSql(value)} AS refers_to FROM ${table}`;
    return `SELECT "id" FROM (${referring}) WHERE refers_to IS NOT NULL${missing}`;
  },
  across: ({ value, target }, table) => {
    if (target === null) return `SELECT "id" FROM ${table} WHERE 0`;
    const referring = `SELECT "id", ${sourceSql(value)} AS refers_to FROM ${table}`;
    const exists = `EXISTS (SELECT 1 FROM ${quoted(target.name)} target WHERE target."id" = refers_to)`;
    return `SELECT "id" FROM (${referring}) WHERE substr(refers_to, 1, 2) <> substr("id", 1, 2) AND ${exists}`;
  },
  unique: ({ values, where }, table) => {
    const named = values.map((value, at) => ({ value: sourceSql(value), as: `value_${at}` }));
    const selected = named.map(({ value, as }) => `${value} AS ${as}`).join(', ');
    const present = named.map(({ as }) => `${as} IS NOT NULL`).join(' AND ');
    const counting = where.length === 0 ? '' : ` WHERE ${where.map(met).join(' AND ')}`;
    const count = `count(*) OVER (PARTITION BY ${named.map(({ as }) => as).join(', ')})`;
    return (
      `SELECT "id" FROM (SELECT "id", ${count} AS alike ` +
      `FROM (SELECT "id", ${selected} FROM ${table}${counting}) WHERE ${present}) WHERE alike > 1`
    );
  },
};

/** SQL condition: the new value of the column is among the listed values. */
function met({ value, isOneOf }: CheckedCondition): string {
  return `(${isOneOf.map((one) => `${sourceSql(value)} IS ${literal(one)}`).join(' OR ')})`;
}

/** SQL condition: there is a value, and it converts. */
function exact(pair: ColumnPair): string {
  const old = quoted(pair.from.name);
  const fits = conversionSql(pair)?.fits ?? null;
  return fits === null ? `${old} IS NOT NULL` : `${old} IS NOT NULL AND ${fits(old)}`;
}

/** SQL condition: the converted value is within the limit. */
function sound(pair: ColumnPair): string {
  return pair.to.check === null ? '1' : checkSql(limitOfToday(pair.to.check), converted(pair));
}
