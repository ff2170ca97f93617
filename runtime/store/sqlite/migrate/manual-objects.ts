// Objects that an operator added by hand: indexes, triggers, views and columns. A migration keeps them, or refuses and names
// them. The tables of modules and this program's own bookkeeping are not included.
import type Database from 'better-sqlite3';
import { contentIndexName } from '../../../schema/content-index.js';
import { type Match, matchSchemas, type TablePair } from '../../../schema/match.js';
import type { Schema } from '../../../schema/schema.js';
import { quoted } from '../../../schema/sql-text.js';
import { indexName } from '../../../schema/sqlite/ddl.js';
import type { SqliteStep } from '../../../schema/sqlite/plan.js';
import { lostColumns } from '../../migrate/pending.js';
import { StartError } from '../../start-error.js';
import { connectTo } from '../driver.js';
import { isAdded } from '../tables.js';
import { registerFillFunctions } from './functions.js';

export interface ManualObject {
  readonly type: 'view' | 'trigger' | 'index';
  readonly name: string;
  /** The table or view of the object; for a view, its own name. */
  readonly on: string;
  readonly sql: string;
  /** False: the object did not compile before the migration either. */
  readonly isValid: boolean;
}

export interface MigrationPath {
  readonly from: Schema;
  readonly to: Schema;
  readonly steps: readonly SqliteStep[];
  /** Statements that run after the steps: the tables of modules. */
  readonly extraDdl: readonly string[];
}

/** The reasons to refuse the steps because of objects added by hand; found on an empty copy, so that nothing is written. */
export function findManualConflicts(db: Database.Database, way: MigrationPath): readonly string[] {
  if (way.steps.length === 0) return [];
  const columns = conflictingColumns(db, matchSchemas(way.from, way.to), way.steps);
  if (columns.length > 0) return lostColumns(columns);
  const copy = connectTo(':memory:');
  try {
    copy.exec('PRAGMA foreign_keys = OFF');
    registerFillFunctions(copy, way.to);
    for (const sql of definitions(db)) defined(copy, sql);
    const added = listManualObjects(copy, way.from);
    dropManualObjects(copy, added);
    for (const sql of way.steps.flatMap((step) => step.sql)) copy.exec(sql);
    // A name that a module needs and the schema lacks is reported when the module's tables are created.
    if (!way.extraDdl.every((sql) => isAdded(copy, sql) || defined(copy, sql))) return [];
    recreateManualObjects(copy, added);
    return [];
  } catch (error) {
    return [(error as Error).message];
  } finally {
    copy.close();
  }
}

/** False for an object that cannot be created in a copy, such as a part of a full-text index: it is not checked. */
function defined(copy: Database.Database, sql: string): boolean {
  try {
    copy.exec(sql);
    return true;
  } catch {
    return false;
  }
}

/** The definitions of everything in the database, tables first. */
function definitions(db: Database.Database): readonly string[] {
  const all = db.prepare<[], string>(
    `SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite!_%' ESCAPE '!'
       AND NOT (type = 'trigger' AND name LIKE '!_punchboard%' ESCAPE '!')
     ORDER BY CASE type WHEN 'table' THEN 0 WHEN 'view' THEN 1 WHEN 'index' THEN 2 ELSE 3 END, rowid`,
  );
  return all.pluck().all();
}

/** Columns added by hand, `box.extra`, whose values `steps` would not copy, or whose names they use for new columns. */
function conflictingColumns(db: Database.Database, match: Match, steps: readonly SqliteStep[]): readonly string[] {
  const sql = steps.flatMap((step) => step.sql);
  const isDropped = (name: string): boolean => sql.includes(`DROP TABLE ${quoted(name)}`);
  const unknownColumns = (table: string, known: readonly string[]): readonly string[] =>
    columnsOf(db, table).filter((name) => !known.includes(name));
  const named = (table: string, columns: readonly string[]) => columns.map((name) => `${table}.${name}`);
  return [
    ...match.dropped.flatMap(({ name, columns }) => named(name, unknownColumns(name, namesOf(columns)))),
    ...match.kept.flatMap(({ from, to, added }: TablePair) => {
      const foreign = unknownColumns(from.name, namesOf(from.columns));
      return named(from.name, isDropped(to.name) ? foreign : foreign.filter((name) => namesOf(added).includes(name)));
    }),
  ];
}

