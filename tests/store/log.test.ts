import fs from 'node:fs';
import workers from 'node:worker_threads';
import { createCheckpoints } from '../../runtime/store/sqlite/checkpoints.js';
import { createGroupCommit } from '../../runtime/store/sqlite/group-commit.js';
import { openLog } from '../../runtime/store/sqlite/log.js';
import { openDatabase } from '../../runtime/store/sqlite/open.js';
import { refused, temporary } from './setup.js';

type Sync = (file: number, then: (error: Error | null) => void) => void;

function openServed() {
  const file = temporary('data.db');
  const opened = openDatabase(file, { owner: true });
  const { db } = opened;
  db.exec('CREATE TABLE x (id INTEGER PRIMARY KEY, text TEXT) STRICT');
  const commits = createGroupCommit(db, { log: openLog(db) });
  const insert = db.prepare('INSERT INTO x VALUES (?, ?)');
  return {
    file,
    db,
    commits,
    write: (id: number, text = '') => commits.submit(() => insert.run(id, text)),
    ids: () => db.prepare('SELECT id FROM x ORDER BY id').pluck().all(),
    close() {
      commits.close();
      opened.close();
    },
  };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));
const ioError = Object.assign(new Error('EIO: i/o error, fdatasync'), { code: 'EIO' });

describe('the log of a database that is served', () => {
  let syncs: jest.SpyInstance<void, Parameters<Sync>>;
  beforeEach(() => {
    syncs = jest.spyOn(fs, 'fdatasync') as unknown as typeof syncs;
  });
  afterEach(() => syncs.mockRestore());

  /** Holds back the end of every sync until the test calls it. */
  function holdSyncs(): ((error: Error | null) => void)[] {
    const ends: ((error: Error | null) => void)[] = [];
    syncs.mockImplementation((_, then) => void ends.push(then));
    return ends;
  }
  /** Makes the next syncs fail. */
  function failSyncs(times: number): void {
    for (let at = 0; at < times; at += 1) syncs.mockImplementationOnce((_, then) => setImmediate(then, ioError));
  }

  test('SQLite copies the log itself while no thread can be started, and then a thread does', () => {
    const threads = jest.spyOn(workers, 'Worker').mockImplementation(() => {
      throw new Error('EMFILE: too many open files');
    });
    const { db, close } = openServed();
    const checkpoints = createCheckpoints(db);
    const state = () => [checkpoints.isUnderWay(), db.pragma('wal_autocheckpoint', { simple: true })];
    checkpoints.start();
    expect(state()).toEqual([false, 4096]);
    threads.mockRestore();
    checkpoints.start();
    expect(state()).toEqual([true, 0]);
    checkpoints.close();
    close();
  });

  test('a write is acknowledged once the log is synced; until then it can be read, and further writes are gathered', async () => {
    const { write, ids, close } = openServed();
    const ends = holdSyncs();
    const done: number[] = [];
    const note = (id: number) => write(id).then(() => done.push(id));
    const first = [note(1), note(2)];
    await turn();
    await turn();
    const later = [note(3), note(4)];
    await turn();
    await turn();
    expect([ids(), done, ends.length]).toEqual([[1, 2], [], 1]);
    ends.shift()?.(null);
    await Promise.all(first);
    await turn();
    await turn();
    expect([ids(), done, ends.length]).toEqual([[1, 2, 3, 4], [1, 2], 1]);
    ends.shift()?.(null);
    await Promise.all(later);
    close();
  });

  test('a failed write does not wait for a sync', async () => {
    const { commits, close } = openServed();
    const failure = commits.submit(() => {
      throw new Error('no');
    });
    await expect(failure).rejects.toThrow('no');
    expect(syncs).not.toHaveBeenCalled();
    close();
  });

  test('after a failed sync the log is written and synced again before the writes are acknowledged', async () => {
    const { file, write, ids, close } = openServed();
    const writes = jest.spyOn(fs, 'writeSync');
    failSyncs(1);
    await write(1);
    expect([ids(), syncs.mock.calls.length]).toEqual([[1], 2]);
    const written = writes.mock.calls.reduce((sum, call) => sum + Number(call[3]), 0);
    expect(written).toBe(fs.statSync(`${file}-wal`).size);
    writes.mockRestore();
    close();
  });

  test('if both syncs fail, the outcome of the writes is unknown, and further writes are refused until a sync succeeds', async () => {
    const { write, ids, close } = openServed();
    failSyncs(3);
    expect(await refused(write(1))).toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('not known'),
    });
    expect(await refused(write(2))).toMatchObject({ code: 'storage_full' });
    expect(ids()).toEqual([1]);
    await write(3);
    expect(ids()).toEqual([1, 3]);
    close();
  });

  test('a stop waits for the sync under way and for the queue', async () => {
    const { write, close } = openServed();
    const ends = holdSyncs();
    const first = write(1);
    await turn();
    await turn();
    const second = write(2);
    const closed = jest.spyOn(fs, 'closeSync');
    close();
    await Promise.all([first, second]);
    // The number of a closed file may soon belong to another file.
    expect([ends.length, closed.mock.calls.length]).toEqual([2, 0]);
    for (const end of ends) end(null);
    expect(closed).toHaveBeenCalledTimes(1);
    closed.mockRestore();
  });

  test('a thread copies a long log into the database and starts it over, and a stop leaves no log', async () => {
    const { file, db, write, close } = openServed();
    const length = () => db.prepare<[], { readonly log: number }>('PRAGMA wal_checkpoint(NOOP)').get()?.log ?? 0;
    let [id, longest, last] = [0, 0, 0];
    // Each write takes 100 pages.
    while (length() >= last) {
      last = length();
      longest = Math.max(longest, last);
      await write(++id, 'x'.repeat(400_000));
    }
    expect(longest).toBeGreaterThanOrEqual(4096);
    expect(longest).toBeLessThan(20_000);
    close();
    expect([fs.existsSync(`${file}-wal`), fs.statSync(file).size > id * 400_000]).toEqual([false, true]);
  });
});
