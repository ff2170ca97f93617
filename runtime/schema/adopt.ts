// Matches a database that another branch has brought to its schema with the schema of this one, by names: what it has gets the
// numbers that the same names have here. Pure.

import type { Check, Column, Schema, Table } from './schema.js';

export interface Adoption {
  /** The schema of the database, with the numbers of this branch. */
  readonly from: Schema;
  /** The schema of this branch, which knows as earlier names what the other branch calls the same numbers. */
  readonly to: Schema;
  /** What has other numbers than in the database, by its names there: `box`, `die.size`. */
  readonly renumbered: readonly string[];
  /** The new number of something in the database, or among the values that it keeps aside. */
  readonly number: (number: number, name: string) => number;
}

interface NumberedName {
  readonly number: number;
  readonly name: string;
  readonly formerly?: readonly string[];
}

/** @param from what the database was last brought to */
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
    number: renumber,
  };
}

/** What the database has under numbers that stand for something else in the schema: another branch gave them away. */
export function foreignNumbers(from: Schema, to: Schema): readonly string[] {
  const taken = namesByNumber(to);
  return from.tables.flatMap((table) => {
    const columns = table.columns.filter((column) => isForeign(taken, column));
    if (isForeign(taken, table)) return [table.name];
    return columns.map(({ name }) => `${table.name}.${name}`);
  });
}

/** Every name that a number of the schema has or had. */
function namesByNumber({ tables }: Schema): ReadonlyMap<number, readonly string[]> {
  const all = tables.flatMap((table) => [
    table,
    ...table.columns.flatMap((column) => [column, ...valuesOf(column.check)]),
  ]);
  return new Map(all.map((one) => [one.number, historyOf(one)]));
}

function isForeign(taken: ReadonlyMap<number, readonly string[]>, one: NumberedName): boolean {
  const names = taken.get(one.number);
  return names !== undefined && !historyOf(one).some((name) => names.includes(name));
}

function historyOf({ name, formerly = [] }: NumberedName): readonly string[] {
  return [name, ...formerly];
}

interface MatchedPair<T> {
  readonly one: T;
  readonly other: T;
}

/** First those that share a number and a name, even a former one, then those with the same name, then with a former one. */
function matched<T extends NumberedName>(ones: readonly T[], others: readonly T[]): readonly MatchedPair<T>[] {
  const ways: readonly ((one: T, other: T) => boolean)[] = [
    (one, other) => one.number === other.number && historyOf(one).some((name) => historyOf(other).includes(name)),
    (one, other) => one.name === other.name,
    (one, other) => historyOf(other).includes(one.name) || historyOf(one).includes(other.name),
  ];
  const found: MatchedPair<T>[] = [];
  for (const isSame of ways) {
    for (const one of ones.filter((each) => found.every((pair) => pair.one !== each))) {
      const other = others.find((each) => isSame(one, each) && found.every((pair) => pair.other !== each));
      if (other !== undefined) found.push({ one, other });
    }
  }
  return found;
}

function valuesOf(check: Check | null): readonly NumberedName[] {
  return check?.rule === 'choice' ? check.names : [];
}

type Renumber = Adoption['number'];

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

function knowingTable(table: Table, pairs: readonly MatchedPair<Table>[]): Table {
  const one = pairs.find(({ other }) => other === table)?.one;
  if (one === undefined) return table;
  const columns = matched(one.columns, table.columns);
  return {
    ...knowing(table, one),
    columns: table.columns.map((column) => {
      const own = columns.find(({ other }) => other === column)?.one;
      return own === undefined ? column : knowingColumn(column, own);
    }),
  };
}

function knowingColumn(column: Column, one: Column): Column {
  const { check } = column;
  if (check?.rule !== 'choice') return knowing(column, one);
  const values = matched(valuesOf(one.check), check.names);
  const names = check.names.map((name) => {
    const own = values.find(({ other }) => other === name)?.one;
    return own === undefined ? name : knowing(name, own);
  });
  return knowing({ ...column, check: { ...check, names } }, one);
}

/** Adds the name that the other branch gave it to its earlier ones. */
function knowing<T extends NumberedName>(own: T, { name }: NumberedName): T {
  return historyOf(own).includes(name) ? own : { ...own, formerly: [...(own.formerly ?? []), name] };
}
