// The `traceparent` of a request (W3C) is sent with the callbacks of the events that the request published, in every attempt;
// an invalid one is ignored.

import { startService } from '../support/service.js';
import { shared } from '../support/shared.js';
import { startHttpReceiver } from './http-receiver.js';
import { makeSubscriber, subscribe } from './subscriber.js';

const TRACE = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';

const service = shared(() => startService({ webhookRetryUnitMs: 1 }));

test('callbacks of an event have the traceparent of its request, retries too; others have none', async () => {
  const [admin, buyer] = [await service.user('boss', true), await service.user('buyer')];
  const subscriber = await makeSubscriber(service.address, (await service.user('owner')).session);
  const receiver = await startHttpReceiver();
  await subscribe(service.address, subscriber, receiver.address, 'standard');
  const attempts = new Map<string, number>();
  receiver.answer = ({ delivery, body }) => {
    const times = (attempts.get(delivery) ?? 0) + 1;
    attempts.set(delivery, times);
    return body.includes('again') && times === 1 ? 500 : 200;
  };
  const sell = async (sku_id: string, traceparent?: string) => {
    const body = JSON.stringify({ user_id: buyer.id, items: [{ game_id: subscriber.game, sku_id }] });
    const headers = { Authorization: `Bearer ${admin.session}`, 'Content-Type': 'application/json' };
    const sent = { method: 'POST', body, headers: { ...headers, ...(traceparent && { traceparent }) } };
    expect((await fetch(`${service.address}/api/receipt`, sent)).status).toBe(201);
  };
  await sell('traced again', TRACE);
  await sell('plain');
  await sell('wrong', TRACE.replace('00-4', '00-x'));
  const posts = await receiver.until((all) => (all.length === 5 ? all : undefined));
  const traces = posts.map(({ body, headers }) => [/"sku_id":"([^"]*)"/.exec(body)?.[1] ?? '', headers.traceparent]);
  expect(traces.sort()).toEqual([
    ['', undefined],
    ['plain', undefined],
    ['traced again', TRACE],
    ['traced again', TRACE],
    ['wrong', undefined],
  ]);
  await receiver.close();
});
