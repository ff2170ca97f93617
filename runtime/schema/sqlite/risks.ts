// Selects, in SQL, the rows that a plan cannot keep, and composes the SQL that converts values. Pure.

import { isFilled } from '../changes.js';
import { conversionOf, keepsValues } from '../conversions.js';
import { jsonSchemaOf, limitText, otherJsonSchema, widens } from '../limits.js';
import { type ColumnPair, type Match, numbersOf, type TablePair, targetOf } from '../match.js';
import type { Risk } from '../plan.js';
import type { Column, Table } from '../schema.js';
import { literal, quoted } from '../sql-text.js';
import { checkSql } from './ddl.js';

/** Every rule that stored rows may break, once per column or unique constraint. */
export function risksOf(match: Match): readonly Risk[] {
  return match.kept.flatMap((pair) => [
    ...pair.kept.flatMap((columns) => keptRisks(match, pair, columns)),
    ...pair.added.flatMap((column) => addedRisks(match, pair.from, column)),
    ...pair.to.uniques.flatMap((unique) => uniqueRisks(pair, unique)),
  ]);
}

/** SQL for the new value of a column, over the unchanged table. */
export function carried(pair: ColumnPair): string {
  const value = converted(pair);
  return isFilled(pair) ? `coalesce(${value}, ${literal(pair.to.default)})` : value;
}

/** The same for every column of a table, by its new name. */
export function carriedColumns({ to, kept }: TablePair): ReadonlyMap<string, string> {
  const known = new Map(kept.map((pair) => [pair.to.name, carried(pair)]));
  return new Map(to.columns.map(({ name, default: value }) => [name, known.get(name) ?? literal(value)]));
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

function converted({ from, to }: ColumnPair): string {
  const old = quoted(from.name);
  return conversionOf({ from, to })?.value(old) ?? 'NULL';
}

/** The rows that break one rule of a column; `condition` is SQL. */
interface Broken {
  readonly says: string;
  readonly condition: string;
  readonly remedy?: string;
  readonly allow?: string;
}

function keptRisks(match: Match, { from: table, to: named }: TablePair, pair: ColumnPair): readonly Risk[] {
  const broken = [...emptyValues(pair, named), ...unfitValues(pair)].map(
    ({ says, condition, remedy = 'change these values first', allow = null }): Risk => ({
      table: table.name,
      column: pair.from.name,
      says,
      rows: `SELECT "id" FROM ${quoted(table.name)} WHERE ${condition}`,
      remedy,
      allow,
    }),
  );
  const { from, to } = pair;
  const repointed = targetOf(match.from, from) !== targetOf(match.to, to) || from.type !== to.type;
  return repointed ? [...broken, ...referenceRisks(match, table, { from, to, value: carried(pair) })] : broken;
}

/** Null is a value too: it is only replaced if an operator allows it. */
function emptyValues(pair: ColumnPair, { name: table }: Table): readonly Broken[] {
  const { from, to } = pair;
  if (!from.nullable || to.nullable) return [];
  const empty = { says: 'has no value', condition: `${quoted(from.name)} IS NULL` };
  if (!isFilled(pair)) return [{ ...empty, remedy: `give ${to.name} a default, or fill these rows first` }];
  const allow = `fill:${table}.${to.name}`;
  return [{ ...empty, allow, remedy: `fill these rows first, or fill in ${to.default} with --allow ${allow}` }];
}

/** A value that does not convert is reported once, not again for breaking the limit. */
function unfitValues(pair: ColumnPair): readonly Broken[] {
  const { from, to } = pair;
  const old = quoted(from.name);
  const { fits = null, problem = '' } = conversionOf(pair) ?? {};
  const value = converted(pair);
  const exact = fits === null ? `${old} IS NOT NULL` : `${old} IS NOT NULL AND ${fits(old)}`;
  const found: Broken[] =
    fits === null ? [] : [{ says: problem, condition: `${old} IS NOT NULL AND NOT (${fits(old)})` }];
  const limited = to.check !== null && !(from.type === to.type && widens(from.check, to.check));
  const sound = to.check === null ? '1' : checkSql(to.check, value);
  if (limited) {
    found.push({ says: `does not fit the limit ${limitText(to.check)}`, condition: `${exact} AND NOT (${sound})` });
  }
  const schema = otherJsonSchema(from.check, to.check);
  if (schema !== null) {
    const fits = fitsSchema(to.check, value);
    found.push({ says: 'does not fit its JSON Schema', condition: `${exact} AND (${sound}) AND NOT ${fits}` });
  }
  return found;
}

function addedRisks(match: Match, table: Table, to: Column): readonly Risk[] {
  if (to.default !== null) return referenceRisks(match, table, { from: to, to, value: literal(to.default) });
  if (to.nullable) return [];
  const rows = `SELECT "id" FROM ${quoted(table.name)}`;
  const remedy = `give ${to.name} a literal default, or make it optional (neither required nor filled by the service)`;
  return [{ table: table.name, column: to.name, says: 'is new and has no value', rows, remedy, allow: null }];
}

interface Referring extends ColumnPair {
  /** SQL for the id of the target. */
  readonly value: string;
}

function referenceRisks(match: Match, table: Table, { from, to, value }: Referring): readonly Risk[] {
  if (to.references === null) return [];
  const number = targetOf(match.to, to);
  const target = match.from.tables.find((one) => one.number === number);
  // Nothing can refer to a table that does not exist yet.
  const missing =
    target === undefined
      ? ''
      : ` AND NOT EXISTS (SELECT 1 FROM ${quoted(target.name)} target WHERE target."id" = refers_to)`;
  return [
    {
      table: table.name,
      column: from.name,
      says: `refers to a missing ${to.references.table}`,
      rows: `SELECT "id" FROM (SELECT "id", ${value} AS refers_to FROM ${quoted(table.name)}) WHERE refers_to IS NOT NULL${missing}`,
      remedy: 'change these values first',
      allow: null,
    },
  ];
}

function uniqueRisks(pair: TablePair, unique: readonly string[]): readonly Risk[] {
  const { from, to, kept } = pair;
  const same = kept.filter((columns) => keepsValues(columns) && !isFilled(columns)).map(({ to: { number } }) => number);
  const numbers = new Set(numbersOf(to, unique).filter((number) => same.includes(number)));
  // Unique values stay unique, alone or with more columns, unless converted: 5.0 and 5 become one number, nulls one default.
  const holds = from.uniques.some((columns) => numbersOf(from, columns).every((number) => numbers.has(number)));
  if (holds) return [];
  const values = carriedColumns(pair);
  const named = unique.map((name, at) => ({ value: values.get(name) ?? 'NULL', as: `value_${at}` }));
  const selected = named.map(({ value, as }) => `${value} AS ${as}`).join(', ');
  const present = named.map(({ as }) => `${as} IS NOT NULL`).join(' AND ');
  const counted = `count(*) OVER (PARTITION BY ${named.map(({ as }) => as).join(', ')})`;
  return [
    {
      table: from.name,
      column: unique.join(', '),
      says: 'is not unique',
      rows:
        `SELECT "id" FROM (SELECT "id", ${counted} AS alike ` +
        `FROM (SELECT "id", ${selected} FROM ${quoted(from.name)}) WHERE ${present}) WHERE alike > 1`,
      remedy: 'change all but one of these values first',
      allow: null,
    },
  ];
}
