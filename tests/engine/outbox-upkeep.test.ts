// What the outbox deletes and counts, a limited amount at a time (F24, F29), on every engine.

import { describeOnOutboxEngines } from './outbox-engines.js';
import { HOUR, NOW, type OutboxScene, outboxScene, REFUSED, SERVER } from './outbox-scene.js';

describeOnOutboxEngines((engine, open) => {
  let s: OutboxScene;
  let hook: string;
  beforeEach(async () => {
    s = await outboxScene(await open());
    hook = await s.subscribe();
  });
  afterEach(() => s.end());

  test('F24: figures of a large outbox come from a count in slices; of a small one they are exact', async () => {
    for (const { id } of await s.rows('webhook_delivery')) await s.drop('webhook_delivery', String(id));
    const fill = (from: number, to: number) =>
      s.putAll(
        'webhook_delivery',
        Array.from({ length: to - from }, (_, index) => {
          const n = from + index;
          const ready = n % 2 === 0 ? NOW - n : n % 3 === 0 ? NOW + n : null;
          const about = { webhook_id: hook, type: 'data', message: '{}', created: 0, due: 0, failed: 1 };
          return { id: `m${n % 5}${n}`, ...about, ready };
        }),
      );
    const figures = async () => {
      const { due, waiting, held, oldestDueAge } = await s.outbox.statistics(NOW);
      return [due, waiting, held, oldestDueAge];
    };
    await fill(0, 6);
    expect(await figures()).toEqual([3, 1, 2, 4]);
    await fill(6, 12_000);
    let steps = 1;
    while (await s.outbox.count(NOW)) steps += 1;
    expect(await figures()).toEqual([6000, 2000, 4000, 11_998]);
    // Three slices of deliveries, and one each of hooks and mails.
    expect(steps).toBe(5);
    await fill(12_000, 12_006);
    expect(await figures()).toEqual([6000, 2000, 4000, 11_998]);
    while (await s.outbox.count(NOW));
    expect(await figures()).toEqual([6003, 2001, 4002, 12_004]);
  });

  test('F24: the log is pruned in bounded steps', async () => {
    const logged = { delivery_id: 'm0d', webhook_id: hook, type: 'data', started: 0, outcome: 'dns', counted: 1 };
    const [old, young] = [NOW - 2 * HOUR, NOW];
    await s.putAll(
      'webhook_attempt',
      Array.from({ length: 3500 }, (_, n) => ({ id: `m${n % 3}${n}`, ...logged, ended: n < 2500 ? old : young })),
    );
    let before = 3500;
    for (let more = true; more; ) {
      more = await s.outbox.pruneLog(NOW - HOUR, NOW);
      const after = (await s.rows('webhook_attempt')).length;
      expect(before - after).toBeLessThanOrEqual(1000);
      before = after;
    }
    const remaining = await s.rows('webhook_attempt');
    expect([remaining.length, remaining.every(({ ended }) => ended === young)]).toEqual([1000, true]);
  });

  test('F29: rows that are kept for a hook are deleted after it', async () => {
    const mail = { user_id: 'm0u', event: 'e', callback_uri: '', created: 0 };
    await s.putAll(
      'webhook_mail',
      Array.from({ length: 2500 }, (_, n) => ({
        ...{ id: `g${n % 3}${n}`, webhook_id: `g${n % 3}one ${n}`, ...mail },
        sent: n % 500 === 0 ? null : 1,
      })),
    );
    await s.put('webhook_mail', { id: 'm0mine', webhook_id: hook, ...mail, sent: 1 });
    const delivery = { webhook_id: 'g0one', message: '{}', created: 0, due: 0 };
    await s.put('webhook_delivery', { ...delivery, id: 'g0held', type: 'data', failed: 1 });
    await s.put('webhook_delivery', { ...delivery, id: 'g0goodbye', type: 'unsubscribe', snapshot_uri: 'https://x/' });
    while (await s.outbox.pruneOrphans());
    expect(await s.rows('webhook_mail')).toHaveLength(6);
    const ids = (await s.rows('webhook_delivery')).map(({ id }) => id);
    expect([ids.includes('g0goodbye'), ids.includes('g0held'), ids.length]).toEqual([true, false, 2]);
  });

  if (engine !== 'PostgreSQL') return;
  test('F29: remains of a hook in other placements, and of servers that ended, are deleted, too', async () => {
    const deleted = await s.subscribe();
    await s.drop('webhook', deleted);
    expect(await s.rows('webhook_subscription')).toHaveLength(2);
    while (await s.outbox.pruneOrphans());
    expect(await s.rows('webhook_subscription')).toMatchObject([{ webhook_id: hook }]);
    const tested = await s.outbox.test(hook, { payload: '{}', now: s.now, server: SERVER });
    await s.outbox.pruneLog(s.now, s.now);
    expect([await s.settle(tested, REFUSED)]).toEqual([true]);
    const abandoned = await s.outbox.test(hook, { payload: '{}', now: s.now, server: SERVER });
    await s.outbox.pruneLog(s.now + 1, s.now + 1);
    expect([await s.settle(abandoned, REFUSED), await s.rows('webhook_lease')]).toEqual([false, []]);
  });
});
