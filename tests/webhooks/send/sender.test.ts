// One attempt: what is sent, what each way to end counts as, and what attempts share.

import type { Socket } from 'node:net';
import { createGuard } from '../../../runtime/rules/address.js';
import type { Outcome } from '../../../runtime/rules/delivery.js';
import type { Resolve } from '../../../runtime/webhooks/send/resolve.js';
import { createSender, type Sender, type SenderOptions } from '../../../runtime/webhooks/send/sender.js';
import { answering, type Behaviour, OK, type Receiver, startReceiver } from '../receiver.js';

const guard = createGuard(['127.0.0.0/8']);
const here: Resolve = () => Promise.resolve(['127.0.0.1']);
const SUCCESS: Outcome = { class: 'success', answer: 'ok' };

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

async function receiverOf(behaviour: Behaviour): Promise<Receiver> {
  const receiver = await startReceiver(behaviour);
  closing.push(receiver.close);
  return receiver;
}

function senderOf(options: Partial<SenderOptions> = {}): Sender {
  const sender = createSender({ guard, resolve: here, deadline: 10_000, ...options });
  closing.unshift(sender.close);
  return sender;
}

function post(sender: Sender, uri: string, delivery = 'd', giveUp?: AbortSignal): Promise<Outcome> {
  const form = { uri, delivery, body: 'epoch=1&message=%7B%7D&hmac=0f', headers: FORM };
  return sender.send(giveUp === undefined ? form : { ...form, giveUp });
}

const FORM = { 'content-type': 'application/x-www-form-urlencoded', 'webhook-id': 'd' };

describe('request', () => {
  test('is a form POST with the id of the delivery', async () => {
    const requests: string[] = [];
    const receiver = await receiverOf(
      answering((request, socket) => {
        requests.push(request);
        socket.write(OK);
      }),
    );
    const uri = `http://hook.example.com:${receiver.port}/a%20b/?c=d&e#fragment`;
    expect(await post(senderOf(), uri, 'delivery-7')).toEqual(SUCCESS);
    const [head, body] = requests[0]?.split('\r\n\r\n') ?? [];
    const [line, ...headers] = head?.split('\r\n') ?? [];
    expect(line).toBe('POST /a%20b/?c=d&e HTTP/1.1');
    expect(headers.sort()).toEqual([
      'connection: keep-alive',
      'content-length: 30',
      'content-type: application/x-www-form-urlencoded',
      'delivery-id: delivery-7',
      `host: hook.example.com:${receiver.port}`,
      'user-agent: Punchboard',
      'webhook-id: d',
    ]);
    expect(body).toBe('epoch=1&message=%7B%7D&hmac=0f');
  });

  // S16: 200 alone is a success.
  test.each([201, 202, 204, 206, 301, 304, 308, 400, 404, 410, 429, 500, 503])('Status %d', async (status) => {
    const receiver = await receiverOf(answering(`HTTP/1.1 ${status} X\r\nretry-after: 1\r\ncontent-length: 0\r\n\r\n`));
    expect(await post(senderOf(), `http://h.example:${receiver.port}/`)).toEqual({ class: 'status', status });
  });

  test.each([
    ['is cut off', 'content-length: 100\r\n\r\nshort', true],
    ['never comes', 'content-length: 100\r\n\r\n', false],
    ['is broken', 'transfer-encoding: chunked\r\n\r\nno chunk\r\n', false],
    ['is larger than what is read', `\r\n${'x'.repeat(200_000)}`, false],
  ])('S18: the head decides: a 200 whose body %s is a success', async (_, rest, ends) => {
    const answer = `HTTP/1.1 200 OK\r\n${rest}`;
    const receiver = await receiverOf(answering((_, socket) => (ends ? socket.end(answer) : socket.write(answer))));
    expect(await post(senderOf({ deadline: 5_000 }), `http://h.example:${receiver.port}/`)).toMatchObject({
      class: 'success',
    });
  });
});

