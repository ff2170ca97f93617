// Keeps dropped values, and nulls that a default replaces, in side tables until they are purged.
import type { Adoption } from '../../schema/adopt.js';
import type { ValuesToKeep } from '../../schema/plan.js';
import { literal, quoted } from '../../schema/sql-text.js';
import { adoptedDrops, type DroppedValues } from '../kept-values.js';
import type { Pending, Queries } from '../unit.js';
import type { Session } from './session.js';

/** Copies the values. @returns the number of the side table; null: there are no values @param now epoch milliseconds */
export function* keepDropped(session: Session, kept: ValuesToKeep, now: number): Pending<number | null> {
  const { table, name, columns, column, where, filler } = kept;
  const from = `${quoted(table.name)}${where === null ? '' : ` WHERE ${where}`}`;
  const counted = yield* session.row(`SELECT count(*) AS "rows" FROM ${from}`, {});
  const rows = Number(counted?.rows);
  if (rows === 0) return null;
  const row = yield* session.row(
    `INSERT INTO "_punchboard_dropped" ("number", "dropped", "table", "name", "rows", "definition")
VALUES (@number, @dropped, @table, @name, @rows, @definition) RETURNING "number"`,
    {
      ...{ number: yield* session.nextDrop(), dropped: now, table: table.number, name, rows },
      definition: definitionOf({ columns, column, ...(filler === null ? {} : { filler }) }),
    },
  );
  const number = Number(row?.number);
  yield* session.execute(session.sideTable(sideName(number), columns));
  const names = columns.map((one) => quoted(one.name));
  const values = filler === null ? names : columns.map(() => 'NULL');
  const key = session.dialect.keyColumns.map(quoted);
  yield* session.execute(
    `INSERT INTO ${sideTable(number)} (${[...key, ...names].join(', ')}) SELECT ${[...key, ...values].join(', ')} FROM ${from}`,
  );
  return number;
}

type Definition = Pick<DroppedValues, 'columns' | 'column' | 'filler'>;

function definitionOf({ columns, column, filler }: Definition): string {
  return JSON.stringify({ columns, column, ...(filler === undefined ? {} : { filler }) });
}

/** Newest first. */
export function* listDropped(session: Session): Pending<readonly DroppedValues[]> {
  if (!(yield* session.has('_punchboard_dropped'))) return [];
  const rows = yield* session.rows('SELECT * FROM "_punchboard_dropped" ORDER BY "number" DESC', {});
  return rows.map(({ definition, ...row }) => ({
    ...row,
    ...JSON.parse(String(definition)),
  })) as unknown as DroppedValues[];
}

/** SQL that gives values kept aside the numbers that their names have on this branch. */
export function* adoptDropped(session: Session, adoption: Adoption): Pending<readonly string[]> {
  return adoptedDrops(yield* listDropped(session), adoption).map((drop) => {
    const set = `"table" = ${literal(drop.table)}, "definition" = ${literal(definitionOf(drop))}`;
    return `UPDATE "_punchboard_dropped" SET ${set} WHERE "number" = ${literal(drop.number)}`;
  });
}

/** Permanently removes values dropped before a time (epoch milliseconds), within a transaction. @returns the removed drops */
export function* purgeDropped(session: Session, before: number): Pending<readonly DroppedValues[]> {
  const old = (yield* listDropped(session)).filter(({ dropped }) => dropped < before);
  for (const { number } of old) {
    yield* session.execute(`DROP TABLE ${sideTable(number)}`);
    yield* session.rows('DELETE FROM "_punchboard_dropped" WHERE "number" = @number', { number });
  }
  return old;
}

/** The row counts of the newest side table of each drop, by its name. */
export function* countKeptRows(session: Session): Pending<ReadonlyMap<string, number>> {
  const kept = new Map<string, number>();
  for (const { name, number } of yield* listDropped(session)) {
    if (!kept.has(name)) kept.set(name, yield* countRows(session, `SELECT 1 FROM ${sideTable(number)}`));
  }
  return kept;
}

export function* countRows(queries: Queries, select: string): Pending<number> {
  const row = yield* queries.row(`SELECT count(*) AS "count" FROM (${select}) counted`, {});
  return Number(row?.count);
}

/** The prefix of the names of side tables. */
export const SIDE_TABLE_PREFIX = '_punchboard_dropped_';

export function sideName(number: number): string {
  return `${SIDE_TABLE_PREFIX}${number}`;
}

export function sideTable(number: number): string {
  return quoted(sideName(number));
}
