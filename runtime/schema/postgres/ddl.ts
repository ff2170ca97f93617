// The tables of a Schema as PostgreSQL statements, which suit Citus too. Pure text; nothing here opens a database.
import { withoutDefault } from '../choices.js';
import { sha256 } from '../hash.js';
import { bounds, NAME_LENGTH, rangeSql } from '../limits.js';
import { isDrawn } from '../numbers.js';
import { directed, type OrderTerm, orderTerm } from '../order.js';
import type { Check, Column, Index, Schema, Table } from '../schema.js';
import { literal, quoted, quotedList } from '../sql-text.js';
import { WORD_RULE } from '../text-words.js';
import { type Unique, uniquesOf, whereSql } from '../uniques.js';
import { isSearched } from '../words.js';

/** The column of a row's placement, the first two characters of its id (D37). No field can have this name. */
export const SHARD = '_shard';
/** The table of values that no two records of any placement may share: `(shard of the value, constraint, value)`. */
export const UNIQUE_VALUES = '_unique_value';

/** Statements that create the tables of `schema` in an empty database: all tables, then foreign keys, then indexes. */
export function postgresDdl(schema: Schema): string[] {
  return [...createTables(schema), ...createKeysAndIndexes(schema)];
}

/** The tables without foreign keys, so that rows can be written in any order. */
export function createTables(schema: Schema): string[] {
  return [createUniqueValues(), ...schema.tables.map(createTable), ...schema.tables.flatMap(createWordsTable)];
}

/** Foreign keys and indexes are created faster once the rows exist. */
export function createKeysAndIndexes(schema: Schema): string[] {
  return [
    ...schema.tables.flatMap((table) => table.columns.flatMap((column) => addForeignKey(table, column) ?? [])),
    ...schema.tables.flatMap(createIndexes),
    ...schema.tables.flatMap(createWordsKeys),
  ];
}

/** The quoted name of the table of words for the search (D44). */
export function wordsTable(table: Table): string {
  return nameOf(table, [], 'words');
}

/**
 * The quoted name of the column that is null in words written by the current rule. Servers with an earlier rule, which may still
 * be running, do not name the column, so their words get its default. A later rule has a column of its own.
 */
export const OUTDATED = quoted(`outdated_${WORD_RULE}`);

/** Adds that column. It stays null in existing words, since a migration checks all of them. */
export function addOutdated(table: Table): readonly string[] {
  const alter = `ALTER TABLE ${wordsTable(table)}`;
  return [
    `${alter} ADD COLUMN IF NOT EXISTS ${OUTDATED} ${TYPES.integer}`,
    `${alter} ALTER COLUMN ${OUTDATED} SET DEFAULT 1`,
  ];
}

/** The index that finds outdated words. @param how ` CONCURRENTLY`: writers are not held up */
export function createOutdatedIndex(table: Table, how = ''): string {
  return `CREATE INDEX${how} ${outdatedIndex(table)} ON ${wordsTable(table)} (${quotedList([SHARD, 'id'])}) WHERE ${OUTDATED} IS NOT NULL`;
}

/** The quoted name of that index. */
export function outdatedIndex(table: Table): string {
  return nameOf(table, [], `words_outdated_${WORD_RULE}_idx`);
}

/** Empty for a table that cannot be searched. */
export function createWordsTable(table: Table): string[] {
  if (!isSearched(table)) return [];
  const columns = [SHARD, 'id', 'word'].map((name) => `${quoted(name)} ${TYPES.text} NOT NULL`);
  const key = `CONSTRAINT ${nameOf(table, [], 'words_pkey')} PRIMARY KEY (${quotedList([SHARD, 'id', 'word'])})`;
  const lines = [...columns, `"listed" ${TYPES.integer} NOT NULL`, `${OUTDATED} ${TYPES.integer} DEFAULT 1`, key];
  return [`CREATE TABLE ${wordsTable(table)} (\n  ${lines.join(',\n  ')}\n)`];
}

/** Words are deleted with their row; the index finds them in all placements. */
export function createWordsKeys(table: Table): string[] {
  if (!isSearched(table)) return [];
  const key = quotedList([SHARD, 'id']);
  const words = wordsTable(table);
  return [
    `ALTER TABLE ${words} ADD CONSTRAINT ${wordsKey(table)} FOREIGN KEY (${key}) REFERENCES ${quoted(table.name)} (${key}) ON DELETE CASCADE`,
    `CREATE INDEX ${nameOf(table, [], 'words_idx')} ON ${words} (${quotedList(['listed', 'word', 'id'])})`,
    createOutdatedIndex(table),
  ];
}

/** The quoted name of the foreign key of a table of words. */
export function wordsKey(table: Table): string {
  return nameOf(table, [], 'words_fk');
}

