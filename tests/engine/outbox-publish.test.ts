// From an event to its deliveries: who receives which event, in the transaction of the change (S12, S22, S28, S37, S39, I10),
// on every engine.

import { MAX_HOOKS, ownerDeleted } from '../../runtime/rules/hooks.js';
import type { Caller } from '../../runtime/store/records.js';
import { describeOnOutboxEngines } from './outbox-engines.js';
import { NOW, type OutboxScene, outboxScene, saleOf } from './outbox-scene.js';

describeOnOutboxEngines((_, open) => {
  let s: OutboxScene;
  beforeEach(async () => {
    s = await outboxScene(await open());
  });
  afterEach(() => s.end());

  const waiting = async (type = 'data') => (await s.rows('webhook_delivery')).filter((row) => row.type === type);
  const receivers = async () => (await waiting()).map(({ webhook_id }) => webhook_id);
  /** Code and fields of a refusal. */
  const refusal = async (refused: Promise<unknown>) =>
    refused.then(
      () => 'not refused',
      ({ code, failures }) =>
        [code, ...failures.map((one: { field: string; code: string }) => `${one.field} ${one.code}`)].join(', '),
    );
  const admin = async () => {
    const boss = await s.make('user', 'z9', { username: 'boss', password: '-', admin: 1 });
    const key = await s.make('apikey', 'z9', {
      name: 'boss',
      user_id: boss,
      private_key: 'of the boss',
      scope: 'read',
    });
    return { boss, hook: await s.subscribe({ user_id: boss, api_key_id: key }) };
  };

  test('S28 every hook of event and owner, and no other', async () => {
    const two = [await s.subscribe(), await s.subscribe()];
    const other = await s.make('designer', 'm0', { name: 'Other', user_id: s.maker });
    await s.subscribe({ owner_id: other });
    await s.subscribe({ owner_class: 'User', owner_id: s.maker, event: 'ReceiptShipped' });
    await s.sell();
    expect(await receivers()).toEqual(two);
    await s.subscribe();
    // Hooks created later get none.
    expect(await receivers()).toEqual(two);
  });

  test('S28 items of one sale are one delivery each, in their order', async () => {
    const hook = await s.subscribe();
    const items = [1, 2, 3].map((quantity) => ({
      ...saleOf(s.game),
      payload: { item: { quantity }, shipping_address: {} },
    }));
    await s.publishWithin(items, s.now);
    const payloads = (await waiting()).map(({ message }) => JSON.parse(String(message)).payload.item.quantity);
    expect([payloads, s.woken.slice(1)]).toEqual([
      [1, 2, 3],
      [hook, hook, hook],
    ]);
  });

  test('the message has the keys of the API document', async () => {
    const id = await s.subscribe();
    await s.sell();
    const head = { id, owner_class: 'Designer', owner_id: s.designer, event: 'ItemSold' };
    const [row] = await waiting();
    expect(row?.message).toBe(
      JSON.stringify({ ...head, type: 'data', payload: { item: { quantity: 1 }, shipping_address: {} } }),
    );
    expect(row).toMatchObject({ created: NOW, due: NOW, ready: NOW, failed: 0, attempt_id: null, snapshot_uri: null });
  });

  test('S12 a create subscribes, and S22 a delete unsubscribes', async () => {
    const id = await s.subscribe();
    await s.sell();
    const head = { id, owner_class: 'Designer', owner_id: s.designer, event: 'ItemSold' };
    expect((await waiting('subscribe')).map(({ message }) => JSON.parse(String(message)))).toEqual([
      { ...head, type: 'subscribe', payload: {} },
    ]);
    const row = await s.hook(id);
    await s.drop('webhook', id);
    await s.publishWithin([{ kind: 'unsubscribed', row }], s.now);
    expect(await s.rows('webhook_delivery')).toMatchObject([
      {
        type: 'unsubscribe',
        message: JSON.stringify({ ...head, type: 'unsubscribe', payload: {} }),
        snapshot_uri: 'https://receiver.example/hook',
        snapshot_key: 'the secret',
      },
    ]);
    await s.sell();
    expect(await waiting()).toEqual([]);
  });

  test('a hook that changes its owner or event gets the events of its current subscription', async () => {
    const hook = await s.subscribe();
    const other = await s.make('designer', 'm0', { name: 'Other', user_id: s.maker });
    const otherGame = await s.make('game', 'm0', { name: 'Others', designer_id: other });
    const moveTo = async (owner_id: string) => {
      await s.change('webhook', hook, { owner_id });
      await s.publishWithin([{ kind: 'updated', row: await s.hook(hook) }], s.now);
    };
    await moveTo(other);
    await s.sell();
    expect(await receivers()).toEqual([]);
    await s.publishWithin([saleOf(otherGame)], s.now);
    expect(await receivers()).toEqual([hook]);
    await moveTo(s.designer);
    await s.sell();
    expect(await receivers()).toEqual([hook, hook]);
  });

  describe('events of the records are published with them', () => {
    const ADMIN: Caller = { user: null, admin: true };
    const maker = (): Caller => ({ user: s.maker, admin: false });
    const create = async (resource: string, input: Record<string, unknown>, caller = ADMIN) =>
      s.records.create({ ...{ resource, input, caller }, failures: [], now: s.now, upload: null });
    const receipt = (...games: string[]) =>
      create('receipt', {
        user_id: s.buyer,
        items: games.map((game_id) => ({ game_id, quantity: 2 })),
      });
    const hookOf = async () => {
      const about = {
        owner_class: 'Designer',
        owner_id: s.designer,
        event: 'ItemSold',
        callback_uri: 'https://x.example/',
        format: 'form',
      };
      return (await create('webhook', { ...about, api_key_id: s.key }, maker())).id;
    };
    test('S12 and S22 events of the hook itself', async () => {
      const id = await hookOf();
      expect(await waiting('subscribe')).toMatchObject([{ webhook_id: id }]);
      await s.records.remove('webhook', id, { caller: maker(), now: s.now });
      expect(await s.rows('webhook_delivery')).toMatchObject([{ webhook_id: id, type: 'unsubscribe' }]);
    });
    test('D36 events of a sale, item by item', async () => {
      const id = await hookOf();
      await receipt(s.game, s.game);
      expect(await receivers()).toEqual([id, id]);
    });
    test('I10 a refused record leaves no delivery', async () => {
      await hookOf();
      expect(await refusal(receipt(s.game, 'nogame', 'm0neither'))).toBe(
        'reference_not_found, items/1/game_id reference_not_found, items/2/game_id reference_not_found',
      );
      expect([await waiting(), await s.rows('receipt')]).toEqual([[], []]);
    });
    test('the record itself is the payload, as its owner sees it', async () => {
      const key = await s.make('apikey', 'b1', { name: 'buyer', user_id: s.buyer, private_key: 'x', scope: 'read' });
      const about = { owner_class: 'User', owner_id: s.buyer, event: 'ReceiptShipped' };
      await s.subscribe({ ...about, user_id: s.buyer, api_key_id: key });
      const { id } = await receipt(s.game);
      await s.records.act('receipt', id, { ...{ name: 'ship', input: {}, failures: [] }, caller: ADMIN, now: s.now });
      const [row] = await waiting();
      expect(JSON.parse(String(row?.message))).toMatchObject({
        ...about,
        type: 'data',
        payload: { id, user_id: s.buyer },
      });
    });
    test('hooks of a deleted designer are deleted, and unsubscribe', async () => {
      const id = await hookOf();
      await s.records.remove('game', s.game, { caller: maker(), now: s.now });
      await s.records.remove('designer', s.designer, { caller: maker(), now: s.now });
      expect(await s.rows('webhook')).toEqual([]);
      expect(await s.rows('webhook_delivery')).toMatchObject([{ webhook_id: id, type: 'unsubscribe' }]);
    });
    test('S15 an event is kept if the key was deleted, since the attempt will fail', async () => {
      const id = await hookOf();
      await s.records.remove('apikey', s.key, { caller: maker(), now: s.now });
      await s.sell();
      expect([await receivers(), await s.claimOne(id)]).toEqual([[id], expect.objectContaining({ key: null })]);
    });
  });

  test('I10 a refused change leaves no delivery', async () => {
    await s.subscribe();
    const [one, two] = [saleOf('nogame'), { ...saleOf('m0neither'), parameter: 'items/2/game_id' }];
    expect(await refusal(s.publishWithin([saleOf(s.game), one, two], s.now))).toBe(
      'reference_not_found, game_id reference_not_found, items/2/game_id reference_not_found',
    );
    expect(await waiting()).toEqual([]);
  });

  describe('S37 entitlement is checked when the event happens', () => {
    const received = async () => {
      await s.sell();
      return (await waiting()).length;
    };
    test('a hook gets nothing once its designer belongs to another user', async () => {
      const id = await s.subscribe();
      expect(await received()).toBe(1);
      expect(s.passedOver).toEqual([]);
      await s.change('designer', s.designer, { user_id: s.neighbour });
      expect(await received()).toBe(1);
      expect(s.passedOver).toEqual([id]);
    });
    test('a hook of an administrator gets nothing once the right is revoked, even in another placement', async () => {
      const { boss, hook } = await admin();
      expect(await received()).toBe(1);
      expect(await s.claimOne(hook)).toMatchObject({ key: 'of the boss', type: 'subscribe' });
      await s.change('user', boss, { admin: 0 });
      expect(await received()).toBe(1);
      expect(s.passedOver).toEqual([hook]);
    });
    test('a hook gets nothing once its key belongs to another user (finding 5)', async () => {
      await s.subscribe();
      await s.change('apikey', s.key, { user_id: s.neighbour });
      expect(await received()).toBe(0);
    });
  });

  test('hooks of a deleted owner are deleted, and unsubscribe, in any placement', async () => {
    const first = await s.subscribe();
    const { hook } = await admin();
    const other = await s.make('designer', 'm0', { name: 'Other', user_id: s.maker });
    const stays = await s.subscribe({ owner_id: other });
    await s.publishWithin([ownerDeleted('designer', s.designer)], s.now);
    expect((await s.rows('webhook')).map(({ id }) => id)).toEqual([stays]);
    expect((await waiting('unsubscribe')).map(({ webhook_id }) => webhook_id)).toEqual([first, hook]);
    expect((await waiting('subscribe')).map(({ webhook_id }) => webhook_id)).toEqual([stays]);
  });

  test('subscribed hooks are woken', async () => {
    const id = await s.subscribe();
    await s.sell();
    expect(s.woken).toEqual([id, id]);
  });

  describe('a record that is the payload, and that the owner may not read', () => {
    const shipped = async () => {
      const receipt = { user_id: s.buyer, items: '[]' };
      const id = await s.make('receipt', 'b1', receipt);
      await s.publishWithin([{ event: 'ReceiptShipped', of: { resource: 'receipt', id }, payload: 'record' }], s.now);
    };
    beforeEach(async () => {
      await s.end();
      s = await outboxScene(
        await open((one) => (one.name === 'receipt' ? { ...one, access: { ...one.access, read: [] } } : one)),
      );
    });
    test('goes to nobody, and the change is carried out', async () => {
      const key = await s.make('apikey', 'b1', { name: 'buyer', user_id: s.buyer, private_key: 'x', scope: 'read' });
      const about = { owner_class: 'User', owner_id: s.buyer, event: 'ReceiptShipped' };
      const hook = await s.subscribe({ ...about, user_id: s.buyer, api_key_id: key });
      await shipped();
      expect([await waiting(), s.passedOver, (await s.rows('receipt')).length]).toEqual([[], [hook], 1]);
    });
    test('does not matter if nobody has subscribed', async () => {
      await shipped();
      expect([await waiting(), s.passedOver]).toEqual([[], []]);
    });
  });

  describe('a hook is refused for', () => {
    test('a user who may not edit the owner', async () => {
      const key = await s.make('apikey', 'b1', { name: 'buyer', user_id: s.buyer, private_key: 'x', scope: 'read' });
      const hook = { user_id: s.buyer, api_key_id: key };
      expect(await refusal(s.subscribe(hook))).toBe('forbidden, owner_id forbidden');
      expect(await s.rows('webhook_delivery')).toEqual([]);
    });
    test('an owner that does not exist, or is of another class', async () => {
      expect(await refusal(s.subscribe({ owner_id: 'none' }))).toBe(
        'reference_not_found, owner_id reference_not_found',
      );
      expect(await refusal(s.subscribe({ owner_class: 'User' }))).toBe('invalid, owner_class invalid');
    });
    test("another user's key", async () => {
      const key = await s.make('apikey', 'm0', { name: 'x', user_id: s.neighbour, private_key: 'x', scope: 'read' });
      expect(await refusal(s.subscribe({ api_key_id: key }))).toBe('forbidden, api_key_id forbidden');
    });
    test('S39 the thousand and first hook of a user', async () => {
      const about = {
        owner_class: 'Designer',
        owner_id: s.designer,
        event: 'ItemSold',
        callback_uri: 'https://x.example/',
        format: 'form',
      };
      const dated = { date_created: s.now, date_updated: s.now };
      const hooks = Array.from({ length: MAX_HOOKS - 1 }, () => ({ id: s.ids.next('m0', s.now), ...dated, ...about }));
      await s.putAll(
        'webhook',
        hooks.map((hook) => ({ ...hook, user_id: s.maker })),
      );
      await s.subscribe();
      expect(await refusal(s.subscribe())).toBe('conflict');
    });
  });

  describe('an event from outside', () => {
    const event = { event: 'ItemSold', owner_class: 'Designer', payload: { item: {}, shipping_address: {} } };
    const refused = async (more: object) => {
      const sent = { ...event, owner_id: s.designer, ...more };
      return refusal((async () => s.outbox.publish(sent, NOW))());
    };
    test('is published', async () => {
      const hook = await s.subscribe();
      expect(await s.outbox.publish({ ...event, owner_id: s.designer }, NOW)).toBe(1);
      expect([(await waiting()).length, s.woken]).toEqual([1, [hook, hook]]);
    });
    test('an unknown event', async () => expect(await refused({ event: 'toString' })).toBe('invalid, event invalid'));
    test('a missing owner', async () =>
      expect(await refused({ owner_id: 'x' })).toBe('reference_not_found, owner_id reference_not_found'));
    test('all mistakes in a payload are reported together', async () => {
      expect(await refused({ owner_class: 'User', payload: { item: { quantity: 'two' } } })).toBe(
        'invalid, owner_class invalid, payload/shipping_address invalid, payload/item/quantity invalid',
      );
    });
    test('a payload that is not an object is refused', async () => {
      for (const payload of [undefined, null, 'x', []])
        expect(await refused({ payload })).toBe('invalid, payload invalid');
    });
  });

  test('an invalid payload from our own code is a bug', async () => {
    const of = { resource: 'designer', id: s.designer };
    await expect(s.publishWithin([{ event: 'ItemSold', of, payload: {} }], NOW)).rejects.toThrow(/does not fit/);
    await expect(s.publishWithin([{ event: 'Nothing', of, payload: {} }], NOW)).rejects.toThrow('no event Nothing');
    await expect(s.publishWithin([{ ...saleOf('m0none'), parameter: undefined }], NOW)).rejects.toThrow(
      'does not exist',
    );
    const user = { resource: 'user', id: s.maker };
    await expect(s.publishWithin([{ event: 'ItemSold', of: user, payload: {} }], NOW)).rejects.toThrow(/owner/);
  });
});
