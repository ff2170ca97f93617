import { renameSync, writeFileSync } from 'node:fs';
import Database from 'better-sqlite3';
import { ServiceError } from '../../runtime/contract/errors.js';
import { createGroupCommit } from '../../runtime/store/sqlite/group-commit.js';
import { openDatabase } from '../../runtime/store/sqlite/open.js';
import { refused, temporary } from './setup.js';

function withTable() {
  const file = temporary('data.db');
  const { db } = openDatabase(file, { owner: false });
  db.exec('CREATE TABLE x (id INTEGER PRIMARY KEY) STRICT');
  const insert = db.prepare('INSERT INTO x VALUES (?)');
  const ids = (from: Database.Database) => from.prepare('SELECT id FROM x ORDER BY id').pluck().all();
  return { file, db, insert, ids, commits: createGroupCommit(db) };
}

/**
 * A table whose write lock another connection holds, and a clock whose timers run only when the test calls them. The lock is
 * held only while something refers to `other`: a connection that is garbage-collected releases it.
 */
function openLocked() {
  const timers: (() => void)[] = [];
  const clock = { now: 0, tick: () => clock.now, later: (work: () => void) => void timers.push(work) };
  const table = withTable();
  const commits = createGroupCommit(table.db, { clock });
  const locker = new Database(table.file);
  locker.exec('BEGIN IMMEDIATE');
  return { ...table, commits, clock, timers, other: locker };
}
/** Resolves in the next turn of the event loop. */
const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('group commit', () => {
  test('answers a write only once other connections can see it', async () => {
    const { file, insert, ids, commits } = withTable();
    const reader = new Database(file, { readonly: true });
    const seen = await Promise.all([1, 2, 3].map((id) => commits.submit(() => insert.run(id)).then(() => ids(reader))));
    expect(seen).toEqual([
      [1, 2, 3],
      [1, 2, 3],
      [1, 2, 3],
    ]);
  });

  test('writes that arrive together share one transaction', async () => {
    const { file, db, insert, ids, commits } = withTable();
    const reader = new Database(file, { readonly: true });
    let committed = 0;
    const states: unknown[] = [];
    const writes = [1, 2].map((id) =>
      commits.submit(() => {
        states.push([db.inTransaction, ids(reader)]);
        return insert.run(id);
      }),
    );
    for (const write of writes) write.then(() => (committed += 1));
    expect(states).toEqual([]);
    await Promise.all(writes);
    expect([states, committed, db.inTransaction]).toEqual([Array(2).fill([true, []]), 2, false]);
  });

  test('a failed write leaves no trace and does not affect the writes beside it', async () => {
    const { db, insert, ids, commits } = withTable();
    const results = await Promise.allSettled([
      commits.submit(() => insert.run(1) && 'one'),
      commits.submit(() => {
        insert.run(2);
        throw new Error('no');
      }),
      commits.submit(() => {
        insert.run(3);
        insert.run(1);
      }),
      commits.submit(() => insert.run(4) && 'four'),
    ]);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected', 'fulfilled']);
    expect(ids(db)).toEqual([1, 4]);
  });

  test('a failed write in a transaction of its own leaves no trace', async () => {
    const { db, insert, ids, commits } = withTable();
    const refusal = new ServiceError('forbidden', 'no');
    const failing = commits.submit(() => {
      insert.run(1);
      throw refusal;
    });
    await expect(failing).rejects.toBe(refusal);
    expect([ids(db), db.inTransaction]).toEqual([[], false]);
    await commits.submit(() => insert.run(2));
    expect(ids(db)).toEqual([2]);
  });

  test('an async write is refused and rolled back', async () => {
    const { db, insert, ids, commits } = withTable();
    await expect(commits.submit(async () => insert.run(1))).rejects.toThrow('may not await');
    expect(ids(db)).toEqual([]);
  });

  test('more writes than fit into a batch are answered in order', async () => {
    const { db, insert, ids, commits } = withTable();
    const order: number[] = [];
    const numbers = Array.from({ length: 600 }, (_, index) => index);
    await Promise.all(numbers.map((id) => commits.submit(() => insert.run(id)).then(() => order.push(id))));
    expect(order).toEqual(numbers);
    expect(ids(db)).toHaveLength(600);
  });

  describe('F23: a write lock of another process', () => {
    test('is waited for without blocking: reads continue, and the writes follow once it is released', async () => {
      const { commits, insert, ids, db, timers, other } = openLocked();
      const writes = [1, 2].map((id) => commits.submit(() => insert.run(id)));
      await turn();
      expect([ids(db), timers.length, db.inTransaction]).toEqual([[], 1, false]);
      timers.shift()?.();
      writes.push(commits.submit(() => insert.run(3)));
      await turn();
      // The third waits with the others, on a single timer.
      expect(timers).toHaveLength(1);
      other.exec('ROLLBACK');
      timers.shift()?.();
      await Promise.all(writes);
      expect([ids(db), timers.length]).toEqual([[1, 2, 3], 0]);
    });

    test('refuses each write that has waited five seconds, and only those', async () => {
      const { commits, insert, ids, db, clock, timers, other } = openLocked();
      const early = refused(commits.submit(() => insert.run(1)));
      await turn();
      clock.now = 4_000;
      const late = commits.submit(() => insert.run(2));
      clock.now = 5_000;
      timers.shift()?.();
      expect(await early).toMatchObject({ code: 'unavailable', message: 'the database is busy; try again' });
      other.exec('ROLLBACK');
      timers.shift()?.();
      await late;
      expect(ids(db)).toEqual([2]);
    });

    test('does not keep a statement waiting inside SQLite', () => {
      const { db } = openLocked();
      expect(db.pragma('busy_timeout', { simple: true })).toBe(0);
    });
  });

  describe('N04: long writes', () => {
    /** Returns a function that submits a write which records its name. */
    function openRecorder() {
      const table = withTable();
      const order: string[] = [];
      const note = (name: string, longOf?: string) =>
        table.commits.submit(() => {
          order.push(name);
          table.insert.run(order.length);
        }, longOf);
      return { ...table, order, note };
    }

    test('let short writes in between, and alternate between clients', async () => {
      const { order, note } = openRecorder();
      const early = [note('a1', 'a'), note('a2', 'a'), note('a3', 'a'), note('b1', 'b'), note('x')];
      // A write that arrives while a long one runs goes before the next long one.
      await early[0];
      const late = [note('y'), note('z')];
      await Promise.all([...early, ...late]);
      expect(order).toEqual(['x', 'a1', 'y', 'z', 'b1', 'a2', 'a3']);
    });

    test('each have a transaction of their own, and requests are read in between', async () => {
      const { db, note, ids } = openRecorder();
      const reads: number[] = [];
      let isOver = false;
      // Reads once in each turn of the event loop, as requests do.
      const read = () => {
        reads.push(ids(db).length);
        if (!isOver) setImmediate(read);
      };
      setImmediate(read);
      await Promise.all([note('a1', 'a'), note('a2', 'a'), note('a3', 'a')]);
      isOver = true;
      expect(reads).toEqual(expect.arrayContaining([1, 2]));
    });

    test('do not starve behind short writes', async () => {
      const { order, note } = openRecorder();
      let isDone = false;
      const long = note('long', 'a').then(() => (isDone = true));
      while (!isDone) await note('short');
      await long;
      expect(order.indexOf('long')).toBeLessThan(3);
    });

    test('that wait for a lock of another process are refused like others', async () => {
      const { commits, insert, clock, timers, other } = openLocked();
      const long = refused(commits.submit(() => insert.run(1), 'a'));
      await turn();
      clock.now = 5_000;
      timers.shift()?.();
      expect((await long).code).toBe('unavailable');
      other.exec('ROLLBACK');
    });
  });

  test('F36: nothing is written to a database file that was deleted, replaced or moved, until it is back', async () => {
    const { file, insert, ids, db, commits } = withTable();
    await commits.submit(() => insert.run(1));
    renameSync(file, `${file}-moved`);
    expect((await refused(commits.submit(() => insert.run(2)))).code).toBe('unavailable');
    writeFileSync(file, '');
    expect((await refused(commits.submit(() => insert.run(3)))).message).toContain('moved or replaced');
    renameSync(`${file}-moved`, file);
    await commits.submit(() => insert.run(4));
    expect(ids(db)).toEqual([1, 4]);
  });

  test('writes to a full disk are refused as storage full, and later writes succeed', async () => {
    const { db, insert, ids, commits } = withTable();
    db.exec('CREATE TABLE big (text TEXT) STRICT');
    const pages = db.pragma('page_count', { simple: true }) as number;
    db.pragma(`max_page_count = ${pages}`);
    const results = await Promise.allSettled([
      commits.submit(() => insert.run(1)),
      commits.submit(() => db.prepare('INSERT INTO big VALUES (?)').run('x'.repeat(100_000))),
    ]);
    expect(results.at(1)).toMatchObject({ status: 'rejected', reason: { code: 'storage_full' } });
    db.pragma('max_page_count = 1000000');
    await commits.submit(() => insert.run(5));
    // Exactly the writes that were acknowledged are stored.
    expect(ids(db)).toEqual(results[0]?.status === 'fulfilled' ? [1, 5] : [5]);
    expect(db.inTransaction).toBe(false);
  });

  test('a failed commit rejects all its writes with its error', async () => {
    const { db, insert, ids, commits } = withTable();
    db.exec('CREATE TABLE y (x INTEGER REFERENCES x (id) DEFERRABLE INITIALLY DEFERRED) STRICT');
    // Only a deferred constraint fails at COMMIT; a savepoint within a transaction lets it pass.
    const results = await Promise.allSettled([
      commits.submit(() => insert.run(1)),
      commits.submit(() => db.exec('INSERT INTO y VALUES (99)')),
    ]);
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(db.inTransaction).toBe(false);
    await commits.submit(() => insert.run(2));
    expect(ids(db)).toEqual([2]);
  });

  test('close commits the queue and accepts no further writes', async () => {
    const { db, insert, ids, commits } = withTable();
    const write = commits.submit(() => insert.run(1));
    commits.close();
    expect(ids(db)).toEqual([1]);
    await write;
    expect((await refused(commits.submit(() => insert.run(2)))).code).toBe('unavailable');
  });
});
