// The operations of the web hook resource: who may subscribe, to what, with which key (S14, S37, S42), and the test call.

import type { Outcome } from '../../runtime/rules/delivery.js';
import {
  outboxWorld,
  person,
  REFUSED,
  resultOf,
  runAttempt,
  type Sale,
  SERVER,
  sale,
  sell,
  subscribe,
  type World,
} from './outbox/outbox-world.js';

let w: World;
let p: Sale;
beforeEach(async () => {
  w = outboxWorld();
  p = await sale(w);
});
afterEach(() => w.end());

const all = () => ({
  owner_class: 'Designer',
  owner_id: p.designer,
  event: 'ItemSold',
  callback_uri: 'https://receiver.example/hook',
  api_key_id: p.key,
});
const create = (more: object, caller = p.maker) =>
  resultOf(w.run('create', { parameters: { ...all(), ...more }, caller }));
const stored = () => w.db.prepare('SELECT count(*) FROM webhook').pluck().get();
const deliveries = () => w.db.prepare('SELECT type FROM webhook_delivery').pluck().all();

describe('create', () => {
  test('stores the hook and queues its first callback', async () => {
    expect(JSON.parse(await create({}))).toMatchObject({
      ...all(),
      user_id: p.maker.user,
      failures_since_last_success: 0,
    });
    expect(deliveries()).toEqual(['subscribe']);
  });
  test('an owner class of other events', async () => {
    expect(await create({ event: 'ReceiptShipped' })).toBe('invalid, owner_class invalid');
    expect(await create({ owner_class: 'User', owner_id: p.maker.user })).toBe('invalid, owner_class invalid');
  });
  test("another user's user", async () => {
    const more = { owner_class: 'User', owner_id: p.buyer.user, event: 'ReceiptShipped' };
    expect(await create(more)).toBe('forbidden, owner_id forbidden');
  });
  test("another user's key, for any caller", async () => {
    expect(await create({ api_key_id: p.buyerKey })).toBe('forbidden, api_key_id forbidden');
    expect(await create({}, await person(w, 'boss', true))).toBe('forbidden, api_key_id forbidden');
  });
  test("an administrator subscribes for anybody's designer", async () => {
    const boss = await person(w, 'boss', true);
    const api_key_id = await w.make('apikey', { name: 'boss' }, boss);
    expect(JSON.parse(await create({ api_key_id }, boss))).toMatchObject({ user_id: boss.user });
  });
  test('S14: the key defaults to that of the session, and is required without one', async () => {
    const { api_key_id: _, ...parameters } = all();
    const ask = (caller: object) => resultOf(w.run('create', { parameters, caller: { ...p.maker, ...caller } }));
    expect(JSON.parse(await ask({ apiKey: p.key }))).toMatchObject({ api_key_id: p.key });
    expect(await ask({})).toBe('required, api_key_id required');
    expect(await ask({ apiKey: p.buyerKey })).toBe('forbidden, api_key_id forbidden');
  });
  test('all failures that need no database are reported together', async () => {
    const parameters = { owner_class: 'Game', callback_uri: 'http://private/' };
    expect(await resultOf(w.run('create', { parameters, caller: p.maker }))).toBe(
      'invalid, owner_class invalid, owner_id required, event required, callback_uri invalid, api_key_id required',
    );
    expect(stored()).toBe(0);
  });
});

