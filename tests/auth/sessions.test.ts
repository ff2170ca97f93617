// Sessions (D13) are stored as hashes, last seven days, are extended by use at most once an hour, and end with a new password.

import { readFileSync } from 'node:fs';
import { fresh } from '../support/shared.js';
import { DAY, HOUR, NOW, USER, world } from './world.js';

const w = fresh(world);

const ada = { username: 'ada', password: 'secret' };
const at = (now: number) => ({ address: '127.0.0.1', now });

describe('sessions', () => {
  test('a login opens a session of its user, whose id starts with the same two characters as that of the user', async () => {
    const session = await w.login(ada, at(NOW));
    expect(session).toEqual({ id: expect.stringMatching(/^a7[\w-]{26,}$/), user: USER, apiKey: null });
    expect(w.sessions.caller(session.id, NOW)).toEqual({ user: USER, admin: false, apiKey: session.apiKey });
    w.db.exec('UPDATE "user" SET admin = 1');
    expect(w.sessions.caller(session.id, NOW)).toMatchObject({ user: USER, admin: true });
  });

  test('only the hash of an id is stored', async () => {
    const { id } = await w.login(ada, at(NOW));
    w.db.pragma('wal_checkpoint(TRUNCATE)');
    expect(readFileSync(w.db.name).includes(id.slice(2))).toBe(false);
    const row = w.db.prepare('SELECT * FROM session').get() as Record<string, unknown>;
    expect(row.id_hash).toMatch(/^[0-9a-f]{64}$/);
  });

  test('an invalid id is anonymous', () => {
    for (const id of ['', 'a7', 'x'.repeat(29), '%00', "' OR 1=1 --", 'a'.repeat(100_000)]) {
      expect(w.sessions.caller(id, NOW)).toBeNull();
    }
  });

  test('a session ends after seven days without use', async () => {
    const { id } = await w.login(ada, at(NOW));
    expect(w.sessions.get(id, NOW + 7 * DAY - 1)).not.toBeNull();
    const other = await w.login(ada, at(NOW));
    expect(w.sessions.caller(other.id, NOW + 7 * DAY)).toBeNull();
  });

  test('use extends a session, at most once an hour', async () => {
    const { id } = await w.login(ada, at(NOW));
    const before = w.writes();
    w.sessions.caller(id, NOW + HOUR);
    expect(w.writes()).toBe(before);
    w.sessions.caller(id, NOW + HOUR + 1);
    w.sessions.caller(id, NOW + HOUR + 2);
    expect(w.writes()).toBe(before + 1);
    expect(w.sessions.caller(id, NOW + HOUR + 7 * DAY)).not.toBeNull();
  });

  test('an extension that cannot be written does not fail the request, and is tried again', async () => {
    const { id } = await w.login(ada, at(NOW));
    w.db.exec("CREATE TRIGGER full BEFORE UPDATE ON session BEGIN SELECT raise(ABORT, 'full'); END");
    expect(w.sessions.caller(id, NOW + 2 * HOUR)).not.toBeNull();
    await new Promise(setImmediate);
    w.db.exec('DROP TRIGGER full');
    w.sessions.caller(id, NOW + 2 * HOUR);
    await new Promise(setImmediate);
    expect(w.db.prepare('SELECT used FROM session').pluck().get()).toBe(NOW + 2 * HOUR);
  });

  test('F29: sessions of users who never return are deleted, in bounded steps', async () => {
    const insert = w.db.prepare(
      `INSERT INTO session (id_hash, user_id, stamp, created, used, expires) VALUES (?, 'b3-gone', '', 0, 0, ?)`,
    );
    w.db.exec('BEGIN');
    for (let n = 0; n < 1200; n += 1) insert.run(`old ${n}`, NOW - n);
    w.db.exec('COMMIT');
    for (let n = 1; n <= 3; n += 1) insert.run(`alive ${n}`, NOW + n);
    const left = () => w.db.prepare('SELECT count(*) FROM session').pluck().get();
    const steps: unknown[] = [];
    for (let more = true; more; steps.push(left())) more = await w.sessions.prune(NOW);
    expect(steps).toEqual([703, 203, 3]);
    const plan = w.db.prepare('EXPLAIN QUERY PLAN SELECT id_hash FROM session WHERE expires <= 1 ORDER BY expires');
    expect(JSON.stringify(plan.all())).toContain('session_expires_idx');
  });

  test('a new password ends every session', async () => {
    const { id } = await w.login(ada, at(NOW));
    await w.setPassword('secret');
    expect(w.sessions.caller(id, NOW)).toBeNull();
    const again = await w.login(ada, at(NOW));
    expect(w.sessions.caller(again.id, NOW)).not.toBeNull();
  });

  test('deleting a session ends it, and deleting it again is not an error', async () => {
    const { id } = await w.login(ada, at(NOW));
    await w.sessions.remove(id);
    await w.sessions.remove(id);
    await w.sessions.remove('nonsense');
    expect(w.sessions.caller(id, NOW)).toBeNull();
  });

  test('a login deletes expired sessions', async () => {
    await w.login(ada, at(NOW));
    await w.login(ada, at(NOW + 8 * DAY));
    expect(w.db.prepare('SELECT count(*) FROM session').pluck().get()).toBe(1);
  });
});
