// Restores dropped values unless newer ones were written or dropped: values of a column into rows that still exist, and rows of a
// table that no longer exist. The side tables stay until they are purged.
import type Database from 'better-sqlite3';
import type { Column, Schema, Table } from '../../../schema/schema.js';
import { quoted } from '../../../schema/sql-text.js';
import { conversionSql } from '../../../schema/sqlite/conversions.js';
import { fitsSchema } from '../../../schema/sqlite/risks.js';
import { migrationUpdateSql } from '../../../schema/version.js';
import { type DroppedValues, findRestoreTarget, isClearedOnDelete, sourceOf } from '../../kept-values.js';
import { sideTable } from '../../migrate/dropped.js';
import {
  type ColumnDrop,
  type ConversionDialect,
  converted,
  countUnlinked,
  restoredRow,
} from '../../migrate/restore.js';
import { ENTRY_STATE, STATE_COLUMN } from '../../migrate/session.js';
import type { RestoredDrop } from '../../schema-migrator.js';
import { SQLITE } from '../dialect.js';
import { registerJsonFunction } from '../json-function.js';
import { onSession } from '../session.js';
import { rewriteWords } from '../words.js';
import { isRestorable, listDropped } from './dropped.js';
import { readStoredSchema } from './metadata.js';
import { stopWatching, watchWrites } from './written.js';

/**
 * Restores the values or rows dropped under a name, the newest drop first. Returns how many of each drop were restored. Those
 * that break a limit, have no target, or were written or dropped again since are not restored.
 * @param name as for `findRestoreTarget`, whose errors it throws
 */
export function restore(db: Database.Database, name: string): readonly RestoredDrop[] {
  const work = db.transaction(() => {
    // Rows of one table may refer to each other in any order.
    db.exec('PRAGMA defer_foreign_keys = ON');
    const schema = readStoredSchema(db) ?? { revision: 0, tables: [] };
    const { table, column, drops } = findRestoreTarget(schema, name, listDropped(db));
    registerJsonFunction(db);
    stopWatching(db, schema);
    const restored = drops.map((drop) => ({
      drop,
      ...(column === null
        ? restoreRows(db, schema, table, drop)
        : { restored: restoreValues(db, table, column, drop), unlinked: 0 }),
    }));
    rewriteWords(db, table);
    watchWrites(db, schema);
    return restored;
  });
  return work.immediate();
}

function restoreValues(db: Database.Database, table: Table, column: Column, drop: DroppedValues): number {
  const { value, fits } = converted(CONVERTING, drop.column ?? column, column);
  const side = sideTable(drop.number);
  const open = `${isRestorable(drop, column)} AND ${fits}`;
  // OR IGNORE skips rows where the value breaks a limit or is no longer unique.
  const { changes } = db
    .prepare(
      `${migrationUpdateSql(table, `${quoted(column.name)} = (SELECT ${value} FROM ${side} s WHERE s."id" = t."id")`, ' OR IGNORE')}
       WHERE "id" IN (SELECT s."id" FROM ${side} s WHERE ${open})`,
    )
    .run();
  db.exec(
    `UPDATE ${side} AS s SET ${STATE_COLUMN} = ${ENTRY_STATE.done}
     WHERE ${open} AND EXISTS (
       SELECT 1 FROM ${quoted(table.name)} t WHERE t."id" = s."id" AND t.${quoted(column.name)} IS ${value})`,
  );
  return changes;
}

function restoreRows(
  db: Database.Database,
  schema: Schema,
  table: Table,
  drop: DroppedValues,
): Omit<RestoredDrop, 'drop'> {
  const name = quoted(table.name);
  const side = sideTable(drop.number);
  const { values, conditions } = restoredRow(CONVERTING, table, drop);
  const { changes } = db
    .prepare(
      `INSERT OR IGNORE INTO ${name} (${table.columns.map((column) => quoted(column.name)).join(', ')})
       SELECT ${values.join(', ')} FROM ${side} s WHERE s.${STATE_COLUMN} = ${ENTRY_STATE.open} AND ${conditions.join(' AND ')}`,
    )
    .run();
  const restored = changes - removeDangling(db, schema, table);
  db.exec(
    `UPDATE ${side} SET ${STATE_COLUMN} = ${ENTRY_STATE.back} WHERE ${STATE_COLUMN} = ${ENTRY_STATE.open} AND "id" IN (SELECT "id" FROM ${name})`,
  );
  const unlinked = table.columns.filter(isClearedOnDelete).map((column) => restoreLinks(db, { table, column, drop }));
  return { restored, unlinked: unlinked.reduce((sum, one) => sum + one, 0) };
}

/** Restores the references whose targets exist. Returns how many stay empty. */
function restoreLinks(db: Database.Database, links: ColumnDrop): number {
  const { table, column, drop } = links;
  const old = sourceOf(drop, table, column);
  if (old === null) return 0;
  const [side, target] = [sideTable(drop.number), quoted(column.name)];
  const { value, fits } = converted(CONVERTING, old, column);
  db.exec(
    `${migrationUpdateSql(table, `${target} = (SELECT ${value} FROM ${side} s WHERE s."id" = t."id")`, ' OR IGNORE')}
     WHERE ${target} IS NULL AND "id" IN (SELECT s."id" FROM ${side} s WHERE s.${STATE_COLUMN} = ${ENTRY_STATE.back} AND ${fits})`,
  );
  return onSession(countUnlinked)(db, CONVERTING, links);
}

const CONVERTING: ConversionDialect = { dialect: SQLITE, conversion: conversionSql, isWithin: fitsSchema };

/** Removes rows that refer to rows of their own table that were not restored. Returns how many. */
function removeDangling(db: Database.Database, { tables }: Schema, table: Table): number {
  const columns = tables.find(({ number }) => number === table.number)?.columns ?? [];
  const name = quoted(table.name);
  const dangling = columns
    .filter(({ references }) => references?.table === table.name)
    .map(
      ({ name: column }) => `(${quoted(column)} IS NOT NULL AND ${quoted(column)} NOT IN (SELECT "id" FROM ${name}))`,
    );
  if (dangling.length === 0) return 0;
  const remove = db.prepare(`DELETE FROM ${name} WHERE ${dangling.join(' OR ')}`);
  let removed = 0;
  for (;;) {
    const { changes } = remove.run();
    if (changes === 0) return removed;
    removed += changes;
  }
}
