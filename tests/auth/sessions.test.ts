// Sessions (D13) are stored as hashes, last seven days, are extended by use at most once an hour, and end with a new password.

import { readFileSync } from 'node:fs';
import { fresh } from '../support/shared.js';
import { DAY, HOUR, NOW, USER, world } from './world.js';

const auth = fresh(world);

const ada = { username: 'ada', password: 'secret' };
const at = (now: number) => ({ address: '127.0.0.1', now });

describe('sessions', () => {
  test('a login opens a session of its user, whose id starts with the same two characters as that of the user', async () => {
    const session = await auth.login(ada, at(NOW));
    expect(session).toEqual({ id: expect.stringMatching(/^a7[\w-]{26,}$/), user: USER, apiKey: null });
    expect(auth.sessions.caller(session.id, NOW)).toEqual({ user: USER, admin: false, apiKey: session.apiKey });
    auth.db.exec('UPDATE "user" SET admin = 1');
    expect(auth.sessions.caller(session.id, NOW)).toMatchObject({ user: USER, admin: true });
  });

  test('only the hash of an id is stored', async () => {
    const { id } = await auth.login(ada, at(NOW));
    auth.db.pragma('wal_checkpoint(TRUNCATE)');
    expect(readFileSync(auth.db.name).includes(id.slice(2))).toBe(false);
    const row = auth.db.prepare('SELECT * FROM session').get() as Record<string, unknown>;
    expect(row.id_hash).toMatch(/^[0-9a-f]{64}$/);
  });

  test('an invalid id is anonymous', () => {
    for (const id of ['', 'a7', 'x'.repeat(29), '%00', "' OR 1=1 --", 'a'.repeat(100_000)]) {
      expect(auth.sessions.caller(id, NOW)).toBeNull();
    }
  });

  test('a session ends after seven days without use', async () => {
    const { id } = await auth.login(ada, at(NOW));
    expect(auth.sessions.get(id, NOW + 7 * DAY - 1)).not.toBeNull();
    const other = await auth.login(ada, at(NOW));
    expect(auth.sessions.caller(other.id, NOW + 7 * DAY)).toBeNull();
  });

  test('use extends a session, at most once an hour', async () => {
    const { id } = await auth.login(ada, at(NOW));
    const before = auth.writes();
    auth.sessions.caller(id, NOW + HOUR);
    expect(auth.writes()).toBe(before);
    auth.sessions.caller(id, NOW + HOUR + 1);
    auth.sessions.caller(id, NOW + HOUR + 2);
    expect(auth.writes()).toBe(before + 1);
    expect(auth.sessions.caller(id, NOW + HOUR + 7 * DAY)).not.toBeNull();
  });

  test('an extension that cannot be written does not fail the request, and is tried again', async () => {
    const { id } = await auth.login(ada, at(NOW));
    auth.db.exec("CREATE TRIGGER full BEFORE UPDATE ON session BEGIN SELECT raise(ABORT, 'full'); END");
    expect(auth.sessions.caller(id, NOW + 2 * HOUR)).not.toBeNull();
    await new Promise(setImmediate);
    auth.db.exec('DROP TRIGGER full');
    auth.sessions.caller(id, NOW + 2 * HOUR);
    await new Promise(setImmediate);
    expect(auth.db.prepare('SELECT used FROM session').pluck().get()).toBe(NOW + 2 * HOUR);
  });

  test('F29: sessions of users who never return are deleted, in bounded steps', async () => {
    const insert = auth.db.prepare(
      `INSERT INTO session (id_hash, user_id, stamp, created, used, expires) VALUES (?, 'b3-gone', '', 0, 0, ?)`,
    );
    auth.db.exec('BEGIN');
    for (let n = 0; n < 1200; n += 1) insert.run(`old ${n}`, NOW - n);
    auth.db.exec('COMMIT');
    for (let n = 1; n <= 3; n += 1) insert.run(`alive ${n}`, NOW + n);
    const left = () => auth.db.prepare('SELECT count(*) FROM session').pluck().get();
    const steps: unknown[] = [];
    for (let more = true; more; steps.push(left())) more = await auth.sessions.prune(NOW);
    expect(steps).toEqual([703, 203, 3]);
    const plan = auth.db.prepare('EXPLAIN QUERY PLAN SELECT id_hash FROM session WHERE expires <= 1 ORDER BY expires');
    expect(JSON.stringify(plan.all())).toContain('session_expires_idx');
  });

  test('a new password ends every session', async () => {
    const { id } = await auth.login(ada, at(NOW));
    await auth.setPassword('secret');
    expect(auth.sessions.caller(id, NOW)).toBeNull();
    const again = await auth.login(ada, at(NOW));
    expect(auth.sessions.caller(again.id, NOW)).not.toBeNull();
  });

  test('deleting a session ends it, and deleting it again is not an error', async () => {
    const { id } = await auth.login(ada, at(NOW));
    await auth.sessions.remove(id);
    await auth.sessions.remove(id);
    await auth.sessions.remove('nonsense');
    expect(auth.sessions.caller(id, NOW)).toBeNull();
  });

  test('a login deletes expired sessions', async () => {
    await auth.login(ada, at(NOW));
    await auth.login(ada, at(NOW + 8 * DAY));
    expect(auth.db.prepare('SELECT count(*) FROM session').pluck().get()).toBe(1);
  });
});
