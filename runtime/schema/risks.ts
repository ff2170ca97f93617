// Rows that a plan cannot carry over, as SQL over the database as it is now; and the SQL that carries a value. Pure.

import { isFilled } from './changes.js';
import { checkSql, literal, quoted } from './ddl.js';
import { limitText, widens } from './limits.js';
import { type ColumnPair, type Match, numbersOf, type TablePair, targetOf } from './match.js';
import type { Risk } from './plan.js';
import type { Column, Table } from './schema.js';

/** Every rule that stored rows may break, once per column or unique constraint. */
export function risksOf(match: Match): readonly Risk[] {
  return match.kept.flatMap((pair) => [
    ...pair.kept.flatMap((columns) => keptRisks(match, pair.from, columns)),
    ...pair.added.flatMap((column) => addedRisks(match, pair.from, column)),
    ...pair.to.uniques.flatMap((unique) => uniqueRisks(pair, unique)),
  ]);
}

/** SQL of what a column holds afterwards, over the table as it is now. */
export function carried(pair: ColumnPair): string {
  const { from, to } = pair;
  const value = from.type === to.type ? quoted(from.name) : `CAST(${quoted(from.name)} AS ${to.type.toUpperCase()})`;
  return isFilled(pair) ? `coalesce(${value}, ${literal(to.default)})` : value;
}

/** The same for every column of a table, by the name it has afterwards. */
export function carriedColumns({ to, kept }: TablePair): ReadonlyMap<string, string> {
  const known = new Map(kept.map((pair) => [pair.to.name, carried(pair)]));
  return new Map(to.columns.map(({ name, default: value }) => [name, known.get(name) ?? literal(value)]));
}

/** SQL that holds where text or a number changes its type and keeps its value. */
export function convertsExactly(value: string, from: Column['type'], to: Column['type']): string {
  // A number is its text; a text is a number only where it comes back the same.
  return from === 'text' && to === 'integer' ? `CAST(CAST(${value} AS INTEGER) AS TEXT) = ${value}` : '1';
}

function keptRisks(match: Match, table: Table, pair: ColumnPair): readonly Risk[] {
  const { from, to } = pair;
  const risk = (says: string, condition: string, remedy: string): Risk => ({
    table: table.name,
    column: from.name,
    says,
    rows: `SELECT "id" FROM ${quoted(table.name)} WHERE ${condition}`,
    remedy,
  });
  const old = quoted(from.name);
  const exact = convertsExactly(old, from.type, to.type);
  const risks: Risk[] = [];
  if (from.nullable && !to.nullable && to.default === null) {
    risks.push(risk('has no value', `${old} IS NULL`, `give ${to.name} a default, or fill these rows first`));
  }
  if (exact !== '1') {
    risks.push(risk('is not a whole number', `${old} IS NOT NULL AND NOT (${exact})`, 'change these values first'));
  }
  if (to.check !== null && (from.type !== to.type || !widens(from.check, to.check))) {
    // What does not convert is another rule's.
    const converted = from.type === to.type ? old : `CAST(${old} AS ${to.type.toUpperCase()})`;
    const condition = `${old} IS NOT NULL AND ${exact} AND NOT (${checkSql(to.check, converted)})`;
    risks.push(risk(`does not fit the limit ${limitText(to.check)}`, condition, 'change these values first'));
  }
  if (targetOf(match.from, from) !== targetOf(match.to, to) || from.type !== to.type) {
    risks.push(...referenceRisks(match, table, { from, to, value: carried(pair) }));
  }
  return risks;
}

function addedRisks(match: Match, table: Table, to: Column): readonly Risk[] {
  if (to.default !== null) return referenceRisks(match, table, { from: to, to, value: literal(to.default) });
  if (to.nullable) return [];
  const rows = `SELECT "id" FROM ${quoted(table.name)}`;
  const remedy = `give ${to.name} a default, or make it optional`;
  return [{ table: table.name, column: to.name, says: 'is new and has no value', rows, remedy }];
}

interface Referring extends ColumnPair {
  /** SQL of the id that is referred to. */
  readonly value: string;
}

function referenceRisks(match: Match, table: Table, { from, to, value }: Referring): readonly Risk[] {
  if (to.references === null) return [];
  const number = targetOf(match.to, to);
  const target = match.from.tables.find((one) => one.number === number);
  // Nothing can refer to a table that is not there yet.
  const missing =
    target === undefined
      ? ''
      : ` AND NOT EXISTS (SELECT 1 FROM ${quoted(target.name)} target WHERE target."id" = refers_to)`;
  return [
    {
      table: table.name,
      column: from.name,
      says: `refers to no ${to.references.table}`,
      rows: `SELECT "id" FROM (SELECT "id", ${value} AS refers_to FROM ${quoted(table.name)}) WHERE refers_to IS NOT NULL${missing}`,
      remedy: 'change these values first',
    },
  ];
}

function uniqueRisks(pair: TablePair, unique: readonly string[]): readonly Risk[] {
  const { from, to, kept } = pair;
  const filled = kept.filter(isFilled).map((columns) => columns.to.number);
  const numbers = new Set(numbersOf(to, unique).filter((number) => !filled.includes(number)));
  // What was unique stays so, alone or with more columns; values put in for nulls are the same in every row.
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
    },
  ];
}
