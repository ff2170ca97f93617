// The values that hand-written functions compute for existing rows when a column is added, each validated as a literal would be.

import type { Row } from '../../contract/definition.js';
import { namesOf } from '../../schema/choices.js';
import { givenColumns, isComputed, isFilled } from '../../schema/fills.js';
import { limitText } from '../../schema/limits.js';
import type { ColumnPair, Match, TablePair } from '../../schema/match.js';
import { sourceOf } from '../../schema/risks.js';
import type { Column, Kind, Schema, Table } from '../../schema/schema.js';
import { literal, quoted, renamedValue } from '../../schema/sql-text.js';
import { createJsonValidator, isJson } from '../json-validator.js';
import type { CountedRisk } from '../schema-migrator.js';
import { StartError } from '../start-error.js';
import type { Pending } from '../unit.js';
import { MAX_NAMED_ROWS } from './pending.js';
import type { Session } from './session.js';

type Value = string | number | null;
type Outcome = { readonly value: Value } | { readonly problem: string; readonly first: string };

/** Computes a column's value for a row, which has the names of the new schema. Throws StartError for a row without a value. */
export function computationOf({ tables }: Schema, table: string, name: string): (row: Row) => Value {
  const holder = tables.find((one) => one.name === table);
  const column = holder?.columns.find((one) => one.name === name);
  if (holder === undefined || column === undefined) throw new Error(`there is no column ${table}.${name}`);
  const compute = outcomeFor(holder, column);
  return (row) => {
    const outcome = compute(row);
    if ('value' in outcome) return outcome.value;
    throw new StartError(`${table}.${name} ${outcome.problem}: ${outcome.first} (${row.id})`);
  };
}

/** Tries the functions on the rows of an unchanged database. @param carried SQL of a value after the migration */
export function* computedRisks(
  session: Session,
  { kept }: Match,
  carried: (pair: ColumnPair) => string,
): Pending<readonly CountedRisk[]> {
  const risks: CountedRisk[] = [];
  for (const pair of kept) {
    const known = pair.kept.filter(isFilled).map((columns) => [columns.to, columns.from] as const);
    for (const [column, from] of [...known, ...pair.added.map((added) => [added, null] as const)]) {
      if (!isComputed(column.fill)) continue;
      const compute = outcomeFor(pair.to, column);
      const where = from === null ? '' : ` WHERE ${quoted(from.name)} IS NULL`;
      const byProblem = new Map<string, CountedRisk>();
      const place = { table: pair.from.name, column: from?.name ?? column.name };
      const sql = `${rowsBefore(pair, carried)}${where} ORDER BY ${session.dialect.keyColumns.map(quoted)}`;
      yield* session.each(sql, (rows) => {
        for (const row of rows) count(byProblem, place, [row, compute(row)]);
      });
      risks.push(...byProblem.values());
    }
  }
  return risks;
}

/** SQL of the existing rows in the form that functions expect. */
function rowsBefore(pair: TablePair, carried: (pair: ColumnPair) => string): string {
  const values = givenColumns(pair.to).map(({ name }) => {
    const source = sourceOf(pair, name);
    if (source?.pair === undefined) return `${literal(source?.column.default ?? null)} AS ${quoted(name)}`;
    const { renamed } = namesOf(source.pair);
    const value = carried(source.pair);
    return `${renamed.length === 0 ? value : renamedValue(value, renamed).value} AS ${quoted(name)}`;
  });
  return `SELECT ${values.join(', ')} FROM ${quoted(pair.from.name)}`;
}

const FILLED = { says: 'is filled by its function', remedy: 'each value fits', allow: null, harmless: true } as const;

/** Counts the rows of each problem, and describes it by its first row. */
function count(
  byProblem: Map<string, CountedRisk>,
  place: Pick<CountedRisk, 'table' | 'column'>,
  [{ id }, outcome]: readonly [Row, Outcome],
): void {
  const key = 'value' in outcome ? '' : outcome.problem;
  const { count, ids, ...risk } = byProblem.get(key) ?? { ...place, ...riskOf(outcome), count: 0, ids: [] };
  byProblem.set(key, { ...risk, count: count + 1, ids: count < MAX_NAMED_ROWS ? [...ids, String(id)] : ids });
}

function riskOf(outcome: Outcome): Omit<CountedRisk, 'table' | 'column' | 'count' | 'ids'> {
  if ('value' in outcome) return FILLED;
  const remedy = 'change the function, or these rows first';
  return { says: `${outcome.problem}, first ${outcome.first},`, remedy, allow: null };
}

/** Throws StartError if the program does not have the function. */
function outcomeFor(table: Table, column: Column): (row: Row) => Outcome {
  const { fill, check, nullable } = column;
  if (!isComputed(fill)) throw new Error(`${table.name}.${column.name} is not filled by a function`);
  const { call, schema } = fill;
  const name = `${table.name}.${fill.function}`;
  if (call === undefined)
    throw new StartError(`the function ${name} is missing, which fills ${table.name}.${column.name}`);
  const names = givenColumns(table).map((one) => one.name);
  const [isValid, schemaText] = [createJsonValidator(), JSON.stringify(schema)];
  const [fails, misfit] = [
    `gets no value because the function ${name} fails`,
    `gets a value from the function ${name} that does not fit ${check === null ? `the kind ${column.kind}` : `the limit ${limitText(check)}`}`,
  ];
  const fits = (value: unknown): boolean => {
    if (value === null) return nullable;
    const isStorable = column.type === 'integer' ? Number.isSafeInteger(value) : isText(value);
    const sent = isStorable ? sentJson(value, column.kind) : null;
    return sent !== null && isValid(schemaText, sent);
  };
  return (row) => {
    try {
      const values = Object.fromEntries(names.map((one) => [one, row[one] ?? null]));
      const value = call(Object.freeze(values)) ?? null;
      if (fits(value)) return { value: value as Value };
      return { problem: misfit, first: JSON.stringify(value) ?? typeof value };
    } catch (error) {
      return { problem: fails, first: JSON.stringify(error instanceof Error ? error.message : String(error)) };
    }
  };
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && !/\0|\p{Surrogate}/u.test(value);
}

/** A stored value as the JSON of a request, which a JSON Schema validates; null: it is not JSON. */
function sentJson(value: unknown, kind: Kind | undefined): string | null {
  if (kind === 'json') return isJson(String(value)) ? String(value) : null;
  if (kind === 'boolean' && (value === 0 || value === 1)) return String(value === 1);
  return JSON.stringify(kind === 'date' ? new Date(Number(value)) : value);
}
