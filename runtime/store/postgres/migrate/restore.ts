// Restores dropped values unless newer ones were written: values of a column into rows that still exist, and rows of a table that
// no longer exist. It works row by row, since any row may break a rule. The side tables stay until they are purged.
import { conversionSql } from '../../../schema/postgres/conversions.js';
import { SHARD, wordsTable } from '../../../schema/postgres/ddl.js';
import { jsonCheckOf } from '../../../schema/postgres/risks.js';
import type { Column, Table } from '../../../schema/schema.js';
import { literal, quoted } from '../../../schema/sql-text.js';
import { migrationUpdateSql } from '../../../schema/version.js';
import { isSearched, watchedColumns } from '../../../schema/words.js';
import type { DroppedValues } from '../../kept-values.js';
import { findRestoreTarget, isClearedOnDelete, sourceOf } from '../../kept-values.js';
import {
  type ColumnDrop,
  type ConversionDialect,
  converted,
  countUnlinked,
  restoredRow,
} from '../../migrate/restore.js';
import { ENTRY_STATE, STATE_COLUMN } from '../../migrate/session.js';
import type { RestoredDrop } from '../../schema-migrator.js';
import { BATCH } from '../../transfer.js';
import type { Query, Row, Value } from '../connections.js';
import { POSTGRES } from '../dialect.js';
import { onSession } from '../session.js';
import { CLAIM_UNIQUE, RELEASE_UNIQUE, uniqueKeysOf, uniqueParameters } from '../unique-values.js';
import { entriesOf, insertEntries } from '../words.js';
import { listDropped, sideTable } from './dropped.js';
import { validatorOf } from './json-check.js';
import { type Metadata, schemaIn } from './metadata.js';
import { codeOf, transaction } from './transaction.js';

/**
 * Restores the values or rows dropped under a name, the newest drop first. Returns how many of each drop were restored. Those
 * that break a limit, have no target, or were written since are not restored.
 */
export async function restore(query: Query, metadata: Metadata, name: string): Promise<readonly RestoredDrop[]> {
  const { table, column, drops } = findRestoreTarget(schemaIn(metadata), name, await listDropped(query));
  const restored: RestoredDrop[] = [];
  await transaction(query, async () => {
    for (const drop of drops) {
      const counts =
        column === null
          ? await restoreRows(query, table, drop)
          : { restored: await restoreValues(query, { table, column, drop }), unlinked: 0 };
      restored.push({ drop, ...counts });
    }
    await rewriteWords(query, table);
  });
  return restored;
}

/** Rewrites all words of a table, a few rows at a time. */
async function rewriteWords(query: Query, table: Table): Promise<void> {
  if (!isSearched(table)) return;
  const { search } = table;
  const words = wordsTable(table);
  const columns = watchedColumns(search).map(quoted).join(', ');
  const key = `"${SHARD}", "id"`;
  const next = `SELECT ${key}, ${columns} FROM ${quoted(table.name)} WHERE (${key}) > ($1, $2) ORDER BY ${key} LIMIT ${BATCH}`;
  await query(`DELETE FROM ${words}`);
  for (let after = ['', '']; ; ) {
    const rows = await query(next, after);
    const last = rows.at(-1);
    if (last === undefined) return;
    await query(insertEntries(words), [JSON.stringify(entriesOf(search, rows))]);
    after = [String(last[SHARD]), String(last.id)];
  }
}

/** Restores a value if its column is empty, or still has what the migration wrote, in a record that was not changed since. */
async function restoreValues(query: Query, { table, column, drop }: ColumnDrop): Promise<number> {
  const name = quoted(column.name);
  const source = { from: drop.column ?? column, to: column };
  const { value, fits } = converted(CONVERTING, source.from, column);
  const unset = [column.default, drop.filler].flatMap((one) => (one == null ? [] : [literal(String(one))]));
  const empty = [`t.${name} IS NULL`, ...unset.map((one) => `t.${name}::text = ${one}`)].join(' OR ');
  const untouched = [`(${empty})`, ...unwritten(table, drop)];
  const rows = await query(
    `SELECT s."${SHARD}" AS "shard", s."id", ${value} AS "value" FROM ${sideTable(drop.number)} s
JOIN ${quoted(table.name)} t ON t."${SHARD}" = s."${SHARD}" AND t."id" = s."id"
WHERE s.${STATE_COLUMN} = ${ENTRY_STATE.open} AND ${fits} AND ${untouched.join(' AND ')} ORDER BY 1, 2`,
  );
  const isValid = checkOf(column);
  const update = `${migrationUpdateSql(table, `${name} = $3`)} WHERE "${SHARD}" = $1 AND "id" = $2`;
  let back = 0;
  for (const row of rows.filter((one) => isValid(one.value ?? null))) {
    const { shard = '', id = '', value: kept = null } = row;
    const done = await attempt(query, async () => {
      await claims(query, { table, id: String(id), give: RELEASE_UNIQUE }, column.name);
      await query(update, [shard, id, kept]);
      await claims(query, { table, id: String(id), give: CLAIM_UNIQUE }, column.name);
      await mark(query, drop, { shard: String(shard), id: String(id), state: ENTRY_STATE.done });
    });
    if (done) back += 1;
  }
  return back;
}

/** The condition that a record was not changed since, if it has the date of its last change. */
function unwritten({ columns }: Table, { watched = null }: DroppedValues): readonly string[] {
  return watched !== null && columns.some(({ name }) => name === CHANGED) ? [`t."${CHANGED}" <= ${watched}`] : [];
}

/** The column that is set whenever a caller changes a record. */
const CHANGED = 'date_updated';

