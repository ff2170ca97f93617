// The tables of a Schema as PostgreSQL statements, fit for Citus too. Pure text; nothing here opens a database.
import { sha256 } from '../hash.js';
import { bounds, NAME_LENGTH, rangeSql } from '../limits.js';
import { isDrawn } from '../numbers.js';
import { directed, type OrderTerm, orderTerm } from '../order.js';
import type { Check, Column, Index, Schema, Table } from '../schema.js';
import { literal, quoted } from '../sql-text.js';
import { WORD_RULE } from '../text-words.js';
import { type Unique, uniquesOf, whereSql } from '../uniques.js';
import { isSearched } from '../words.js';

/** The placement of a row, the first two characters of its id (D37). No field can have this name. */
export const SHARD = '_shard';
/** Its values that no two records of any placement may share: `(shard of the value, constraint, value)`. */
export const UNIQUE_VALUES = '_unique_value';

/** Statements that make the tables of `schema` in an empty database, foreign keys after all tables, then indexes. */
export function postgresDdl(schema: Schema): string[] {
  return [...createTables(schema), ...createKeysAndIndexes(schema)];
}

/** The service writes the default of a choice itself, so that another one changes no table. */
function withoutDefault(column: Column): Column {
  return column.check?.rule === 'choice' ? { ...column, default: null } : column;
}

/** The tables alone, for rows in any order. */
export function createTables(schema: Schema): string[] {
  return [createUniqueValues(), ...schema.tables.map(createTable), ...schema.tables.flatMap(createWordsTable)];
}

/** What is made faster once the rows are there. */
export function createKeysAndIndexes(schema: Schema): string[] {
  return [
    ...schema.tables.flatMap((table) => table.columns.flatMap((column) => addForeignKey(table, column) ?? [])),
    ...schema.tables.flatMap(createIndexes),
    ...schema.tables.flatMap(createWordsKeys),
  ];
}

/** The name of the table of the words by which rows are found (D44), quoted. */
export function wordsTable(table: Table): string {
  return nameOf(table, [], 'words');
}

/**
 * The quoted name of the column that is null in words by the rule of today. Servers of an earlier rule, which may run beside
 * today's, do not name it, so that their words have its default. A later rule has a column of its own.
 */
export const OUTDATED = quoted(`outdated_${WORD_RULE}`);

/** Adds that column. It stays null in the words that are there, since a migration looks at all of them. */
export function addOutdated(table: Table): readonly string[] {
  const alter = `ALTER TABLE ${wordsTable(table)}`;
  return [
    `${alter} ADD COLUMN IF NOT EXISTS ${OUTDATED} ${TYPES.integer}`,
    `${alter} ALTER COLUMN ${OUTDATED} SET DEFAULT 1`,
  ];
}

/** The index that finds outdated words. @param how ` CONCURRENTLY`: writers are not held up */
export function createOutdatedIndex(table: Table, how = ''): string {
  return `CREATE INDEX${how} ${outdatedIndex(table)} ON ${wordsTable(table)} (${list([SHARD, 'id'])}) WHERE ${OUTDATED} IS NOT NULL`;
}

/** The quoted name of that index. */
export function outdatedIndex(table: Table): string {
  return nameOf(table, [], `words_outdated_${WORD_RULE}_idx`);
}

/** Empty for a table that cannot be searched. */
export function createWordsTable(table: Table): string[] {
  if (!isSearched(table)) return [];
  const columns = [SHARD, 'id', 'word'].map((name) => `${quoted(name)} ${TYPES.text} NOT NULL`);
  const key = `CONSTRAINT ${nameOf(table, [], 'words_pkey')} PRIMARY KEY (${list([SHARD, 'id', 'word'])})`;
  const lines = [...columns, `"listed" ${TYPES.integer} NOT NULL`, `${OUTDATED} ${TYPES.integer} DEFAULT 1`, key];
  return [`CREATE TABLE ${wordsTable(table)} (\n  ${lines.join(',\n  ')}\n)`];
}

/** The words go with their row; the index finds them in all placements. */
export function createWordsKeys(table: Table): string[] {
  if (!isSearched(table)) return [];
  const key = list([SHARD, 'id']);
  const words = wordsTable(table);
  return [
    `ALTER TABLE ${words} ADD CONSTRAINT ${wordsKey(table)} FOREIGN KEY (${key}) REFERENCES ${quoted(table.name)} (${key}) ON DELETE CASCADE`,
    `CREATE INDEX ${nameOf(table, [], 'words_idx')} ON ${words} (${list(['listed', 'word', 'id'])})`,
    createOutdatedIndex(table),
  ];
}

/** The name of their foreign key, quoted. */
export function wordsKey(table: Table): string {
  return nameOf(table, [], 'words_fk');
}

/** One `CREATE TABLE` without foreign keys, a column per line. */
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

/** The indexes of a table. A set that is unique across placements has none, since its values are claimed. */
export function createIndexes(table: Table): string[] {
  const own = table.indexes.filter(({ unique, columns }) => unique === undefined || isWithinShard(table, columns));
  return own.map((index) => createIndex(table, index));
}

/**
 * One `CREATE INDEX`, which starts with the placement, where that is known, and ends with the id, as pages of a list are read.
 * @param how ` CONCURRENTLY`: without holding up writers
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

/** As lists are read: NULL comes first where an order ascends, last where it descends. */
function directionOf(term: OrderTerm | undefined): string {
  if (term === undefined || term.name === 'id') return '';
  return term.descending ? ' DESC NULLS LAST' : ' NULLS FIRST';
}

