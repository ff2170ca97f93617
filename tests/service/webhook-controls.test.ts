// How administrators read and control web hooks over HTTP (D48), in both wire profiles: an event fails, its message and the
// response are read, and it is sent again. Nobody else has access, and every change is in the audit log (D51).

import { type HttpReceiver, startHttpReceiver } from '../webhooks/http-receiver.js';
import { makeWorld, type Person, type World } from './world.js';

const DATES = { plain: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/, wing: /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/ };

describe.each(['plain', 'wing'] as const)('%s', (wire) => {
  let world: World;
  let receiver: HttpReceiver;
  let hook: string;
  beforeAll(async () => {
    [world, receiver] = [await makeWorld(wire), await startHttpReceiver()];
    const owner_id = await world.home('designer');
    const callback_uri = `${receiver.address}/sold`;
    hook = (await world.make('webhook', { event: 'ItemSold', owner_class: 'Designer', owner_id, callback_uri })).id;
    await receiver.until((all) => all.find(({ said }) => said.type === 'subscribe'));
    Object.assign(receiver, { answer: () => 500, says: 'out of order' });
    await world.make('receipt', { items: [{ game_id: await world.home('game') }] }, world.admin);
    await receiver.until((all) => all.find(({ said }) => said.type === 'data'));
  });
  afterAll(async () => {
    await receiver.close();
    await world.stop();
  });

  // biome-ignore lint/suspicious/noExplicitAny: whatever the answer has
  const result = ({ body }: { readonly body: any }) => (wire === 'wing' ? body.result : body);
  const get = async (path: string, { session }: Pick<Person, 'session'> = world.admin) =>
    world.send('GET', `/api/webhook/${hook}/${path}`, { session });
  const post = async (path: string, parameters: Readonly<Record<string, unknown>> = {}, by: Person = world.admin) =>
    world.send('POST', `/api/webhook/${hook}/${path}`, { session: by.session, parameters });

  /** The data delivery, once its attempt is settled. */
  async function failed() {
    for (;;) {
      const { items } = result(await get('deliveries?state=waiting'));
      const delivery = items.find(
        ({ type, failed_attempts }: Record<string, unknown>) => type === 'data' && failed_attempts,
      );
      if (delivery !== undefined) return delivery;
    }
  }

  test('deliveries page by page, the newest first', async () => {
    const delivery = await failed();
    expect(delivery).toMatchObject({
      object_type: 'webhook_delivery',
      webhook_id: hook,
      failed_attempts: 1,
      ended: null,
    });
    for (const name of ['created', 'due']) expect(delivery[name]).toMatch(DATES[wire]);
    const first = result(await get('deliveries?_items_per_page=1'));
    expect(first).toMatchObject({ paging: { items_per_page: 1 }, items: [{ id: delivery.id }] });
    const second = result(await get(`deliveries?_items_per_page=1&_cursor=${first.paging.next_cursor}`));
    expect(second).toMatchObject({ paging: { next_cursor: null }, items: [{ type: 'subscribe', state: 'delivered' }] });
  });

  test('N45: a malformed or unknown cursor is refused, and an unknown web hook is not found by any request', async () => {
    const { id } = await failed();
    const elsewhere = `${id.startsWith('00') ? '11' : '00'}${id.slice(2)}`;
    for (const cursor of ['x', 'WyIwYTAxIl0', `${id}0`, id.toUpperCase(), elsewhere]) {
      const { status, text } = await get(`deliveries?_cursor=${cursor}`);
      expect([cursor, status]).toEqual([cursor, wire === 'wing' ? 442 : 422]);
      expect(text).toMatch(/_cursor does not come from this list/);
    }
    const { session } = world.admin;
    for (const query of ['', '?state=held', `?_cursor=${id}`]) {
      const hookless = `/api/webhook/${id.slice(0, -1)}${id.endsWith('0') ? '1' : '0'}/deliveries${query}`;
      expect((await world.send('GET', hookless, { session })).status).toBe(404);
    }
  });

  test('a message with its attempts and the answer', async () => {
    const { id } = await failed();
    const message = result(await get(`message?delivery_id=${id}`));
    expect(message).toMatchObject({ id, state: 'waiting' });
    expect(JSON.parse(message.message)).toMatchObject({ type: 'data', event: 'ItemSold' });
    const attempt = { outcome: 'status', status: 500, answer: 'out of order', counted: wire === 'wing' ? 1 : true };
    expect(message.attempts).toEqual([expect.objectContaining({ object_type: 'webhook_attempt', ...attempt })]);
    expect(message.attempts[0].started).toMatch(DATES[wire]);
  });

  test('a paused hook is not retried; once resumed, the same delivery arrives once more', async () => {
    const { id } = await failed();
    expect(result(await post('pause'))).toEqual({ success: 1 });
    expect((await post('retry')).status).toBe(409);
    expect(result(await get('deliveries?state=held')).items).toMatchObject([{ id }]);
    expect(result(await post('resume'))).toEqual({ success: 1 });
    expect(result(await post('retry', { since: '2100-01-01T00:00:00Z' }))).toEqual({ retried: 0 });
    Object.assign(receiver, { answer: () => 200 });
    expect(result(await post('retry', { delivery_id: id }))).toEqual({ retried: 1 });
    const again = await receiver.until((all) => all.filter(({ delivery }) => delivery === id)[1]);
    expect(again.said.type).toBe('data');
    const audits = await world.service.service.engine.upkeep.audits({
      after: null,
      limit: 9,
      record: hook,
      name: null,
    });
    expect(audits.map(({ action, name }) => `${name}: ${action}`).reverse()).toEqual(
      ['pause', 'resume', 'retry', 'retry'].map((action) => `administrator: ${action}`),
    );
  });

  test('all mistakes are reported together', async () => {
    const list = await get('deliveries?state=lost&_items_per_page=101&colour=red');
    const both = await post('retry', { delivery_id: 'x', since: '2030-01-31T12:00:00Z' });
    expect([list.headers.get('ignored-parameters'), list.text]).toEqual([
      'colour',
      expect.stringMatching(/state must be/),
    ]);
    if (wire === 'plain')
      expect(list.body.errors.map(({ field }: { field: string }) => field)).toEqual(['state', '_items_per_page']);
    expect(both.text).toMatch(/since cannot be sent together with delivery_id/);
    expect((await get('message')).text).toMatch(/delivery_id is required/);
    const nowhere = ['message?delivery_id=none'].map((path) => get(path));
    const unknown = world.send('GET', '/api/webhook/none/deliveries', { session: world.admin.session });
    const paused = world.send('POST', '/api/webhook/none/pause', { session: world.admin.session, parameters: {} });
    const all = await Promise.all([...nowhere, unknown, paused]);
    expect(all.map(({ status }) => status)).toEqual([404, 404, 404]);
  });
});
