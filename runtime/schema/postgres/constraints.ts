// The constraints, indexes and triggers of tables, so that two schemas can be compared: which are dropped, which stay and under
// which name, and which are new. Pure.

import { namesOf } from '../choices.js';
import { isFilled } from '../fills.js';
import type { ColumnPair, Match, TablePair } from '../match.js';
import type { Column, Index, Table } from '../schema.js';
import { quoted } from '../sql-text.js';
import { type ColumnValues, type Unique, uniquesOf, whereKey } from '../uniques.js';
import {
  checkSql,
  createIndex,
  directions,
  foreignKey,
  indexColumns,
  indexName,
  isWithinShard,
  nameOf,
  SHARD,
  uniqueColumns,
  uniqueValueName,
  wordsKey,
} from './ddl.js';
import { formerNamesOf } from './former-names.js';

export interface Constraint {
  /**
   * How a constraint is added to a table that has rows. checked: a limit or a foreign key, which is validated afterwards.
   * unique: from an index. claims: values unique across placements, as rows of a separate table. former: a trigger, before rows
   * are renamed. made: only together with the table.
   */
  readonly form: 'checked' | 'unique' | 'claims' | 'index' | 'former' | 'made';
  /** The quoted name; for claims, the name under which they are stored. */
  readonly name: string;
  readonly columns: readonly string[];
  /** For claims: only rows with these values claim their values; absent or null: all rows do. */
  readonly where?: ColumnValues | null;
  /** The definition after the name of a constraint, the columns of a unique one, or the statement of an index or a trigger. */
  readonly sql: string;
  /** Equal in two schemas if the database need not change: the key holds numbers instead of names. */
  readonly key: string;
}

export interface ConstraintComparison {
  readonly dropped: readonly Constraint[];
  readonly kept: readonly { readonly from: Constraint; readonly to: Constraint }[];
  readonly added: readonly Constraint[];
}

/** The constraints and indexes of a table that both schemas have. */
export function compareConstraints(match: Match, pair: TablePair): ConstraintComparison {
  const before = constraintsOf(pair.from, sideOf(match, pair, 'from'));
  const after = constraintsOf(pair.to, sideOf(match, pair, 'to'));
  const known = new Map(before.map((one) => [one.key, one]));
  const keys = new Set(after.map(({ key }) => key));
  return {
    dropped: before.filter(({ key }) => !keys.has(key)),
    kept: after.flatMap((to) => {
      const from = known.get(to.key);
      return from === undefined ? [] : [{ from, to }];
    }),
    added: after.filter(({ key }) => !known.has(key)),
  };
}

/** The names of all constraints and indexes of a table, not quoted. */
export function constraintNames(table: Table): readonly string[] {
  const names = constraintsOf(table, NAMES_ONLY).map(({ name }) => name);
  return [...names, wordsKey(table)].map((name) => name.replace(/^"|"$/g, ''));
}

/** The constraints of a table under its earlier and its current numbers, in pairs. */
export function renumberedConstraints(before: Table, now: Table): ConstraintComparison['kept'] {
  const [old, current] = [before, now].map((table) => constraintsOf(table, NAMES_ONLY));
  return (old ?? []).flatMap((from, at) => {
    const to = current?.[at];
    return to === undefined ? [] : [{ from, to }];
  });
}

/** Writes keys that differ for what only one of two schemas has, and are equal for what both have. */
interface NameMapping {
  readonly column: (column: Column) => string;
  /** Marks columns whose nulls a default replaces, and those with other names for the same values. */
  readonly filled: (column: Column) => string;
  readonly target: (table: string) => string;
}

const NAMES_ONLY: NameMapping = { column: ({ name }) => name, filled: () => '', target: (name) => name };

