// The primary of PostgreSQL dies under a running service and its standby takes over: requests are refused immediately in
// between, and afterwards every acknowledged write exists and web hooks continue.

import { clientOf } from '../support/client.js';
import { hasPostgres, type ReplicatedPostgres, startReplicated } from '../support/postgres.js';
import { startService, type TestService } from '../support/service.js';
import { type HttpReceiver, startHttpReceiver } from '../webhooks/http-receiver.js';
import { makeSubscriber, type Subscriber, sell, subscribe } from '../webhooks/subscriber.js';

const SELLERS = 8;

(hasPostgres ? describe : describe.skip)('a service on a primary and its standby', () => {
  let postgres: ReplicatedPostgres;
  let service: TestService;
  let receiver: HttpReceiver;
  let by: { readonly admin: string; readonly buyer: string };
  let subscriber: Subscriber;
  /** Acknowledged sales. */
  const sales = new Map<string, string>();
  beforeAll(async () => {
    postgres = await startReplicated();
    service = await startService({ database: await postgres.createDatabase() });
    receiver = await startHttpReceiver();
    const [owner, admin, buyer] = [
      await service.user('owner'),
      await service.user('admin', true),
      await service.user('buyer'),
    ];
    by = { admin: admin.session, buyer: buyer.id };
    subscriber = await makeSubscriber(service.address, owner.session);
    await subscribe(service.address, subscriber, receiver.address);
  }, 60_000);
  afterAll(async () => {
    await service?.stop();
    await receiver?.close();
    await Promise.all([postgres.primary.stop(), postgres.standby.stop()]);
  });

  const sellOne = async (sku: string): Promise<void> => {
    sales.set(sku, await sell(service.address, by, { game: subscriber.game, sku }));
  };
  const readiness = async () => (await clientOf(service.address)('GET', '/readyz')).status;

  test('without a primary, 503 with Retry-After; on the new primary, acknowledged writes exist and web hooks are delivered', async () => {
    const send = clientOf(service.address);
    const { game, session } = subscriber;
    const seller = async (name: number): Promise<void> => {
      for (let at = 0; ; at += 1) await sellOne(`sale-${name}-${at}`);
    };
    const sellers = Array.from({ length: SELLERS }, (_, at) => seller(at));
    await receiver.until((posts) => (posts.length > 20 ? true : undefined));
    expect(await readiness()).toBe(200);

    await postgres.primary.kill();
    const refused = (await Promise.allSettled(sellers)).map((sale) => sale.status === 'rejected' && `${sale.reason}`);
    for (const reason of refused) expect(reason).toMatch(/POST \/api\/receipt: 503 .*unavailable/);
    expect(await readiness()).toBe(503);
    const requests = [
      send('GET', `/api/game/${game}`, { session }),
      send('PUT', `/api/game/${game}`, { session, parameters: { name: 'Quay' } }),
      send('GET', `/api/designer/${subscriber.designer}/games`, { session }),
      send('POST', '/api/session', { parameters: { username: 'owner', password: 'whatever' } }),
      send('DELETE', `/api/game/${game}`, { session }),
    ];
    for (const { status, headers } of await Promise.all(requests)) {
      expect([status, headers.get('retry-after')]).toEqual([503, '1']);
    }

    await postgres.promote();
    while ((await readiness()) !== 200);
    await sellOne('sale-after');
    for (const [sku, id] of sales) {
      const { status } = await send('GET', `/api/receipt/${id}`, { session: by.admin });
      expect([sku, status]).toEqual([sku, 200]);
    }
    await receiver.until((posts) => {
      const arrived = new Set(posts.map(({ said }) => said.payload?.item?.sku_id));
      return [...sales.keys()].every((sku) => arrived.has(sku)) ? true : undefined;
    });
    expect(sales.size).toBeGreaterThan(10);
  }, 120_000);
});
