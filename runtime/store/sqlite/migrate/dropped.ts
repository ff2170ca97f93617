// Keeps dropped values, and nulls that a default replaces, in side tables until they are purged.
// restore.ts puts them back; written.ts tracks whether they are still the newest.
import type Database from 'better-sqlite3';
import type { Adoption } from '../../../schema/adopt.js';
import { isFilled } from '../../../schema/fills.js';
import type { Match } from '../../../schema/match.js';
import type { Column, Table } from '../../../schema/schema.js';
import { quoted } from '../../../schema/sql-text.js';
import { adoptedDrops, type Dropped, fitting } from '../../kept-values.js';
import { hasTable } from './memory.js';

/**
 * The state of each row of a side table. open: nothing newer is known. back: the row of a dropped table was restored,
 * and references whose targets do not exist yet may follow. overtaken: it was restored, or something newer was written
 * or dropped; it is never restored again. namesake: something newer was written to a column that only has the same
 * name, into which it is no longer restored.
 */
export const ENTRY = { open: 0, back: 1, overtaken: 2, namesake: 3 } as const;
/** The column that holds the state; the name of a field cannot start with an underscore. */
export const STATE = '"_state"';

/** Copies what `match` drops or fills; nothing is kept if there are no values. @param done called after every copy */
export function keepDropped(db: Database.Database, match: Match, now: number, done: () => void): void {
  const earlier = listDropped(db);
  const keep = (table: Table, name: string, column: Column | null, where = ''): void => {
    const number = copy(db, table, { name, column, where, dropped: now });
    if (number !== null && column !== null) closeUnwritten(db, number, column, fitting(earlier, table, column));
    done();
  };
  for (const table of match.dropped) keep(table, table.name, null);
  for (const { from, to, dropped, kept } of match.kept) {
    for (const column of dropped) {
      keep(from, `${to.name}.${column.name}`, column, ` WHERE ${quoted(column.name)} IS NOT NULL`);
    }
    for (const pair of kept.filter(isFilled)) {
      keep(from, `${to.name}.${pair.to.name}`, pair.from, ` WHERE ${quoted(pair.from.name)} IS NULL`);
    }
  }
}

/** Gives what is kept aside the numbers that its names have on this branch. */
export function adoptDropped(db: Database.Database, adoption: Adoption): void {
  for (const { number, table, columns, column } of adoptedDrops(listDropped(db), adoption)) {
    const definition: Definition = { columns, column };
    db.prepare('UPDATE _punchboard_dropped SET "table" = ?, definition = ? WHERE number = ?').run(
      table,
      JSON.stringify(definition),
      number,
    );
  }
}

/** Newest first. */
export function listDropped(db: Database.Database): readonly Dropped[] {
  if (!hasTable(db, '_punchboard_dropped')) return [];
  const all = db.prepare<[], Row>('SELECT * FROM _punchboard_dropped ORDER BY number DESC').all();
  return all.map(({ definition, ...row }) => ({ ...row, ...(JSON.parse(definition) as Definition) }));
}

/** Permanently removes what was dropped before a time (epoch milliseconds), from the file too. Returns what it removed. */
export function purge(db: Database.Database, before: number): readonly Dropped[] {
  const old = listDropped(db).filter(({ dropped }) => dropped < before);
  const remove = db.transaction(() => {
    for (const { number } of old) {
      db.exec(`DROP TRIGGER IF EXISTS ${writtenTrigger(number)}`);
      db.exec(`DROP TABLE ${sideTable(number)}`);
      db.prepare('DELETE FROM _punchboard_dropped WHERE number = ?').run(number);
    }
  });
  remove.immediate();
  if (old.length > 0) {
    // Pages that are merely free still hold the values.
    db.exec('VACUUM');
    db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  }
  return old;
}

export function sideTable(number: number): string {
  return quoted(`_punchboard_dropped_${number}`);
}

/** SQL condition on the entries of `drop` that may be restored into `column`, over the side table as `s`. */
export function isRestorable(drop: Dropped, column: Column): string {
  const states = drop.column?.number === column.number ? [ENTRY.open, ENTRY.namesake] : [ENTRY.open];
  return `s.${STATE} IN (${states.join(', ')})`;
}

/** The trigger that marks entries of a side table as overtaken. */
export function writtenTrigger(number: number): string {
  return quoted(`${WRITTEN}${number}`);
}

/** The prefix of the names of those triggers. */
export const WRITTEN = '_punchboard_written_';

type Definition = Pick<Dropped, 'columns' | 'column'>;
type Row = Omit<Dropped, 'columns' | 'column'> & { readonly definition: string };

// AUTOINCREMENT: a purged number is not assigned again.
export const LIST = `
CREATE TABLE IF NOT EXISTS _punchboard_dropped (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  dropped INTEGER NOT NULL,
  "table" INTEGER NOT NULL,
  name TEXT NOT NULL,
  rows INTEGER NOT NULL,
  definition TEXT NOT NULL
) STRICT;
`;

export const STATE_COLUMN = `${STATE} INTEGER NOT NULL DEFAULT ${ENTRY.open}`;

interface Copied extends Pick<Dropped, 'name' | 'column' | 'dropped'> {
  /** SQL after the name of the table. */
  readonly where: string;
}

/** The number of the side table; null if there was nothing to copy. */
function copy(db: Database.Database, table: Table, { name, column, dropped, where }: Copied): number | null {
  const from = `${quoted(table.name)}${where}`;
  const rows = db.prepare<[], number>(`SELECT count(*) FROM ${from}`).pluck().get() ?? 0;
  if (rows === 0) return null;
  db.exec(LIST);
  const columns = column === null ? table.columns.filter((one) => one.name !== 'id') : [column];
  const definition: Definition = { columns, column };
  const { lastInsertRowid } = db
    .prepare('INSERT INTO _punchboard_dropped (dropped, "table", name, rows, definition) VALUES (?, ?, ?, ?, ?)')
    .run(dropped, table.number, name, rows, JSON.stringify(definition));
  const number = Number(lastInsertRowid);
  const typed = columns.map((one) => `, ${quoted(one.name)} ${one.type.toUpperCase()}`).join('');
  const names = ['"id"', ...columns.map((one) => quoted(one.name))].join(', ');
  db.exec(
    `CREATE TABLE ${sideTable(number)} ("id" TEXT PRIMARY KEY NOT NULL${typed}, ${STATE_COLUMN}) STRICT, WITHOUT ROWID`,
  );
  db.exec(`INSERT INTO ${sideTable(number)} (${names}) SELECT ${names} FROM ${from}`);
  return number;
}

/** If an earlier drop is still open, nobody has written since: the values in between only came from the migration. */
function closeUnwritten(db: Database.Database, number: number, column: Column, earlier: readonly Dropped[]): void {
  for (const drop of earlier) {
    db.exec(
      `UPDATE ${sideTable(number)} SET ${STATE} = ${ENTRY.overtaken}
       WHERE "id" IN (SELECT s."id" FROM ${sideTable(drop.number)} s WHERE ${isRestorable(drop, column)})`,
    );
  }
}
