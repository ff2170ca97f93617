// Must hold: no spelling of a private address and no name that leads to one makes a connection to a private listener.

import { createGuard } from '../../../runtime/rules/address.js';
import type { Outcome } from '../../../runtime/rules/delivery.js';
import { createDialler } from '../../../runtime/webhooks/send/connections.js';
import { createLookup, createResolve, type Resolve } from '../../../runtime/webhooks/send/resolve.js';
import { createSender, type Sender } from '../../../runtime/webhooks/send/sender.js';
import { LOOPBACK_HOSTS, PRIVATE_ANSWERS, PRIVATE_HOSTS } from '../../rules/spellings.js';
import { answering, OK, type Receiver, startReceiver } from '../receiver.js';
import { startDns } from './dns-stub.js';

const CLOSED = createGuard([]);
const OPEN = createGuard(['0.0.0.0/0', '::/0']);
const BLOCKED: Outcome = { class: 'blocked' };
const SUCCESS: Outcome = { class: 'success' };
const CLOSING = 'HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: 0\r\n\r\n';

let sink: Receiver;
const senders: Sender[] = [];

beforeAll(async () => {
  sink = await startReceiver(answering(OK));
});
afterAll(async () => {
  for (const sender of senders) await sender.close();
  await sink.close();
});

function senderOf(guard: typeof CLOSED, resolve: Resolve): Sender {
  const sender = createSender({ guard, resolve, deadline: 5_000 });
  senders.push(sender);
  return sender;
}

function post(sender: Sender, uri: string): Promise<Outcome> {
  return sender.send({ uri, delivery: 'd', body: 'a=b', headers: {} });
}

const unknown: Resolve = () => Promise.reject(Object.assign(new Error('unknown'), { code: 'ENOTFOUND' }));

describe('private sink', () => {
  test('literals are blocked', async () => {
    const sender = senderOf(CLOSED, unknown);
    const hosts = [...LOOPBACK_HOSTS, ...PRIVATE_HOSTS];
    const outcomes = await Promise.all(hosts.map((host) => post(sender, `http://${host}:${sink.port}/`)));
    expect(outcomes).toEqual(hosts.map(() => BLOCKED));
    expect(sink.connections()).toBe(0);
  });

  test('the dial blocks everything that the URI check would have blocked', async () => {
    const hosts = [...LOOPBACK_HOSTS, ...PRIVATE_HOSTS].map((host) => new URL(`http://${host}/`).hostname);
    const bare = hosts.map((host) => host.replace(/^\[(.*)\]$/, '$1'));
    const faults = await Promise.all(bare.map((host) => faultOfDial(host, sink.port)));
    expect(faults).toEqual(bare.map(() => 'blocked'));
    expect(sink.connections()).toBe(0);
  });

  test('names that lead to private addresses are blocked', async () => {
    const sender = senderOf(CLOSED, (name) =>
      Promise.resolve([PRIVATE_ANSWERS[Number(name.split('.')[0]?.slice(1))] ?? '']),
    );
    const uris = PRIVATE_ANSWERS.map((_, place) => `http://n${place}.example.com:${sink.port}/`);
    expect(await Promise.all(uris.map((uri) => post(sender, uri)))).toEqual(uris.map(() => BLOCKED));
    expect(sink.connections()).toBe(0);
  });

  test('one private address among public ones blocks all', async () => {
    const sender = senderOf(CLOSED, () => Promise.resolve(['93.184.216.34', '2606:4700::1111', '127.0.0.1']));
    expect(await post(sender, `http://mixed.example.com:${sink.port}/`)).toEqual(BLOCKED);
    expect(sink.connections()).toBe(0);
  });

  test('names over real DNS are blocked', async () => {
    const dns = await startDns({
      'four.example.com': ['127.0.0.1'],
      'six.example.com': ['::1'],
      'mapped.example.com': ['::ffff:7f00:1'],
      'mixed.example.com': ['93.184.216.34', '::1'],
    });
    const sender = senderOf(CLOSED, createResolve(dns.resolver, ''));
    const names = ['four', 'six', 'mapped', 'mixed'];
    const outcomes = await Promise.all(names.map((name) => post(sender, `http://${name}.example.com:${sink.port}/`)));
    expect(outcomes).toEqual(names.map(() => BLOCKED));
    expect(sink.connections()).toBe(0);
    await dns.close();
  });

  test('names of the hosts file are blocked', async () => {
    const dns = await startDns({});
    const sender = senderOf(
      CLOSED,
      createResolve(dns.resolver, '127.0.0.1 localhost\n127.0.0.1\tbox box.lan # this machine\n'),
    );
    for (const name of ['box', 'BOX.lan', 'box.lan.']) {
      expect(await post(sender, `http://${name}:${sink.port}/`)).toEqual(BLOCKED);
    }
    expect(sink.connections()).toBe(0);
    await dns.close();
  });
});

