// The rules of a schema that stored rows may break, as data. Pure; each engine writes the SQL that finds the rows.

import { namesOf } from './choices.js';
import { conversionOf, keepsValues, problemOf } from './conversions.js';
import { fillText, hasFill, isFilled } from './fills.js';
import { limitText, otherJsonSchema, widens } from './limits.js';
import { type ColumnPair, type Match, type TablePair, targetOf } from './match.js';
import type { Risk } from './plan.js';
import type { Column, Table } from './schema.js';
import { type Unique, uniquesOf, whereText } from './uniques.js';

/** A risk together with what an engine needs to find the rows. */
export interface RowRule {
  readonly risk: Risk;
  /** The table as the database has it, unchanged. */
  readonly table: Table;
  readonly broken: BrokenRows;
}

/** Which rows break a rule. */
export type BrokenRows =
  /** All rows. */
  | { readonly rule: 'every' }
  /** Rows without a value. */
  | { readonly rule: 'empty'; readonly column: Column }
  /** Rows with this value. */
  | { readonly rule: 'value'; readonly column: Column; readonly value: string }
  /** Rows whose value does not convert to the column's new kind. */
  | { readonly rule: 'unconverted'; readonly pair: ColumnPair }
  /** Rows whose converted value is outside the limit. */
  | { readonly rule: 'limit'; readonly pair: ColumnPair }
  /** Rows whose converted value is within the limit, but does not match the JSON Schema. */
  | { readonly rule: 'json_schema'; readonly pair: ColumnPair }
  /** Rows whose value is not the id of a row. */
  | {
      readonly rule: 'reference';
      readonly value: CheckedColumn;
      /** The table as the database has it; null: it has no such table, so that no value is the id of a row. */
      readonly target: Table | null;
    }
  /** Rows whose value is the id of a row of another placement. */
  | { readonly rule: 'across'; readonly value: CheckedColumn; readonly target: Table | null }
  /** Rows whose values other rows also have, among all rows that meet the conditions. */
  | { readonly rule: 'unique'; readonly values: readonly CheckedColumn[]; readonly where: readonly CheckedCondition[] };

/** A column has one of these values; null means that it is empty. */
export interface CheckedCondition {
  readonly value: CheckedColumn;
  readonly isOneOf: readonly (string | number | null)[];
}

/** The source of a column's new value: an old column, or the default of a new one. */
export type CheckedColumn =
  | { readonly pair: ColumnPair; readonly column?: undefined }
  | { readonly column: Column; readonly pair?: undefined };

/** Every rule that stored rows may break, once per column or unique constraint. */
export function risksOf(match: Match): readonly RowRule[] {
  return match.kept.flatMap((pair) => [
    ...pair.kept.flatMap((columns) => [
      ...keptRisks(pair, columns),
      ...(isOther(match, columns) || comesInside(columns) ? referenceRisks(match, pair.from, { pair: columns }) : []),
    ]),
    ...pair.added.flatMap((column) => addedRisks(match, pair.from, column)),
    ...uniquesOf(pair.to).flatMap((unique) => uniqueRisks(pair, unique)),
  ]);
}

const CHANGE_FIRST = 'change these values first';

/** Whether the type of the values or the target of the reference changes. */
function isOther(match: Match, { from, to }: ColumnPair): boolean {
  return targetOf(match.from, from) !== targetOf(match.to, to) || from.type !== to.type;
}

/** Whether records of other owners may no longer be referred to (D37). */
function comesInside({ from, to }: ColumnPair): boolean {
  return to.references?.inside === true && from.references?.inside !== true;
}

function keptRisks({ from: table, to: named }: TablePair, pair: ColumnPair): readonly RowRule[] {
  return [...emptyValues(pair, named), ...unfitValues(pair), ...removedNames(pair), ...takenNames(pair)].map(
    ({ broken, says, remedy = CHANGE_FIRST, allow = null, harmless }): RowRule => ({
      risk: { table: table.name, column: pair.from.name, says, remedy, allow, ...(harmless ? { harmless } : {}) },
      table,
      broken,
    }),
  );
}

interface BrokenRule {
  readonly broken: BrokenRows;
  readonly says: string;
  readonly remedy?: string;
  readonly allow?: string;
  readonly harmless?: true;
}

/** Null is a value too: it is only replaced if an operator allows that. */
function emptyValues(pair: ColumnPair, { name: table }: Table): readonly BrokenRule[] {
  const { from, to } = pair;
  if (!from.nullable || to.nullable) return [];
  const empty: BrokenRule = { says: 'has no value', broken: { rule: 'empty', column: from } };
  if (!isFilled(pair)) return [{ ...empty, remedy: `give ${to.name} a default or a fill, or fill these rows first` }];
  const allow = `fill:${table}.${to.name}`;
  return [{ ...empty, allow, remedy: `fill these rows first, or fill in ${fillText(to)} with --allow ${allow}` }];
}

function removedNames(pair: ColumnPair): readonly BrokenRule[] {
  return namesOf(pair).removed.map((value) => ({
    says: `has ${value}, which can no longer be chosen`,
    remedy: 'they keep it',
    harmless: true,
    broken: { rule: 'value', column: pair.from, value },
  }));
}

