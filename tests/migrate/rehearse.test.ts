// A rehearsal finds everything that a faulty migration does to the rows: each fault is planted, and must be named.

import { existsSync, writeFileSync } from 'node:fs';
import type Database from 'better-sqlite3';
import type { Check, ChoiceName, Schema } from '../../runtime/schema/schema.js';
import { planSqlite } from '../../runtime/schema/sqlite/plan.js';
import type { Rehearsal } from '../../runtime/store/schema-migrator.js';
import { storeSchema } from '../../runtime/store/sqlite/migrate/metadata.js';
import { rehearse } from '../../runtime/store/sqlite/migrate/rehearse.js';
import { fixture } from './command.js';
import { column, database, dump, migrate, NOW, refers, renamed, schema, table, temporary } from './schemas.js';

const name = column(3, 'name', { check: { rule: 'length', min: 1, max: 9 } });
const size = column(4, 'size', { type: 'integer', nullable: true });
const sort = column(7, 'sort', { check: choice({ name: 'big' }) });
const die = table(10, 'die', [column(12, 'box_id', { nullable: true, references: refers('box') })]);
const FROM = schema(table(1, 'box', [name, size, sort]), die);
/** Another name, another type, a renamed value, a default for empty values, a new table, a dropped column. */
const TO = schema(
  table(1, 'box', [
    renamed(name, 'title'),
    { ...size, nullable: false, default: 5 },
    { ...sort, check: choice({ name: 'huge', formerly: ['big'] }) },
    column(6, 'count', { type: 'integer', default: 1 }),
  ]),
  table(10, 'die', []),
  table(20, 'card', []),
);
const SESSIONS = 'CREATE TABLE IF NOT EXISTS session (id TEXT PRIMARY KEY, used INTEGER) STRICT';

function choice(first: Omit<ChoiceName, 'number'>): Check {
  const names = [
    { number: 30, ...first },
    { number: 31, name: 'small' },
  ];
  return { rule: 'choice', names };
}

function filled(): Database.Database {
  const db = database();
  migrate(db, FROM, { extraDdl: [SESSIONS] });
  db.exec(`
    INSERT INTO box VALUES ('a', 'one', 1, 'big'), ('b', 'two', NULL, 'big'), ('c', 'three', 3, 'small');
    INSERT INTO die VALUES ('d', 'a'), ('e', NULL);
    INSERT INTO session VALUES ('s', 1), ('t', 2)`);
  return db;
}

function rehearsed(apply: (db: Database.Database) => void, to: Schema = TO): Rehearsal {
  const db = filled();
  const before = dump(db);
  const copy = temporary('copy.db');
  const clock = [1000, 1250];
  const done = rehearse(db, { schema: to, copy, apply, tick: () => clock.shift() ?? 0 });
  expect(dump(db)).toEqual(before);
  expect([copy, `${copy}-wal`, `${copy}-shm`].filter(existsSync)).toEqual([]);
  return done;
}

const after =
  (sql: string) =>
  (db: Database.Database): void => {
    migrate(db, TO);
    db.exec('PRAGMA foreign_keys = OFF');
    db.exec(sql);
  };

const FAULTS: Readonly<Record<string, readonly [sql: string, findings: readonly string[]]>> = {
  RowLost: [
    `DELETE FROM box WHERE id = 'b'`,
    [
      'box: 2 rows instead of 3',
      'box.id: 2 values instead of 3',
      'box.title: 2 values instead of 3',
      'box.size: 2 values instead of 3',
      'box.sort: 2 values instead of 3',
      'box.count: 2 values instead of 3',
    ],
  ],
  ValueChanged: [`UPDATE box SET title = 'One' WHERE id = 'a'`, ['box.title: the values differ']],
  ValueRenamedTwice: [`UPDATE box SET sort = 'huge'`, ['box.sort: the values differ']],
  ValuesChangedPlaces: [
    `UPDATE box SET title = CASE id WHEN 'a' THEN 'two' ELSE 'one' END WHERE id IN ('a', 'b')`,
    ['box.title: the values differ'],
  ],
  NewTableFilled: [`INSERT INTO card VALUES ('x')`, ['card: 1 rows instead of 0']],
  KeptAsideLost: [`DELETE FROM _punchboard_dropped_2`, ['die.box_id, kept aside: 0 values instead of 1']],
  NullsLost: [`DELETE FROM _punchboard_dropped_1`, ['box.size, kept aside: 0 nulls instead of 1']],
  ModulesRowsLost: [`DELETE FROM session`, ['session: 0 rows instead of 2']],
  ModulesValueChanged: [`UPDATE session SET used = 9`, ['session.used: the values differ']],
};

describe('rehearse', () => {
  test('a correct migration has no findings', () => {
    expect(rehearsed((db) => migrate(db, TO))).toEqual({ rows: 7, tables: 3, duration: 250, findings: [] });
  });

  for (const [title, [sql, findings]] of Object.entries(FAULTS)) {
    test(title, () => expect(rehearsed(after(sql)).findings).toEqual(findings));
  }

  test('emptied child tables, the trap of rebuilds', () => {
    const to = schema(table(1, 'box', [{ ...name, check: null }, size, sort]), die);
    const trap = (db: Database.Database): void => {
      for (const sql of planSqlite(FROM, to).steps.flatMap((step) => step.sql)) db.exec(sql);
      storeSchema(db, to, [], NOW);
    };
    expect(rehearsed(trap, to).findings).toContain('die: 1 rows instead of 2');
  });

  test('a reference without a target', () => {
    const to = schema(table(1, 'box', [name, size]), die, table(20, 'card', []));
    const dangling = (db: Database.Database): void => {
      migrate(db, to);
      db.exec(`PRAGMA foreign_keys = OFF; UPDATE die SET box_id = 'x' WHERE box_id = 'a'`);
    };
    expect(rehearsed(dangling, to).findings).toEqual([
      'die.box_id: the values differ',
      'die: a row refers to a box that does not exist',
    ]);
  });

  test('the files of a killed rehearsal do not disturb the next one', () => {
    const db = filled();
    const copy = temporary('copy.db');
    for (const end of ['', '-wal', '-shm']) writeFileSync(copy + end, 'half a copy');
    const apply = (on: Database.Database): void => migrate(on, TO);
    expect(rehearse(db, { schema: TO, copy, apply, tick: () => 0 }).findings).toEqual([]);
    expect([copy, `${copy}-wal`, `${copy}-shm`].filter(existsSync)).toEqual([]);
    db.close();
  });

  test('copies of ended processes are deleted, those of running ones stay', async () => {
    const at = fixture(FROM, '');
    const [ended, running] = [`${at.file}-rehearsal-999999999`, `${at.file}-rehearsal-${process.ppid}`];
    const files = [ended, `${ended}-wal`, running, `${at.file}-rehearsal-notes`];
    for (const file of files) writeFileSync(file, '');
    expect((await at.run(['rehearse'], TO)).code).toBe(0);
    expect(files.map((file) => existsSync(file))).toEqual([false, false, true, true]);
  });

  test('a failure leaves no copy', () => {
    const copy = temporary('copy.db');
    const failing = { schema: TO, copy, tick: () => 0, apply: () => expect(1).toBe(2) };
    expect(() => rehearse(filled(), failing)).toThrow();
    expect(existsSync(copy)).toBe(false);
  });
});
