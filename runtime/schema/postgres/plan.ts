// The steps that bring a PostgreSQL database from one schema to another while servers use it. Pure; the store applies them.

import { changesOf, dropsOf } from '../changes.js';
import { formerNames, namesOf } from '../choices.js';
import { beforeCopies } from '../fills.js';
import { type ColumnPair, type Match, matchSchemas, type TablePair } from '../match.js';
import type { Plan, ValuesToKeep } from '../plan.js';
import type { Column, Schema, Table } from '../schema.js';
import { literal, quoted } from '../sql-text.js';
import { uniquesOf } from '../uniques.js';
import { VERSION } from '../version.js';
import { hasOtherRule, hasOtherWords } from '../word-changes.js';
import { isSearched, type SearchedTable } from '../words.js';
import { type Constraint, type ConstraintComparison, compareConstraints } from './constraints.js';
import {
  addForeignKey,
  addOutdated,
  bareColumn,
  createIndexes,
  createOutdatedIndex,
  createTable,
  createWordsKeys,
  createWordsTable,
  outdatedIndex,
  UNIQUE_VALUES,
  wordsTable,
} from './ddl.js';
import { renameSteps } from './renames.js';
import { type PostgresRisk, postgresRisks } from './risks.js';
import { constraintSteps, copySteps, fillSteps, retypeSteps, valueSteps } from './rows.js';
import { type PostgresStep, tableIdentity, transaction } from './steps.js';
import { RAISE_VERSION, versionTrigger } from './version-trigger.js';

export interface PostgresPlan extends Plan {
  readonly risks: readonly PostgresRisk[];
  readonly steps: readonly PostgresStep[];
}

/**
 * The changes, the risks, and the steps in the order in which they are applied. Each step is a transaction of its own or can be
 * repeated. The steps first drop what is no longer needed, then rename, then add what is new. Afterwards the tables are those of
 * `postgresDdl(to)`, except for the order of their columns.
 */
export function planPostgres(from: Schema, to: Schema, where: Where = { distributed: false }): PostgresPlan {
  const match = matchSchemas(from, to);
  const changes = changesOf(match);
  const { match: first, copies } = beforeCopies(match);
  const steps = [
    ...match.kept.flatMap(wordsDropped),
    ...stepsOf(first, where),
    ...copies.flatMap(copySteps),
    ...match.kept.flatMap((pair) => wordsMade(pair, where)),
  ];
  return { changes, risks: postgresRisks(match), steps, drops: dropsOf(match) };
}

interface Where {
  /** Whether the tables are spread over nodes of Citus, which refuses triggers. */
  readonly distributed: boolean;
}

/** A table that both schemas have, with the changes of its constraints. */
interface ComparedTable extends TablePair {
  readonly compared: ConstraintComparison;
}

function stepsOf(match: Match, { distributed }: Where): readonly PostgresStep[] {
  const tables = match.kept.map((pair): ComparedTable => {
    const compared = compareConstraints(match, pair);
    return { ...pair, compared: distributed ? withoutTriggers(compared) : compared };
  });
  return [
    ...tables.flatMap(freeing),
    ...droppedTables(match.dropped),
    ...tables.flatMap(droppedColumns),
    ...renameSteps(tables),
    ...addedTables(match.added),
    ...tables.flatMap((work) => [
      ...addedColumns(work, distributed),
      ...alteredColumns(work),
      ...retypeSteps(work),
      ...fillSteps(work),
      ...valueSteps(work),
      ...constraintSteps(work),
    ]),
  ];
}

function withoutTriggers({ dropped, kept, added }: ConstraintComparison): ConstraintComparison {
  const isOther = ({ form }: Constraint): boolean => form !== 'former';
  return { dropped: dropped.filter(isOther), kept: kept.filter(({ to }) => isOther(to)), added: added.filter(isOther) };
}

/** Changed words are dropped before anything is renamed. */
function wordsDropped(work: TablePair): readonly PostgresStep[] {
  const { from } = work;
  if (!hasOtherWords(work) || !isSearched(from)) return [];
  return [transaction('backfill', `${from.name}: words dropped`, [`DROP TABLE ${wordsTable(from)}`])];
}

