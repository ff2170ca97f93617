// From due to settled: what is claimed and what remains after an outcome, on a real database (S1 to S9, S19 to S25).

import type { Outcome } from '../../../runtime/webhooks/rules/delivery.js';
import {
  attempted,
  claimOne,
  HOUR,
  NOW,
  outboxWorld,
  REFUSED,
  type Sale,
  SERVER,
  SUCCESS,
  sale,
  sell,
  settle,
  subscribe,
  type World,
} from './outbox-world.js';

let w: World;
let p: Sale;
let hook: string;
beforeEach(async () => {
  w = outboxWorld();
  p = await sale(w);
  hook = await subscribe(w, p);
  await attempted(w, hook, SUCCESS);
});
afterEach(() => w.end());

interface Row {
  readonly id: string;
  readonly due: number;
  readonly failed: number;
}
const rows = () => w.db.prepare<[], Row>('SELECT * FROM webhook_delivery ORDER BY id').all();
const dues = () => rows().map(({ due }) => (due - NOW) / HOUR);
const record = () =>
  w.store.rowsOf('webhook').row(hook) as { failures_since_last_success: number; date_updated: number };
const count = () => record().failures_since_last_success;
const setCount = (failures: number) => w.db.prepare('UPDATE webhook SET failures_since_last_success = ?').run(failures);
const due = () => w.outbox.due(-1, w.now);
/** A new event, attempted at once with that outcome. */
const event = async (outcome: Outcome) => {
  await sell(w, p);
  return attempted(w, hook, outcome);
};

test('S1 EachFailureIsDueAfterAsManyHours, the fifth after five', async () => {
  for (let n = 0; n < 5; n += 1) await sell(w, p);
  for (let n = 0; n < 5; n += 1) await attempted(w, hook, REFUSED);
  expect([dues(), count()]).toEqual([[1, 2, 3, 4, 5], 5]);
});

test('S2 ALaterFailureMovesNoOtherRetry', async () => {
  await event(REFUSED);
  await event(REFUSED);
  expect(dues()).toEqual([1, 2]);
});

test('S3 ASuccessBringsRetriesToOneHourAfterTheirOwnFailure', async () => {
  for (let n = 0; n < 3; n += 1) await event(REFUSED);
  w.now += HOUR / 2;
  await event(SUCCESS);
  expect([dues(), count()]).toEqual([[1, 1, 1], 0]);
});

describe('S4 and S5: at 100 retries are held, new events are not', () => {
  beforeEach(async () => {
    await event(REFUSED);
    setCount(99);
    await event(REFUSED);
    w.now += 1000 * HOUR;
  });
  test('NothingIsDueByItself', () => {
    expect([count(), due(), w.outbox.nextDue(NOW), w.outbox.statistics(w.now).held]).toEqual([100, [], null, 2]);
  });
  test('ANewEventIsAttempted, and held when it fails', async () => {
    await event(REFUSED);
    expect([count(), due(), w.outbox.statistics(w.now).held]).toEqual([101, [], 3]);
  });
  test('ASuccessReleasesThem, and reports it', async () => {
    const told = w.woken.length;
    await event(SUCCESS);
    expect(w.woken.slice(told)).toEqual([hook, hook]);
    expect([count(), due(), w.outbox.statistics(w.now).due]).toEqual([0, [hook], 2]);
  });
  test('ARestartKeepsThemHeld', async () => {
    await w.outbox.recover(SERVER, w.now);
    expect(due()).toEqual([]);
  });
});

test('S4 AClaimedRetryIsHeldToo, when its outcome is lost', async () => {
  await event(REFUSED);
  w.now += HOUR;
  await claimOne(w, hook);
  // As on a server whose lease has ended: nothing else brings a second delivery of the hook under way.
  w.db.exec('DELETE FROM webhook_lease');
  setCount(99);
  await event(REFUSED);
  w.now += 100_000;
  expect(due()).toEqual([]);
  await w.outbox.recover(SERVER, w.now);
  expect(due()).toEqual([]);
});

