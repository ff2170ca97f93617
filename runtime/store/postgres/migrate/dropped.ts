// Keeps dropped values, and nulls that a default replaces, in side tables until they are purged.
import { SHARD, TYPES } from '../../../schema/postgres/ddl.js';
import type { Keep } from '../../../schema/postgres/steps.js';
import type { Column } from '../../../schema/schema.js';
import { quoted } from '../../../schema/sql-text.js';
import type { Query } from '../connections.js';
import { put } from './memory.js';
import { transaction } from './transaction.js';

/** The values kept from one drop, in the side table `_punchboard_dropped_<number>`. */
export interface Dropped {
  readonly number: number;
  /** Epoch milliseconds. */
  readonly dropped: number;
  /** The ledger's number of the table. */
  readonly table: number;
  /** `boxtop`, or `boxtop.top_id` for a column; the name that allowed the drop. */
  readonly name: string;
  readonly rows: number;
  /** The columns of the side table besides the id; the dropped column alone if a column was dropped. */
  readonly columns: readonly Column[];
  /** The column that was dropped, as it was; null for a whole table. */
  readonly column: Column | null;
}

/** Copies the values within a transaction; nothing is kept if there are none. @param now epoch milliseconds */
export async function keep(query: Query, kept: Keep, now: number): Promise<void> {
  const { table, name, columns, column, where, empty } = kept;
  const from = `${quoted(table.name)}${where === null ? '' : ` WHERE ${where}`}`;
  const [counted] = await query(`SELECT count(*) AS "rows" FROM ${from}`);
  const rows = Number(counted?.rows);
  if (rows === 0) return;
  const number = await nextNumber(query);
  const side = sideTable(number);
  const typed = columns.map((one) => `, ${quoted(one.name)} ${TYPES[one.type]}`).join('');
  const names = columns.map((one) => `, ${quoted(one.name)}`).join('');
  const values = empty ? columns.map(() => ', NULL').join('') : names;
  await query(
    `CREATE TABLE ${side} ("${SHARD}" ${TYPES.text}, "id" ${TYPES.text}${typed}, PRIMARY KEY ("${SHARD}", "id"))`,
  );
  await query(`INSERT INTO ${side} ("${SHARD}", "id"${names}) SELECT "${SHARD}", "id"${values} FROM ${from}`);
  await query(
    `INSERT INTO "_punchboard_dropped" ("number", "dropped", "table", "name", "rows", "definition")
VALUES ($1, $2, $3, $4, $5, $6)`,
    [number, now, table.number, name, rows, JSON.stringify({ columns, column })],
  );
}

/** Newest first. */
export async function listDropped(query: Query): Promise<readonly Dropped[]> {
  const rows = await query('SELECT * FROM "_punchboard_dropped" ORDER BY "number" DESC');
  return rows.map(({ definition, ...row }) => ({ ...row, ...JSON.parse(String(definition)) })) as unknown as Dropped[];
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
