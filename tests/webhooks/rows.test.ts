// Rows that no other test is about: what happens in the corners of the rules, on a real database.

import { type Exposure, guardOf } from '../../runtime/webhooks/admin/settings.js';
import { createWorker } from '../../runtime/webhooks/deliver/worker.js';
import { createGuard } from '../../runtime/webhooks/rules/address.js';
import type { Outcome } from '../../runtime/webhooks/rules/delivery.js';
import { decide } from '../../runtime/webhooks/rules/policy.js';
import { createSender } from '../../runtime/webhooks/send/sender.js';
import {
  ADMIN,
  attempted,
  HOUR,
  NOW,
  outboxWorld,
  person,
  REFUSED,
  type Sale,
  SERVER,
  SUCCESS,
  sale,
  sell,
  subscribe,
  told,
  type World,
} from './outbox/outbox-world.js';
import { answering, type Behaviour, startReceiver } from './receiver.js';

let w: World;
let p: Sale;
beforeEach(async () => {
  w = outboxWorld();
  p = await sale(w);
});
afterEach(() => w.end());

const setCount = (failures: number) => w.db.prepare('UPDATE webhook SET failures_since_last_success = ?').run(failures);
const row = (hook: string) => w.store.rowsOf('webhook').row(hook);
const deliveries = () => w.db.prepare<[], { type: string }>('SELECT type FROM webhook_delivery ORDER BY id').all();

/** A hook whose subscribe succeeded, with so many events that failed and are held. */
async function holding(held: number): Promise<string> {
  const hook = await subscribe(w, p);
  await attempted(w, hook, SUCCESS);
  setCount(100);
  for (let n = 0; n < held; n += 1) {
    await sell(w, p);
    await attempted(w, hook, REFUSED);
  }
  return hook;
}

test('S6 AfterAResetWhatWasHeldGoesOneAtATime', async () => {
  const hook = await holding(5);
  w.now += 10 * HOUR;
  await sell(w, p);
  await attempted(w, hook, SUCCESS);
  expect(w.outbox.statistics(w.now).due).toBe(5);
  let [underWay, most, sent] = [0, 0, 0];
  const send = async (): Promise<Outcome> => {
    underWay += 1;
    sent += 1;
    most = Math.max(most, underWay);
    await new Promise((resolve) => setImmediate(resolve));
    underWay -= 1;
    return SUCCESS;
  };
  const worker = createWorker({
    outbox: w.outbox,
    server: SERVER,
    send,
    clock: () => w.now,
    capacity: 10,
    deadline: 10_000,
  });
  while (w.outbox.statistics(w.now).due > 0) {
    await worker.runOnce(w.now);
    await worker.idle();
  }
  expect([sent, most]).toEqual([5, 1]);
});

test('S12 AFailingSubscribeLeavesTheHook, and is tried again', async () => {
  const hook = await subscribe(w, p);
  const { type, delivery } = await attempted(w, hook, { class: 'connect' });
  expect([type, row(hook)]).toEqual(['subscribe', expect.objectContaining({ failures_since_last_success: 1 })]);
  w.now += HOUR;
  expect(await attempted(w, hook, SUCCESS)).toMatchObject({ type: 'subscribe', delivery, failed: 1 });
  expect([deliveries(), row(hook)]).toEqual([[], expect.objectContaining({ failures_since_last_success: 0 })]);
});

describe('S18 the head decides', () => {
  const HEAD = 'HTTP/1.1 200 OK\r\n';
  const bodies: Readonly<Record<string, Behaviour>> = {
    'is cut off': answering((_, socket) => socket.end(`${HEAD}content-length: 100\r\n\r\nshort`)),
    'never comes': answering((_, socket) => socket.write(`${HEAD}content-length: 100\r\n\r\n`)),
    'is broken': answering((_, socket) => socket.write(`${HEAD}transfer-encoding: chunked\r\n\r\nno chunk\r\n`)),
    'is larger than what is read': answering((_, socket) => socket.write(`${HEAD}\r\n${'x'.repeat(200_000)}`)),
  };
  test.each(Object.keys(bodies))('a 200 whose body %s is a success', async (name) => {
    const receiver = await startReceiver(bodies[name] as Behaviour);
    const resolve = () => Promise.reject(new Error('no name is to be resolved'));
    const sender = createSender({ guard: createGuard(['127.0.0.0/8']), resolve, deadline: 5_000 });
    expect(await sender.send({ uri: `http://127.0.0.1:${receiver.port}/`, delivery: 'd', body: 'a=b' })).toMatchObject(
      SUCCESS,
    );
    await sender.close();
    await receiver.close();
  });
});

test('S33 DelaysHaveNoJitter', () => {
  const delays = Array.from({ length: 100 }, () =>
    decide({ failures: 2, noticed: null }, { type: 'data' }, REFUSED, { ended: NOW, unit: HOUR }),
  );
  expect(delays.map(({ delivery }) => delivery)).toEqual(delays.map(() => ({ next: 'retry', due: NOW + 3 * HOUR })));
});

