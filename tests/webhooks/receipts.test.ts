// How a sale, a shipment and a refund are entered (D36), and the events that they publish.

import { events } from '../document/events.js';
import { ADMIN, outboxWorld, resultOf, type Sale, sale, subscribe, type World } from './outbox/outbox-world.js';

let w: World;
let p: Sale;
beforeEach(async () => {
  w = outboxWorld();
  p = await sale(w);
});
afterEach(() => w.end());

const payloads = (event: string) =>
  w.db
    .prepare<[], string>(`SELECT message FROM webhook_delivery WHERE type = 'data' ORDER BY id`)
    .pluck()
    .all()
    .map((message) => JSON.parse(message))
    .filter((message) => message.event === event)
    .map(({ payload }) => payload);
const receipt = async (parameters: object) => {
  const { body } = await w.run('create', {
    resource: 'receipt',
    parameters: { user_id: p.buyer.user, ...parameters },
    caller: ADMIN,
  });
  return JSON.parse(body);
};
const act = (name: string, id: string, parameters = {}, caller = ADMIN) =>
  w.run('action', { resource: 'receipt', id, name, parameters, caller });
const forBuyer = (event: string) =>
  subscribe(w, { ...p, maker: p.buyer, key: p.buyerKey }, { owner_class: 'User', owner_id: p.buyer.user, event });

const address = { city: 'Łódź', state: 'WI', country: 'US' };

test('ItemSold: one event for each item, to its own designer', async () => {
  await subscribe(w, p);
  const designer = await w.make('designer', { name: 'Second' }, p.buyer);
  const game = await w.make('game', { name: 'Theirs', designer_id: designer }, p.buyer);
  await subscribe(w, { ...p, maker: p.buyer, key: p.buyerKey, designer });
  const item = { quantity: 2, name: 'Lots', sku_id: 'L-1', price_each: '19.990', shop_uri: '/games/lots' };
  await receipt({ items: [{ game_id: p.game, ...item }, { game_id: game }], shipping_address: address });
  expect(payloads('ItemSold')).toEqual([
    { item, shipping_address: address },
    { item: {}, shipping_address: address },
  ]);
  // The payload has every path that the document names.
  for (const path of Object.keys(events.ItemSold.payload)) {
    const value = path.split('.').reduce((within, key) => within[key], payloads('ItemSold')[0]);
    expect([path, typeof value]).toEqual([path, path === 'item.quantity' ? 'number' : 'string']);
  }
});

test('money is exact decimal text', async () => {
  const item = (price_each: unknown) => ({ items: [{ game_id: p.game, price_each }] });
  for (const price of [19.99, '1e3', '-1', '1,5', '1.2345', '']) {
    const create = { resource: 'receipt', parameters: { user_id: p.buyer.user, ...item(price) }, caller: ADMIN };
    expect(await resultOf(w.run('create', create))).toBe('invalid, items/0/price_each invalid');
  }
  expect((await receipt(item('999999999.999'))).items[0].price_each).toBe('999999999.999');
});

test('ReceiptShipped: the receipt as its buyer sees it, shipments included', async () => {
  await forBuyer('ReceiptShipped');
  const { id } = await receipt({ items: [{ game_id: p.game }] });
  const shipments = [{ tracking_number: '1Z999', carrier: 'UPS' }];
  w.now += 1000;
  const shipped = JSON.parse((await act('ship', id, { shipments })).body);
  expect(shipped).toMatchObject({ id, shipments, shipped: '2026-01-01T00:00:01.000Z', refunded: null });
  expect(shipped.date_updated).toBe(shipped.shipped);
  expect(payloads('ReceiptShipped')).toEqual([shipped]);
  expect(await resultOf(act('ship', id, { shipments }))).toBe('conflict');
  expect(payloads('ReceiptShipped')).toHaveLength(1);
});

test('ReceiptRefunded is published once', async () => {
  await forBuyer('ReceiptRefunded');
  const { id } = await receipt({ items: [{ game_id: p.game }] });
  const refunded = JSON.parse((await act('refund', id)).body);
  expect(payloads('ReceiptRefunded')).toEqual([refunded]);
  expect(await resultOf(act('refund', id))).toBe('conflict');
  // A refunded receipt can be shipped, as the goods may be on their way already.
  expect(JSON.parse((await act('ship', id)).body)).toMatchObject({ shipments: [] });
});

test('only administrators ship and refund', async () => {
  const { id } = await receipt({ items: [{ game_id: p.game }] });
  expect(await resultOf(act('ship', id, {}, p.buyer))).toBe('forbidden');
  expect(await resultOf(act('refund', id, {}, { user: null, admin: false }))).toBe('login_required');
  expect(await resultOf(act('ship', 'noreceipt'))).toBe('not_found');
});

test('invalid shipments are refused', async () => {
  const { id } = await receipt({ items: [{ game_id: p.game }] });
  const shipments = [{ tracking_number: 1 }];
  expect(await resultOf(act('ship', id, { shipments }))).toBe('invalid, shipments/0/tracking_number invalid');
  expect(await resultOf(act('ship', id, { shipments }, p.buyer))).toBe('forbidden');
  expect(await resultOf(act('ship', id, { shipments: '{}' }))).toBe('invalid, shipments invalid');
});