describe('connections', () => {
  test('are reused', async () => {
    const receiver = await receiverOf(answering(OK));
    const sender = senderOf();
    for (let attempt = 0; attempt < 5; attempt += 1) {
      expect(await post(sender, `http://h.example:${receiver.port}/${attempt}`)).toEqual(SUCCESS);
      await tick();
    }
    expect(receiver.connections()).toBe(1);
  });

  test('are not shared between origins', async () => {
    const receiver = await receiverOf(answering(OK));
    const sender = senderOf();
    for (const name of ['a.example', 'b.example']) await post(sender, `http://${name}:${receiver.port}/`);
    expect(receiver.connections()).toBe(2);
  });

  // I12: with one queue per origin the first would wait for ever.
  test('do not make an attempt wait for another', async () => {
    const waiting: Socket[] = [];
    const receiver = await receiverOf(
      answering((_, socket) => {
        waiting.push(socket);
        if (waiting.length === 300) for (const held of waiting) held.write(OK);
      }),
    );
    const sender = senderOf();
    const one = Array.from({ length: 100 }, () => post(sender, `http://one.example:${receiver.port}/`));
    const many = Array.from({ length: 200 }, (_, place) => post(sender, `http://h${place}.example:${receiver.port}/`));
    expect(new Set((await Promise.all([...one, ...many])).map((outcome) => outcome.class))).toEqual(
      new Set(['success']),
    );
  });

  test('that have died are replaced once', async () => {
    let answered = 0;
    const receiver = await receiverOf(
      // Each connection is good for one answer; the second request on it meets a reset.
      answering((_, socket) => {
        answered += 1;
        if (answered === 2) socket.resetAndDestroy();
        else socket.write(OK);
      }),
    );
    const sender = senderOf();
    expect(await post(sender, `http://h.example:${receiver.port}/`)).toEqual(SUCCESS);
    await tick();
    expect(await post(sender, `http://h.example:${receiver.port}/`)).toEqual(SUCCESS);
    expect([answered, receiver.connections()]).toEqual([3, 2]);
  });

  test('that are new and break are not replaced', async () => {
    const receiver = await receiverOf(answering((_, socket) => socket.resetAndDestroy()));
    expect(await post(senderOf(), `http://h.example:${receiver.port}/`)).toEqual({ class: 'connect' });
    expect(receiver.connections()).toBe(1);
  });

  test('that nobody accepts are a connect failure', async () => {
    const receiver = await startReceiver(answering(OK));
    await receiver.close();
    expect(await post(senderOf(), `http://h.example:${receiver.port}/`)).toEqual({ class: 'connect' });
  });
});

describe('close', () => {
  test.each([
    ['http', 'while the receiver hangs'],
    ['https', 'during the handshake'],
  ])('%s: %s', async (scheme) => {
    let arrived = (): void => undefined;
    const arrival = new Promise<void>((done) => {
      arrived = done;
    });
    const receiver = await receiverOf((socket) => socket.once('data', () => arrived()));
    const sender = senderOf();
    const outcome = post(sender, `${scheme}://h.example:${receiver.port}/`);
    await arrival;
    await sender.close();
    // S19: ending an attempt ourselves is not a failure of the receiver.
    expect(await outcome).toEqual({ class: 'internal' });
    expect(await post(sender, `${scheme}://h.example:${receiver.port}/`)).toEqual({ class: 'internal' });
  });

  test('N26: an attempt that is given up ends alone', async () => {
    const answers: (() => void)[] = [];
    const receiver = await receiverOf((socket) => socket.once('data', () => answers.push(() => socket.write(OK))));
    const sender = senderOf();
    const uri = `http://h.example:${receiver.port}/`;
    const giveUp = new AbortController();
    const [givenUp, other] = [post(sender, uri, 'given up', giveUp.signal), post(sender, uri, 'kept')];
    while (answers.length < 2) await tick();
    giveUp.abort();
    expect(await givenUp).toEqual({ class: 'internal' });
    for (const answer of answers) answer();
    expect(await other).toEqual(SUCCESS);
  });

  test('during the look-up', async () => {
    const sender = senderOf({ resolve: () => new Promise(() => undefined) });
    const outcome = post(sender, 'http://h.example/');
    await sender.close();
    expect(await outcome).toEqual({ class: 'internal' });
  });
});

/** Enough turns of the event loop for an answer that has arrived to be read to its end. */
async function tick(): Promise<void> {
  for (let turn = 0; turn < 10; turn += 1) await new Promise((done) => setImmediate(done));
}
