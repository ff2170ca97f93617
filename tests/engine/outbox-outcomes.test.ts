// From due to settled: which deliveries are claimed and what remains after an outcome, on every engine (S1 to S9, S19 to S25).

import type { Outcome } from '../../runtime/rules/delivery.js';
import { describeOnOutboxEngines } from './outbox-engines.js';
import { HOUR, LEASE, NOW, type OutboxScene, outboxScene, REFUSED, SERVER, SUCCESS } from './outbox-scene.js';

describeOnOutboxEngines((_, open) => {
  let s: OutboxScene;
  let hook: string;
  beforeEach(async () => {
    s = await outboxScene(await open());
    hook = await s.subscribe();
    await s.attempted(hook, SUCCESS);
  });
  afterEach(() => s.end());

  const rows = () => s.rows('webhook_delivery');
  const dues = async () => (await rows()).map(({ due }) => (Number(due) - NOW) / HOUR);
  const count = async () => (await s.hook(hook))?.failures_since_last_success;
  const updated = async () => (Number((await s.hook(hook))?.date_updated) - NOW) / HOUR;
  const setCount = (failures: number) => s.change('webhook', hook, { failures_since_last_success: failures });
  const due = () => s.outbox.due(-1, s.now);
  const held = async () => (await s.outbox.statistics(s.now)).held;
  /** A new event, attempted immediately with this outcome. */
  const event = async (outcome: Outcome) => {
    await s.sell();
    return s.attempted(hook, outcome);
  };

  test('S1 each failure is due after as many hours, the fifth after five', async () => {
    for (let n = 0; n < 5; n += 1) await s.sell();
    for (let n = 0; n < 5; n += 1) await s.attempted(hook, REFUSED);
    expect([await dues(), await count()]).toEqual([[1, 2, 3, 4, 5], 5]);
  });

  test('S2 a later failure moves no other retry', async () => {
    await event(REFUSED);
    await event(REFUSED);
    expect(await dues()).toEqual([1, 2]);
  });

  test('S3 a success brings retries to one hour after their own failure', async () => {
    for (let n = 0; n < 3; n += 1) await event(REFUSED);
    s.now += HOUR / 2;
    await event(SUCCESS);
    expect([await dues(), await count()]).toEqual([[1, 1, 1], 0]);
  });

  describe('S4 and S5: at 100 retries are held, new events are not', () => {
    beforeEach(async () => {
      await event(REFUSED);
      await setCount(99);
      await event(REFUSED);
      s.now += 1000 * HOUR;
    });
    test('nothing is due by itself', async () => {
      expect([await count(), await due(), await s.outbox.nextDue(NOW), await held()]).toEqual([100, [], null, 2]);
    });
    test('a new event is attempted, and held when it fails', async () => {
      await event(REFUSED);
      expect([await count(), await due(), await held()]).toEqual([101, [], 3]);
    });
    test('a success releases them, and reports it', async () => {
      const reported = s.woken.length;
      await event(SUCCESS);
      expect(s.woken.slice(reported)).toEqual([hook, hook]);
      expect([await count(), await due(), (await s.outbox.statistics(s.now)).due]).toEqual([0, [hook], 2]);
    });
    test('a restart keeps them held', async () => {
      await s.outbox.recover(SERVER, s.now);
      expect(await due()).toEqual([]);
    });
  });

  test('S4 a claimed retry is held, too, if its outcome is lost', async () => {
    await event(REFUSED);
    s.now += HOUR;
    await s.claimOne(hook);
    await setCount(99);
    // The hundredth failure is a test's, which does not affect the claimed delivery.
    await s.settle(await s.outbox.test(hook, { payload: '{}', now: s.now, server: SERVER }), REFUSED);
    s.now += LEASE;
    expect([await due(), await count()]).toEqual([[], 100]);
    expect(await s.outbox.recover(SERVER, s.now)).toBe(1);
    expect(await due()).toEqual([]);
  });

  test('S7 and S8 a hook causes one mail in its life, with the fifth failure', async () => {
    const mails = () => s.outbox.dueMails(s.now, 10);
    for (let n = 0; n < 4; n += 1) await event(REFUSED);
    expect(await mails()).toEqual([]);
    await event(REFUSED);
    const [mail] = await mails();
    const about = { hook, event: 'ItemSold', callbackUri: 'https://receiver.example/hook', created: s.now };
    expect(mail).toEqual({ id: mail?.id, ...about, user: s.maker, username: 'maker', email: 'maker@x.org', failed: 0 });
    await s.outbox.settleMail(mail?.id ?? '', false, s.now);
    expect(await mails()).toEqual([]);
    s.now += 5 * 60_000;
    // The address at the time of sending.
    await s.change('user', s.maker, { email: 'new@x.org' });
    expect(await mails()).toMatchObject([{ failed: 1, email: 'new@x.org' }]);
    await s.outbox.settleMail(mail?.id ?? '', true, s.now);
    await event(SUCCESS);
    for (let n = 0; n < 6; n += 1) await event(REFUSED);
    s.now += 100 * HOUR;
    expect([await mails(), await count()]).toEqual([[], 6]);
  });

  test('S9 at a thousand the hook is deleted, and reports it once', async () => {
    await event(REFUSED);
    await setCount(999);
    await s.sell();
    await event(REFUSED);
    expect(await s.hook(hook)).toBeUndefined();
    expect(await rows()).toMatchObject([{ type: 'unsubscribe', snapshot_uri: 'https://receiver.example/hook' }]);
    const attempt = await s.claimOne(hook);
    const uri = 'https://receiver.example/hook';
    expect(attempt).toMatchObject({ type: 'unsubscribe', uri, key: 'the secret', failed: 0 });
    expect(await s.settle(attempt, REFUSED)).toBe(true);
    expect([await rows(), await due()]).toEqual([[], []]);
  });

  test('the outcomes of a batch are settled one after another, each on the state left by the last', async () => {
    await setCount(998);
    const tests = [];
    for (let n = 0; n < 3; n += 1) {
      tests.push(await s.outbox.test(hook, { payload: '{}', now: s.now, server: SERVER }));
    }
    const batch = tests.map((attempt) => ({ attempt, outcome: REFUSED, ended: s.now }));
    // The second is the thousandth failure, so the hook no longer exists for the third.
    expect(await s.outbox.settle(batch)).toEqual([true, true, false]);
    expect([await s.hook(hook), (await rows()).map(({ type }) => type)]).toEqual([undefined, ['unsubscribe']]);
    expect(await s.rows('webhook_lease')).toEqual([]);
  });

  test('The same outcome twice in a batch counts once', async () => {
    await s.sell();
    const one = { attempt: await s.claimOne(hook), outcome: REFUSED, ended: s.now };
    expect(await s.outbox.settle([one, one])).toEqual([true, false]);
    expect([await count(), await dues()]).toEqual([1, [1]]);
  });

  test('S12 a failing subscribe leaves the hook, and is tried again', async () => {
    const other = await s.subscribe();
    const failures = async () => (await s.hook(other))?.failures_since_last_success;
    const { type, delivery } = await s.attempted(other, { class: 'connect' });
    expect([type, await failures()]).toEqual(['subscribe', 1]);
    s.now += HOUR;
    expect(await s.attempted(other, SUCCESS)).toMatchObject({ type: 'subscribe', delivery, failed: 1 });
    expect([await rows(), await failures()]).toEqual([[], 0]);
  });

  test('S15 an attempt of a hook without a key has none', async () => {
    await s.change('webhook', hook, { api_key_id: null });
    await s.drop('apikey', s.key);
    await s.sell();
    expect(await s.claimOne(hook)).toMatchObject({ key: null, type: 'data' });
  });

  test("S15 a key that is another user's signs nothing", async () => {
    await s.sell();
    await s.change('apikey', s.key, { user_id: s.neighbour });
    expect(await s.claimOne(hook)).toMatchObject({ key: null, type: 'data' });
    expect(await s.outbox.test(hook, { payload: '{}', now: s.now, server: SERVER })).toMatchObject({ key: null });
  });

  test('S19 a failure on our side does not count', async () => {
    const before = await s.hook(hook);
    s.now += HOUR;
    await event({ class: 'internal' });
    expect([await s.hook(hook), await due(), (await rows())[0]?.failed]).toEqual([before, [hook], 0]);
  });

  test('S20 and S21 an attempt uses the current address and key, but the message of the event', async () => {
    const { message } = await event(REFUSED);
    const api_key_id = await s.make('apikey', 'm0', {
      name: 'new',
      user_id: s.maker,
      private_key: 'another secret',
      scope: 'read',
    });
    await s.change('webhook', hook, { callback_uri: 'https://new.example/', api_key_id });
    s.now += HOUR;
    const current = { uri: 'https://new.example/', key: 'another secret' };
    expect(await s.claimOne(hook)).toMatchObject({ ...current, message, failed: 1 });
  });

  test('S23 the date is the time of the last attempt that changed the hook', async () => {
    const dates: number[] = [];
    const eventLater = async (outcome: Outcome) => {
      await event(outcome);
      dates.push(await updated());
      s.now += HOUR / 2;
    };
    await eventLater(SUCCESS);
    await eventLater(REFUSED);
    await eventLater(SUCCESS);
    // The retry, although it leaves the count at 0.
    s.now += HOUR;
    await s.attempted(hook, SUCCESS);
    dates.push(await updated());
    expect(dates).toEqual([0, 0.5, 1, 2.5]);
  });

  describe('S24 and I11: an attempt of unknown outcome', () => {
    test('is claimed again when its lease ends, and the old outcome is stale', async () => {
      await s.sell();
      const first = await s.claimOne(hook);
      s.now += LEASE - 1;
      expect(await s.outbox.claim([hook], s.now, s.now + LEASE, SERVER)).toEqual([]);
      s.now += 1;
      const second = await s.claimOne(hook);
      expect([second.delivery, second.message, second.failed]).toEqual([first.delivery, first.message, 0]);
      expect(await s.settle(first, SUCCESS)).toBe(false);
      expect(await s.settle(second, SUCCESS)).toBe(true);
      expect(await rows()).toEqual([]);
    });
    test('is due again after a restart, not counted', async () => {
      await s.sell();
      await s.claimOne(hook);
      expect(await s.outbox.recover(SERVER, s.now)).toBe(1);
      expect([await due(), await count(), (await rows()).length]).toEqual([[hook], 0, 1]);
    });
  });

  test('I2 nothing remains after a success', async () => {
    const attempt = await event(SUCCESS);
    expect([await rows(), await s.settle(attempt, SUCCESS)]).toEqual([[], false]);
  });

  test('S29 oldest due first, one of a hook', async () => {
    await event(REFUSED);
    s.now += 2 * HOUR;
    await s.sell();
    const attempts = await s.outbox.claim([hook, 'nohook'], s.now, s.now + 1, SERVER);
    expect(attempts).toMatchObject([{ failed: 1, hook }]);
  });

  test('S31 after the clock went back a retry waits its delay from now', async () => {
    const yesterday = NOW - 24 * HOUR;
    await event(REFUSED);
    await event(REFUSED);
    await s.sell();
    await s.outbox.recover(SERVER, yesterday);
    expect(await dues()).toEqual([-23, -22, -24]);
    expect(await s.outbox.due(-1, yesterday)).toEqual([hook]);
    await s.outbox.clockChanged({ now: yesterday - HOUR, by: -HOUR, lease: yesterday - HOUR + LEASE });
    expect(await dues()).toEqual([-24, -23, -25]);
  });

  test('due hooks and next due', async () => {
    await event(REFUSED);
    expect([await s.outbox.due(-1, NOW), await s.outbox.nextDue(NOW)]).toEqual([[], NOW + HOUR]);
    expect(await s.outbox.due(NOW, NOW + HOUR)).toEqual([hook]);
    expect(await s.outbox.due(NOW + HOUR, NOW + 2 * HOUR)).toEqual([]);
  });

  test('hosts are current, and for a deleted hook the one of its unsubscribe', async () => {
    const other = await s.subscribe({ callback_uri: 'http://127.0.0.1:8080/x' });
    expect(await s.outbox.hosts([other, 'nohook', hook])).toEqual(['127.0.0.1:8080', null, 'receiver.example']);
    const row = await s.hook(other);
    await s.drop('webhook', other);
    await s.publishWithin([{ kind: 'unsubscribed', row }], s.now);
    expect(await s.outbox.hosts([other])).toEqual(['127.0.0.1:8080']);
  });

  test('S40 the log has every attempt, newest first', async () => {
    await event(REFUSED);
    s.now += HOUR;
    await s.attempted(hook, { class: 'internal' });
    await s.attempted(hook, { class: 'dns' });
    const logged = (await s.outbox.log(hook)).map(({ type, outcome, status, counted }) => [
      type,
      outcome,
      status,
      counted,
    ]);
    expect(logged).toEqual([
      ['data', 'dns', null, 1],
      ['data', 'internal', null, 0],
      ['data', 'status', 500, 1],
      ['subscribe', 'success', 200, 1],
    ]);
    expect(await s.outbox.log(hook, 1)).toMatchObject([{ outcome: 'dns', started: s.now, ended: s.now }]);
    await s.outbox.pruneLog(NOW + HOUR, s.now);
    expect(await s.outbox.log(hook)).toHaveLength(2);
    await s.outbox.pruneLog(NOW + 2 * HOUR, NOW + 2 * HOUR);
    expect(await s.outbox.log(hook)).toHaveLength(0);
  });

  test('statistics and hooks', async () => {
    await event(REFUSED);
    await s.sell();
    s.now += 1000;
    expect(await s.outbox.statistics(s.now)).toEqual({
      ...{ due: 1, oldestDueAge: 1000, waiting: 1, held: 0, inFlight: 0 },
      ...{ hooks: 1, failing: 0, holding: 0, mailsDue: 0, oldestMailAge: 0 },
    });
    await s.claimOne(hook);
    const noticed = { noticed: null, noticeSent: null };
    expect(await s.outbox.hooks()).toMatchObject([{ id: hook, deliveries: 2, inFlight: 1, held: 0, ...noticed }]);
    for (let n = 0; n < 5; n += 1) {
      const attempt = await s.outbox.test(hook, { payload: '{}', now: s.now, server: SERVER });
      await s.settle(attempt, REFUSED);
    }
    expect(await s.outbox.hooks()).toMatchObject([
      { failures_since_last_success: 6, noticed: s.now, noticeSent: null },
    ]);
    expect(await s.outbox.statistics(s.now + 5)).toMatchObject({ failing: 1, mailsDue: 1, oldestMailAge: 5 });
  });
});
