import Database from 'better-sqlite3';
import { createGroupCommit, createSharedReads } from '../../runtime/store/sqlite/group-commit.js';
import { openDatabase } from '../../runtime/store/sqlite/open.js';
import { temporary } from './setup.js';

/** One connection with shared reads, and another that writes. */
function pair() {
  const file = temporary('data.db');
  const { db } = openDatabase(file, { owner: false });
  db.exec('CREATE TABLE x (id INTEGER PRIMARY KEY) STRICT');
  const reads = createSharedReads(db);
  const other = new Database(file);
  const insert = other.prepare('INSERT INTO x VALUES (?)');
  const ids = db.prepare<[], number>('SELECT id FROM x ORDER BY id').pluck();
  const commits = createGroupCommit(db, { reads });
  return { db, reads, commits, write: (id: number) => void insert.run(id), ids: () => ids.all() };
}

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

describe('shared reads', () => {
  test('see one state from the second request to the end of the turn of the event loop', async () => {
    const { db, reads, write, ids } = pair();
    reads.begin();
    expect(db.inTransaction).toBe(false);
    reads.begin();
    const before = ids();
    write(1);
    reads.begin();
    expect([before, ids()]).toEqual([[], []]);
    await turn();
    expect(ids()).toEqual([1]);
  });

  test('are not shared by requests of different turns', async () => {
    const { db, reads } = pair();
    for (let request = 0; request < 3; request += 1) {
      reads.begin();
      expect(db.inTransaction).toBe(false);
      await turn();
    }
  });

  test('see what was written before the first of them, or before they are ended', () => {
    const { reads, write, ids } = pair();
    reads.begin();
    reads.begin();
    write(1);
    expect(ids()).toEqual([1]);
    write(2);
    expect(ids()).toEqual([1]);
    reads.end();
    expect(ids()).toEqual([1, 2]);
    reads.begin();
    expect(ids()).toEqual([1, 2]);
  });

  test('end before writes of their connection begin', async () => {
    const { db, reads, commits, ids } = pair();
    const written = commits.submit(() => db.prepare('INSERT INTO x VALUES (2)').run() && ids());
    reads.begin();
    reads.begin();
    expect(ids()).toEqual([]);
    expect(await written).toEqual([2]);
    expect(db.inTransaction).toBe(false);
  });

  test('may be open when the database is closed', async () => {
    const { db, reads, commits, ids } = pair();
    reads.begin();
    reads.begin();
    ids();
    commits.close();
    db.close();
    await turn();
  });
});
