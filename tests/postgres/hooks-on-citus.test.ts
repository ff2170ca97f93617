// On Citus, over HTTP: a web hook is created, receives a sale, a retry after a failure, and a refund; and a file with 1,000
// uses is deleted.
import { PNG } from '../files/samples.js';
import { clientOf, upload } from '../support/client.js';
import { onCitus } from '../support/on-postgres.js';
import { startService, type TestService } from '../support/service.js';
import { type HttpReceiver, type Received, startHttpReceiver } from '../webhooks/http-receiver.js';
import { makeSubscriber, type Subscriber, sell, subscribe } from '../webhooks/subscriber.js';

const USES = 1_000;

onCitus(() =>
  describe('over HTTP', () => {
    let service: TestService;
    let receiver: HttpReceiver;
    let subscriber: Subscriber;
    let by: { readonly admin: string; readonly buyer: string; readonly session: string };
    beforeAll(async () => {
      service = await startService({ webhookRetryUnitMs: 20 });
      receiver = await startHttpReceiver();
      const [owner, admin, buyer] = [
        await service.user('owner'),
        await service.user('admin', true),
        await service.user('buyer'),
      ];
      subscriber = await makeSubscriber(service.address, owner.session);
      by = { admin: admin.session, buyer: buyer.id, session: buyer.session };
    });
    afterAll(async () => {
      await service.stop();
      await receiver.close();
    });

    const posts = (path: string, type: string, count = 1): Promise<readonly Received[]> =>
      receiver.until((all) => {
        const matching = all.filter((post) => post.path === path && post.said.type === type);
        return matching.length >= count ? matching : undefined;
      });

    test('N20: a sale is delivered, and retried after a failure under the same id', async () => {
      let failures = 1;
      receiver.answer = ({ said }) => (said.type === 'data' && failures-- > 0 ? 500 : 200);
      await subscribe(service.address, subscriber, `${receiver.address}/sale`);
      await posts('/sale', 'subscribe');
      await sell(service.address, by, { game: subscriber.game, sku: 'S-1' });
      const [first, second] = await posts('/sale', 'data', 2);
      expect(second?.delivery).toBe(first?.delivery);
      expect(second?.said.payload.item).toMatchObject({ sku_id: 'S-1', quantity: 1 });
    });

    test('N20: a refund is delivered to the buyer', async () => {
      const send = clientOf(service.address);
      const key = await send('POST', '/api/apikey', { session: by.session, parameters: { name: 'Own' } });
      const parameters = {
        ...{ event: 'ReceiptRefunded', owner_class: 'User', owner_id: by.buyer },
        ...{ callback_uri: `${receiver.address}/refund`, api_key_id: key.body.id },
      };
      expect((await send('POST', '/api/webhook', { session: by.session, parameters })).status).toBe(201);
      await posts('/refund', 'subscribe');
      const receipt = await sell(service.address, by, { game: subscriber.game, sku: 'S-2' });
      const refunded = await send('POST', `/api/receipt/${receipt}/refund`, { session: by.admin, parameters: {} });
      expect(refunded.status).toBe(200);
      const [post] = await posts('/refund', 'data');
      expect(post?.said.payload).toMatchObject({ id: receipt });
      expect((await send('POST', `/api/receipt/${receipt}/refund`, { session: by.admin, parameters: {} })).status).toBe(
        409,
      );
    });

    test('N27: a file with 1,000 uses is deleted and no longer shown by any of them', async () => {
      const send = clientOf(service.address);
      const { session, game } = subscriber;
      const file = await upload(service.address, session, { name: 'top.png', bytes: PNG });
      const make = (resource: string, parameters: Record<string, unknown>) =>
        send('POST', `/api/${resource}`, { session, parameters });
      const deck = (await make('deck', { name: 'Deck', game_id: game, identity: 'PokerDeck' })).body.id as string;
      for (let at = 0; at < USES; at += 100) {
        const cards = Array.from({ length: 100 }, (_, one) => ({ name: `card ${at + one}`, face_id: file }));
        const created = await make(`deck/${deck}/bulk-cards`, { cards });
        expect([created.status, created.text.slice(0, 200)]).toEqual([201, expect.any(String)]);
      }
      expect((await send('DELETE', `/api/file/${file}`, { session })).status).toBe(200);
      const { body } = await send('GET', `/api/deck/${deck}/cards?_items_per_page=100`, { session });
      expect(body.paging.total_items).toBe(USES);
      expect(new Set(body.items.map(({ face_id }: { face_id: string | null }) => face_id))).toEqual(new Set([null]));
    });
  }),
);