function sideOf(match: Match, pair: TablePair, which: 'from' | 'to'): NameMapping {
  const kept = new Set(pair.kept.map((columns) => columns[which]));
  const filled = new Set(pair.kept.filter(isRewritten).map((columns) => columns[which]));
  const tables = new Set(match.kept.map((tables) => tables[which]));
  return {
    column: (column) => `${kept.has(column) ? '' : which}${column.number} ${column.type}`,
    filled: (column) => (filled.has(column) ? which : ''),
    target(name) {
      const target = match[which].tables.find((one) => one.name === name);
      return target === undefined ? name : `${tables.has(target) ? '' : which}${target.number}`;
    },
  };
}

function isRewritten(pair: ColumnPair): boolean {
  return isFilled(pair) || namesOf(pair).renamed.length > 0;
}

function constraintsOf(table: Table, side: NameMapping): readonly Constraint[] {
  const named = { form: 'made', columns: [], sql: '' } as const;
  return [
    { ...named, name: nameOf(table, [], 'shard'), key: 'shard' },
    { ...named, name: nameOf(table, [], 'pkey'), key: 'primary key' },
    ...table.columns.flatMap((column) => [...limit(table, column, side), ...reference(table, column, side)]),
    ...uniquesOf(table).map((one) => unique(table, one, side)),
    ...table.indexes.filter((index) => index.unique === undefined).map((index) => indexed(table, index, side)),
    ...formers(table, side),
  ];
}

function limit(table: Table, column: Column, side: NameMapping): readonly Constraint[] {
  const { name, check } = column;
  if (check === null) return [];
  const key = `check ${side.column(column)} ${checkSql(check, 'x')}`;
  const sql = `CHECK (${checkSql(check, quoted(name))})`;
  return [{ form: 'checked', name: nameOf(table, [name], 'check'), columns: [name], sql, key }];
}

function reference(table: Table, column: Column, side: NameMapping): readonly Constraint[] {
  const { name, references } = column;
  const sql = foreignKey(column);
  if (sql === null || references === null) return [];
  const key = `refers ${side.column(column)} ${side.target(references.table)} ${references.onDelete}`;
  return [{ form: 'checked', name: nameOf(table, [name], 'fk'), columns: [name], sql, key }];
}

function unique(table: Table, { columns, where }: Unique, side: NameMapping): Constraint {
  const keyColumns = columnsOf(table, [...columns, ...Object.keys(where ?? {})]);
  const numbers = `${keyColumns.map(side.column).join(' ')}${whereKey(table, where)}`;
  if (!isWithinShard(table, columns)) {
    const key = `claims ${numbers} ${keyColumns.map(side.filled).join('')}`;
    return { form: 'claims', name: uniqueValueName(table, columns), columns, where, sql: '', key };
  }
  const name = nameOf(table, columns, 'key');
  if (where === null) return { form: 'unique', name, columns, sql: uniqueColumns(columns), key: `unique ${numbers}` };
  const sql = createIndex(table, { columns, partial: false, unique: where }, ' CONCURRENTLY');
  return { form: 'index', name, columns, sql, key: `unique index ${numbers}` };
}

function indexed(table: Table, index: Index, side: NameMapping): Constraint {
  const { columns, partial } = index;
  const start = indexColumns(table, index)[0] === SHARD ? 'placed' : '';
  const order = index.order === undefined ? '' : ` ${directions(index)} ${index.order.length}`;
  const key = `index ${start} ${columnsOf(table, columns).map(side.column).join(' ')} ${partial}${order}`;
  const sql = createIndex(table, index, ' CONCURRENTLY');
  return { form: 'index', name: indexName(table, index), columns, sql, key };
}

function formers(table: Table, side: NameMapping): readonly Constraint[] {
  return formerNamesOf(table).map(({ column, name, sql }): Constraint => {
    const key = `former ${columnsOf(table, [column]).map(side.column)} ${sql}`;
    return { form: 'former', name, columns: [column], sql, key };
  });
}

function columnsOf(table: Table, names: readonly string[]): readonly Column[] {
  return names.flatMap((name) => table.columns.find((column) => column.name === name) ?? []);
}
