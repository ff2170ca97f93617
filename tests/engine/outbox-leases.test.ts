// Leases belong to servers, and one delivery of a hook is in flight at a time in the whole system, which several servers on one
// outbox rely on, on every engine.

import { describeOnOutboxEngines } from './outbox-engines.js';
import { HOUR, LEASE, type OutboxScene, outboxScene, REFUSED, SERVER, SUCCESS } from './outbox-scene.js';

const OTHER = 'another server';

describeOnOutboxEngines((_, open) => {
  let s: OutboxScene;
  let hook: string;
  beforeEach(async () => {
    s = await outboxScene(await open());
    hook = await s.subscribe();
    // Its subscribe callback, and two events.
    for (let event = 0; event < 2; event += 1) await s.sell();
  });
  afterEach(() => s.end());

  const claim = async (server: string) => s.outbox.claim([hook], s.now, s.now + LEASE, server);
  const claimed = (server: string) => s.claimOne(hook, server);
  const test_ = (server: string) => s.outbox.test(hook, { payload: '{}', now: s.now, server });

  test('S29: a hook that is in flight is not claimed again, by its server or by another', async () => {
    const first = await claimed(SERVER);
    expect([await claim(SERVER), await claim(OTHER)]).toEqual([[], []]);
    await s.settle(first, SUCCESS);
    const second = await claimed(OTHER);
    expect([await claim(SERVER), second.delivery === first.delivery]).toEqual([[], false]);
  });

  test('S29: servers that claim together get each hook once', async () => {
    const hooks = [hook];
    for (let n = 0; n < 20; n += 1) hooks.push(await s.subscribe());
    const servers = [SERVER, OTHER, 'a third'];
    const all = await Promise.all(servers.map((server) => s.outbox.claim(hooks, s.now, s.now + LEASE, server)));
    expect(all.flat().map((attempt) => attempt.hook)).toHaveLength(hooks.length);
    expect(new Set(all.flat().map((attempt) => attempt.hook)).size).toBe(hooks.length);
  });

  test('A claim sees what every settle called before it writes', async () => {
    const first = await claimed(SERVER);
    const settled = s.outbox.settle([{ attempt: first, outcome: SUCCESS, ended: s.now }]);
    const [second] = await claim(SERVER);
    expect([await settled, second?.type]).toEqual([[true], 'data']);
  });

  test('S24: a starting server releases only its own deliveries', async () => {
    const mine = await claimed(SERVER);
    const theirs = await s.subscribe();
    const other = await s.claimOne(theirs, OTHER);
    expect(await s.outbox.recover(SERVER, s.now)).toBe(1);
    expect(await s.outbox.claim([theirs], s.now, s.now + LEASE, SERVER)).toEqual([]);
    expect((await claimed(SERVER)).delivery).toBe(mine.delivery);
    expect(await s.settle(other, SUCCESS)).toBe(true);
  });

  test('S24: a starting server abandons only its own tests', async () => {
    const [mine, theirs] = [await test_(SERVER), await test_(OTHER)];
    await s.outbox.recover(SERVER, s.now);
    expect([await s.settle(mine, SUCCESS), await s.settle(theirs, SUCCESS)]).toEqual([false, true]);
  });

  test('S13: a test does not delay deliveries, nor a delivery a test', async () => {
    const tested = await test_(SERVER);
    const attempt = await claimed(SERVER);
    expect(
      await s.outbox.settle([tested, attempt].map((one) => ({ attempt: one, outcome: SUCCESS, ended: s.now }))),
    ).toEqual([true, true]);
  });

  test('S13: a deleted hook cannot be tested', async () => {
    await s.drop('webhook', hook);
    await expect((async () => test_(SERVER))()).rejects.toMatchObject({ code: 'not_found' });
  });

  test('S22: a hook that is deleted while it is in flight sends its unsubscribe afterwards', async () => {
    const attempt = await claimed(SERVER);
    const row = await s.hook(hook);
    await s.drop('webhook', hook);
    await s.publishWithin([{ kind: 'unsubscribed', row }], s.now);
    expect(await claim(OTHER)).toEqual([]);
    expect(await s.settle(attempt, SUCCESS)).toBe(false);
    expect((await claimed(OTHER)).type).toBe('unsubscribe');
  });

  test('S24: an expired lease blocks nothing, and an outcome after it changes nothing', async () => {
    const late = await claimed(SERVER);
    s.now += LEASE;
    const again = await claimed(OTHER);
    expect([again.delivery, await s.settle(late, SUCCESS)]).toEqual([late.delivery, false]);
    expect([await claim(SERVER), await s.settle(again, SUCCESS)]).toEqual([[], true]);
  });

  test.each([
    ['ahead', 5 * HOUR],
    ['back', -5 * HOUR],
  ])(
    'N09: what is under way when the clock goes %s is claimed by nobody else, and after its lease by anybody',
    async (_, by) => {
      const first = await claimed(SERVER);
      s.now += by;
      await s.outbox.clockChanged({ now: s.now, by, lease: s.now + LEASE });
      expect(await claim(OTHER)).toEqual([]);
      s.now += LEASE - 1;
      expect(await claim(OTHER)).toEqual([]);
      s.now += 1;
      expect((await claimed(OTHER)).delivery).toBe(first.delivery);
    },
  );

  test('N09: a lease that had ended before the clock changed stays ended', async () => {
    const lost = await claimed(SERVER);
    s.now += LEASE + 5 * HOUR;
    await s.outbox.clockChanged({ now: s.now, by: 5 * HOUR, lease: s.now + LEASE });
    expect((await claimed(OTHER)).delivery).toBe(lost.delivery);
  });

  test('N09: the outcome of an attempt that began before the clock went back leaves the hook no older than it is', async () => {
    const attempt = await claimed(SERVER);
    s.now -= 5 * HOUR;
    await s.settle(attempt, REFUSED);
    const { date_created, date_updated } = (await s.hook(hook)) as { date_created: number; date_updated: number };
    expect(Number(date_updated) >= Number(date_created)).toBe(true);
  });

  test('S38: nothing of a hook that was deleted with its user is claimed, and nothing remains', async () => {
    await s.drop('webhook', hook);
    expect(await claim(SERVER)).toEqual([]);
    expect([await s.rows('webhook_delivery'), await s.rows('webhook_lease')]).toEqual([[], []]);
  });

  test('no lease remains', async () => {
    await s.settle(await claimed(SERVER), SUCCESS);
    await s.settle(await test_(SERVER), SUCCESS);
    expect(await s.rows('webhook_lease')).toEqual([]);
  });
});