/** Words are written once all rows have their values. */
function wordsMade(work: TablePair, where: Where): readonly PostgresStep[] {
  const { to } = work;
  if (hasOtherRule(work)) return wordsByRule(work.to, where);
  if (!hasOtherWords(work) || !isSearched(to)) return [];
  const { search } = to;
  const says = `${to.name}: words of ${search.columns.join(', ')} made`;
  return [
    transaction('backfill', `${to.name}: table of words made`, [...createWordsTable(to), ...createWordsKeys(to)]),
    { class: 'backfill', says, does: 'words', table: to.name, words: wordsTable(to), search },
  ];
}

/**
 * Servers of the earlier rule keep running; their words are marked, so that current servers write them again. Where rows cannot
 * be locked, the earlier servers have to stop first. Rule 2 gives other words only to rows with a letter outside ASCII.
 */
function wordsByRule(table: SearchedTable, { distributed }: Where): readonly PostgresStep[] {
  const { name, search } = table;
  const where = search.columns.map((one) => `octet_length(${quoted(one)}) <> char_length(${quoted(one)})`).join(' OR ');
  const says = `${name}: words made by another rule`;
  const words = { does: 'words', table: name, words: wordsTable(table), search, where } as const;
  const index = {
    does: 'alone',
    sql: createOutdatedIndex(table, ' CONCURRENTLY'),
    index: outdatedIndex(table),
  } as const;
  return [
    transaction('online', `${name}: words of servers of the earlier rule are marked`, addOutdated(table)),
    { class: 'online', says: `${name}: index of marked words added`, ...index },
    { class: 'backfill', says, ...words, ...(distributed ? {} : { locks: true, beside: true }) },
  ];
}

/** Constraints and indexes that are no longer needed, under their old names. */
function freeing({ from, kept, compared }: ComparedTable): readonly PostgresStep[] {
  const { name: table } = from;
  const indexes = compared.dropped.filter(({ form }) => form === 'index');
  const others = compared.dropped.filter(({ form }) => form !== 'index');
  const words = others.map(({ columns }) => columns.join(', ')).join('; ');
  const sql = others.map(({ form, name }) => {
    if (form === 'claims') return `DELETE FROM ${quoted(UNIQUE_VALUES)} WHERE "constraint" = ${literal(name)}`;
    if (form === 'former') return `DROP TRIGGER IF EXISTS ${name} ON ${quoted(table)}`;
    return `ALTER TABLE ${quoted(table)} DROP CONSTRAINT ${name}`;
  });
  // Servers that use a name with its former meaning must stop before the name gets another one.
  const kind = kept.some(usesFormerName) ? 'rebuild' : 'online';
  return [
    ...indexes.map(({ name, columns }): PostgresStep => {
      const says = `${table}: index of ${columns.join(', ')} dropped`;
      return { class: 'online', says, does: 'alone', sql: `DROP INDEX CONCURRENTLY IF EXISTS ${name}`, index: null };
    }),
    ...(sql.length === 0 ? [] : [transaction(kind, `${table}: former limits of ${words} dropped`, sql)]),
  ];
}

function usesFormerName(pair: ColumnPair): boolean {
  const former = new Set(formerNames(pair.from.check).map((one) => one.from));
  return namesOf(pair).added.some((name) => former.has(name));
}

/** Tables are dropped together, since they may refer to each other. */
function droppedTables(dropped: readonly Table[]): readonly PostgresStep[] {
  if (dropped.length === 0) return [];
  const names = dropped.map(({ name }) => name);
  const keeps = dropped.map((table): ValuesToKeep => {
    const columns = table.columns.filter(({ name }) => name !== 'id');
    return { table: tableIdentity(table), name: table.name, columns, column: null, where: null, filler: null };
  });
  const claims = dropped.flatMap((table) =>
    uniquesOf(table).length === 0
      ? []
      : [`DELETE FROM ${quoted(UNIQUE_VALUES)} WHERE starts_with("constraint", ${literal(`${table.number}_`)})`],
  );
  const all = [...dropped.filter(isSearched).map(wordsTable), ...names.map(quoted)];
  const sql = [...claims, `DROP TABLE ${all.join(', ')}`];
  return [transaction('destructive', `${names.join(', ')}: dropped`, sql, { locks: names, keeps })];
}

