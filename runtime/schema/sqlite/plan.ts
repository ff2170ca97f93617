// The steps that bring a SQLite database from one schema to another. Pure; the store applies them, with foreign keys off.

import { changesOf, differenceBy, dropsOf, indexKey, namesText } from '../changes.js';
import { namesOf } from '../choices.js';
import { beforeCopies, type Copies, fillText } from '../fills.js';
import { type Match, matchSchemas, type TablePair, targetOf } from '../match.js';
import { CHANGE_CLASSES, type Change, type ChangeClass, type Plan, type SchemaStep } from '../plan.js';
import { risksOf } from '../risks.js';
import type { Column, Index, Schema, Table } from '../schema.js';
import { quoted, renamedValue } from '../sql-text.js';
import { type Unique, uniqueKey, uniquesOf } from '../uniques.js';
import { migrationUpdateSql, VERSION } from '../version.js';
import { hasOtherRule, hasOtherWords } from '../word-changes.js';
import { isSearched } from '../words.js';
import { conversionSql } from './conversions.js';
import { columnDefinition, createIndex, createTable, indexName } from './ddl.js';
import { carriedColumns, copiedValueSql, type SqliteRisk, withRows } from './risks.js';
import { createWords, dropWords, fillWords, refillWords } from './words.js';

export interface SqliteStep extends SchemaStep {
  readonly sql: readonly string[];
}

export interface SqlitePlan extends Plan {
  readonly risks: readonly SqliteRisk[];
  readonly steps: readonly SqliteStep[];
}

/**
 * The changes, the risks, and the steps in the order in which they are applied, all in one transaction with foreign keys off:
 * a table is created again under another name and replaces the old one, which would otherwise delete the rows of its children.
 * Afterwards the tables are those of `sqliteDdl(to)`, except for the order of their columns and the DEFAULT of existing columns,
 * on which nothing depends.
 */
export function planSqlite(from: Schema, to: Schema): SqlitePlan {
  const match = matchSchemas(from, to);
  const changes = changesOf(match);
  const { match: first, copies } = beforeCopies(match);
  const steps = [
    ...match.kept.flatMap(wordsDropped),
    ...stepsOf(first, changesOf(first)),
    ...copies.flatMap(copying),
    ...match.kept.flatMap(wordsMade),
  ];
  return { changes, risks: risksOf(match).map(withRows), steps, drops: dropsOf(match) };
}

function stepsOf(match: Match, changes: readonly Change[]): readonly SqliteStep[] {
  const renamed = match.kept.filter(({ from, to }) => from.name !== to.name);
  return [
    ...match.dropped.map((table) =>
      step('destructive', `${table.name}: dropped`, [...dropWords(table), `DROP TABLE ${quoted(table.name)}`]),
    ),
    ...(renamed.length === 0 ? [] : [renaming(renamed)]),
    ...freeing(match),
    ...match.added.map((table) =>
      step('online', `${table.name}: made`, [createTable(table), ...indexes(table), ...createWords(table)]),
    ),
    ...match.kept.flatMap((pair) => tableSteps(match, pair, changes)),
  ];
}

function step(kind: ChangeClass, says: string, sql: readonly string[]): SqliteStep {
  return { class: kind, says, sql };
}

/** Renames via unused names, since tables may swap names. References to them are updated automatically. */
function renaming(pairs: readonly TablePair[]): SqliteStep {
  const between = ({ from }: TablePair): string => quoted(`_punchboard_moved_${from.name}`);
  return step('rebuild', pairs.map(({ from, to }) => `${from.name}: renamed to ${to.name}`).join('; '), [
    ...pairs.flatMap(({ from }) => from.indexes.map((index) => dropIndex(from, index))),
    ...pairs.map((pair) => `ALTER TABLE ${quoted(pair.from.name)} RENAME TO ${between(pair)}`),
    ...pairs.map((pair) => `ALTER TABLE ${between(pair)} RENAME TO ${quoted(pair.to.name)}`),
  ]);
}

/** Indexes of all tables share one namespace: a name that another table's index takes over is freed before any is created. */
function freeing({ to, kept }: Match): readonly SqliteStep[] {
  // The indexes of a renamed table have been dropped already.
  const staying = kept.filter((pair) => pair.from.name === pair.to.name);
  return staying.flatMap(({ from }) => {
    const passed = from.indexes.filter((index) => passesOn(to, from, index));
    const words = passed.map((index) => `index ${indexName(from.name, index)} dropped`);
    const sql = passed.map((index) => dropIndex(from, index));
    return sql.length === 0 ? [] : [step('online', `${from.name}: ${words.join(', ')}`, sql)];
  });
}

