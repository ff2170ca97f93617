// The module in a running server: subscribe, deliver, test, fail, mail, stop, and the metrics of all that.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { messageKeys } from '../document/events.js';
import { clientOf } from '../support/client.js';
import { METRICS_TOKEN } from '../support/quiet-service.js';
import { startService, type TestService } from '../support/service.js';
import { type HttpReceiver, type Received, signedBy, startHttpReceiver } from './http-receiver.js';
import { makeSubscriber, type Subscriber, sell, subscribe } from './subscriber.js';

let service: TestService;
let receiver: HttpReceiver;
let subscriber: Subscriber;
let people: { readonly admin: string; readonly buyer: string };

beforeAll(async () => {
  service = await startService();
  receiver = await startHttpReceiver();
  const [owner, admin] = [await service.user('owner'), await service.user('admin', true)];
  subscriber = await makeSubscriber(service.address, owner.session);
  people = { admin: admin.session, buyer: (await service.user('buyer')).id };
});
afterAll(async () => {
  await service.stop();
  await receiver.close();
});

const at = (path: string) => (post: Received) => post.path === path;
const first = (path: string, type: string) =>
  receiver.until((posts) => posts.filter(at(path)).find(({ said }) => said.type === type));
const hookAt = (path: string) => subscribe(service.address, subscriber, receiver.address + path);
const fetchHook = async (id: string) =>
  clientOf(service.address)('GET', `/api/webhook/${id}`, { session: subscriber.session });

test('S12: creating a hook sends a subscribe callback', async () => {
  const { id } = await hookAt('/subscribe');
  const post = await first('/subscribe', 'subscribe');
  expect(Object.keys(post.said).sort()).toEqual([...messageKeys].sort());
  expect(post.said).toEqual({
    id,
    owner_class: 'Designer',
    owner_id: subscriber.designer,
    event: 'ItemSold',
    type: 'subscribe',
    payload: {},
  });
  expect(signedBy(subscriber.key.secret, post)).toBe(true);
  expect(Math.abs(post.at / 1000 - Number(post.epoch))).toBeLessThanOrEqual(2);
});

test('a sale is delivered', async () => {
  const { id } = await hookAt('/sale');
  await sell(service.address, people, { game: subscriber.game, sku: 'S-1' });
  const post = await first('/sale', 'data');
  expect(post.said.id).toBe(id);
  expect(post.said.payload).toEqual({
    item: { quantity: 1, name: 'Harbour', sku_id: 'S-1', price_each: '19.99', shop_uri: '/games/h' },
    shipping_address: { city: 'Lyon', state: '69', country: 'FR' },
  });
  expect(signedBy(subscriber.key.secret, post)).toBe(true);
});

test('S22: deleting a hook sends an unsubscribe callback', async () => {
  const { id } = await hookAt('/delete');
  await first('/delete', 'subscribe');
  await clientOf(service.address)('DELETE', `/api/webhook/${id}`, { session: subscriber.session });
  const post = await first('/delete', 'unsubscribe');
  expect(post.said).toMatchObject({ id, type: 'unsubscribe', payload: {} });
  expect(signedBy(subscriber.key.secret, post)).toBe(true);
  expect((await fetchHook(id)).status).toBe(404);
});

test('S11: the test call answers 1 or 0', async () => {
  const { id } = await hookAt('/test');
  await first('/test', 'subscribe');
  const call = () =>
    clientOf(service.address)('POST', `/api/webhook/${id}/test`, {
      session: subscriber.session,
      parameters: { payload: { hello: 'wörld' } },
    });
  expect(await call()).toMatchObject({ status: 200, text: '1' });
  expect((await first('/test', 'test')).said.payload).toEqual({ hello: 'wörld' });
  receiver.answer = (post) => (post.path === '/test' ? 201 : 200);
  expect(await call()).toMatchObject({ status: 200, text: '0' });
  expect((await fetchHook(id)).body.failures_since_last_success).toBe(1);
});

test('S8: the fifth failure writes a mail to the outbox folder', async () => {
  receiver.answer = (post) => (post.path === '/failing' ? 500 : 200);
  const { id } = await hookAt('/failing');
  for (const sku of ['F-1', 'F-2', 'F-3', 'F-4']) await sell(service.address, people, { game: subscriber.game, sku });
  const folder = join(service.folder, 'outbox');
  const mails = () => (existsSync(folder) ? readdirSync(folder).filter((file) => file.endsWith('.eml')) : []);
  await eventually(() => mails().length > 0);
  const text = readFileSync(join(folder, mails()[0] ?? ''), 'utf8');
  expect(text).toContain(id);
  expect(text).toMatch(/^Subject: Your web hook for ItemSold has failed 5 times in a row\r$/m);
  expect((await fetchHook(id)).body.failures_since_last_success).toBe(5);
});

const metrics = async () => {
  const { text } = await clientOf(service.address)('GET', '/metrics', { session: METRICS_TOKEN });
  return text;
};

test('the metrics count attempts, mails and deliveries', async () => {
  // The receiver has every callback, and the folder its mail, before the last outcomes are settled and counted.
  const settled = [
    /^punchboard_webhook_due 0$/m,
    /^punchboard_webhook_mails_due 0$/m,
    /^punchboard_webhook_in_flight 0$/m,
    /^punchboard_webhook_mails_total/m,
  ];
  let text = await metrics();
  while (!settled.every((line) => line.test(text))) text = await metrics();
  expect(text).toMatch(/^punchboard_webhook_attempts_total\{outcome="success"\} \d+$/m);
  expect(text).toMatch(/^punchboard_webhook_attempts_total\{outcome="status"\} [5-9]$/m);
  expect(text).toMatch(/^punchboard_webhook_mails_total\{result="sent"\} 1$/m);
  // A hook is deleted above, perhaps before the outcome of its last callback is settled (S22).
  expect(text).toMatch(/^punchboard_webhook_stale_outcomes_total [01]$/m);
  expect(text).toMatch(/^punchboard_webhook_waiting 5$/m);
  for (const name of ['due', 'oldest_due_seconds', 'held', 'in_flight', 'mails_due']) {
    expect(text).toMatch(new RegExp(`^punchboard_webhook_${name} 0$`, 'm'));
  }
});

/** Resolves once the condition holds; it is checked in every turn of the event loop. */
async function eventually(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setImmediate(resolve));
}
