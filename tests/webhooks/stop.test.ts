// A server that stops while receivers hang ends soon; aborted attempts are not counted, and are sent after the next start
// (S19, S24).

import { join } from 'node:path';
import { mailFolder } from '../../runtime/webhooks/settings.js';
import { clientOf } from '../support/client.js';
import { startService } from '../support/service.js';
import { startHttpReceiver } from './http-receiver.js';
import { makeSubscriber, subscribe } from './subscriber.js';

test('S19: an attempt that a stop cuts off is not counted and is repeated', async () => {
  const receiver = await startHttpReceiver();
  receiver.answer = () => null;
  const first = await startService();
  const subscriber = await makeSubscriber(first.address, (await first.user('owner')).session);
  const { id } = await subscribe(first.address, subscriber, `${receiver.address}/hang`);
  await receiver.until((posts) => posts[0]);
  await first.stop();

  receiver.answer = () => 200;
  const paths = { database: join(first.folder, 'punchboard.db'), files: join(first.folder, 'files') };
  const second = await startService(paths);
  const again = await receiver.until((posts) => posts[1]);
  expect(again.delivery).toBe(receiver.posts[0]?.delivery);
  expect(again.message).toBe(receiver.posts[0]?.message);
  const hook = await clientOf(second.address)('GET', `/api/webhook/${id}`, { session: subscriber.session });
  expect(hook.body.failures_since_last_success).toBe(0);
  await second.stop();
  expect(receiver.posts).toHaveLength(2);
  await receiver.close();
});

test('without a mail server, mails are written next to the database', () => {
  expect(mailFolder({}, '/data/punchboard.db')).toBe('/data/outbox');
  expect(mailFolder({ mailOutbox: '/mails' }, '/data/punchboard.db')).toBe('/mails');
});