/** True if an index of `table` has the name of another table's index in `schema`. */
function passesOn(schema: Schema, table: Table, index: Index): boolean {
  const name = indexName(table.name, index);
  const others = schema.tables.filter(({ number }) => number !== table.number);
  return others.some((other) => other.indexes.some((one) => indexName(other.name, one) === name));
}

function tableSteps(match: Match, pair: TablePair, changes: readonly Change[]): readonly SqliteStep[] {
  return [...structureSteps(match, pair, changes), ...valueSteps(pair)];
}

/** Changed words are dropped before anything is renamed. */
function wordsDropped(pair: TablePair): readonly SqliteStep[] {
  const { from } = pair;
  if (!hasOtherWords(pair) || !isSearched(from)) return [];
  return [step('backfill', `${from.name}: words dropped`, dropWords(from))];
}

/** Words are written once all rows have their values. */
function wordsMade(pair: TablePair): readonly SqliteStep[] {
  const { to } = pair;
  if (hasOtherRule(pair)) return [step('backfill', `${to.name}: words made by another rule`, refillWords(pair.to))];
  if (!hasOtherWords(pair) || !isSearched(to)) return [];
  return [
    step('backfill', `${to.name}: words of ${to.search.columns.join(', ')} made`, [...createWords(to), fillWords(to)]),
  ];
}

/** Copies values once every table and column has its new name. */
function copying({ from, to, columns }: Copies): readonly SqliteStep[] {
  const [optional, required] = [
    columns.filter(({ nullable }) => nullable),
    columns.filter(({ nullable }) => !nullable),
  ];
  const kept = from.columns.map((column, at) => ({ from: column, to: to.columns[at] ?? column }));
  return [
    ...optional.map((column) => {
      const sql = migrationUpdateSql(to, `${quoted(column.name)} = ${copiedValueSql(to, column, 't')}`);
      return step('backfill', `${to.name}: ${column.name} filled with ${fillText(column)}`, [sql]);
    }),
    ...(required.length === 0 ? [] : [rebuild({ from, to, kept, added: [], dropped: [] }, requiring(to, required))]),
  ];
}

/** The changes that remain for the table once its columns are filled. */
function requiring({ name: table }: Table, columns: readonly Column[]): readonly Change[] {
  return columns.map((column) => ({
    ...{ class: 'rebuild', kind: 'column_required', table },
    ...{ column: column.name, says: 'may not be empty' },
  }));
}

/** Replaces former names in rows with the new ones. */
function valueSteps({ to, kept }: TablePair): readonly SqliteStep[] {
  return kept.flatMap((pair) => {
    const { renamed } = namesOf(pair);
    if (renamed.length === 0) return [];
    const words = renamed.map((one) => `${one.from} is ${one.to}`).join(', ');
    const column = quoted(pair.to.name);
    const { value, isFormer } = renamedValue(column, renamed);
    const sql = `${migrationUpdateSql(to, `${column} = ${value}`)} WHERE ${isFormer}`;
    return [step('backfill', `${to.name}: ${pair.to.name} ${words}`, [sql])];
  });
}

function structureSteps(match: Match, pair: TablePair, changes: readonly Change[]): readonly SqliteStep[] {
  const { from, to, added } = pair;
  if (needsRebuild(match, pair)) return [rebuild(pair, changes)];
  const index = { from: indexKey(from), to: indexKey(to) };
  const unneeded = differenceBy(from.indexes, to.indexes, { own: index.from, other: index.to });
  const removed = unneeded.filter((one) => !passesOn(match.to, from, one));
  const created = differenceBy(to.indexes, from.indexes, { own: index.to, other: index.from });
  const sql = [
    ...removed.map((one) => dropIndex(from, one)),
    ...added.map((column) => `ALTER TABLE ${quoted(to.name)} ADD COLUMN ${columnDefinition(to.name, column)}`),
    ...created.map((one) => createIndex(to.name, one)),
  ];
  const words = [
    ...added.map(({ name }) => `column ${name} added`),
    ...created.map((one) => `index ${indexName(to.name, one)} added`),
    ...removed.map((one) => `index ${indexName(from.name, one)} dropped`),
  ];
  const kind = created.some(({ unique }) => unique !== undefined) ? 'rebuild' : 'online';
  return [...(sql.length === 0 ? [] : [step(kind, `${to.name}: ${words.join(', ')}`, sql)]), ...nameSteps(pair)];
}

