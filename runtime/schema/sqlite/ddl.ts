// The tables of a Schema as SQLite statements. Pure text; nothing here opens a database.
import { withoutDefault } from '../choices.js';
import { bounds, NAME_LENGTH, rangeSql } from '../limits.js';
import { directed, directedNames, orderTerm } from '../order.js';
import type { Check, Column, Index, Schema, Table } from '../schema.js';
import { literal, plain, quoted, quotedList } from '../sql-text.js';
import { whereSql } from '../uniques.js';
import { createWords } from './words.js';

/** Statements that create the tables of `schema` and their indexes in an empty database, one per table or index. */
export function sqliteDdl(schema: Schema): string[] {
  return schema.tables.flatMap((table) => [
    createTable(table),
    ...table.indexes.map((index) => createIndex(table.name, index)),
    ...createWords(table),
  ]);
}

/** One `CREATE TABLE`, a column per line. @param as another name for the table; its constraints keep their names */
export function createTable(table: Table, as = table.name): string {
  const lines = [
    ...table.columns.map((column) => columnDefinition(table.name, withoutDefault(column))),
    ...table.uniques.map((columns) => uniqueConstraint(table.name, columns)),
  ];
  return `CREATE TABLE ${quoted(as)} (\n  ${lines.join(',\n  ')}\n) STRICT, WITHOUT ROWID`;
}

/**
 * One `CREATE INDEX`; a partial index omits rows whose first column is null. Every index for lists ends with the id: SQLite adds
 * the id anyway, but only uses an index for a list ordered by id if the index declares it.
 */
export function createIndex(table: string, index: Index): string {
  const [first = ''] = index.columns;
  if (index.unique !== undefined) {
    const name = quoted(indexName(table, index));
    return `CREATE UNIQUE INDEX ${name} ON ${quoted(table)} (${quotedList(index.columns)}) WHERE ${whereSql(index.unique)}`;
  }
  const columns = [...directed(index).filter(({ name }) => name !== 'id'), orderTerm('id')];
  const terms = columns.map(({ name, descending }) => `${quoted(name)}${descending ? ' DESC' : ''}`);
  const where = index.partial ? ` WHERE ${quoted(first)} IS NOT NULL` : '';
  return `CREATE INDEX ${quoted(indexName(table, index))} ON ${quoted(table)} (${terms.join(', ')})${where}`;
}

/** The name of an index of `table`. */
export function indexName(table: string, index: Index): string {
  return `${table}_${directedNames(index).join('_')}_${index.unique === undefined ? 'idx' : 'key'}`;
}

/** A column with its constraints, as in `CREATE TABLE` and `ALTER TABLE ... ADD COLUMN`. */
export function columnDefinition(table: string, column: Column): string {
  const name = quoted(column.name);
  const words = [name, column.type.toUpperCase()];
  if (column.name === 'id') words.push('PRIMARY KEY');
  if (!column.nullable) words.push('NOT NULL');
  if (column.default !== null) words.push(`DEFAULT ${literal(column.default)}`);
  if (column.check) {
    const condition = checkSql(column.check, name);
    const whole = column.nullable ? `${name} IS NULL OR (${condition})` : condition;
    words.push(`CONSTRAINT ${quoted(`${table}_${column.name}_check`)} CHECK (${whole})`);
  }
  if (column.references && !column.references.made) {
    words.push(
      `CONSTRAINT ${quoted(`${table}_${column.name}_fk`)} REFERENCES ${quoted(column.references.table)} ("id")`,
    );
    words.push(`ON DELETE ${ON_DELETE[column.references.onDelete]}`);
  }
  return words.join(' ');
}

/** A boolean SQL expression over `column`, 0 or 1 for every value except null. */
export function checkSql(check: Check, column: string): string {
  // One function per rule; the table's type ties each to its rule's limits.
  const write = CHECKS[check.rule] as (check: Check, column: string) => string;
  return write(check, column);
}

const ON_DELETE = { cascade: 'CASCADE', set_null: 'SET NULL', restrict: 'RESTRICT' } as const;

type Rule = Check['rule'];
type CheckWriters = { readonly [R in Rule]: (check: Extract<Check, { rule: R }>, column: string) => string };

const CHECKS: CheckWriters = {
  range: (check, column) => rangeSql(check, column) || '1',
  length: ({ min, max }, column) => `${noNul(column)} AND ${bounds(`length(${column})`, min, max)}`,
  choice: (_check, column) => CHECKS.length({ rule: 'length', ...NAME_LENGTH }, column),
  one_of: ({ values }, column) => `${column} IN (${values.map(literal).join(', ')})`,
  decimal: (check, column) => decimalSql(check, column),
  url: ({ max }, column) =>
    `${noNul(column)} AND (${column} GLOB 'http://[^/?#]*' OR ${column} GLOB 'https://[^/?#]*')` +
    ` AND ${column} NOT GLOB '*[^]A-Za-z0-9._~:/?#@!$&''()*+,;=%[-]*' AND length(${column}) <= ${max}`,
  json: (_check, column) => `${noNul(column)} AND json_valid(${column})`,
};

// SQLite's length, GLOB and json_valid stop reading at U+0000; instr does not.
function noNul(column: string): string {
  return `instr(${column}, char(0)) = 0`;
}

type DecimalCheck = Extract<Check, { rule: 'decimal' }>;

/** Only a value below 0 has a sign. */
function decimalSql({ min, max, scale }: DecimalCheck, column: string): string {
  if (min >= 0) return digitsSql({ min, max, scale }, column);
  const size = `substr(${column}, 2)`;
  const least = max < 0 ? -max : 0;
  const negative = `${digitsSql({ min: least, max: -min, scale }, size)} AND ${column} GLOB '*[1-9]*'`;
  const positive = max < 0 ? '0' : digitsSql({ min: 0, max, scale }, column);
  return `CASE WHEN ${column} GLOB '-*' THEN ${negative} ELSE ${positive} END`;
}

/** Digits with at most one point, compared part by part, since a REAL would round values just outside the limits. */
function digitsSql({ min, max, scale }: Omit<DecimalCheck, 'rule'>, column: string): string {
  const whole = `CAST(${column} AS INTEGER)`;
  const fraction = `rtrim(substr(${column}, instr(${column} || '.', '.') + 1), '0')`;
  const limit = (operator: '<' | '>', value: number): string => {
    const [integer = '0', decimals = ''] = plain(value).split('.');
    return `(${whole} ${operator} ${integer} OR (${whole} = ${integer} AND ${fraction} ${operator}= '${decimals}'))`;
  };
  return [
    noNul(column),
    `${column} GLOB '[0-9]*'`,
    `${column} NOT GLOB '*[^0-9.]*'`,
    `${column} NOT GLOB '*.*.*'`,
    `${column} NOT GLOB '*.'`,
    `${column} NOT GLOB '0[0-9]*'`,
    `length(${column}) - instr(${column} || '.', '.') <= ${scale}`,
    ...(min > 0 ? [limit('>', min)] : []),
    limit('<', max),
  ].join(' AND ');
}

function uniqueConstraint(table: string, columns: readonly string[]): string {
  return `CONSTRAINT ${quoted(`${table}_${columns.join('_')}_key`)} UNIQUE (${quotedList(columns)})`;
}
