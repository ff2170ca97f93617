// Measures every table column by column, so that two states can be compared. Only reads.
import { createHash } from 'node:crypto';
import type { TablePair } from '../../../schema/match.js';
import { UNIQUE_VALUES, wordsTable } from '../../../schema/postgres/ddl.js';
import { carried } from '../../../schema/postgres/risks.js';
import type { Schema } from '../../../schema/schema.js';
import { literal, quoted } from '../../../schema/sql-text.js';
import { convertedColumns, type Measured, type Measures } from '../../compare-measures.js';
import { type Progress, showing } from '../../progress.js';
import type { Query } from '../connections.js';
import { OWN } from './memory.js';
import { transaction } from './transaction.js';

/** @param kept pairs of columns; values that another kind stores differently are measured as they are stored afterwards */
export async function measure(
  query: Query,
  { tables }: Schema,
  progress: Progress | undefined,
  kept: readonly TablePair[] = [],
): Promise<Measures> {
  const converted = new Map(kept.map((pair) => [pair.from.name, convertedColumns(pair, carried)]));
  const measures = new Map<string, Measured>();
  const own = tables.flatMap((table) => [table.name, wordsTable(table).replaceAll('"', '')]);
  const others = await otherTables(query, new Set(own));
  const ordered = [
    ...tables.map(({ name }) => [name, '"id"'] as const),
    ...others.map((name) => [name, 't::text COLLATE "C"'] as const),
  ];
  await showing(progress, { what: 'tables measured', total: ordered.length }, async () => {
    for (const [name, order] of ordered) {
      measures.set(name, await measureTable(query, name, order, converted.get(name)));
      progress?.advance(1);
    }
  });
  return measures;
}

const ROWS_AT_A_TIME = 1000;

/** Reads a table once. @param order SQL over the table as `t` */
async function measureTable(
  query: Query,
  table: string,
  order: string,
  converted: ReadonlyMap<string, string> = new Map(),
): Promise<Measured> {
  const names = await columnsOf(query, table);
  const counts = names.map((name) => ({ name, filled: 0, hash: createHash('sha256') }));
  const values = names.map((name, at) => `${converted.get(name) ?? quoted(name)} AS "c${at}"`);
  let rows = 0;
  await transaction(query, async () => {
    await query(`DECLARE measured CURSOR FOR SELECT ${values.join(', ')} FROM ${quoted(table)} t ORDER BY ${order}`);
    for (let page = await query(FETCH); page.length > 0; page = await query(FETCH)) {
      rows += page.length;
      for (const row of page) {
        for (const [at, count] of counts.entries()) {
          const value = row[`c${at}`] ?? null;
          const text = value === null ? '-' : String(value);
          if (value !== null) count.filled += 1;
          count.hash.update(`${value === null ? 'null' : text.length}:${text};`);
        }
      }
    }
  });
  const columns = new Map(counts.map(({ name, filled, hash }) => [name, { filled, hash: hash.digest('hex') }]));
  return { rows, columns };
}

const FETCH = `FETCH ${ROWS_AT_A_TIME} FROM measured`;

async function columnsOf(query: Query, table: string): Promise<readonly string[]> {
  const rows = await query(
    `SELECT "attname" AS "name" FROM pg_attribute
WHERE "attrelid" = ${literal(quoted(table))}::regclass AND "attnum" > 0 AND NOT "attisdropped" ORDER BY "attnum"`,
  );
  return rows.map(({ name }) => String(name));
}

/** Every table that belongs neither to the schema nor to the bookkeeping; words and claims of unique values change with the schema. */
async function otherTables(query: Query, named: ReadonlySet<string>): Promise<readonly string[]> {
  const rows = await query(
    `SELECT "relname" AS "name" FROM pg_class WHERE "relnamespace" = current_schema()::regnamespace AND "relkind" IN ('r', 'p')
AND NOT starts_with("relname", '${OWN}') AND "relname" <> '${UNIQUE_VALUES}' ORDER BY 1`,
  );
  return rows.map(({ name }) => String(name)).filter((name) => !named.has(name));
}