test('S34 AThousandFailuresInOneMomentDeleteTheHook', async () => {
  const hook = await subscribe(w, p);
  await attempted(w, hook, SUCCESS);
  const items = Array.from({ length: 100 }, () => ({ game_id: p.game, quantity: 1 }));
  for (let n = 0; n < 10; n += 1) await w.make('receipt', { user_id: p.buyer.user, items });
  for (let n = 0; n < 999; n += 1) await attempted(w, hook, REFUSED);
  expect(row(hook)).toMatchObject({ failures_since_last_success: 999 });
  await attempted(w, hook, REFUSED);
  expect([row(hook), deliveries().map(({ type }) => type), w.now]).toEqual([undefined, ['unsubscribe'], NOW]);
});

test('S35 WhatIsHeldStaysUntilSomethingSucceeds', async () => {
  const hook = await holding(2);
  w.now += 10 * 365 * 24 * HOUR;
  await w.outbox.recover(SERVER, w.now);
  await w.outbox.pruneLog(w.now, w.now);
  expect([w.outbox.due(-1, w.now), w.outbox.statistics(w.now).held]).toEqual([[], 2]);
  const test = await w.outbox.test(hook, { payload: '{}', now: w.now, server: SERVER });
  await w.outbox.settle([{ attempt: test, outcome: SUCCESS, ended: w.now }]);
  expect([w.outbox.due(-1, w.now), w.outbox.statistics(w.now).held]).toEqual([[hook], 0]);
});

test('S38 TheHookOfAUserWhoIsGoneIsGoneWithThem', async () => {
  const boss = await person(w, 'boss', true);
  // The last administrator cannot be deleted (D65).
  await person(w, 'deputy', true);
  const key = await w.make('apikey', { name: 'boss' }, boss);
  const hook = await subscribe(w, { ...p, maker: boss, key });
  // Users cannot be deleted over HTTP, and not at all while they have keys.
  await w.store.remove('apikey', key, boss, w.now);
  await w.store.remove('user', boss.user ?? '', ADMIN, w.now);
  expect(row(hook)).toBeUndefined();
  await sell(w, p);
  expect(await w.outbox.claim([hook], w.now, w.now + 1, SERVER)).toEqual([]);
  expect(deliveries()).toEqual([]);
});

test('S39 TheSameSubscriptionTwiceIsTwoHooks, up to a thousand of a user', async () => {
  const [one, other] = [await subscribe(w, p), await subscribe(w, p)];
  expect(one).not.toBe(other);
  await sell(w, p);
  expect(deliveries().filter(({ type }) => type === 'data')).toHaveLength(2);
  await Promise.all(Array.from({ length: 998 }, () => subscribe(w, p)));
  const parameters = { ...row(one), api_key_id: p.key };
  expect(await told(w.run('create', { parameters, caller: p.maker }))).toBe('conflict');
  expect(w.db.prepare('SELECT count(*) FROM webhook').pluck().get()).toBe(1_000);
});

describe('S41 private receivers', () => {
  const allowed = (exposure: Partial<Exposure>, ranges?: readonly string[]) => {
    const options = ranges === undefined ? {} : { webhookAllowCidrs: ranges };
    const guard = guardOf({ ...options, host: '127.0.0.1', trustProxy: 0, ...exposure });
    return ['127.0.0.1', '::1', '10.1.2.3', '93.184.216.34'].map((address) => guard.allows(address));
  };
  test('F32: a server on loopback alone does not allow loopback, as it may stand behind a proxy', () => {
    for (const host of ['127.0.0.1', '127.1.2.3', '::1', 'localhost', '0.0.0.0', '::', '192.168.1.4', 'example.com']) {
      expect(allowed({ host })).toEqual([false, false, false, true]);
    }
  });
  test('F32: a demo that nobody else can reach may call its own machine', () => {
    for (const host of ['127.0.0.1', '127.1.2.3', '::1', 'localhost']) {
      expect(allowed({ host, demo: true })).toEqual([true, true, false, true]);
      expect(allowed({ host, demo: true, trustProxy: 1 })).toEqual([false, false, false, true]);
    }
    for (const host of ['0.0.0.0', '::', '192.168.1.4', 'example.com']) {
      expect(allowed({ host, demo: true })).toEqual([false, false, false, true]);
    }
  });
  test('RangesThatAreGivenReplaceTheDefault', () => {
    expect(allowed({ demo: true }, ['10.0.0.0/8'])).toEqual([false, false, true, true]);
    expect(allowed({ host: '0.0.0.0', trustProxy: 1 }, ['127.0.0.0/8'])).toEqual([true, false, false, true]);
    expect(allowed({ demo: true }, [])).toEqual([false, false, false, true]);
    expect(() => allowed({}, ['10.0.0.0'])).toThrow(/--webhook-allow-cidrs: .*10\.0\.0\.0/);
  });
});

test('F28: the host of a hook is known before its delivery is claimed, even of a deleted hook', async () => {
  const hook = await subscribe(w, p);
  expect(w.outbox.hosts([hook])).toEqual(['receiver.example']);
  await w.run('remove', { id: hook, caller: p.maker });
  expect(w.outbox.hosts([hook])).toEqual(['receiver.example']);
  expect(w.outbox.hosts(['nobody', hook])).toEqual([null, 'receiver.example']);
});