function droppedColumns({ from, to, dropped }: ComparedTable): readonly PostgresStep[] {
  if (dropped.length === 0) return [];
  const names = dropped.map(({ name }) => name);
  const keeps = dropped.map((column): ValuesToKeep => {
    const where = `${quoted(column.name)} IS NOT NULL`;
    const name = `${to.name}.${column.name}`;
    return { table: tableIdentity(from), name, columns: [column], column, where, filler: null };
  });
  const parts = names.map((name) => `DROP COLUMN ${quoted(name)}`).join(', ');
  const sql = [alter(from, parts)];
  return [transaction('destructive', `${from.name}: ${names.join(', ')} dropped`, sql, { locks: [from.name], keeps })];
}

/** New tables are empty, so that the foreign keys are checked in no time. */
function addedTables(added: readonly Table[]): readonly PostgresStep[] {
  if (added.length === 0) return [];
  const names = added.map(({ name }) => name).join(', ');
  const sql = [
    ...added.map(createTable),
    ...added.flatMap(createWordsTable),
    ...added.flatMap((table) => table.columns.flatMap((column) => addForeignKey(table, column) ?? [])),
    ...added.flatMap(createIndexes),
    ...added.flatMap(createWordsKeys),
  ];
  return [transaction('online', `${names}: made`, sql)];
}

/**
 * Columns are added without their limits, which follow, so that no row is checked while the table is locked. A server older than
 * row versions does not raise them; where no trigger can do so either, such servers have to stop first.
 */
function addedColumns({ to, added }: ComparedTable, distributed: boolean): readonly PostgresStep[] {
  if (added.length === 0) return [];
  const needsRows = added.some((column) => !column.nullable && column.default === null);
  const versions = added.some(({ name }) => name === VERSION);
  const parts = added.map((column) => `ADD COLUMN ${bareColumn(column)}`).join(', ');
  const names = added.map(({ name }) => name).join(', ');
  const triggers = versions && !distributed ? [RAISE_VERSION, versionTrigger(to)] : [];
  const kind = needsRows || (versions && distributed) ? 'rebuild' : 'online';
  return [transaction(kind, `${to.name}: column ${names} added`, [alter(to, parts), ...triggers])];
}

/** Defaults, and columns that become optional. */
function alteredColumns({ to, kept }: ComparedTable): readonly PostgresStep[] {
  const optional = kept.filter((pair) => !pair.from.nullable && pair.to.nullable);
  // The service writes the default of a choice itself, so that a new default changes no table.
  const others = kept.filter(
    (pair) =>
      pair.from.default !== pair.to.default && pair.from.type === pair.to.type && pair.to.check?.rule !== 'choice',
  );
  const parts = [
    ...optional.map((pair) => `ALTER COLUMN ${quoted(pair.to.name)} DROP NOT NULL`),
    ...others.map((pair) => `ALTER COLUMN ${quoted(pair.to.name)} ${defaultSql(pair.to)}`),
  ];
  if (parts.length === 0) return [];
  const words = [
    ...optional.map((pair) => `${pair.to.name} optional`),
    ...others.map((pair) => `default of ${pair.to.name} set`),
  ];
  const kind = optional.length > 0 ? 'rebuild' : 'online';
  return [transaction(kind, `${to.name}: ${words.join(', ')}`, [alter(to, parts.join(', '))])];
}

function defaultSql({ default: value }: Column): string {
  return value === null ? 'DROP DEFAULT' : `SET DEFAULT ${literal(value)}`;
}

function alter({ name }: Table, parts: string): string {
  return `ALTER TABLE ${quoted(name)} ${parts}`;
}
