// Adopts a database that another branch has migrated: matches it with this branch's schema by names, so that tables, columns and
// values get the numbers that the same names have here. Pure.

import type { Check, Column, Schema, Table } from './schema.js';

export interface Adoption {
  /** The schema of the database, with the numbers of this branch. */
  readonly from: Schema;
  /** The schema of this branch, in which the other branch's names for the same things count as earlier names. */
  readonly to: Schema;
  /** The tables and columns whose numbers change, by their names in the database: `box`, `die.size`. */
  readonly renumbered: readonly string[];
  /** The new number of a table, column or value in the database, or among the values that it keeps aside. */
  readonly renumber: (number: number, name: string) => number;
}

interface NumberedName {
  readonly number: number;
  readonly name: string;
  readonly formerly?: readonly string[];
}

/** @param from the schema to which the database was last migrated */
export function adopt(from: Schema, to: Schema): Adoption {
  const taken = namesByNumber(to);
  const numbers = new Map<number, number>();
  const renumber = (number: number, name: string): number =>
    numbers.get(number) ?? (isForeign(taken, { number, name }) ? -number : number);
  const pairs = matched(from.tables, to.tables);
  for (const { one, other } of pairs) {
    numbers.set(one.number, other.number);
    for (const columns of matched(one.columns, other.columns)) {
      numbers.set(columns.one.number, columns.other.number);
      const values = matched(valuesOf(columns.one.check), valuesOf(columns.other.check));
      for (const value of values) numbers.set(value.one.number, value.other.number);
    }
  }
  return {
    from: { ...from, tables: from.tables.map((table) => renumberedTable(table, renumber)) },
    to: { ...to, tables: to.tables.map((table) => knowingTable(table, pairs)) },
    renumbered: from.tables.flatMap((table) => changedNames(table, renumber)),
    renumber,
  };
}

/** The tables and columns of the database whose numbers mean something else in the schema: another branch assigned them. */
export function foreignNumbers(from: Schema, to: Schema): readonly string[] {
  const taken = namesByNumber(to);
  return from.tables.flatMap((table) => {
    const columns = table.columns.filter((column) => isForeign(taken, column));
    if (isForeign(taken, table)) return [table.name];
    return columns.map(({ name }) => `${table.name}.${name}`);
  });
}

/** Every current and former name of each number of the schema. */
function namesByNumber({ tables }: Schema): ReadonlyMap<number, readonly string[]> {
  const all = tables.flatMap((table) => [
    table,
    ...table.columns.flatMap((column) => [column, ...valuesOf(column.check)]),
  ]);
  return new Map(all.map((item) => [item.number, historyOf(item)]));
}

function isForeign(taken: ReadonlyMap<number, readonly string[]>, item: NumberedName): boolean {
  const names = taken.get(item.number);
  return names !== undefined && !historyOf(item).some((name) => names.includes(name));
}

function historyOf({ name, formerly = [] }: NumberedName): readonly string[] {
  return [name, ...formerly];
}

interface MatchedPair<T> {
  readonly one: T;
  readonly other: T;
}

/** Pairs first by number and a shared name, current or former, then by the same name, then by a former name. */
function matched<T extends NumberedName>(ones: readonly T[], others: readonly T[]): readonly MatchedPair<T>[] {
  const ways: readonly ((one: T, other: T) => boolean)[] = [
    (one, other) => one.number === other.number && historyOf(one).some((name) => historyOf(other).includes(name)),
    (one, other) => one.name === other.name,
    (one, other) => historyOf(other).includes(one.name) || historyOf(one).includes(other.name),
  ];
  const pairs: MatchedPair<T>[] = [];
  for (const isSame of ways) {
    for (const one of ones.filter((each) => pairs.every((pair) => pair.one !== each))) {
      const other = others.find((each) => isSame(one, each) && pairs.every((pair) => pair.other !== each));
      if (other !== undefined) pairs.push({ one, other });
    }
  }
  return pairs;
}

function valuesOf(check: Check | null): readonly NumberedName[] {
  return check?.rule === 'choice' ? check.names : [];
}

type Renumber = Adoption['renumber'];

function renumberedTable(table: Table, renumber: Renumber): Table {
  return {
    ...table,
    number: renumber(table.number, table.name),
    columns: table.columns.map((column) => renumberedColumn(column, renumber)),
  };
}

/** The same column with the numbers of this branch. */
export function renumberedColumn(column: Column, renumber: Renumber): Column {
  const { number, name, check } = column;
  if (check?.rule !== 'choice') return { ...column, number: renumber(number, name) };
  const names = check.names.map((value) => ({ ...value, number: renumber(value.number, value.name) }));
  return { ...column, number: renumber(number, name), check: { ...check, names } };
}

function changedNames(table: Table, renumber: Renumber): readonly string[] {
  const isOther = ({ number, name }: NumberedName): boolean => renumber(number, name) !== number;
  if (isOther(table)) return [table.name];
  const columns = table.columns.filter((column) => isOther(column) || valuesOf(column.check).some(isOther));
  return columns.map(({ name }) => `${table.name}.${name}`);
}

function knowingTable(table: Table, tablePairs: readonly MatchedPair<Table>[]): Table {
  const one = tablePairs.find(({ other }) => other === table)?.one;
  if (one === undefined) return table;
  const columns = matched(one.columns, table.columns);
  return {
    ...knowing(table, one),
    columns: table.columns.map((column) => {
      const earlier = columns.find(({ other }) => other === column)?.one;
      return earlier === undefined ? column : knowingColumn(column, earlier);
    }),
  };
}

function knowingColumn(column: Column, one: Column): Column {
  const { check } = column;
  if (check?.rule !== 'choice') return knowing(column, one);
  const values = matched(valuesOf(one.check), check.names);
  const names = check.names.map((name) => {
    const earlier = values.find(({ other }) => other === name)?.one;
    return earlier === undefined ? name : knowing(name, earlier);
  });
  return knowing({ ...column, check: { ...check, names } }, one);
}

/** Adds the other branch's name to the earlier names. */
function knowing<T extends NumberedName>(item: T, { name }: NumberedName): T {
  return historyOf(item).includes(name) ? item : { ...item, formerly: [...(item.formerly ?? []), name] };
}