/** The `CREATE TABLE` of a table without foreign keys, a column per line. */
export function createTable(table: Table): string {
  const shard = quoted(SHARD);
  const lines = [
    `${shard} ${TYPES.text} NOT NULL CONSTRAINT ${nameOf(table, [], 'shard')} CHECK (${shard} = left("id", 2))`,
    ...table.columns.map((column) => columnDefinition(table, withoutDefault(column))),
    `CONSTRAINT ${nameOf(table, [], 'pkey')} PRIMARY KEY (${shard}, "id")`,
    ...table.uniques
      .filter((columns) => isWithinShard(table, columns))
      .map((columns) => `CONSTRAINT ${nameOf(table, columns, 'key')} UNIQUE (${uniqueColumns(columns)})`),
  ];
  return `CREATE TABLE ${quoted(table.name)} (\n  ${lines.join(',\n  ')}\n)`;
}

/** The indexes of a table. Columns that are unique across placements have none, since their values are claimed. */
export function createIndexes(table: Table): string[] {
  const indexes = table.indexes.filter(({ unique, columns }) => unique === undefined || isWithinShard(table, columns));
  return indexes.map((index) => createIndex(table, index));
}

/**
 * One `CREATE INDEX`. Like the order of a list, it starts with the placement, if that is known, and ends with the id.
 * @param how ` CONCURRENTLY`: writers are not held up
 */
export function createIndex(table: Table, index: Index, how = ''): string {
  const [first = ''] = index.columns;
  if (index.unique !== undefined) {
    const on = `${indexName(table, index)} ON ${quoted(table.name)} (${uniqueColumns(index.columns)})`;
    return `CREATE UNIQUE INDEX${how} ${on} WHERE ${whereSql(index.unique)}`;
  }
  const order = new Map((index.order ?? []).map((term) => [orderTerm(term).name, orderTerm(term)]));
  const columns = indexColumns(table, index).map((name) => `${quoted(name)}${directionOf(order.get(name))}`);
  const where = index.partial ? ` WHERE ${quoted(first)} IS NOT NULL` : '';
  return `CREATE INDEX${how} ${indexName(table, index)} ON ${quoted(table.name)} (${columns.join(', ')})${where}`;
}

/** Lists have NULL first in ascending and last in descending order. */
function directionOf(term: OrderTerm | undefined): string {
  if (term === undefined || term.name === 'id') return '';
  return term.descending ? ' DESC NULLS LAST' : ' NULLS FIRST';
}

/** The quoted name of an index. */
export function indexName(table: Table, index: Index): string {
  if (index.unique !== undefined) return nameOf(table, index.columns, 'key');
  const descends = directed(index).some(({ descending }) => descending);
  return nameOf(table, index.columns, descends ? `${directions(index)}_idx` : 'idx');
}

/** `ad`: the first column ascends, the second descends. */
export function directions(index: Index): string {
  return directed(index)
    .map(({ descending }) => (descending ? 'd' : 'a'))
    .join('');
}

/** The columns of an index, in order. Rows that refer to another placement are looked for in all placements. */
export function indexColumns(table: Table, { columns, whole }: Index): readonly string[] {
  const isAcross =
    whole === true || table.columns.some(({ name, references }) => name === columns[0] && references?.inside === false);
  return [...(isAcross ? [] : [SHARD]), ...columns.filter((column) => column !== 'id'), 'id'];
}

/** The list of columns of a unique constraint within a placement. */
export function uniqueColumns(columns: readonly string[]): string {
  return quotedList([SHARD, ...columns]);
}

/** A column with its limit, as in `CREATE TABLE`. */
export function columnDefinition(table: Table, column: Column): string {
  const { check, name } = column;
  const words = [bareColumn(column)];
  // NULL passes a CHECK.
  if (check) words.push(`CONSTRAINT ${nameOf(table, [name], 'check')} CHECK (${checkSql(check, quoted(name))})`);
  return words.join(' ');
}

/** A column without its limit: PostgreSQL adds it without reading rows, unless every row needs a value. */
export function bareColumn(column: Column): string {
  const words = [quoted(column.name), TYPES[column.type]];
  if (!column.nullable) words.push('NOT NULL');
  if (column.default !== null) words.push(`DEFAULT ${literal(column.default)}`);
  return words.join(' ');
}

/**
 * The statement that adds the foreign key of a column; null for one without. A reference across placements has none:
 * its target may be on another machine.
 */
export function addForeignKey(table: Table, column: Column): string | null {
  const key = foreignKey(column);
  if (key === null) return null;
  return `ALTER TABLE ${quoted(table.name)} ADD CONSTRAINT ${nameOf(table, [column.name], 'fk')} ${key}`;
}

