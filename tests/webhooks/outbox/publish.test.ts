// From a change to its deliveries: who receives what, in the change's own transaction (S12, S22, S28, S37, I10).

import { NOW, outboxWorld, person, type Sale, sale, sell, subscribe, told, type World } from './outbox-world.js';

let w: World;
let p: Sale;
beforeEach(async () => {
  w = outboxWorld();
  p = await sale(w);
});
afterEach(() => w.end());

interface Waiting {
  readonly webhook_id: string;
  readonly type: string;
  readonly message: string;
}
const waiting = (type = 'data') =>
  w.db.prepare<[string], Waiting>('SELECT * FROM webhook_delivery WHERE type = ? ORDER BY id').all(type);

test('S28 EveryHookOfEventAndOwner, and no other', async () => {
  const two = [await subscribe(w, p), await subscribe(w, p)];
  const { maker } = p;
  const other = await w.make('designer', { name: 'Other' }, maker);
  await subscribe(w, p, { owner_id: other });
  await subscribe(w, p, { owner_class: 'User', owner_id: maker.user, event: 'ReceiptShipped' });
  await sell(w, p);
  expect(waiting().map(({ webhook_id }) => webhook_id)).toEqual(two);
  await subscribe(w, p);
  // Later hooks get none.
  expect(waiting()).toHaveLength(2);
});

test('TheMessageHasTheDocumentsKeys', async () => {
  const id = await subscribe(w, p);
  await sell(w, p);
  expect(JSON.parse(waiting()[0]?.message ?? '')).toEqual({
    id,
    owner_class: 'Designer',
    owner_id: p.designer,
    event: 'ItemSold',
    type: 'data',
    payload: { item: { quantity: 1 }, shipping_address: {} },
  });
});

test('S12 CreateSubscribes and S22 DeleteUnsubscribes', async () => {
  const id = await subscribe(w, p);
  await sell(w, p);
  const head = { id, owner_class: 'Designer', owner_id: p.designer, event: 'ItemSold' };
  expect(waiting('subscribe').map(({ message }) => JSON.parse(message))).toEqual([
    { ...head, type: 'subscribe', payload: {} },
  ]);
  expect((await w.run('remove', { id, caller: p.maker })).body).toBe('{"success":1}');
  const left = w.db.prepare('SELECT type, message, snapshot_uri FROM webhook_delivery').all();
  expect(left).toEqual([
    {
      type: 'unsubscribe',
      message: JSON.stringify({ ...head, type: 'unsubscribe', payload: {} }),
      snapshot_uri: 'https://receiver.example/hook',
    },
  ]);
  expect(await told(w.run('remove', { id, caller: p.maker }))).toBe('not_found');
  expect(waiting('unsubscribe')).toHaveLength(1);
});

test('I10 ARefusedChangeLeavesNoDelivery', async () => {
  await subscribe(w, p);
  const items = [{ game_id: p.game }, { game_id: 'nogame' }, { game_id: 'noneeither' }];
  const refused = w.run('create', {
    resource: 'receipt',
    parameters: { user_id: p.buyer.user, items },
    caller: { user: null, admin: true },
  });
  expect(await told(refused)).toBe(
    'reference_not_found, items/1/game_id reference_not_found, items/2/game_id reference_not_found',
  );
  expect(waiting()).toEqual([]);
  expect(w.db.prepare('SELECT count(*) FROM receipt').pluck().get()).toBe(0);
});

describe('S37 entitlement is checked when the event happens', () => {
  const hooksTold = async () => {
    await sell(w, p);
    return waiting().length;
  };
  test('TheDesignerWentToSomebodyElse', async () => {
    const id = await subscribe(w, p);
    expect(await hooksTold()).toBe(1);
    expect(w.passedOver).toEqual([]);
    w.db.prepare('UPDATE designer SET user_id = ?').run(p.buyer.user);
    expect(await hooksTold()).toBe(1);
    expect(w.passedOver).toEqual([id]);
  });
  test('AnAdministratorUntilNoLonger', async () => {
    const boss = await person(w, 'boss', true);
    const key = await w.make('apikey', { name: 'boss' }, boss);
    await subscribe(w, { ...p, maker: boss, key });
    expect(await hooksTold()).toBe(1);
    w.db.prepare('UPDATE "user" SET admin = 0').run();
    expect(await hooksTold()).toBe(1);
  });
  test('TheKeyIsSomebodyElses (finding 5)', async () => {
    await subscribe(w, p);
    w.db.prepare('UPDATE apikey SET user_id = ? WHERE id = ?').run(p.buyer.user, p.key);
    expect(await hooksTold()).toBe(0);
  });
  test('S15 TheKeyIsGone: the attempt will fail, so the event is kept', async () => {
    await subscribe(w, p);
    await w.store.remove('apikey', p.key, p.maker, w.now);
    expect(await hooksTold()).toBe(1);
  });
});

test('HooksOfADeletedDesignerGoWithTheirUnsubscribe', async () => {
  const id = await subscribe(w, p);
  await w.store.remove('game', p.game, p.maker, w.now);
  await w.store.remove('designer', p.designer, p.maker, w.now);
  expect(w.db.prepare('SELECT id FROM webhook').all()).toEqual([]);
  expect(w.db.prepare('SELECT webhook_id, type FROM webhook_delivery').all()).toEqual([
    { webhook_id: id, type: 'unsubscribe' },
  ]);
});

test('WhoListensIsWoken', async () => {
  const id = await subscribe(w, p);
  await sell(w, p);
  expect(w.woken).toEqual([id, id]);
});

describe('emit', () => {
  const event = { event: 'ItemSold', owner_class: 'Designer', payload: { item: {}, shipping_address: {} } };
  const refusal = async (more: object) =>
    Promise.resolve(w.outbox.publish({ ...event, owner_id: p.designer, ...more }, NOW)).catch(({ failures }) =>
      failures.map(({ field, code }: { field: string; code: string }) => `${field} ${code}`),
    );
  test('OK', async () => {
    await subscribe(w, p);
    expect(await w.outbox.publish({ ...event, owner_id: p.designer }, NOW)).toBe(1);
    expect(waiting()).toHaveLength(1);
  });
  test('UnknownEvent', async () => expect(await refusal({ event: 'toString' })).toEqual(['event invalid']));
  test('MissingOwner', async () => expect(await refusal({ owner_id: 'x' })).toEqual(['owner_id reference_not_found']));
  test('EveryMisfitAtOnce', async () => {
    const payload = { item: { quantity: 'two' } };
    expect(await refusal({ owner_class: 'User', payload })).toEqual([
      'owner_class invalid',
      'payload/shipping_address invalid',
      'payload/item/quantity invalid',
    ]);
  });
  test('APayloadThatIsNoObject', async () => {
    for (const payload of [undefined, null, 'x', []]) expect(await refusal({ payload })).toEqual(['payload invalid']);
  });
});

test('APayloadOfOursThatDoesNotFitIsABug', () => {
  const of = { resource: 'designer', id: p.designer };
  expect(() => w.outbox.publishWithin([{ event: 'ItemSold', of, payload: {} }], NOW)).toThrow(/does not fit/);
  expect(() => w.outbox.publishWithin([{ event: 'Nothing', of, payload: {} }], NOW)).toThrow('no event Nothing');
});
