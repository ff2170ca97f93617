// The trap of table rebuilds: with foreign keys on, the rows of child tables are deleted, without an error. Here they stay.

import type Database from 'better-sqlite3';
import { planSqlite } from '../../runtime/schema/sqlite/plan.js';
import { column, database, migrate, NOW, refers, schema, table } from './schemas.js';

const name = column(3, 'name', { check: { rule: 'length', min: 1, max: 9 } });
const child = table(10, 'piece', [column(12, 'box_id', { references: refers('box') })]);
const from = schema(table(1, 'box', [name]), child);
/** The box is rebuilt, since its limit differs. */
const to = schema(table(1, 'box', [{ ...name, check: null }]), child);
/** A module's own table, which no schema contains. */
const NOTES = `CREATE TABLE IF NOT EXISTS note (
  id TEXT PRIMARY KEY, box_id TEXT NOT NULL REFERENCES "box" (id) ON DELETE CASCADE) STRICT, WITHOUT ROWID`;

function filled(): Database.Database {
  const db = database();
  migrate(db, from, { extraDdl: [NOTES] });
  db.exec(`INSERT INTO box VALUES ('b', 'a'); INSERT INTO piece VALUES ('p', 'b'); INSERT INTO note VALUES ('n', 'b')`);
  return db;
}

const counts = (db: Database.Database) =>
  ['box', 'piece', 'note'].map((each) => db.prepare(`SELECT count(*) FROM "${each}"`).pluck().get());

describe('a rebuilt table', () => {
  for (const pragma of ['foreign_keys = ON', 'defer_foreign_keys = ON']) {
    test(`the same steps by hand with ${pragma} empty the child tables without an error`, () => {
      const db = filled();
      db.exec('PRAGMA foreign_keys = ON');
      const run = db.transaction(() => {
        db.exec(`PRAGMA ${pragma}`);
        for (const sql of planSqlite(from, to).steps.flatMap((step) => step.sql)) db.exec(sql);
      });
      run.immediate();
      expect(counts(db)).toEqual([1, 0, 0]);
      expect(db.prepare('PRAGMA foreign_key_check').all()).toEqual([]);
    });
  }

  test('keeps its child tables, including those of modules', () => {
    const db = filled();
    migrate(db, to);
    expect(counts(db)).toEqual([1, 1, 1]);
    expect(db.prepare('PRAGMA foreign_key_check').all()).toEqual([]);
  });

  test('foreign keys work afterwards', () => {
    const db = filled();
    migrate(db, to);
    expect(() => db.exec(`INSERT INTO piece VALUES ('q', 'nowhere')`)).toThrow('FOREIGN KEY');
    db.exec(`DELETE FROM box`);
    expect(counts(db)).toEqual([0, 0, 0]);
  });

  test('a reference of a module follows a rename, even if two tables swap names', () => {
    const db = filled();
    const swapped = schema(
      table(10, 'box', [column(12, 'box_id', { references: refers('piece') })], { formerly: ['piece'] }),
      table(1, 'piece', [name], { formerly: ['box'] }),
    );
    migrate(db, swapped, { extraDdl: [NOTES] });
    expect(db.prepare('SELECT * FROM piece').all()).toEqual([{ id: 'b', name: 'a' }]);
    expect(db.prepare('PRAGMA foreign_key_list(note)').all()).toMatchObject([{ table: 'piece' }]);
    db.exec('DELETE FROM piece');
    expect(counts(db)).toEqual([0, 0, 0]);
  });

  test('foreign keys are on even after a failure, and nothing was changed', () => {
    const db = filled();
    const failing = { onStep: (step: number) => expect(step).toBeLessThan(4) };
    expect(() => migrate(db, to, failing)).toThrow();
    expect(db.prepare('PRAGMA foreign_keys').pluck().get()).toBe(1);
    expect(counts(db)).toEqual([1, 1, 1]);
    expect(() => db.exec(`UPDATE box SET name = '0123456789'`)).toThrow('box_name_check');
  });

  test('a rebuild within a transaction is refused, since foreign keys would stay on', () => {
    const db = filled();
    db.exec('BEGIN');
    expect(() => migrate(db, to)).toThrow('foreign keys cannot be switched off');
    db.exec('ROLLBACK');
    expect(counts(db)).toEqual([1, 1, 1]);
  });

  test('a row that would have no target is refused', () => {
    const db = filled();
    db.exec(`PRAGMA foreign_keys = OFF; INSERT INTO piece VALUES ('q', 'nowhere'); PRAGMA foreign_keys = ON`);
    expect(() => migrate(db, to)).toThrow(
      '1 row would refer to nothing, the first from piece to box: nothing was changed',
    );
    expect(db.prepare(`SELECT applied FROM _punchboard_history`).pluck().all()).toEqual([NOW]);
  });
});