test('S7 and S8 OneMailInAHooksLife, with the fifth failure', async () => {
  const mails = () => w.outbox.dueMails(w.now, 10);
  for (let n = 0; n < 4; n += 1) await event(REFUSED);
  expect(mails()).toEqual([]);
  await event(REFUSED);
  const [mail] = mails();
  expect(mail).toMatchObject({ hook, event: 'ItemSold', user: p.maker.user, email: 'maker@x.org', failed: 0 });
  await w.outbox.settleMail(mail?.id ?? '', false, w.now);
  expect(mails()).toEqual([]);
  w.now += 5 * 60_000;
  // The address of the time it is sent.
  w.db.prepare(`UPDATE "user" SET email = 'new@x.org' WHERE id = ?`).run(p.maker.user);
  expect(mails()).toMatchObject([{ failed: 1, email: 'new@x.org' }]);
  await w.outbox.settleMail(mail?.id ?? '', true, w.now);
  await event(SUCCESS);
  for (let n = 0; n < 6; n += 1) await event(REFUSED);
  w.now += 100 * HOUR;
  expect([mails(), count()]).toEqual([[], 6]);
});

test('S9 AtAThousandTheHookIsDeleted, and reports it once', async () => {
  await event(REFUSED);
  setCount(999);
  await sell(w, p);
  await event(REFUSED);
  expect(w.store.rowsOf('webhook').row(hook)).toBeUndefined();
  expect(rows()).toMatchObject([{ type: 'unsubscribe', snapshot_uri: 'https://receiver.example/hook' }]);
  const attempt = await claimOne(w, hook);
  const key = w.db.prepare('SELECT private_key FROM apikey WHERE id = ?').pluck().get(p.key);
  expect(attempt).toMatchObject({ type: 'unsubscribe', uri: 'https://receiver.example/hook', key, failed: 0 });
  expect(await settle(w, attempt, REFUSED)).toBe(true);
  expect([rows(), due()]).toEqual([[], []]);
});

test('S15 WithoutItsKeyAnAttemptHasNone', async () => {
  await w.store.remove('apikey', p.key, p.maker, w.now);
  await sell(w, p);
  expect(await claimOne(w, hook)).toMatchObject({ key: null, type: 'data' });
});

test('S19 OurOwnFaultDoesNotCount', async () => {
  const before = record();
  w.now += HOUR;
  await event({ class: 'internal' });
  expect([record(), due(), rows()[0]?.failed]).toEqual([before, [hook], 0]);
});

test('S20 and S21 AddressAndKeyAreThoseOfTheMoment, the message is that of the event', async () => {
  const { message } = await event(REFUSED);
  const api_key_id = await w.make('apikey', { name: 'new' }, p.maker);
  const other = await w.make('designer', { name: 'Other' }, p.maker);
  const parameters = {
    ...{ owner_class: 'Designer', owner_id: other, event: 'ItemSold' },
    callback_uri: 'https://new.example/',
    api_key_id,
  };
  await w.run('update', { id: hook, parameters, caller: p.maker });
  w.now += HOUR;
  const key = w.db.prepare('SELECT private_key FROM apikey WHERE id = ?').pluck().get(api_key_id);
  expect(await claimOne(w, hook)).toMatchObject({ uri: 'https://new.example/', key, message, failed: 1 });
});

test('S22 AnOutcomeAfterTheDeletionIsStale', async () => {
  await sell(w, p);
  const attempt = await claimOne(w, hook);
  await w.run('remove', { id: hook, caller: p.maker });
  expect(await settle(w, attempt, REFUSED)).toBe(false);
  expect(rows()).toHaveLength(1);
});

