// Keeps dropped values, and nulls that a default replaces, in side tables until they are purged.
import type { Adoption } from '../../../schema/adopt.js';
import { SHARD, TYPES } from '../../../schema/postgres/ddl.js';
import type { Keep } from '../../../schema/postgres/steps.js';
import type { Schema } from '../../../schema/schema.js';
import { literal, quoted } from '../../../schema/sql-text.js';
import { adoptedDrops, fitting, type Dropped as Kept } from '../../kept-values.js';
import type { Query } from '../connections.js';
import { put } from './memory.js';
import { transaction } from './transaction.js';

/** The values of a side table `_punchboard_dropped_<number>`. */
export interface Dropped extends Kept {
  /** Epoch milliseconds since when somebody may have written newer values; null: not yet, what was dropped has not come back. */
  readonly watched: number | null;
  /** What took the place of nulls. */
  readonly filler?: string | number | null;
}

/**
 * The state of each row of a side table. open: it was not restored. back: the row of a dropped table was restored, and
 * references whose targets do not exist yet may follow. done: it was restored; it never is again.
 */
export const ENTRY = { open: 0, back: 1, done: 2 } as const;
/** The column that holds the state; the name of a field cannot start with an underscore. */
export const STATE = '"_state"';

/** Copies the values within a transaction; nothing is kept if there are none. @param now epoch milliseconds */
export async function keep(query: Query, kept: Keep, now: number): Promise<void> {
  const { table, name, columns, column, where, filler } = kept;
  const from = `${quoted(table.name)}${where === null ? '' : ` WHERE ${where}`}`;
  const [counted] = await query(`SELECT count(*) AS "rows" FROM ${from}`);
  const rows = Number(counted?.rows);
  if (rows === 0) return;
  const number = await nextNumber(query);
  const side = sideTable(number);
  const typed = columns.map((one) => `, ${quoted(one.name)} ${TYPES[one.type]}`).join('');
  const names = columns.map((one) => `, ${quoted(one.name)}`).join('');
  const values = filler !== null ? columns.map(() => ', NULL').join('') : names;
  await query(
    `CREATE TABLE ${side} ("${SHARD}" ${TYPES.text}, "id" ${TYPES.text}${typed}, ${STATE} bigint NOT NULL DEFAULT ${ENTRY.open}, PRIMARY KEY ("${SHARD}", "id"))`,
  );
  await query(`INSERT INTO ${side} ("${SHARD}", "id"${names}) SELECT "${SHARD}", "id"${values} FROM ${from}`);
  await query(
    `INSERT INTO "_punchboard_dropped" ("number", "dropped", "table", "name", "rows", "definition")
VALUES ($1, $2, $3, $4, $5, $6)`,
    [
      number,
      now,
      table.number,
      name,
      rows,
      JSON.stringify({ columns, column, ...(filler === null ? {} : { filler }) }),
    ],
  );
}

/** Newest first. */
export async function listDropped(query: Query): Promise<readonly Dropped[]> {
  const rows = await query('SELECT * FROM "_punchboard_dropped" ORDER BY "number" DESC');
  return rows.map(({ definition, ...row }) => ({ ...row, ...JSON.parse(String(definition)) })) as unknown as Dropped[];
}

/** SQL that gives what is kept aside the numbers that its names have on this branch. */
export async function adoptDropped(query: Query, adoption: Adoption): Promise<readonly string[]> {
  return adoptedDrops(await listDropped(query), adoption).map(({ number, table, columns, column, filler }) => {
    const definition = JSON.stringify({ columns, column, ...(filler === undefined ? {} : { filler }) });
    const set = `"table" = ${literal(table)}, "definition" = ${literal(definition)}`;
    return `UPDATE "_punchboard_dropped" SET ${set} WHERE "number" = ${literal(number)}`;
  });
}

/** Permanently removes what was dropped before a time (epoch milliseconds). Returns what it removed. */
export async function purge(query: Query, before: number): Promise<readonly Dropped[]> {
  const old = (await listDropped(query)).filter(({ dropped }) => dropped < before);
  await transaction(query, async () => {
    for (const { number } of old) {
      await query(`DROP TABLE ${sideTable(number)}`);
      await query('DELETE FROM "_punchboard_dropped" WHERE "number" = $1', [number]);
    }
  });
  return old;
}

/** From now on, servers may write to what has come back. @param schema the database's new one */
export async function watch(query: Query, { tables }: Schema, now: number): Promise<void> {
  const all = await listDropped(query);
  const back = new Set(tables.flatMap((table) => table.columns.flatMap((column) => fitting(all, table, column))));
  for (const { number } of all.filter((drop) => drop.watched === null && back.has(drop))) {
    await query('UPDATE "_punchboard_dropped" SET "watched" = $1 WHERE "number" = $2', [now, number]);
  }
}

export function sideTable(number: number): string {
  return quoted(`_punchboard_dropped_${number}`);
}

/** A purged number is not assigned again. */
async function nextNumber(query: Query): Promise<number> {
  const [last] = await query(`SELECT "value" FROM "_punchboard" WHERE "key" = 'side_tables'`);
  const number = Number(last?.value ?? 0) + 1;
  await put(query, 'side_tables', String(number));
  return number;
}
