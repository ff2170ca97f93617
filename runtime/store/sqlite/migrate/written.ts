// Tracks which kept values are still the newest: triggers record when a newer value is written. They exist as long as the values
// are kept.
import type Database from 'better-sqlite3';
import type { Column, Schema, Table } from '../../../schema/schema.js';
import { literal, quoted } from '../../../schema/sql-text.js';
import { type DroppedValues, dropsOfColumn, dropsOfTable, isClearedOnDelete } from '../../kept-values.js';
import { sideTable } from '../../migrate/dropped.js';
import { ENTRY_STATE, STATE_COLUMN } from '../../migrate/session.js';
import { STATE_DEFINITION } from '../session.js';
import { listDropped, WRITTEN_TRIGGER_PREFIX, writtenTrigger } from './dropped.js';

/**
 * Watches the columns and tables that have kept values. Any change of the record counts as well, since it may have written the
 * same value again, which cannot be detected.
 */
export function watchWrites(db: Database.Database, schema: Schema): void {
  const all = listDropped(db);
  for (const table of schema.tables) {
    for (const drop of dropsOfTable(all, schema, table)) {
      watch(db, table, drop, { columns: table.columns.filter(isClearedOnDelete), becomes: ENTRY_STATE.done });
    }
    for (const column of table.columns) {
      for (const drop of dropsOfColumn(all, table, column)) {
        const becomes = drop.column?.number === column.number ? ENTRY_STATE.done : ENTRY_STATE.namesake;
        watch(db, table, drop, { columns: [column], becomes });
      }
    }
  }
}

/** Lets migrations and restores write without marking values as overtaken. @param schema the current schema of the database */
export function stopWatching(db: Database.Database, schema: Schema): void {
  const names = db
    .prepare<[string], string>(
      `SELECT name FROM sqlite_schema WHERE type = 'trigger' AND substr(name, 1, ${WRITTEN_TRIGGER_PREFIX.length}) = ?`,
    )
    .pluck()
    .all(WRITTEN_TRIGGER_PREFIX);
  for (const name of names) db.exec(`DROP TRIGGER ${quoted(name)}`);
  adopt(db, schema);
}

interface WatchedColumns {
  readonly columns: readonly Column[];
  /** The new state of an entry when one of the columns is written. */
  readonly becomes: number;
}

function watch(db: Database.Database, table: Table, drop: DroppedValues, { columns, becomes }: WatchedColumns): void {
  if (columns.length === 0) return;
  const names = [...columns.map(({ name }) => name), ...table.columns.map(({ name }) => name).filter(isDate)];
  const changed = names.map((name) => `NEW.${quoted(name)} IS NOT OLD.${quoted(name)}`).join(' OR ');
  db.exec(
    `CREATE TRIGGER ${writtenTrigger(drop.number)} AFTER UPDATE ON ${quoted(table.name)} WHEN ${changed}
     BEGIN UPDATE ${sideTable(drop.number)} SET ${STATE_COLUMN} = ${becomes}
       WHERE "id" = NEW."id" AND ${STATE_COLUMN} <> ${ENTRY_STATE.done}; END`,
  );
}

/** Whether a column is set whenever a caller changes a record, but not by the service's own bookkeeping. */
function isDate(name: string): boolean {
  return name === 'date_updated';
}

/** Adds the state to side tables of older versions; entries that may be outdated are marked as overtaken. */
function adopt(db: Database.Database, schema: Schema): void {
  const all = listDropped(db);
  const columns = db.prepare<[string, string], number>('SELECT count(*) FROM pragma_table_info(?) WHERE name = ?');
  const known = (drop: DroppedValues): boolean =>
    columns.pluck().get(bare(sideTable(drop.number)), bare(STATE_COLUMN)) === 1;
  const older = all.filter((drop) => !known(drop));
  for (const drop of older) db.exec(`ALTER TABLE ${sideTable(drop.number)} ADD COLUMN ${STATE_DEFINITION}`);
  const overtake = (drop: DroppedValues, ids: string): void => {
    db.exec(`UPDATE ${sideTable(drop.number)} SET ${STATE_COLUMN} = ${ENTRY_STATE.done} WHERE "id" IN (${ids})`);
  };
  for (const drop of older.filter((one) => all.some((other) => isNewer(other, one)))) {
    overtake(drop, `SELECT "id" FROM ${sideTable(drop.number)}`);
  }
  for (const table of schema.tables) {
    const name = quoted(table.name);
    for (const drop of dropsOfTable(older, schema, table)) overtake(drop, `SELECT "id" FROM ${name}`);
    for (const column of table.columns) {
      const filler = `${quoted(column.name)} IS NOT NULL AND ${quoted(column.name)} IS NOT ${literal(column.default)}`;
      for (const drop of dropsOfColumn(older, table, column))
        overtake(drop, `SELECT "id" FROM ${name} WHERE ${filler}`);
    }
  }
}

/** True for a later drop of the same column. */
function isNewer(other: DroppedValues, { number, table, column }: DroppedValues): boolean {
  return column !== null && other.number > number && other.table === table && other.column?.number === column.number;
}

function bare(identifier: string): string {
  return identifier.replaceAll('"', '');
}