test('S23 TheDateIsThatOfTheLastAttemptThatChangedTheHook', async () => {
  const dates: number[] = [];
  const after = async (outcome: Outcome) => {
    await event(outcome);
    dates.push((record().date_updated - NOW) / HOUR);
    w.now += HOUR / 2;
  };
  await after(SUCCESS);
  await after(REFUSED);
  await after(SUCCESS);
  // The retry, though it leaves the count at 0.
  w.now += HOUR;
  await attempted(w, hook, SUCCESS);
  dates.push((record().date_updated - NOW) / HOUR);
  expect(dates).toEqual([0, 0.5, 1, 2.5]);
});

describe('S24 and I11: an attempt of unknown outcome', () => {
  test('IsClaimedAgainWhenItsLeaseEnds, and the old outcome is stale', async () => {
    await sell(w, p);
    const first = await claimOne(w, hook);
    w.now += 39_999;
    expect(await w.outbox.claim([hook], w.now, w.now + 40_000, SERVER)).toEqual([]);
    w.now += 1;
    const second = await claimOne(w, hook);
    expect([second.delivery, second.message, second.failed]).toEqual([first.delivery, first.message, 0]);
    expect(await settle(w, first, SUCCESS)).toBe(false);
    expect(await settle(w, second, SUCCESS)).toBe(true);
    expect(rows()).toEqual([]);
  });
  test('IsDueAgainAfterARestart, not counted', async () => {
    await sell(w, p);
    await claimOne(w, hook);
    expect(await w.outbox.recover(SERVER, w.now)).toBe(1);
    expect([due(), count(), rows().length]).toEqual([[hook], 0, 1]);
  });
});

test('I2 AfterASuccessNothingIsLeft', async () => {
  const attempt = await event(SUCCESS);
  expect([rows(), await settle(w, attempt, SUCCESS)]).toEqual([[], false]);
});

test('S29 OldestDueFirst, one of a hook', async () => {
  await event(REFUSED);
  w.now += 2 * HOUR;
  await sell(w, p);
  const attempts = await w.outbox.claim([hook, 'nohook'], w.now, w.now + 1, SERVER);
  expect(attempts).toMatchObject([{ failed: 1, hook }]);
});

test('S31 AfterTheClockWentBackARetryWaitsItsDelayFromNow', async () => {
  await event(REFUSED);
  await event(REFUSED);
  await sell(w, p);
  await w.outbox.recover(SERVER, NOW - 24 * HOUR);
  expect(dues()).toEqual([-23, -22, -24]);
  expect(w.outbox.due(-1, NOW - 24 * HOUR)).toEqual([hook]);
});

test('DueHooksAndNextDue', async () => {
  await event(REFUSED);
  expect([w.outbox.due(-1, NOW), w.outbox.nextDue(NOW)]).toEqual([[], NOW + HOUR]);
  expect(w.outbox.due(NOW, NOW + HOUR)).toEqual([hook]);
  expect(w.outbox.due(NOW + HOUR, NOW + 2 * HOUR)).toEqual([]);
});

test('NoSearchReadsWhatIsNotAskedFor', () => {
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
    'INDEX webhook_delivery_retry_idx (webhook_id=?)',
  );
  expect(plan('SELECT * FROM webhook WHERE owner_id = ? AND event = ?', '', '')[0]).toMatch('webhook_owner_event_idx');
});

test('S40 TheLogHasEveryAttempt, newest first', async () => {
  await event(REFUSED);
  w.now += HOUR;
  await attempted(w, hook, { class: 'internal' });
  await attempted(w, hook, { class: 'dns' });
  const seen = w.outbox.log(hook).map(({ type, outcome, status, counted }) => [type, outcome, status, counted]);
  expect(seen).toEqual([
    ['data', 'dns', null, 1],
    ['data', 'internal', null, 0],
    ['data', 'status', 500, 1],
    ['subscribe', 'success', 200, 1],
  ]);
  await w.outbox.pruneLog(NOW + HOUR, w.now);
  expect(w.outbox.log(hook)).toHaveLength(2);
  await w.outbox.pruneLog(NOW + 2 * HOUR, NOW + 2 * HOUR);
  expect(w.outbox.log(hook)).toHaveLength(0);
});