describe('rebinding name', () => {
  // 127.0.0.2 stands for the public address: it alone is allowed.
  const guard = createGuard(['127.0.0.2/32']);
  let receiver: Receiver;

  beforeAll(async () => {
    receiver = await startReceiver(answering(CLOSING), undefined, '127.0.0.2');
  });
  afterAll(() => receiver.close());

  test('the address that was checked is dialled', async () => {
    // The answer turns private right after the first question; a second look-up for the dial would see it.
    const answers = [['127.0.0.2'], ['127.0.0.1']];
    let asked = 0;
    const sender = senderOf(guard, () => {
      asked += 1;
      return Promise.resolve(answers[Math.min(asked, 2) - 1] ?? []);
    });
    expect(await post(sender, `http://rebind.example.com:${receiver.port}/`)).toMatchObject(SUCCESS);
    expect(asked).toBe(1);
    const before = sink.connections();
    expect(await post(sender, `http://rebind.example.com:${receiver.port}/`)).toEqual(BLOCKED);
    expect(await post(sender, `http://rebind.example.com:${sink.port}/`)).toEqual(BLOCKED);
    expect(asked).toBe(3);
    expect(receiver.connections()).toBe(1);
    expect(sink.connections()).toBe(before);
  });

  test('a redirect to the private sink is not followed', async () => {
    const to = `http://127.0.0.1:${sink.port}/`;
    const head = `HTTP/1.1 307 X\r\nlocation: ${to}\r\ncontent-length: 0\r\n\r\n`;
    const redirecting = await startReceiver(answering(head), undefined, '127.0.0.2');
    const sender = senderOf(guard, unknown);
    const outcome = await post(sender, `http://127.0.0.2:${redirecting.port}/`);
    expect(outcome).toMatchObject({ class: 'status', status: 307 });
    expect(sink.connections()).toBe(0);
    await sender.close();
    await redirecting.close();
  });
});

describe('null control', () => {
  test('with the guard open the sink sees the same spellings', async () => {
    const sender = senderOf(OPEN, () => Promise.resolve(['127.0.0.1']));
    const four = LOOPBACK_HOSTS.filter((host) => !/^\[[0:]+1?\]$/.test(host));
    const outcomes = await Promise.all(four.map((host) => post(sender, `http://${host}:${sink.port}/`)));
    expect(outcomes).toMatchObject(four.map(() => SUCCESS));
    expect(sink.connections()).toBeGreaterThan(0);
    expect(await post(sender, `http://name.example.com:${sink.port}/`)).toMatchObject(SUCCESS);
  });
});

function faultOfDial(hostname: string, port: number): Promise<string> {
  const dialler = createDialler({ guard: CLOSED, lookup: createLookup(CLOSED, unknown), limit: 5_000 });
  return new Promise((done) => {
    dialler.dial({ hostname, protocol: 'http:', port: String(port) }, (error, socket) => {
      socket?.destroy();
      done(error?.message ?? 'connected');
    });
  });
}