/** Indexes and triggers added by hand, and all views, in an order in which they can be created again. */
export function listManualObjects(db: Database.Database, schema: Schema): readonly ManualObject[] {
  const ownNames = new Set(
    schema.tables.flatMap(({ name, indexes }) => [
      contentIndexName(name),
      ...indexes.map((index) => indexName(name, index)),
    ]),
  );
  const tables = new Set(namesOf(schema.tables));
  const all = db.prepare<[], Omit<ManualObject, 'isValid'>>(
    `SELECT type, name, tbl_name AS "on", sql FROM sqlite_schema
     WHERE type IN ('view', 'trigger', 'index') AND sql IS NOT NULL AND name NOT LIKE '!_punchboard%' ESCAPE '!'
     ORDER BY CASE type WHEN 'view' THEN 0 WHEN 'index' THEN 1 ELSE 2 END, rowid`,
  );
  return all
    .all()
    .filter(({ type, name, on }) => type !== 'index' || (tables.has(on) && !ownNames.has(name)))
    .map((one) => ({ ...one, isValid: compiles(db, one) }));
}

/** Drops views and triggers before a rebuild, which fails if any of them does not compile in between. */
export function dropManualObjects(db: Database.Database, added: readonly ManualObject[]): void {
  for (const { type, name } of added) {
    // A trigger on a view is dropped with it.
    if (type !== 'index') db.exec(`DROP ${type} IF EXISTS ${quoted(name)}`);
  }
}

/** Creates objects again that were dropped for a rebuild; throws StartError, naming one that does not fit the new tables. */
export function recreateManualObjects(db: Database.Database, added: readonly ManualObject[]): void {
  const exists = db.prepare('SELECT 1 FROM sqlite_schema WHERE type = ? AND name = ?');
  const lost = added.filter(({ type, name }) => exists.get(type, name) === undefined);
  for (const one of lost) attempt(one, () => db.exec(one.sql));
  // Views may refer to each other, so they are compiled once all exist.
  for (const one of lost) {
    if (one.isValid) attempt(one, () => compile(db, one));
  }
}

function attempt({ type, name, on }: ManualObject, work: () => void): void {
  try {
    work();
  } catch (error) {
    const subject = type === 'view' ? `the view ${name}` : `the ${type} ${name} of ${on}`;
    throw new StartError(
      `${subject}, added by hand, does not fit the new schema (${(error as Error).message}): ` +
        'drop it first, and create it again afterwards',
    );
  }
}

function compiles(db: Database.Database, one: Omit<ManualObject, 'isValid'>): boolean {
  try {
    compile(db, one);
    return true;
  } catch {
    return false;
  }
}

/** Makes SQLite resolve every name in a view or a trigger; throws SQLite's error. */
function compile(db: Database.Database, { type, name, on, sql }: Omit<ManualObject, 'isValid'>): void {
  if (type === 'view') db.prepare(`SELECT * FROM ${quoted(name)}`);
  if (type !== 'trigger') return;
  const columns = db.prepare<[string], string>('SELECT name FROM pragma_table_info(?)').pluck().all(on).map(quoted);
  const same = columns.map((column) => `${column} = ${column}`).join(', ');
  // A trigger is compiled together with the statement that fires it.
  db.prepare(`INSERT INTO ${quoted(on)} (${columns.join(', ')}) VALUES (${columns.map(() => 'NULL').join(', ')})`);
  db.prepare(`UPDATE ${quoted(on)} SET ${same}`);
  db.prepare(`DELETE FROM ${quoted(on)}`);
  const lost = watched(sql).find((column) => !columnsOf(db, on).some((name) => name.toLowerCase() === column));
  if (lost !== undefined) throw new Error(`no such column: ${lost}`);
}

/** The columns of `UPDATE OF`, in lower case: SQLite accepts any name there, and never fires the trigger for an unknown one. */
function watched(sql: string): readonly string[] {
  const [, list = ''] = /\bUPDATE\s+OF\s+(.+?)\s+ON\b/is.exec(sql) ?? [];
  const names = list.split(',').map((name) =>
    name
      .trim()
      .replace(/^["'`[]|["'`\]]$/g, '')
      .toLowerCase(),
  );
  return names.filter((name) => name !== '');
}

function columnsOf(db: Database.Database, table: string): readonly string[] {
  return db.prepare<[string], string>('SELECT name FROM pragma_table_xinfo(?)').pluck().all(table);
}

function namesOf(all: readonly { readonly name: string }[]): readonly string[] {
  return all.map(({ name }) => name);
}