test('F24: the log is pruned in bounded steps, past what a wrong clock has dated in the future', async () => {
  const log = w.db.prepare(
    `INSERT INTO webhook_attempt (id, delivery_id, webhook_id, type, started, ended, outcome, counted)
     VALUES ('a', 'd', 'h', 'data', 0, ?, 'dns', 1)`,
  );
  const left = () => w.db.prepare('SELECT ended, count(*) FROM webhook_attempt GROUP BY 1 ORDER BY 1').raw().all();
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
  // A whole step of dates in the future tells nothing; those with something old behind them go with it.
  expect(left()).toEqual([
    [young, 2001],
    [future, 1001],
  ]);
});

test('StatsAndHooks', async () => {
  await event(REFUSED);
  await sell(w, p);
  w.now += 1000;
  const { due: ready, oldestDueAge, waiting, inFlight, hooks } = w.outbox.statistics(w.now);
  expect([ready, oldestDueAge, waiting, inFlight, hooks]).toEqual([1, 1000, 1, 0, 1]);
  await claimOne(w, hook);
  expect(w.outbox.hooks()).toMatchObject([{ id: hook, deliveries: 2, inFlight: 1, held: 0, noticed: null }]);
});

test('F24: figures of a large outbox come from a count in slices; of a small one they are exact', async () => {
  w.db.exec('DELETE FROM webhook_delivery');
  const add = w.db.prepare(
    `INSERT INTO webhook_delivery (id, webhook_id, type, message, created, due, ready, failed)
     VALUES (?, ?, 'data', '{}', 0, 0, ?, 1)`,
  );
  const fill = w.db.transaction((from: number, to: number) => {
    for (let n = from; n < to; n += 1) add.run(`x${n}`, hook, n % 2 === 0 ? NOW - n : n % 3 === 0 ? NOW + n : null);
  });
  const figures = () => {
    const { due, waiting, held, oldestDueAge } = w.outbox.statistics(NOW);
    return [due, waiting, held, oldestDueAge];
  };
  fill(0, 6);
  expect(figures()).toEqual([3, 1, 2, 4]);
  fill(6, 12_000);
  let steps = 1;
  while (await w.outbox.count(NOW)) steps += 1;
  expect(figures()).toEqual([6000, 2000, 4000, 11_998]);
  // Three slices of deliveries, one each of hooks and mails.
  expect(steps).toBe(5);
  fill(12_000, 12_006);
  expect(figures()).toEqual([6000, 2000, 4000, 11_998]);
  while (await w.outbox.count(NOW));
  expect(figures()).toEqual([6003, 2001, 4002, 12_004]);
});

test('F29: rows that are kept for a hook are deleted after it', async () => {
  const mail = w.db.prepare(
    `INSERT INTO webhook_mail (id, webhook_id, user_id, event, callback_uri, created, sent) VALUES (?, ?, 'u', 'e', '', 0, ?)`,
  );
  w.db.transaction(() => {
    for (let n = 0; n < 2500; n += 1) mail.run(`m${n}`, `gone ${n}`, n % 500 === 0 ? null : 1);
  })();
  mail.run('mine', hook, 1);
  w.db.exec(`INSERT INTO webhook_delivery (id, webhook_id, type, message, created, due, failed, snapshot_uri)
    VALUES ('held', 'gone', 'data', '{}', 0, 0, 1, NULL), ('goodbye', 'gone', 'unsubscribe', '{}', 0, 0, 0, 'https://x/')`);
  await sell(w, p);
  while (await w.outbox.pruneOrphans());
  const ids = (table: string) => w.db.prepare<[], string>(`SELECT id FROM ${table}`).pluck().all();
  expect(ids('webhook_mail')).toHaveLength(6);
  expect(ids('webhook_delivery')).toEqual(expect.arrayContaining(['goodbye']));
  expect(ids('webhook_delivery')).not.toContain('held');
  expect(ids('webhook_delivery')).toHaveLength(2);
});
