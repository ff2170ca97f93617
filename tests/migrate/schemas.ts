// Small hand-written schemas, databases with rows of one, and the parts of databases that can be compared.

import { join } from 'node:path';
import type Database from 'better-sqlite3';
import type { Column, Schema, Table } from '../../runtime/schema/schema.js';
import { sqliteDdl } from '../../runtime/schema/sqlite/ddl.js';
import { connectTo } from '../../runtime/store/sqlite/driver.js';
import { applyTo, type MigrationTarget } from '../../runtime/store/sqlite/migrate/apply.js';
import { openDatabase } from '../../runtime/store/sqlite/open.js';
import { temporaryFolder } from '../support/paths.js';

export const NOW = Date.UTC(2026, 0, 2, 3, 4, 5);

export function column(number: number, name: string, more: Partial<Column> = {}): Column {
  const { type = 'text', references = null } = more;
  const kind = references === null ? type : 'reference';
  return { number, name, type, kind, nullable: false, default: null, check: null, references, ...more };
}

/** A table or column under another name, with its former name, as in the ledger. */
export function renamed<T extends Table | Column>(one: T, name: string): T {
  return name === one.name ? one : { ...one, name, formerly: [...(one.formerly ?? []), one.name] };
}

/** A table with the columns, and an id, which gets the number after the table's. */
export function table(number: number, name: string, columns: readonly Column[], more: Partial<Table> = {}): Table {
  return { number, name, columns: [column(number + 1, 'id'), ...columns], uniques: [], indexes: [], ...more };
}

export function schema(...tables: readonly Table[]): Schema {
  return { revision: 1000, tables };
}

export function refers(to: string, onDelete: 'cascade' | 'set_null' | 'restrict' = 'cascade'): Column['references'] {
  return { table: to, onDelete, inside: true };
}

/** A path in a separate folder. */
export function temporary(name: string): string {
  return join(temporaryFolder('migrate'), name);
}

/** A database file, a new one by default, opened as a server does. */
export function database(file = temporary('data.db')): Database.Database {
  const { db } = openDatabase(file, { owner: false });
  // No power fails here, and many databases are created.
  db.exec('PRAGMA synchronous = OFF');
  return db;
}

/** Applies everything that may be allowed; throws if rows are in the way of the rest. */
export function migrate(db: Database.Database, to: Schema, more: Partial<MigrationTarget> = {}): void {
  applyTo(db, { schema: to, now: NOW, extraDdl: [], permit, ...more });
}

export const permit: MigrationTarget['permit'] = ({ broken }) => {
  const refused = broken.filter(({ allow }) => allow === null);
  if (refused.length > 0) throw new InTheWay(refused.map(({ says }) => says).join('; '));
};

export class InTheWay extends Error {}

/** The tables and indexes of the schema as the database has them, independent of its history. */
export function shapeOf(db: Database.Database, { tables }: Schema): unknown {
  return Object.fromEntries(tables.map(({ name }) => [name, tableShape(db, name)]));
}

const freshShapes = new Map<string, unknown>();

/** The same for a fresh database. */
export function freshShape(of: Schema): unknown {
  const statements = sqliteDdl(of).join(';\n');
  const shape = freshShapes.get(statements) ?? createdShape(of, statements);
  freshShapes.set(statements, shape);
  return shape;
}

function createdShape(of: Schema, statements: string): unknown {
  const db = connectTo(':memory:');
  db.exec(statements);
  const shape = shapeOf(db, of);
  db.close();
  return shape;
}

/** Every row of every table, including side tables and modules' tables. */
export function dump(db: Database.Database): Record<string, unknown[]> {
  const names = db
    .prepare<[], string>(`SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name`)
    .pluck()
    .all();
  const tables = names.filter((name) => !name.startsWith('sqlite_'));
  return Object.fromEntries(tables.map((name) => [name, db.prepare(`SELECT * FROM "${name}" ORDER BY 1`).all()]));
}

interface XInfo {
  readonly name: string;
  readonly type: string;
  readonly notnull: number;
  readonly pk: number;
  readonly hidden: number;
}

function tableShape(db: Database.Database, name: string): unknown {
  const all = <T>(sql: string, of: string): T[] => db.prepare<[string], T>(sql).all(of);
  const columns = all<XInfo>('SELECT name, type, "notnull", pk, hidden FROM pragma_table_xinfo(?) ORDER BY name', name);
  const keys = all(
    'SELECT "table", "from", "to", on_update, on_delete FROM pragma_foreign_key_list(?) ORDER BY "from"',
    name,
  );
  const indexes = all<{ name: string; origin: string }>(
    'SELECT name, "unique", origin, partial FROM pragma_index_list(?)',
    name,
  ).map((index) => ({
    ...index,
    // The engine numbers the indexes of constraints.
    name: index.origin === 'c' ? index.name : '',
    columns: all(`SELECT name, "desc", coll FROM pragma_index_xinfo(?) WHERE key = 1`, index.name),
    sql: db.prepare('SELECT sql FROM sqlite_schema WHERE name = ?').pluck().get(index.name),
  }));
  const sql = db.prepare<[string], string>('SELECT sql FROM sqlite_schema WHERE name = ?').pluck().get(name) ?? '';
  const sorted = indexes.map((index) => JSON.stringify(index)).sort();
  return { columns, keys, indexes: sorted, definitions: definitions(sql) };
}

/** The parts of a CREATE TABLE between its outer commas, sorted, without defaults, on which nothing depends. */
export function definitions(sql: string): readonly string[] {
  const text = sql.replace(/\s+/g, ' ');
  const parts: string[] = [];
  let [depth, start] = [0, 0];
  // Only these signs matter outside of quotes.
  for (const { 0: sign, index } of text.matchAll(/'[^']*'|"[^"]*"|[(),]/g)) {
    if (sign === '(') depth += 1;
    else if (sign === ')') depth -= 1;
    else if (sign === ',' && depth === 1) {
      parts.push(text.slice(start, index));
      start = index + 1;
    }
  }
  parts.push(text.slice(start));
  const bare = parts.map((part) => part.replace(/^CREATE TABLE "[^"]+" \(|\) STRICT, WITHOUT ROWID$/g, ''));
  return bare.map((part) => part.replace(/ DEFAULT ('[^']*'|-?\d+)/, '').trim()).sort();
}
