// What an operator added to the database by hand: indexes and triggers of tables, views, columns. A migration keeps it or
// refuses by name. What modules make, and this program's own bookkeeping, is none of it.
import type Database from 'better-sqlite3';
import { type Match, matchSchemas, type TablePair } from '../../../schema/match.js';
import type { Step } from '../../../schema/plan.js';
import type { Schema } from '../../../schema/schema.js';
import { quoted } from '../../../schema/sql-text.js';
import { indexName } from '../../../schema/sqlite/ddl.js';
import { StartError } from '../../start-error.js';
import { connectTo } from '../driver.js';

export interface HandMade {
  readonly type: 'view' | 'trigger' | 'index';
  readonly name: string;
  /** The table or view it is on; its own name for a view. */
  readonly on: string;
  readonly sql: string;
  /** False: what it says did not compile before either. */
  readonly works: boolean;
}

export interface Way {
  readonly from: Schema;
  readonly to: Schema;
  readonly steps: readonly Step[];
  /** Statements that run behind the steps: the tables of modules. */
  readonly extraDdl: readonly string[];
}

/** Why the steps are refused for what was made by hand; tried on an empty copy, so that nothing needs to be written. */
export function handMadeInTheWay(db: Database.Database, way: Way): readonly string[] {
  if (way.steps.length === 0) return [];
  const columns = columnsInTheWay(db, matchSchemas(way.from, way.to), way.steps);
  if (columns.length > 0) {
    const many = columns.length > 1 ? 'columns' : 'the column';
    return [
      `${many} ${columns.join(', ')}, made by hand, would go with the values: keep them elsewhere and drop what holds them first`,
    ];
  }
  const copy = connectTo(':memory:');
  try {
    copy.exec('PRAGMA foreign_keys = OFF');
    for (const sql of definitions(db)) defined(copy, sql);
    const made = handMade(copy, way.from);
    setAside(copy, made);
    for (const sql of way.steps.flatMap((step) => step.sql)) copy.exec(sql);
    // What a module lacks is told as that, by whoever makes its tables.
    if (!way.extraDdl.every((sql) => defined(copy, sql))) return [];
    putBack(copy, made);
    return [];
  } catch (error) {
    return [(error as Error).message];
  } finally {
    copy.close();
  }
}

/** What cannot be made a second time (parts of a full-text index, a function's view) is not the plan's to judge. */
function defined(copy: Database.Database, sql: string): boolean {
  try {
    copy.exec(sql);
    return true;
  } catch {
    return false;
  }
}

/** Everything that the database is made of, tables first. */
function definitions(db: Database.Database): readonly string[] {
  const all = db.prepare<[], string>(
    `SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite!_%' ESCAPE '!'
       AND NOT (type = 'trigger' AND name LIKE '!_punchboard%' ESCAPE '!')
     ORDER BY CASE type WHEN 'table' THEN 0 WHEN 'view' THEN 1 WHEN 'index' THEN 2 ELSE 3 END, rowid`,
  );
  return all.pluck().all();
}

/**
 * Columns by hand that `steps` would copy no values of, or whose names they give to columns of their own, as
 * `box.extra`.
 */
function columnsInTheWay(db: Database.Database, match: Match, steps: readonly Step[]): readonly string[] {
  const sql = steps.flatMap((step) => step.sql);
  const gone = (name: string): boolean => sql.includes(`DROP TABLE ${quoted(name)}`);
  const found = (table: string, known: readonly string[]): readonly string[] =>
    columnsOf(db, table).filter((name) => !known.includes(name));
  const named = (table: string, columns: readonly string[]) => columns.map((name) => `${table}.${name}`);
  return [
    ...match.dropped.flatMap(({ name, columns }) => named(name, found(name, namesOf(columns)))),
    ...match.kept.flatMap(({ from, to, added }: TablePair) => {
      const foreign = found(from.name, namesOf(from.columns));
      return named(from.name, gone(to.name) ? foreign : foreign.filter((name) => namesOf(added).includes(name)));
    }),
  ];
}

/** Indexes and triggers by hand, and all views, in an order in which they can be made again. */
export function handMade(db: Database.Database, schema: Schema): readonly HandMade[] {
  const own = new Set(schema.tables.flatMap((table) => table.indexes.map((index) => indexName(table.name, index))));
  const tables = new Set(namesOf(schema.tables));
  const all = db.prepare<[], Omit<HandMade, 'works'>>(
    `SELECT type, name, tbl_name AS "on", sql FROM sqlite_schema
     WHERE type IN ('view', 'trigger', 'index') AND sql IS NOT NULL AND name NOT LIKE '!_punchboard%' ESCAPE '!'
     ORDER BY CASE type WHEN 'view' THEN 0 WHEN 'index' THEN 1 ELSE 2 END, rowid`,
  );
  return all
    .all()
    .filter(({ type, name, on }) => type !== 'index' || (tables.has(on) && !own.has(name)))
    .map((one) => ({ ...one, works: compiles(db, one) }));
}

/** Takes views and triggers out of the way of a rebuild, which stops at what does not compile in between. */
export function setAside(db: Database.Database, made: readonly HandMade[]): void {
  for (const { type, name } of made) {
    // A trigger of a view goes with it.
    if (type !== 'index') db.exec(`DROP ${type} IF EXISTS ${quoted(name)}`);
  }
}

/** Makes again what a rebuild took along; throws StartError, naming what does not fit the new tables. */
export function putBack(db: Database.Database, made: readonly HandMade[]): void {
  const exists = db.prepare('SELECT 1 FROM sqlite_schema WHERE type = ? AND name = ?');
  const lost = made.filter(({ type, name }) => exists.get(type, name) === undefined);
  for (const one of lost) attempt(one, () => db.exec(one.sql));
  // Views may be made of each other.
  for (const one of lost) {
    if (one.works) attempt(one, () => compile(db, one));
  }
}

function attempt({ type, name, on }: HandMade, work: () => void): void {
  try {
    work();
  } catch (error) {
    const what = type === 'view' ? `the view ${name}` : `the ${type} ${name} of ${on}`;
    throw new StartError(
      `${what}, made by hand, does not fit the new schema (${(error as Error).message}): ` +
        'drop it first, and make it again afterwards',
    );
  }
}

function compiles(db: Database.Database, one: Omit<HandMade, 'works'>): boolean {
  try {
    compile(db, one);
    return true;
  } catch {
    return false;
  }
}

/** Has SQLite read all that a view or a trigger names; throws its error. */
function compile(db: Database.Database, { type, name, on, sql }: Omit<HandMade, 'works'>): void {
  if (type === 'view') db.prepare(`SELECT * FROM ${quoted(name)}`);
  if (type !== 'trigger') return;
  const columns = db.prepare<[string], string>('SELECT name FROM pragma_table_info(?)').pluck().all(on).map(quoted);
  const same = columns.map((column) => `${column} = ${column}`).join(', ');
  // A trigger is read together with the statement that fires it.
  db.prepare(`INSERT INTO ${quoted(on)} (${columns.join(', ')}) VALUES (${columns.map(() => 'NULL').join(', ')})`);
  db.prepare(`UPDATE ${quoted(on)} SET ${same}`);
  db.prepare(`DELETE FROM ${quoted(on)}`);
  const lost = watched(sql).find((column) => !columnsOf(db, on).some((name) => name.toLowerCase() === column));
  if (lost !== undefined) throw new Error(`no such column: ${lost}`);
}

/** The columns of `UPDATE OF`, in small letters: SQLite takes any name there, and never fires the trigger for it. */
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
