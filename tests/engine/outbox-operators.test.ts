// What operators see of deliveries and do to hooks (D48, D49), on every engine.

import type { Attempt, Outcome } from '../../runtime/rules/delivery.js';
import { HOLD_AT } from '../../runtime/rules/delivery.js';
import { describeOnOutboxEngines } from './outbox-engines.js';
import { HOUR, LEASE, type OutboxScene, outboxScene, REFUSED, SERVER, SUCCESS } from './outbox-scene.js';

const AUTHOR = { user: null, name: 'root' };
const ALL = { states: null, after: null, limit: 100 } as const;

describeOnOutboxEngines((_engine, open) => {
  let s: OutboxScene;
  let hook: string;
  beforeEach(async () => {
    s = await outboxScene(await open());
    hook = await s.subscribe();
    await s.attempted(hook, SUCCESS);
  });
  afterEach(() => s.end());

  const by = () => ({ author: AUTHOR, now: s.now });
  const claim = (): Promise<readonly Attempt[]> | readonly Attempt[] =>
    s.outbox.claim([hook], s.now, s.now + LEASE, SERVER) as Promise<readonly Attempt[]>;
  const states = async (of = hook) => (await s.outbox.deliveries(of, ALL)).items.map(({ state }) => state);
  const message = (delivery: string, of = hook) => s.outbox.message(of, delivery);
  const retry = async (which: { delivery: string } | { since: number }) => s.outbox.retry(hook, which, by());
  const failOne = async (outcome: Outcome = REFUSED): Promise<string> => {
    await s.sell();
    return (await s.attempted(hook, outcome)).delivery;
  };
  const unsubscribe = async () => {
    const row = await s.hook(hook);
    await s.drop('webhook', hook);
    await s.publishWithin([{ kind: 'unsubscribed', row }], s.now);
    // The unsubscribe itself.
    await s.attempted(hook, SUCCESS);
  };

  test('D48: a message stays readable with its attempts and their answers, and is not sent again once delivered', async () => {
    const delivery = await failOne({ class: 'status', status: 500, answer: 'not now' });
    expect(await message(delivery)).toMatchObject({ state: 'waiting', failed: 1, due: s.now + HOUR, ended: null });
    s.now += HOUR;
    expect((await s.attempted(hook, { class: 'success', answer: 'ok' })).delivery).toBe(delivery);
    const kept = await message(delivery);
    expect(kept).toMatchObject({ hook, type: 'data', state: 'delivered', failed: 1, due: null, ended: s.now });
    expect(JSON.parse(kept?.message ?? '')).toMatchObject({
      id: hook,
      type: 'data',
      payload: { item: { quantity: 1 } },
    });
    expect(kept?.attempts.map(({ outcome, status, answer }) => [outcome, status, answer])).toEqual([
      ['status', 500, 'not now'],
      ['success', 200, 'ok'],
    ]);
    await expect(retry({ delivery })).rejects.toMatchObject({ code: 'conflict' });
    expect(await retry({ since: 0 })).toBe(0);
    expect(await claim()).toEqual([]);
    await s.outbox.pruneLog(s.now + 1, s.now + 1);
    while (await s.outbox.pruneLog(s.now + 1, s.now + 1));
    expect([await message(delivery), await states()]).toEqual([null, []]);
  });

  test('D48: waiting deliveries are retried immediately with the same Delivery-Id; one, or all since a time', async () => {
    const [first, started] = [await failOne(), s.now];
    s.now += 60_000;
    const second = await failOne();
    expect(await claim()).toEqual([]);
    expect(await retry({ delivery: second })).toBe(1);
    const attempt = await s.claimOne(hook);
    expect(attempt).toMatchObject({ delivery: second, failed: 1 });
    await expect(retry({ delivery: second })).rejects.toMatchObject({ code: 'conflict' });
    await s.settle(attempt, REFUSED);
    expect(await retry({ since: started + 1 })).toBe(1);
    expect(await retry({ since: 0 })).toBe(1);
    const delivered = [await s.attempted(hook, SUCCESS), await s.attempted(hook, SUCCESS)];
    expect(new Set(delivered.map(({ delivery }) => delivery))).toEqual(new Set([first, second]));
    await expect(retry({ delivery: 'm0none' })).rejects.toMatchObject({ code: 'not_found' });
    await expect(s.outbox.retry('m0none', { since: 0 }, by())).rejects.toMatchObject({ code: 'not_found' });
  });

  test('D48: held deliveries are retried immediately, and held again if they fail', async () => {
    await s.change('webhook', hook, { failures_since_last_success: HOLD_AT });
    const delivery = await failOne();
    expect(await states()).toEqual(['held', 'delivered']);
    s.now += 1000 * HOUR;
    expect(await claim()).toEqual([]);
    expect(await retry({ delivery })).toBe(1);
    expect((await s.attempted(hook, REFUSED)).delivery).toBe(delivery);
    expect([await claim(), await states()]).toEqual([[], ['held', 'delivered']]);
  });

  test('D48: deliveries cancelled with their hook are attempted once per retry, until they succeed', async () => {
    const delivery = await failOne();
    await unsubscribe();
    expect(await message(delivery)).toMatchObject({ state: 'cancelled' });
    for (const outcome of [REFUSED, SUCCESS]) {
      s.now += 1000 * HOUR;
      expect(await claim()).toEqual([]);
      expect(await retry({ since: 0 })).toBe(1);
      const attempt = await s.attempted(hook, outcome);
      expect(attempt).toMatchObject({ delivery, uri: 'https://receiver.example/hook', key: 'the secret' });
    }
    expect(await message(delivery)).toMatchObject({ state: 'delivered' });
    await expect(retry({ delivery })).rejects.toMatchObject({ code: 'conflict' });
    await s.outbox.pruneOrphans();
    expect(await states()).toEqual(['delivered', 'delivered', 'delivered']);
  });

  test('S15: a deleted key signs no retried delivery', async () => {
    await failOne();
    await unsubscribe();
    await s.drop('apikey', s.key);
    await retry({ since: 0 });
    expect(await s.claimOne(hook)).toMatchObject({ key: null });
  });

  test('D48: an attempt under way when its hook is deleted may succeed, and is then not sent again', async () => {
    await s.sell();
    const attempt = await s.claimOne(hook);
    const row = await s.hook(hook);
    await s.drop('webhook', hook);
    await s.publishWithin([{ kind: 'unsubscribed', row }], s.now);
    await expect(retry({ delivery: attempt.delivery })).rejects.toMatchObject({ code: 'conflict' });
    expect(await s.settle(attempt, SUCCESS)).toBe(false);
    expect(await message(attempt.delivery)).toMatchObject({ state: 'delivered' });
  });

  test('A paused hook keeps everything and attempts nothing until it is resumed', async () => {
    const delivery = await failOne();
    const inFlight = await (async () => {
      await s.sell();
      return s.claimOne(hook);
    })();
    await s.outbox.pause(hook, true, by());
    await s.outbox.pause(hook, true, by());
    await s.sell();
    await s.settle(inFlight, SUCCESS);
    s.now += 1000 * HOUR;
    await s.outbox.recover(SERVER, s.now);
    expect([await claim(), await s.outbox.due(0, s.now)]).toEqual([[], []]);
    expect(await s.outbox.hook(hook)).toMatchObject({ held: 2, nextDue: null, pausedWithAccount: null });
    await expect(retry({ delivery })).rejects.toMatchObject({ code: 'conflict' });
    await s.outbox.pause(hook, false, by());
    expect(await s.outbox.hook(hook)).toMatchObject({ held: 0, pausedByOperator: null });
    expect(await s.outbox.due(s.now - 1, s.now)).toEqual([hook]);
    expect((await s.attempted(hook, SUCCESS)).delivery).toBe(delivery);
    await s.attempted(hook, SUCCESS);
    expect(await claim()).toEqual([]);
    await expect(s.outbox.pause('m0none', true, by())).rejects.toMatchObject({ code: 'not_found' });
  });

  test('D49: the hooks of a disabled user pause, and resume with the account, except for those that an operator paused', async () => {
    const other = await s.subscribe();
    await s.attempted(other, SUCCESS);
    await s.outbox.pause(other, true, by());
    const account = (disabled: boolean) => s.publishWithin([{ kind: 'account', id: s.maker, disabled }], s.now);
    await account(true);
    await s.sell();
    expect(await s.outbox.claim([hook, other], s.now, s.now + LEASE, SERVER)).toEqual([]);
    await account(false);
    const claimed = await s.outbox.claim([hook, other], s.now, s.now + LEASE, SERVER);
    expect(claimed.map((attempt) => attempt.hook)).toEqual([hook]);
    await s.outbox.pause(other, false, by());
    expect(await s.outbox.claim([other], s.now, s.now + LEASE, SERVER)).toHaveLength(1);
  });

  test('Hooks come in pages, by their state', async () => {
    const hooks = [hook];
    for (const failures of [7, 7, 120]) {
      const id = await s.subscribe();
      await s.change('webhook', id, { failures_since_last_success: failures });
      hooks.push(id);
    }
    await s.outbox.pause(hook, true, by());
    const page = async (part: object) => {
      const page = await s.outbox.hooks({ state: null, after: null, limit: 2, ...part });
      return page.map(({ id }) => hooks.indexOf(id));
    };
    expect(await page({})).toEqual([3, 1]);
    const after = { failures_since_last_success: 7, id: hooks[1] };
    expect(await page({ after })).toEqual([2, 0]);
    expect(await page({ state: { from: 5, below: HOLD_AT } })).toEqual([1, 2]);
    expect(await page({ state: 'paused' })).toEqual([0]);
    expect(await s.outbox.hook('m0none')).toBeNull();
  });

  test('hooks can be listed for one user', async () => {
    const about = { owner_class: 'User', owner_id: s.neighbour, event: 'ReceiptShipped', api_key_id: null };
    const other = await s.subscribe({ user_id: s.neighbour, ...about });
    const of = async (user: string) =>
      (await s.outbox.hooks({ state: null, after: null, limit: 9, user, most: 1 })).map(({ id }) => id);
    expect([await of(s.maker), await of(s.neighbour), await of(s.buyer)]).toEqual([[hook], [other], []]);
  });

  test('a retry reports how many deliveries were attempted, and how many of them succeeded', async () => {
    for (let at = 0; at < 3; at += 1) await failOne();
    s.now += 60_000;
    const retried = () => s.outbox.retried(hook, s.now, 1_000);
    expect(await s.outbox.retry(hook, { since: 0 }, { author: null, now: s.now })).toBe(3);
    expect(await retried()).toEqual({ tried: 0, delivered: 0 });
    await s.attempted(hook, REFUSED);
    await s.attempted(hook, SUCCESS);
    expect(await retried()).toEqual({ tried: 2, delivered: 1 });
    // Later deliveries are not part of it.
    const at = s.now;
    s.now += 1;
    await s.sell();
    for (let retry = 0; retry < 2; retry += 1) await s.attempted(hook, SUCCESS);
    expect(await s.outbox.retried(hook, at, 1_000)).toEqual({ tried: 3, delivered: 2 });
    expect(await s.outbox.retried(hook, at, 0)).toEqual({ tried: 0, delivered: 0 });
  });

  test('Deliveries come in pages, by their state', async () => {
    const sent: string[] = [];
    for (const outcome of [REFUSED, SUCCESS, REFUSED]) sent.push(await failOne(outcome));
    const ids = async (part: object) =>
      (await s.outbox.deliveries(hook, { ...ALL, ...part })).items.map(({ id }) => sent.indexOf(id));
    expect(await ids({})).toEqual([2, 1, 0, -1]);
    expect(await ids({ limit: 1, after: sent[2] })).toEqual([1]);
    expect(await ids({ states: ['waiting', 'held'] })).toEqual([2, 0]);
    expect(await states('m0none')).toEqual([]);
  });
});
