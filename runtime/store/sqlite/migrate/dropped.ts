// Keeps dropped values aside on SQLite, all of them before the first step. restore.ts restores them; written.ts tracks whether
// they are still the newest.
import type Sqlite from 'better-sqlite3';
import type { Adoption } from '../../../schema/adopt.js';
import { isFilled } from '../../../schema/fills.js';
import type { Match } from '../../../schema/match.js';
import type { Column, Table } from '../../../schema/schema.js';
import { quoted } from '../../../schema/sql-text.js';
import { type DroppedValues, dropsOfColumn } from '../../kept-values.js';
import * as verbs from '../../migrate/dropped.js';
import { sideTable } from '../../migrate/dropped.js';
import { ENTRY_STATE, STATE_COLUMN } from '../../migrate/session.js';
import { onSession } from '../session.js';

export const listDropped = onSession(verbs.listDropped);
const keep = onSession(verbs.keepDropped);

/** Copies the values that `match` drops and the nulls that it fills, if any. @param done called after every copy */
export function keepDropped(db: Sqlite.Database, match: Match, now: number, done: () => void): void {
  const earlier = listDropped(db);
  const keepOne = (table: Table, name: string, column: Column | null, where: string | null = null): void => {
    const columns = column === null ? table.columns.filter((one) => one.name !== 'id') : [column];
    const number = keep(db, { table, name, columns, column, where, filler: null }, now);
    if (number !== null && column !== null) closeUnwritten(db, number, column, dropsOfColumn(earlier, table, column));
    done();
  };
  for (const table of match.dropped) keepOne(table, table.name, null);
  for (const { from, to, dropped, kept } of match.kept) {
    for (const column of dropped) {
      keepOne(from, `${to.name}.${column.name}`, column, `${quoted(column.name)} IS NOT NULL`);
    }
    for (const pair of kept.filter(isFilled)) {
      keepOne(from, `${to.name}.${pair.to.name}`, pair.from, `${quoted(pair.from.name)} IS NULL`);
    }
  }
}

/** Gives values kept aside the numbers that their names have on this branch. */
export function adoptDropped(db: Sqlite.Database, adoption: Adoption): void {
  for (const sql of onSession(verbs.adoptDropped)(db, adoption)) db.exec(sql);
}

/** Permanently removes values dropped before a time (epoch milliseconds), also from the file. @returns the removed drops */
export function purgeDropped(db: Sqlite.Database, before: number): readonly DroppedValues[] {
  const remove = db.transaction(() => {
    const removed = onSession(verbs.purgeDropped)(db, before);
    for (const { number } of removed) db.exec(`DROP TRIGGER IF EXISTS ${writtenTrigger(number)}`);
    return removed;
  });
  const old = remove.immediate();
  if (old.length > 0) {
    // Pages that are merely free still hold the values.
    db.exec('VACUUM');
    db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  }
  return old;
}

/** SQL condition on the entries of `drop` that may be restored into `column`, over the side table as `s`. */
export function isRestorable(drop: DroppedValues, column: Column): string {
  const states = drop.column?.number === column.number ? [ENTRY_STATE.open, ENTRY_STATE.namesake] : [ENTRY_STATE.open];
  return `s.${STATE_COLUMN} IN (${states.join(', ')})`;
}

/** The trigger that marks entries of a side table as overtaken. */
export function writtenTrigger(number: number): string {
  return quoted(`${WRITTEN_TRIGGER_PREFIX}${number}`);
}

/** The prefix of the names of those triggers. */
export const WRITTEN_TRIGGER_PREFIX = '_punchboard_written_';

/** If an earlier drop is still open, nobody has written since: the values in between were only those of the migration. */
function closeUnwritten(db: Sqlite.Database, number: number, column: Column, earlier: readonly DroppedValues[]): void {
  for (const drop of earlier) {
    db.exec(
      `UPDATE ${sideTable(number)} SET ${STATE_COLUMN} = ${ENTRY_STATE.done}
       WHERE "id" IN (SELECT s."id" FROM ${sideTable(drop.number)} s WHERE ${isRestorable(drop, column)})`,
    );
  }
}