/** Replaces the names of renamed resources in lists; a rebuild does so itself. */
function nameSteps({ to, kept }: TablePair): readonly SqliteStep[] {
  return kept.flatMap((pair) => {
    if (pair.names === undefined) return [];
    const column = quoted(pair.to.name);
    const value = conversionSql(pair)?.value(column);
    const sql = `${migrationUpdateSql(to, `${column} = ${value}`)} WHERE ${column} IS NOT ${value}`;
    return [step('backfill', `${to.name}: ${pair.to.name} ${namesText(pair.names)}`, [sql])];
  });
}

/** True if SQLite's ALTER TABLE cannot produce the table that a new database would have. */
function needsRebuild(match: Match, { from, to, kept, added, dropped }: TablePair): boolean {
  const unique = { from: uniqueKey(from), to: uniqueKey(to) };
  const [before, after] = [uniquesOf(from).filter(isConstraint), uniquesOf(to).filter(isConstraint)];
  return (
    from.name !== to.name ||
    dropped.length > 0 ||
    kept.some((pair) => definition(match.from, pair.from) !== definition(match.to, pair.to)) ||
    added.some((column) => !addable(column)) ||
    differenceBy(before, after, { own: unique.from, other: unique.to }).length > 0 ||
    differenceBy(after, before, { own: unique.to, other: unique.from }).length > 0
  );
}

/** Whether the unique columns are a constraint of the table itself, not a separate index. */
function isConstraint({ where }: Unique): boolean {
  return where === null;
}

/** A column as in its table's DDL, with the target by its number, since tables may swap names. */
function definition(schema: Schema, column: Column): string {
  const { references } = column;
  const target = references === null || references.made ? '' : `${targetOf(schema, column)} ${references.onDelete}`;
  // A default only matters for rows older than the column.
  return `${columnDefinition('', { ...column, default: null, references: null })} ${target}`;
}

/** ADD COLUMN accepts one value for every row, and a reference only if that value is null. */
function addable(column: Column): boolean {
  if (column.default === null) return column.nullable;
  return column.references === null;
}

function rebuild(pair: TablePair, changes: readonly Change[]): SqliteStep {
  const { to } = pair;
  const tableChanges = changes.filter(({ table, kind }) => table === to.name && kind !== 'table_dropped');
  const kind = hardest(tableChanges.map((change) => change.class));
  const why = tableChanges.map(({ column, says }) => `${column ?? 'it'} ${says}`).join('; ');
  const temporary = `_punchboard_new_${to.name}`;
  const columns = [...withVersion(pair, carriedColumns(pair))];
  const names = columns.map(([name]) => quoted(name)).join(', ');
  const values = columns.map(([, value]) => value).join(', ');
  return step(kind, `${to.name}: rebuilt, since ${why}`, [
    createTable(to, temporary),
    `INSERT INTO ${quoted(temporary)} (${names}) SELECT ${values} FROM ${quoted(to.name)}`,
    `DROP TABLE ${quoted(to.name)}`,
    `ALTER TABLE ${quoted(temporary)} RENAME TO ${quoted(to.name)}`,
    ...indexes(to),
  ]);
}

/** Raises the version of rows whose values change. */
function withVersion({ kept }: TablePair, columns: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const changes = kept.some(({ from, to }) => columns.get(to.name) !== quoted(from.name));
  if (!changes || !kept.some(({ from }) => from.name === VERSION)) return columns;
  return new Map([...columns, [VERSION, `${quoted(VERSION)} + 1`]]);
}

function hardest(classes: readonly ChangeClass[]): ChangeClass {
  const at = Math.max(CHANGE_CLASSES.indexOf('rebuild'), ...classes.map((one) => CHANGE_CLASSES.indexOf(one)));
  return CHANGE_CLASSES[at] ?? 'rebuild';
}

function indexes(table: Table): readonly string[] {
  return table.indexes.map((index) => createIndex(table.name, index));
}

function dropIndex(table: Table, index: Index): string {
  return `DROP INDEX ${quoted(indexName(table.name, index))}`;
}