describe('update', () => {
  const update = async (more: object, caller = p.maker) => {
    const id = await subscribe(w, p);
    return resultOf(w.run('update', { id, parameters: { ...all(), ...more }, caller }));
  };
  test('changes the address without another callback', async () => {
    expect(JSON.parse(await update({ callback_uri: 'http://new/' }))).toMatchObject({ callback_uri: 'http://new/' });
    expect(deliveries()).toEqual(['subscribe']);
  });
  test('the owner, the address and the key are checked again', async () => {
    expect(await update({ owner_id: 'nobody' })).toBe('reference_not_found, owner_id reference_not_found');
    expect(await update({ callback_uri: 'http://private/' })).toBe('invalid, callback_uri invalid');
    expect(await update({ api_key_id: p.buyerKey })).toBe('forbidden, api_key_id forbidden');
    expect(await update({ api_key_id: null })).toBe('required, api_key_id required');
  });
  test('S36: a change does not reset the count', async () => {
    const id = await subscribe(w, p);
    await runAttempt(w, id, REFUSED);
    const changed = await resultOf(w.run('update', { id, parameters: all(), caller: p.maker }));
    expect(JSON.parse(changed)).toMatchObject({ failures_since_last_success: 1 });
  });
});

describe('test', () => {
  const payload = { greeting: 'grüß', deep: [{ er: null }] };
  const call = (id: string, more: object = { payload }, caller = p.maker) =>
    resultOf(w.run('action', { id, name: 'test', parameters: more as Record<string, unknown>, caller }));
  const count = (id: string) => w.store.rowsOf('webhook').row(id)?.failures_since_last_success;
  let id: string;
  beforeEach(async () => {
    id = await subscribe(w, p);
  });

  test.each<[string, Outcome, string, number]>([
    ['success', { class: 'success' }, '1', 0],
    ['201', { class: 'status', status: 201 }, '0', 8],
    ['timeout', { class: 'timeout' }, '0', 8],
    ['our own fault', { class: 'internal' }, '0', 7],
  ])('S10, S11: %s', async (_, outcome, body, failures) => {
    w.db.prepare('UPDATE webhook SET failures_since_last_success = 7').run();
    const seen: string[] = [];
    w.receiver = async ({ type, message }) => {
      seen.push(type, message);
      return outcome;
    };
    expect([await call(id), count(id)]).toEqual([body, failures]);
    expect([seen[0], JSON.parse(seen[1] ?? '').payload]).toEqual(['test', payload]);
    expect(deliveries()).toEqual(['subscribe']);
  });
  test('the payload as text', async () => expect(await call(id, { payload: JSON.stringify(payload) })).toBe('1'));
  test('a payload that is not an object', async () => {
    for (const wrong of ['[]', [1], 'x', 7])
      expect(await call(id, { payload: wrong })).toBe('invalid, payload invalid');
    expect(await call(id, {})).toBe('required, payload required');
    expect(await call(id, { payload: `${'{"a":'.repeat(40)}1${'}'.repeat(40)}` })).toBe('invalid, payload invalid');
    expect(count(id)).toBe(0);
  });
  test('S13: a hook with a hundred failures can be tested too', async () => {
    w.db.prepare('UPDATE webhook SET failures_since_last_success = 100').run();
    expect([await call(id), count(id)]).toEqual(['1', 0]);
  });
  test('S13: a user runs one test at a time', async () => {
    let answer = (_: Outcome): void => undefined;
    const received = new Promise<void>((resolve) => {
      w.receiver = () => {
        resolve();
        return new Promise((settle) => {
          answer = settle;
        });
      };
    });
    const first = call(id);
    await received;
    expect(await call(id)).toBe('rate_limited');
    answer({ class: 'success' });
    expect(await first).toBe('1');
    w.receiver = async () => REFUSED;
    expect(await call(id)).toBe('0');
  });
  test('the hook may be deleted meanwhile', async () => {
    w.receiver = async () => {
      await w.run('remove', { id, caller: p.maker });
      return REFUSED;
    };
    expect(await call(id)).toBe('0');
    expect(deliveries()).toEqual(['unsubscribe']);
  });
  test('a restart forgets the test', async () => {
    await w.outbox.test(id, { payload: '{}', now: w.now, server: SERVER });
    await sell(w, p);
    await w.outbox.recover(SERVER, w.now);
    expect(deliveries()).toEqual(['subscribe', 'data']);
  });
});