/** The same without the names of the constraint and its table. */
export function foreignKey({ references, name }: Column): string | null {
  if (!references?.inside || references.made) return null;
  const key = `(${quotedList([SHARD, name])}) REFERENCES ${quoted(references.table)} (${quotedList([SHARD, 'id'])})`;
  return `FOREIGN KEY ${key}${ON_DELETE[references.onDelete]}`;
}

/** True where all rows with the same values have the same placement: then the database itself can refuse a second one. */
export function isWithinShard(table: Table, columns: readonly string[]): boolean {
  return table.columns.some(({ name, references }) => references?.inside === true && columns.includes(name));
}

/** The unique columns that only the table of claims can guard, since rows of all placements count. */
export function uniquesAcross(table: Table): readonly Unique[] {
  return uniquesOf(table).filter(({ columns }) => !isWithinShard(table, columns));
}

/** A boolean SQL expression over `column`; null passes it. */
export function checkSql(check: Check, column: string): string {
  // One function per rule; the table's type ties each to its rule's limits.
  const write = CHECKS[check.rule] as (check: Check, column: string) => string;
  return write(check, column);
}

/** The `C` collation compares bytes, as SQLite does; every number of the schema fits eight bytes. */
export const TYPES = { text: 'text COLLATE "C"', integer: 'bigint' } as const;

/** The previous statement clears an optional reference: SET NULL would clear the placement too. */
const ON_DELETE = { cascade: ' ON DELETE CASCADE', set_null: '', restrict: ' ON DELETE RESTRICT' } as const;

/** PostgreSQL cuts names at 63 bytes, and Citus appends the number of a shard. */
const LONGEST_NAME = 50;

/** The quoted name of a constraint or index: readable if it fits, else the ledger's numbers, or their hash if any is drawn. */
export function nameOf(table: Table, columns: readonly string[], suffix: string): string {
  const name = [table.name, ...columns, suffix].join('_');
  if (name.length <= LONGEST_NAME) return quoted(name);
  const numbers = [table.number, ...numbersOf(table, columns)];
  const key = numbers.join('_');
  const short = numbers.some(isDrawn) ? `t_${sha256(key).slice(0, 16)}` : `t${key}`;
  return quoted(`${short}_${suffix}`);
}

/** The name under which values unique across placements are claimed: the ledger's numbers, which never change. */
export function uniqueValueName(table: Table, columns: readonly string[]): string {
  return [table.number, ...numbersOf(table, columns)].join('_');
}

function numbersOf(table: Table, columns: readonly string[]): readonly number[] {
  return columns.map((column) => table.columns.find(({ name }) => name === column)?.number ?? 0);
}

type Rule = Check['rule'];
type CheckWriters = { readonly [R in Rule]: (check: Extract<Check, { rule: R }>, column: string) => string };

const CHECKS: CheckWriters = {
  range: (check, column) => rangeSql(check, column) || 'true',
  length: ({ min, max }, column) => bounds(`char_length(${column})`, min, max) || 'true',
  choice: (_check, column) => CHECKS.length({ rule: 'length', ...NAME_LENGTH }, column),
  one_of: ({ values }, column) => `${column} IN (${values.map(literal).join(', ')})`,
  decimal: ({ min, max, scale }, column) => {
    const digits = scale === 0 ? '' : `(\\.[0-9]{1,${scale}})?`;
    // AND guarantees no order of evaluation, and a text that is not a number cannot be cast.
    const [sign, zero] = min < 0 ? ['-?', ` AND (${column} !~ '^-' OR ${column}::numeric < 0)`] : ['', ''];
    const within = `${bounds(`${column}::numeric`, min, max)}${zero}`;
    return `CASE WHEN ${column} ~ '^${sign}(0|[1-9][0-9]*)${digits}$' THEN ${within} ELSE ${column} IS NULL END`;
  },
  url: ({ max }, column) =>
    `${column} ~ '^https?://[^/?#]' AND ${column} ~ '^[]A-Za-z0-9._~:/?#@!$&''()*+,;=%[-]*$' AND char_length(${column}) <= ${max}`,
  // N21: PostgreSQL 15 has no IS JSON. The cast of a text that is not JSON fails with an error of its own (22P02).
  json: (_check, column) => `${column} IS NULL OR (${column})::json IS NOT NULL`,
};

function createUniqueValues(): string {
  const columns = [SHARD, 'constraint', 'value', 'id'].map((name) => `${quoted(name)} ${TYPES.text} NOT NULL`);
  return `CREATE TABLE ${quoted(UNIQUE_VALUES)} (\n  ${columns.join(',\n  ')},\n  PRIMARY KEY (${quotedList([SHARD, 'constraint', 'value'])})\n)`;
}
