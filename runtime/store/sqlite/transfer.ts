// Both ends of a copy on SQLite: reads the rows of a service, or writes them into a new file.
import { existsSync } from 'node:fs';
import type Database from 'better-sqlite3';
import type { Column, Schema, Table } from '../../schema/schema.js';
import { quoted } from '../../schema/sql-text.js';
import { sqliteDdl } from '../../schema/sqlite/ddl.js';
import { migrationUpdateSql } from '../../schema/version.js';
import { SIDE_TABLE_PREFIX } from '../migrate/dropped.js';
import { readAnyMetadata } from '../migrate/metadata.js';
import { StartError } from '../start-error.js';
import {
  BATCH,
  type CopyOrigin,
  createKept,
  isContinued,
  type Key,
  notEmpty,
  selectionOf,
  type TransferAccess,
  type TransferRow,
  type TransferSource,
  type TransferTable,
  type TransferTarget,
  transferTables,
  unlikeProgram,
} from '../transfer.js';
import { SQLITE } from './dialect.js';
import { sqliteCode } from './engine-error.js';
import { listDropped } from './migrate/dropped.js';
import { readStoredSchema, storeSchema } from './migrate/metadata.js';
import { watchWrites } from './migrate/written.js';
import { explainError, openDatabase } from './open.js';
import { DROPPED_TABLE, onSession } from './session.js';
import { engineTables } from './tables.js';
import { addWords, registerWordFunction } from './words.js';

/** Servers are locked out until the work is done; it does not see what commands write meanwhile. Throws StartError. */
export async function withSqliteSource<T>(
  file: string,
  access: TransferAccess,
  work: (source: TransferSource) => Promise<T>,
): Promise<T> {
  if (!existsSync(file)) throw new StartError(`there is no database ${file} to copy`);
  const { db, close } = openDatabase(file, { owner: true });
  try {
    // The transaction shows everything as of this moment.
    db.exec('BEGIN');
    return await work(sourceOf(db, file, access));
  } finally {
    close();
  }
}

function sourceOf(db: Database.Database, file: string, access: TransferAccess): TransferSource {
  if (JSON.stringify(readStoredSchema(db)) !== JSON.stringify(access.schema)) throw unlikeProgram(file);
  const tables = transferTables(access, listDropped(db));
  try {
    for (const table of tables) db.prepare(selection(table));
  } catch (error) {
    throw sqliteCode(error) === 'SQLITE_ERROR' ? unlikeProgram(file) : error;
  }
  return {
    tables,
    count: async (table) =>
      db
        .prepare<[], number>(`SELECT count(*) FROM (${selection(table)})`)
        .pluck()
        .get() ?? 0,
    async *rows(table, after) {
      try {
        yield* rowsOf(db, table, after);
      } catch (error) {
        throw explainError(error, file);
      }
    },
  };
}

/** The file is created, or continued if it is an unfinished copy of the same source. Throws StartError for any other. */
export async function withSqliteTarget<T>(
  file: string,
  access: TransferAccess,
  { origin, work }: { readonly origin: CopyOrigin; readonly work: (target: TransferTarget) => Promise<T> },
): Promise<T> {
  const { db, close } = openDatabase(file, { owner: true });
  try {
    // Rows arrive in the order of their ids, and may refer to later rows.
    db.exec('PRAGMA foreign_keys = OFF');
    begin(db, file, access, origin);
    return await work(targetOf(db, access.schema));
  } catch (error) {
    throw explainError(error, file);
  } finally {
    close();
  }
}

function begin(db: Database.Database, file: string, { schema, definitions }: TransferAccess, origin: CopyOrigin): void {
  if (isContinued(onSession(readAnyMetadata)(db), file, schema, origin)) return;
  const [found] = db.prepare<[], string>('SELECT name FROM sqlite_schema').pluck().all();
  if (found !== undefined) throw notEmpty(file, `it has ${found}`);
  const create = db.transaction(() => {
    storeSchema(db, schema, [], origin.now);
    db.prepare(`INSERT INTO _punchboard (key, value) VALUES ('copy', ?)`).run(origin.place);
    for (const sql of [...sqliteDdl(schema), ...engineTables(definitions)]) db.exec(sql);
    if (origin.tables.some(({ name }) => name.startsWith(SIDE_TABLE_PREFIX))) db.exec(DROPPED_TABLE);
    onSession(createKept)(db, origin);
  });
  create.immediate();
}

function targetOf(db: Database.Database, schema: Schema): TransferTarget {
  registerWordFunction(db);
  const tables = new Map(schema.tables.map((table) => [table.name, table]));
  return {
    rows: (table, after) => rowsOf(db, table, after),
    last: async ({ name, key }) =>
      db
        .prepare<[], Key | null>(`SELECT max(${quoted(key)}) FROM ${quoted(name)}`)
        .pluck()
        .get() ?? null,
    async write(table, rows) {
      const insert = db.prepare(insertion(table));
      const writeAll = db.transaction(() => {
        for (const row of rows) insert.run(row);
        const schemaTable = tables.get(table.name);
        if (schemaTable !== undefined) addWords(db, schemaTable, idsOf(table, rows));
      });
      writeAll.immediate();
    },
    async finish() {
      db.exec('PRAGMA foreign_keys = ON');
      db.transaction(() => finish(db, schema)).immediate();
      db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    },
  };
}

function idsOf({ columns, key }: TransferTable, rows: readonly TransferRow[]): readonly unknown[] {
  const at = columns.findIndex(({ name }) => name === key);
  return rows.map((row) => row[at]);
}

function finish(db: Database.Database, schema: Schema): void {
  for (const table of schema.tables) for (const column of table.columns) sweepReference(db, table, column);
  const broken = db.prepare<[], { readonly table: string; readonly parent: string }>('PRAGMA foreign_key_check').get();
  if (broken !== undefined)
    throw new StartError(`a row of ${broken.table} refers to one of ${broken.parent} that is missing`);
  watchWrites(db, schema);
  db.exec(`DELETE FROM _punchboard WHERE key = 'copy'`);
}

/** A source without foreign keys across placements may have references to deleted records, which are not shown there. */
function sweepReference(db: Database.Database, table: Table, { name: column, nullable, references }: Column): void {
  if (references === null || references.inside || references.onDelete === 'restrict') return;
  const statement = nullable
    ? migrationUpdateSql(table, `${quoted(column)} = NULL`)
    : `DELETE FROM ${quoted(table.name)}`;
  db.exec(
    `${statement} WHERE ${quoted(column)} IS NOT NULL AND ${quoted(column)} NOT IN (SELECT "id" FROM ${quoted(references.table)})`,
  );
}

async function* rowsOf(
  db: Database.Database,
  table: TransferTable,
  after: Key | null,
): AsyncGenerator<readonly TransferRow[]> {
  const from = after === null ? '' : ` WHERE ${quoted(table.key)} > ?`;
  const statement = db.prepare(`SELECT * FROM (${selection(table)})${from} ORDER BY ${quoted(table.key)}`);
  let batch: TransferRow[] = [];
  for (const row of statement.raw().iterate(...(after === null ? [] : [after]))) {
    batch.push(row as TransferRow);
    if (batch.length < BATCH) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

/** The column of a password tag has another name in files. */
const STORED: Readonly<Record<string, string>> = { 'session.password_tag': '"stamp"' };

function selection(table: TransferTable): string {
  return selectionOf(SQLITE, table, STORED);
}

function insertion({ name, columns }: TransferTable): string {
  const names = columns.map((column) => STORED[`${name}.${column.name}`] ?? quoted(column.name));
  return `INSERT INTO ${quoted(name)} (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`;
}
