// Brings a database to the schema the server was built with, as far as additions go; refuses all that touches stored rows.
import type Database from 'better-sqlite3';
import { columnDefinition, createIndex, indexName, quoted, sqliteDdl } from '../../schema/ddl.js';
import type { Column, Schema, Table } from '../../schema/schema.js';
import { StartError } from './start-error.js';

/**
 * Makes the tables of a fresh database, adds what an older one lacks (tables, indexes, columns that need no value),
 * leaves one of this schema alone, and refuses any other with StartError. All in one transaction.
 * @param now epoch milliseconds
 * @param extraDdl further statements that may be repeated, `CREATE TABLE IF NOT EXISTS ...`
 */
export function bringToSchema(
  db: Database.Database,
  schema: Schema,
  now: number,
  extraDdl: readonly string[] = [],
): void {
  const bring = db.transaction(() => {
    const remembered = rememberedSchema(db);
    const statements = remembered ? additions(remembered, schema) : freshStatements(db, schema);
    for (const statement of [...statements, ...extraDdl]) db.exec(statement);
    if (!remembered || JSON.stringify(remembered) !== JSON.stringify(schema)) remember(db, schema, now);
  });
  bring.immediate();
}

/** The schema a database was last brought to; null for one that never was. */
export function rememberedSchema(db: Database.Database): Schema | null {
  if (!hasTable(db, '_punchboard')) return null;
  const text = db.prepare<[], string>(`SELECT value FROM _punchboard WHERE key = 'schema'`).pluck().get();
  return text === undefined ? null : (JSON.parse(text) as Schema);
}

function freshStatements(db: Database.Database, schema: Schema): string[] {
  const foreign = db.prepare<[], string>(`SELECT name FROM sqlite_schema WHERE name NOT LIKE 'sqlite!_%' ESCAPE '!'`);
  const [name] = foreign.pluck().all();
  if (name !== undefined) {
    throw new StartError(`the database holds ${name}, which this program did not make: choose another path`);
  }
  return sqliteDdl(schema);
}

function remember(db: Database.Database, schema: Schema, now: number): void {
  db.exec(
    'CREATE TABLE IF NOT EXISTS _punchboard (key TEXT PRIMARY KEY NOT NULL, value TEXT NOT NULL) STRICT, WITHOUT ROWID',
  );
  const put = db.prepare('INSERT OR REPLACE INTO _punchboard (key, value) VALUES (?, ?)');
  put.run('schema', JSON.stringify(schema));
  put.run('brought_at', String(now));
}

function hasTable(db: Database.Database, name: string): boolean {
  return db.prepare(`SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?`).get(name) !== undefined;
}

/** Statements that lead from `old` to `schema`; throws StartError where additions do not. */
function additions(old: Schema, schema: Schema): string[] {
  if (old.revision > schema.revision) {
    throw new StartError(
      `the database was made by a newer version (revision ${old.revision}, this server knows ${schema.revision}): ` +
        'start the newer server or restore a backup',
    );
  }
  const known = new Map(old.tables.map((table) => [table.name, table]));
  const kept = new Set(schema.tables.map((table) => table.name));
  for (const name of known.keys()) if (!kept.has(name)) throw beyondStart(name, 'was removed');
  const added = schema.tables.filter((table) => !known.has(table.name));
  const grown = schema.tables.flatMap((table) => tableAdditions(known.get(table.name) ?? table, table));
  return [...sqliteDdl({ revision: schema.revision, tables: added }), ...grown];
}

function tableAdditions(old: Table, table: Table): string[] {
  const known = new Map(old.columns.map((column) => [column.name, column]));
  const kept = new Set(table.columns.map((column) => column.name));
  for (const column of old.columns) {
    if (!kept.has(column.name)) throw beyondStart(`${table.name}.${column.name}`, lost(column, table));
  }
  // Their order is that of the fields, and says nothing.
  const unique = table.uniques.find((columns) => !includes(old.uniques, columns));
  if (unique) throw beyondStart(`${table.name}.${unique.join(', ')}`, 'is unique now');
  const free = old.uniques.find((columns) => !includes(table.uniques, columns));
  if (free) throw beyondStart(`${table.name}.${free.join(', ')}`, 'is no longer unique');
  const columns = table.columns.flatMap((column) => columnAddition(table.name, known.get(column.name), column));
  return [...columns, ...indexAdditions(old, table)];
}

function columnAddition(table: string, old: Column | undefined, column: Column): string[] {
  const where = `${table}.${column.name}`;
  if (old) {
    // A default only serves rows from before the column, so another one changes nothing.
    if (same({ ...old, default: null }, { ...column, default: null })) return [];
    throw beyondStart(where, `has ${differences(old, column)}`);
  }
  if (!column.nullable && column.default === null) throw beyondStart(where, 'is new and needs a value in every row');
  // SQLite adds a reference to an existing table only where old rows hold NULL.
  if (column.references && column.default !== null)
    throw beyondStart(where, 'is new and refers to a record by default');
  return [`ALTER TABLE ${quoted(table)} ADD COLUMN ${columnDefinition(table, column)}`];
}

function indexAdditions(old: Table, table: Table): string[] {
  const gone = old.indexes.find((index) => !includes(table.indexes, index));
  if (gone) throw beyondStart(`${table.name}.${indexName(table.name, gone)}`, 'was removed');
  const added = table.indexes.filter((index) => !includes(old.indexes, index));
  return added.map((index) => createIndex(table.name, index));
}

function lost(column: Column, table: Table): string {
  const renamed = column.number > 0 && table.columns.find((other) => other.number === column.number);
  return renamed ? `was renamed to ${renamed.name}` : 'was removed';
}

/** What differs between two states of a column, in the words of a descriptor. */
function differences(old: Column, column: Column): string {
  const words: readonly [keyof Column, string][] = [
    ['number', 'been replaced by another field of its name'],
    ['type', 'another kind'],
    ['nullable', column.nullable ? 'become optional' : 'become required'],
    ['check', 'another limit'],
    ['references', 'another reference'],
  ];
  return words.flatMap(([key, word]) => (same(old[key], column[key]) ? [] : [word])).join(', ');
}

function beyondStart(what: string, why: string): StartError {
  return new StartError(
    `${what} ${why}: a start makes no change that touches stored rows; the server that made this database still runs on it`,
  );
}

function includes(all: readonly unknown[], wanted: unknown): boolean {
  return all.some((one) => same(one, wanted));
}

function same(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
