// Values of what is dropped, kept aside in tables of their own until they are purged. Putting them back is restore.ts.
import type Database from 'better-sqlite3';
import { quoted } from '../../../schema/ddl.js';
import type { Match } from '../../../schema/match.js';
import type { Column, Table } from '../../../schema/schema.js';
import { hasTable } from './memory.js';

/** What one drop left, in the side table `_punchboard_dropped_<number>`. */
export interface Dropped {
  readonly number: number;
  /** Epoch milliseconds. */
  readonly dropped: number;
  /** The ledger's number of the table. */
  readonly table: number;
  /** `boxtop`, or `boxtop.top_id` for a column; the name that allowed the drop. */
  readonly name: string;
  readonly rows: number;
  /** The columns of the side table beside `id`; one that is called `value` where a column was dropped. */
  readonly columns: readonly Column[];
  /** The column that was dropped, as it was; null for a whole table. */
  readonly column: Column | null;
}

/** Copies what `match` drops; what holds no value leaves nothing. @param done called after every copy */
export function keepDropped(db: Database.Database, match: Match, now: number, done: () => void): void {
  const keep = (table: Table, name: string, column: Column | null): void => {
    copy(db, table, { name, column, dropped: now });
    done();
  };
  for (const table of match.dropped) keep(table, table.name, null);
  for (const { from, to, dropped } of match.kept) {
    for (const column of dropped) keep(from, `${to.name}.${column.name}`, column);
  }
}

/** Newest first. */
export function listDropped(db: Database.Database): readonly Dropped[] {
  if (!hasTable(db, '_punchboard_dropped')) return [];
  const all = db.prepare<[], Row>('SELECT * FROM _punchboard_dropped ORDER BY number DESC').all();
  return all.map(({ definition, ...row }) => ({ ...row, ...(JSON.parse(definition) as Definition) }));
}

/** Removes what was dropped before a moment (epoch milliseconds) for good, from the file too; what it removed. */
export function purge(db: Database.Database, before: number): readonly Dropped[] {
  const gone = listDropped(db).filter(({ dropped }) => dropped < before);
  const remove = db.transaction(() => {
    for (const { number } of gone) {
      db.exec(`DROP TABLE ${sideTable(number)}`);
      db.prepare('DELETE FROM _punchboard_dropped WHERE number = ?').run(number);
    }
  });
  remove.immediate();
  if (gone.length > 0) {
    // Pages that are merely free still hold the values.
    db.exec('VACUUM');
    db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  }
  return gone;
}

export function sideTable(number: number): string {
  return quoted(`_punchboard_dropped_${number}`);
}

type Definition = Pick<Dropped, 'columns' | 'column'>;
type Row = Omit<Dropped, 'columns' | 'column'> & { readonly definition: string };

// AUTOINCREMENT: a purged number is not given again.
const LIST = `
CREATE TABLE IF NOT EXISTS _punchboard_dropped (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  dropped INTEGER NOT NULL,
  "table" INTEGER NOT NULL,
  name TEXT NOT NULL,
  rows INTEGER NOT NULL,
  definition TEXT NOT NULL
) STRICT;
`;

function copy(db: Database.Database, table: Table, drop: Pick<Dropped, 'name' | 'column' | 'dropped'>): void {
  const { column } = drop;
  const source =
    column === null
      ? { columns: table.columns.filter(({ name }) => name !== 'id'), where: '' }
      : { columns: [column], where: ` WHERE ${quoted(column.name)} IS NOT NULL` };
  const rows =
    db
      .prepare<[], number>(`SELECT count(*) FROM ${quoted(table.name)}${source.where}`)
      .pluck()
      .get() ?? 0;
  if (rows === 0) return;
  db.exec(LIST);
  // The table a drop takes its number from is the one of its number, which tables without one are given by the planner.
  const definition: Definition = { columns: source.columns, column };
  const { lastInsertRowid } = db
    .prepare('INSERT INTO _punchboard_dropped (dropped, "table", name, rows, definition) VALUES (?, ?, ?, ?, ?)')
    .run(drop.dropped, table.number, drop.name, rows, JSON.stringify(definition));
  const name = sideTable(Number(lastInsertRowid));
  const columns = source.columns.map((one) => `, ${quoted(one.name)} ${one.type.toUpperCase()}`).join('');
  const names = ['"id"', ...source.columns.map((one) => quoted(one.name))].join(', ');
  db.exec(`CREATE TABLE ${name} ("id" TEXT PRIMARY KEY NOT NULL${columns}) STRICT, WITHOUT ROWID`);
  db.exec(`INSERT INTO ${name} (${names}) SELECT ${names} FROM ${quoted(table.name)}${source.where}`);
}
