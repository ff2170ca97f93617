// Every value is kept, from any earlier state, over one or several edits; the result has the shape of a fresh database.

import type Database from 'better-sqlite3';
import fc from 'fast-check';
import type { Column, Schema, Table } from '../../runtime/schema/schema.js';
import { listDropped } from '../../runtime/store/sqlite/migrate/dropped.js';
import { count } from '../support/counts.js';
import { type Draw, LAST_EDIT, schemasOf } from './edits.js';
import { database, freshShape, InTheWay, migrate, shapeOf } from './schemas.js';
import { addWords, words } from './words.js';

type Value = string | number | null;
/** By table number, id and column number. */
type Content = Map<number, Map<string, Map<number, Value>>>;

const ROWS = 4;

/** Rows of every table; references go to a row of the same position, so that all are valid. */
function contentOf({ tables }: Schema): Content {
  return new Map(
    tables.map((table) => [
      table.number,
      new Map(
        Array.from({ length: ROWS }, (_, row) => [
          `r${row}`,
          new Map(table.columns.map((each) => [each.number, valueIn(each, row)])),
        ]),
      ),
    ]),
  );
}

function valueIn({ name, number, type, nullable, references }: Column, row: number): Value {
  if (name === 'id') return `r${row}`;
  if (references !== null) return nullable && row % 2 === 0 ? null : `r${(row + 1) % ROWS}`;
  if (nullable && row === 1) return null;
  const value = number * 10 + row;
  return type === 'text' ? String(value) : value;
}

function insert(db: Database.Database, { tables }: Schema, content: Content): void {
  db.exec('PRAGMA foreign_keys = OFF');
  for (const table of tables) {
    const names = table.columns.map(({ name }) => `"${name}"`).join();
    const put = db.prepare(`INSERT INTO "${table.name}" (${names}) VALUES (${table.columns.map(() => '?').join()})`);
    for (const row of content.get(table.number)?.values() ?? [])
      put.run(table.columns.map(({ number }) => row.get(number)));
  }
  addWords(db, { revision: 0, tables });
  db.exec('PRAGMA foreign_keys = ON');
}

function stored(db: Database.Database, { tables }: Schema): Content {
  const rows = (of: Table) => db.prepare<[], Record<string, Value>>(`SELECT * FROM "${of.name}" ORDER BY id`).all();
  return new Map(
    tables.map((table) => [
      table.number,
      new Map(
        rows(table).map((row) => [
          String(row.id),
          new Map(table.columns.map(({ name, number }) => [number, row[name] ?? null])),
        ]),
      ),
    ]),
  );
}

/** The content after a migration, which depends only on the numbers. */
function expected(content: Content, { tables }: Schema): Content {
  return new Map(
    tables.map((table) => [
      table.number,
      new Map(
        [...(content.get(table.number) ?? [])].map(([id, row]) => [
          id,
          new Map(table.columns.map((each) => [each.number, after(row, each)])),
        ]),
      ),
    ]),
  );
}

function after(row: Map<number, Value>, { number, type, nullable, default: value }: Column): Value {
  const old = row.get(number);
  if (old === undefined) return value;
  if (old === null) return nullable ? null : value;
  return type === 'text' ? String(old) : Number(old);
}

function sound(db: Database.Database, schema: Schema): void {
  expect(shapeOf(db, schema)).toEqual(freshShape(schema));
  expect(db.prepare('PRAGMA foreign_key_check').all()).toEqual([]);
  const { actual, expected } = words(db, schema);
  expect(actual).toEqual(expected);
  expect(db.prepare('PRAGMA integrity_check').pluck().all()).toEqual(['ok']);
  expect(db.prepare('PRAGMA foreign_keys').pluck().get()).toBe(1);
}

/** Migrates, or is refused by rows and leaves everything unchanged; returns whether it migrated. */
function migrated(db: Database.Database, from: Schema, to: Schema, content: Content): boolean {
  try {
    migrate(db, to);
    return true;
  } catch (error) {
    if (!(error instanceof InTheWay)) throw error;
    expect(stored(db, from)).toEqual(content);
    return false;
  }
}

/** Migrates from one state directly to the last. */
function migrateDirectly(from: Schema, to: Schema): boolean {
  const db = database();
  migrate(db, from);
  const content = contentOf(from);
  insert(db, from, content);
  const succeeded = migrated(db, from, to, content);
  if (succeeded) {
    expect(stored(db, to)).toEqual(expected(content, to));
    sound(db, to);
    expect(keptAside(db)).toEqual(dropped(content, from, to));
  }
  db.close();
  return succeeded;
}

/** How many values are kept aside, by the column's number; for a table, the number of rows. */
function keptAside(db: Database.Database): Record<string, number> {
  const all = listDropped(db).map(({ column, table, rows }) => [
    column === null ? `table ${table}` : column.number,
    rows,
  ]);
  return Object.fromEntries(all) as Record<string, number>;
}

function dropped(content: Content, from: Schema, to: Schema): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const table of from.tables) {
    const now = to.tables.find(({ number }) => number === table.number);
    if (now === undefined) counts[`table ${table.number}`] = ROWS;
    for (const { number } of now === undefined ? [] : table.columns) {
      const stays = now?.columns.find((each) => each.number === number);
      // Nulls are kept if a default replaces them, values if the column is dropped.
      const isDropped = (value: Value | undefined): boolean => (stays === undefined ? value !== null : value === null);
      if (stays?.nullable === true) continue;
      const values = [...(content.get(table.number)?.values() ?? [])].filter((row) => isDropped(row.get(number)));
      if (values.length > 0) counts[number] = values.length;
    }
  }
  return counts;
}

/** Migrates through every state, one after another. */
function stepwise(schemas: readonly Schema[]): void {
  const [first, ...others] = schemas as [Schema, ...Schema[]];
  const db = database();
  migrate(db, first);
  let content = contentOf(first);
  insert(db, first, content);
  let at = first;
  for (const next of others) {
    if (!migrated(db, at, next, content)) break;
    content = expected(content, next);
    expect(stored(db, next)).toEqual(content);
    sound(db, next);
    at = next;
  }
  db.close();
}

const TIMEOUT_MS = count(300_000, 900_000);
const draws = fc.array(fc.tuple(fc.nat(LAST_EDIT), fc.nat(99), fc.nat(9)), { minLength: 1, maxLength: 8 });

describe('values over any edits', () => {
  test(
    'from every earlier state directly',
    () => {
      let succeeded = 0;
      let tried = 0;
      const property = fc.property(draws, (edits: readonly Draw[]) => {
        const schemas = schemasOf(edits);
        const last = schemas.at(-1) as Schema;
        for (const from of schemas.slice(0, -1)) {
          tried += 1;
          if (migrateDirectly(from, last)) succeeded += 1;
        }
      });
      fc.assert(property, { numRuns: count(60, 2000) });
      // Most edits are allowed; a property that is always refused would prove nothing.
      expect(succeeded / tried).toBeGreaterThan(0.5);
    },
    TIMEOUT_MS,
  );

  test(
    'step by step',
    () => {
      fc.assert(
        fc.property(draws, (edits: readonly Draw[]) => stepwise(schemasOf(edits))),
        { numRuns: count(60, 2000) },
      );
    },
    TIMEOUT_MS,
  );
});
