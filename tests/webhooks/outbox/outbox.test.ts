// What only the outbox on SQLite has: the searches of its statements, its log, and rows from before there were leases.

import { claimOne, HOUR, NOW, outboxWorld, SERVER, sale, subscribe, type World } from './outbox-world.js';

let w: World;
let hook: string;
beforeEach(async () => {
  w = outboxWorld();
  hook = await subscribe(w, await sale(w));
});
afterEach(() => w.end());

test('every search uses an index that finds only the requested rows', () => {
  const plan = (sql: string, ...values: unknown[]) =>
    w.db
      .prepare<unknown[], { detail: string }>(`EXPLAIN QUERY PLAN ${sql}`)
      .all(...values)
      .map(({ detail }) => detail);
  expect(plan('SELECT DISTINCT webhook_id FROM webhook_delivery WHERE ready > ? AND ready <= ?', 0, 1)[0]).toMatch(
    /SEARCH webhook_delivery USING COVERING INDEX webhook_delivery_ready_idx \(ready>\? AND ready<\?\)/,
  );
  expect(plan('SELECT min(ready) FROM webhook_delivery WHERE ready > ?', 0)[0]).toMatch(/^SEARCH .* INDEX/);
  const ofHook = 'SELECT id, ready FROM webhook_delivery d WHERE webhook_id = ?';
  expect(plan(`${ofHook} AND failed = 0 AND ready <= ? ORDER BY id LIMIT 1`, '', 1)).toEqual([
    'SEARCH d USING INDEX webhook_delivery_first_idx (webhook_id=?)',
  ]);
  expect(plan(`${ofHook} AND failed > 0 AND ready <= ? ORDER BY ready, id LIMIT 1`, '', 1)).toEqual([
    'SEARCH d USING INDEX webhook_delivery_retry_idx (webhook_id=? AND ready<?)',
  ]);
  expect(plan('UPDATE webhook_delivery SET due = 1 WHERE webhook_id = ? AND failed > 0', '')[0]).toMatch(
    /INDEX webhook_delivery_(retry|failed)_idx \(webhook_id=\?\)/,
  );
  expect(plan('SELECT * FROM webhook WHERE owner_id = ? AND event = ?', '', '')[0]).toMatch('webhook_owner_event_idx');
});

test('F24: the log is pruned in bounded steps, past rows that a wrong clock has dated in the future', async () => {
  const log = w.db.prepare(
    `INSERT INTO webhook_attempt (id, delivery_id, webhook_id, type, started, ended, outcome, counted)
     VALUES ('a', 'd', 'h', 'data', 0, ?, 'dns', 1)`,
  );
  const remaining = () => w.db.prepare('SELECT ended, count(*) FROM webhook_attempt GROUP BY 1 ORDER BY 1').raw().all();
  w.db.exec('DELETE FROM webhook_attempt');
  const [old, young, future] = [NOW - 2 * HOUR, NOW, NOW + 1000 * HOUR];
  w.db.exec('BEGIN');
  for (const [ended, count] of [
    [future, 1500],
    [old, 2500],
    [future, 3],
    [old, 1],
    [young, 2000],
    [future, 1],
    [young, 1],
  ]) {
    for (let n = 0; n < (count ?? 0); n += 1) log.run(ended);
  }
  w.db.exec('COMMIT');
  let before = w.db.prepare('SELECT count(*) FROM webhook_attempt').pluck().get() as number;
  for (let more = true; more; ) {
    more = await w.outbox.pruneLog(NOW - HOUR, NOW);
    const after = w.db.prepare('SELECT count(*) FROM webhook_attempt').pluck().get() as number;
    expect(before - after).toBeLessThanOrEqual(1000);
    before = after;
  }
  // A whole step of dates in the future proves nothing and is kept; such rows before old ones are pruned with them.
  expect(remaining()).toEqual([
    [young, 2001],
    [future, 1001],
  ]);
});

test('S24: deliveries that were claimed before there were leases are released', async () => {
  await claimOne(w, hook);
  w.db.exec('DELETE FROM webhook_lease');
  expect(await w.outbox.recover(SERVER, w.now)).toBe(1);
  await claimOne(w, hook);
});
