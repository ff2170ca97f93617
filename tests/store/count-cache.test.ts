// A long list is counted again after any write, and only then.

import Database from 'better-sqlite3';
import { createCountCache } from '../../runtime/store/sqlite/count-cache.js';
import { openDatabase } from '../../runtime/store/sqlite/open.js';
import { temporary } from './setup.js';

const LONG = 101;

/** @returns a list of `rows` rows, functions that return its count and how often SQLite has counted, and another connection */
function listOf(rows: number) {
  const file = temporary('data.db');
  const { db } = openDatabase(file, { owner: false });
  db.exec('CREATE TABLE x (id INTEGER PRIMARY KEY, list TEXT NOT NULL) STRICT');
  const insert = (into: Database.Database) => into.prepare("INSERT INTO x (list) VALUES ('one')").run();
  for (let at = 0; at < rows; at += 1) insert(db);
  const counting = db
    .prepare<{ list: string }, [number, number]>('SELECT count(*), count(*) FROM x WHERE list = @list')
    .raw();
  let counted = 0;
  let afterCount = () => {};
  const count = createCountCache(db)((bound) => {
    counted += 1;
    const counts = counting.get(bound as { list: string }) ?? [0, 0];
    afterCount();
    return counts;
  });
  return {
    db,
    other: new Database(file),
    insert,
    /** Calls back after each count, before the cache gets it. */
    interruptCounts: (interruption: () => void) => {
      afterCount = interruption;
    },
    counts: () => [count({ list: 'one' })[0], counted] as const,
    otherList: () => [count({ list: 'two' })[0], counted] as const,
  };
}

describe('the counts of lists', () => {
  test('a long list is counted once', () => {
    const { counts } = listOf(LONG);
    expect([counts(), counts()]).toEqual([
      [LONG, 1],
      [LONG, 1],
    ]);
  });

  test('a short list is counted each time', () => {
    const { counts } = listOf(LONG - 1);
    expect([counts(), counts()]).toEqual([
      [LONG - 1, 1],
      [LONG - 1, 2],
    ]);
  });

  test('another list has its own count', () => {
    const { counts, otherList } = listOf(LONG);
    expect([counts(), otherList(), counts()]).toEqual([
      [LONG, 1],
      [0, 2],
      [LONG, 2],
    ]);
  });

  test('a write of the same connection is counted', () => {
    const { db, insert, counts } = listOf(LONG);
    counts();
    insert(db);
    expect(counts()).toEqual([LONG + 1, 2]);
    db.exec('DELETE FROM x');
    expect(counts()).toEqual([0, 3]);
  });

  test('a write of another connection is counted', () => {
    const { other, insert, counts } = listOf(LONG);
    counts();
    insert(other);
    expect(counts()).toEqual([LONG + 1, 2]);
  });

  test('a write of another connection during a count is counted', () => {
    const { other, insert, counts, interruptCounts } = listOf(LONG);
    interruptCounts(() => void insert(other));
    counts();
    interruptCounts(() => {});
    expect(counts()[0]).toBe(LONG + 1);
  });

  test('within a transaction that reads, writes of other connections are not counted', () => {
    const { db, other, insert, counts } = listOf(LONG);
    counts();
    db.exec('BEGIN');
    db.exec('SELECT 1 FROM x');
    insert(other);
    expect(counts()[0]).toBe(LONG);
    db.exec('COMMIT');
    expect(counts()[0]).toBe(LONG + 1);
  });

  test('a write that is rolled back is not counted', () => {
    const { db, insert, counts } = listOf(LONG);
    counts();
    db.exec('BEGIN');
    insert(db);
    db.exec('ROLLBACK');
    expect(counts()[0]).toBe(LONG);
  });
});