/** Rows may refer to each other in any order: each pass restores the rows whose targets exist. */
async function restoreRows(query: Query, table: Table, drop: DroppedValues): Promise<Omit<RestoredDrop, 'drop'>> {
  const rows = await query(
    `SELECT s.* FROM ${sideTable(drop.number)} s WHERE s.${STATE_COLUMN} = ${ENTRY_STATE.open} AND NOT EXISTS (
SELECT 1 FROM ${quoted(table.name)} t WHERE t."${SHARD}" = s."${SHARD}" AND t."id" = s."id") ORDER BY "${SHARD}", "id"`,
  );
  const insert = insertOf(table, drop);
  let left = rows;
  for (let before = -1; left.length !== before; ) {
    before = left.length;
    const missing: Row[] = [];
    for (const row of left) if (!(await restoreRow(query, { table, drop, insert, row }))) missing.push(row);
    left = missing;
  }
  let unlinked = 0;
  for (const column of table.columns.filter(isClearedOnDelete))
    unlinked += await restoreLinks(query, { table, column, drop });
  return { restored: rows.length - left.length, unlinked };
}

interface RowDrop {
  readonly table: Table;
  readonly drop: DroppedValues;
  /** SQL with the placement and the id as parameters. */
  readonly insert: string;
  readonly row: Row;
}

async function restoreRow(query: Query, { table, drop, insert, row }: RowDrop): Promise<boolean> {
  const [shard, id] = [String(row[SHARD]), String(row.id)];
  let isRestored = false;
  const sound = await attempt(query, async () => {
    const [inserted] = await query(insert, [shard, id]);
    isRestored =
      inserted !== undefined && table.columns.every((column) => checkOf(column)(inserted[column.name] ?? null));
    if (!isRestored) throw new Misfit();
    await claims(query, { table, id, give: CLAIM_UNIQUE });
    await mark(query, drop, { shard, id, state: ENTRY_STATE.back });
  });
  return sound && isRestored;
}

/** A value breaks a rule that a CHECK cannot express. */
class Misfit extends Error {
  readonly code = '23514';
}

function insertOf(table: Table, drop: DroppedValues): string {
  const { values, conditions } = restoredRow(CONVERTING, table, drop);
  const names = [SHARD, ...table.columns.map(({ name }) => name)].map(quoted).join(', ');
  return `INSERT INTO ${quoted(table.name)} (${names}) SELECT s."${SHARD}", ${values.join(', ')}
FROM ${sideTable(drop.number)} s WHERE s."${SHARD}" = $1 AND s."id" = $2 AND ${conditions.join(' AND ')} RETURNING *`;
}

/** Restores the references whose targets exist. Returns how many stay empty. */
async function restoreLinks(query: Query, links: ColumnDrop): Promise<number> {
  const { table, column, drop } = links;
  const old = sourceOf(drop, table, column);
  if (old === null) return 0;
  const name = quoted(column.name);
  const { value, fits } = converted(CONVERTING, old, column);
  const same = `s."${SHARD}" = t."${SHARD}" AND s."id" = t."id" AND s.${STATE_COLUMN} = ${ENTRY_STATE.back} AND t.${name} IS NULL`;
  const side = `${sideTable(drop.number)} s`;
  await query(`${migrationUpdateSql(table, `${name} = ${value}`)} FROM ${side} WHERE ${same} AND ${fits}`);
  return onSession(countUnlinked)(query, CONVERTING, links);
}

/** JSON Schemas, which a CHECK cannot express, are checked row by row. */
const CONVERTING: ConversionDialect = { dialect: POSTGRES, conversion: conversionSql, isWithin: () => '1' };

/** Whether a value fits the JSON Schema of its limit. */
function checkOf({ check }: Column): (value: Value) => boolean {
  const jsonCheck = jsonCheckOf(check);
  if (jsonCheck === null) return () => true;
  const fits = validatorOf(jsonCheck);
  return (value) => value === null || fits(value);
}

interface ClaimChange {
  readonly table: Table;
  readonly id: string;
  /** The statement: claims or releases. */
  readonly give: string;
}

/** Claims or releases the row's values for constraints across placements. @param only limits this to constraints with a column */
async function claims(query: Query, { table, id, give }: ClaimChange, only?: string): Promise<void> {
  const across = uniqueKeysOf(table).filter(
    ({ columns, where }) => only === undefined || columns.includes(only) || only in (where ?? {}),
  );
  if (across.length === 0) return;
  const [row = {}] = await query(`SELECT * FROM ${quoted(table.name)} WHERE "${SHARD}" = left($1, 2) AND "id" = $1`, [
    id,
  ]);
  for (const key of across) {
    const parameters = uniqueParameters(key, row);
    if (parameters !== null) await query(give, [...parameters, id]);
  }
}

interface EntryState {
  readonly shard: string;
  readonly id: string;
  readonly state: number;
}

async function mark(query: Query, { number }: DroppedValues, { shard, id, state }: EntryState): Promise<void> {
  await query(`UPDATE ${sideTable(number)} SET ${STATE_COLUMN} = ${state} WHERE "${SHARD}" = $1 AND "id" = $2`, [
    shard,
    id,
  ]);
}

/** False if the work broke a constraint and was rolled back. */
async function attempt(query: Query, work: () => Promise<void>): Promise<boolean> {
  await query('SAVEPOINT restored');
  try {
    await work();
    await query('RELEASE SAVEPOINT restored');
    return true;
  } catch (error) {
    if (!BROKEN.test(codeOf(error))) throw error;
    await query('ROLLBACK TO SAVEPOINT restored');
    return false;
  }
}

/** The error codes of constraints, and of the cast to JSON in a CHECK. */
const BROKEN = /^(23...|22P02)$/;