/** The name of an index, quoted. */
export function indexName(table: Table, index: Index): string {
  if (index.unique !== undefined) return nameOf(table, index.columns, 'key');
  const descends = directed(index).some(({ descending }) => descending);
  return nameOf(table, index.columns, descends ? `${directions(index)}_idx` : 'idx');
}

/** `ad`: the first of its columns ascends, the second descends. */
export function directions(index: Index): string {
  return directed(index)
    .map(({ descending }) => (descending ? 'd' : 'a'))
    .join('');
}

/** In their order. Rows that refer to another placement are looked for in all of them. */
export function indexColumns(table: Table, { columns, whole }: Index): readonly string[] {
  const isAcross =
    whole === true || table.columns.some(({ name, references }) => name === columns[0] && references?.inside === false);
  return [...(isAcross ? [] : [SHARD]), ...columns.filter((column) => column !== 'id'), 'id'];
}

/** The columns of a constraint within a placement, as a list. */
export function uniqueColumns(columns: readonly string[]): string {
  return list([SHARD, ...columns]);
}

/** A column with its limit, as in `CREATE TABLE`. */
export function columnDefinition(table: Table, column: Column): string {
  const { check, name } = column;
  const words = [bareColumn(column)];
  // NULL passes a CHECK.
  if (check) words.push(`CONSTRAINT ${nameOf(table, [name], 'check')} CHECK (${checkSql(check, quoted(name))})`);
  return words.join(' ');
}

/** A column without its limit: PostgreSQL adds it to a table without looking at a row, unless it needs a value in each. */
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

/** The same without the name of the constraint and its table. */
export function foreignKey({ references, name }: Column): string | null {
  if (!references?.inside || references.made) return null;
  const key = `(${list([SHARD, name])}) REFERENCES ${quoted(references.table)} (${list([SHARD, 'id'])})`;
  return `FOREIGN KEY ${key}${ON_DELETE[references.onDelete]}`;
}

/** True where all rows with the same values have the same placement: then the database itself can refuse a second one. */
export function isWithinShard(table: Table, columns: readonly string[]): boolean {
  return table.columns.some(({ name, references }) => references?.inside === true && columns.includes(name));
}

/** The sets that only the table of claims can keep unique, since rows of all placements count. */
export function uniquesAcross(table: Table): readonly Unique[] {
  return uniquesOf(table).filter(({ columns }) => !isWithinShard(table, columns));
}

/** A boolean SQL expression over `column`, which null passes. */
export function checkSql(check: Check, column: string): string {
  // One function per rule; the table's type ties each to its rule's limits.
  const write = CHECKS[check.rule] as (check: Check, column: string) => string;
  return write(check, column);
}

/** The `C` collation compares bytes, as SQLite does; every number of the schema fits eight bytes. */
export const TYPES = { text: 'text COLLATE "C"', integer: 'bigint' } as const;

/** An optional reference is cleared by the statement before: SET NULL would clear the placement too. */
const ON_DELETE = { cascade: ' ON DELETE CASCADE', set_null: '', restrict: ' ON DELETE RESTRICT' } as const;

/** PostgreSQL cuts names at 63 bytes, and Citus appends the number of a shard. */
const LONGEST_NAME = 50;

/** The name of a constraint or an index, quoted: readable where it fits, else made of the ledger's numbers; drawn ones are long, so their hash. */
export function nameOf(table: Table, columns: readonly string[], suffix: string): string {
  const name = [table.name, ...columns, suffix].join('_');
  if (name.length <= LONGEST_NAME) return quoted(name);
  const numbers = [table.number, ...numbersOf(table, columns)];
  const key = numbers.join('_');
  const short = numbers.some(isDrawn) ? `t_${sha256(key).slice(0, 16)}` : `t${key}`;
  return quoted(`${short}_${suffix}`);
}

/** The name under which the values of a unique constraint across placements are claimed; the ledger's numbers are for life. */
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
    // AND promises no order, and a text that is not a number cannot be compared as one.
    const [sign, zero] = min < 0 ? ['-?', ` AND (${column} !~ '^-' OR ${column}::numeric < 0)`] : ['', ''];
    const within = `${bounds(`${column}::numeric`, min, max)}${zero}`;
    return `CASE WHEN ${column} ~ '^${sign}(0|[1-9][0-9]*)${digits}$' THEN ${within} ELSE ${column} IS NULL END`;
  },
  url: ({ max }, column) =>
    `${column} ~ '^https?://[^/?#]' AND ${column} ~ '^[]A-Za-z0-9._~:/?#@!$&''()*+,;=%[-]*$' AND char_length(${column}) <= ${max}`,
  // N21: PostgreSQL 15 has no IS JSON. What is not JSON cannot be cast, which is an error of its own (22P02).
  json: (_check, column) => `${column} IS NULL OR (${column})::json IS NOT NULL`,
};

function createUniqueValues(): string {
  const columns = [SHARD, 'constraint', 'value', 'id'].map((name) => `${quoted(name)} ${TYPES.text} NOT NULL`);
  return `CREATE TABLE ${quoted(UNIQUE_VALUES)} (\n  ${columns.join(',\n  ')},\n  PRIMARY KEY (${list([SHARD, 'constraint', 'value'])})\n)`;
}

function list(columns: readonly string[]): string {
  return columns.map(quoted).join(', ');
}