/** Rows that already hold the new name of a value could not be distinguished from the rows that get it. */
function takenNames(pair: ColumnPair): readonly BrokenRule[] {
  return namesOf(pair).taken.map((value) => ({
    says: `has ${value}, which is now the name of another value`,
    broken: { rule: 'value', column: pair.from, value },
  }));
}

/** A value that does not convert is reported once, not again for breaking the limit. */
function unfitValues(pair: ColumnPair): readonly BrokenRule[] {
  const { from, to } = pair;
  const way = conversionOf(pair);
  const problem = way && problemOf(way);
  const rules: BrokenRule[] = problem === null ? [] : [{ says: problem, broken: { rule: 'unconverted', pair } }];
  if (to.check !== null && !(from.type === to.type && widens(from.check, to.check))) {
    rules.push({ says: `does not fit the limit ${limitText(to.check)}`, broken: { rule: 'limit', pair } });
  }
  if (otherJsonSchema(from.check, to.check) !== null) {
    rules.push({ says: 'does not fit its JSON Schema', broken: { rule: 'json_schema', pair } });
  }
  return rules;
}

function addedRisks(match: Match, table: Table, column: Column): readonly RowRule[] {
  if (column.default !== null) return referenceRisks(match, table, { column });
  if (column.nullable || hasFill(column)) return [];
  const { name } = column;
  const remedy = `give ${name} a literal default or a fill, or make it optional (neither required nor filled by the service)`;
  const risk = { table: table.name, column: name, says: 'is new and has no value', remedy, allow: null };
  return [{ risk, table, broken: { rule: 'every' } }];
}

function referenceRisks(match: Match, table: Table, value: CheckedColumn): readonly RowRule[] {
  const [from, to] = value.pair === undefined ? [value.column, value.column] : [value.pair.from, value.pair.to];
  if (to.references === null) return [];
  const number = targetOf(match.to, to);
  const target = match.from.tables.find((one) => one.number === number) ?? null;
  const { table: name, inside } = to.references;
  const risk = (says: string) => ({ table: table.name, column: from.name, says, remedy: CHANGE_FIRST, allow: null });
  const missing: RowRule = {
    risk: risk(`refers to a missing ${name}`),
    table,
    broken: { rule: 'reference', value, target },
  };
  const across: RowRule = {
    risk: risk(`refers to a ${name} of another owner`),
    table,
    broken: { rule: 'across', value, target },
  };
  return inside ? [missing, across] : [missing];
}

function uniqueRisks(pair: TablePair, unique: Unique): readonly RowRule[] {
  if (isUniqueAlready(pair, unique)) return [];
  const { from } = pair;
  const values = unique.columns.flatMap((name) => sourceOf(pair, name) ?? []);
  const where = Object.entries(unique.where ?? {}).flatMap(([name, value]) => conditionOf(pair, name, value) ?? []);
  const says = `is not unique${whereText(unique.where)}`;
  const remedy = 'change all but one of these values first';
  const risk = { table: from.name, column: unique.columns.join(', '), says, remedy, allow: null };
  return [{ risk, table: from, broken: { rule: 'unique', values, where } }];
}

/** Unique values stay unique, alone or with more columns, unless converted: 5.0 and 5 become one number, nulls one default. */
function isUniqueAlready({ from, kept }: TablePair, { columns, where }: Unique): boolean {
  const same = kept.filter((pair) => keepsValues(pair) && !isFilled(pair));
  const pairOf = (old: string): ColumnPair | undefined => same.find((pair) => pair.from.name === old);
  const isHeld = (name: string): boolean => columns.includes(pairOf(name)?.to.name ?? '');
  const isMet = ([name, value]: readonly [string, string | number | null]): boolean => {
    const pair = pairOf(name);
    if (pair === undefined) return false;
    const renamed = namesOf(pair).renamed.find((one) => one.from === value);
    return where?.[pair.to.name] === (renamed?.to ?? value);
  };
  return uniquesOf(from).some((one) => one.columns.every(isHeld) && Object.entries(one.where ?? {}).every(isMet));
}

/** The condition also accepts former names of the value, which rows still hold. */
function conditionOf(pair: TablePair, name: string, value: string | number | null): CheckedCondition | null {
  const source = sourceOf(pair, name);
  if (source === null) return null;
  const renamed = source.pair === undefined ? [] : namesOf(source.pair).renamed;
  const isGivenUp = renamed.some(({ from }) => from === value);
  const former = renamed.flatMap(({ from, to }) => (to === value ? [from] : []));
  return { value: source, isOneOf: [...(isGivenUp ? [] : [value]), ...former] };
}

/** The source of the new value of a column. */
export function sourceOf({ to, kept }: TablePair, name: string): CheckedColumn | null {
  const pair = kept.find((one) => one.to.name === name);
  if (pair !== undefined) return { pair };
  const column = to.columns.find((one) => one.name === name);
  return column === undefined ? null : { column };
}
