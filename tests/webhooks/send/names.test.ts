// How an attempt finds an address, and what each failure on the way counts as.

import type { LookupAddress } from 'node:dns';
import { createGuard } from '../../../runtime/rules/address.js';
import type { Outcome } from '../../../runtime/rules/delivery.js';
import { dnsFault, faultOutcome } from '../../../runtime/webhooks/send/faults.js';
import { createLookup, createResolve } from '../../../runtime/webhooks/send/resolve.js';
import { createSender, type Sender, type SenderOptions } from '../../../runtime/webhooks/send/sender.js';
import { answering, OK, type Receiver, startReceiver } from '../receiver.js';
import { deadDns, startDns } from './dns-stub.js';

const guard = createGuard(['127.0.0.0/8']);
const SUCCESS: Outcome = { class: 'success', answer: 'ok' };

let receiver: Receiver;
const senders: Sender[] = [];
beforeAll(async () => {
  receiver = await startReceiver(answering(OK));
});
afterAll(async () => {
  for (const sender of senders) await sender.close();
  await receiver.close();
});

function senderOf(options: Pick<SenderOptions, 'resolve'> & Partial<SenderOptions>): Sender {
  const sender = createSender({ guard, deadline: 10_000, ...options });
  senders.push(sender);
  return sender;
}

function post(sender: Sender, uri: string): Promise<Outcome> {
  return sender.send({ uri, delivery: 'd', body: 'a=b', headers: {} });
}

describe('names', () => {
  test('each answer of DNS has its class', async () => {
    const dns = await startDns({
      'servfail.example': 'SERVFAIL',
      'silent.example': 'silence',
      'empty.example': [],
      'good.example': ['127.0.0.1'],
    });
    const sender = senderOf({ resolve: createResolve(dns.resolver, '') });
    const names = ['unknown', 'servfail', 'silent', 'empty', 'good'];
    const outcomes = await Promise.all(names.map((name) => post(sender, `http://${name}.example:${receiver.port}/`)));
    expect(outcomes.map((outcome) => outcome.class)).toEqual(['dns', 'dns', 'dns', 'dns', 'success']);
    expect(dns.questions).toEqual(expect.arrayContaining(['A good.example', 'AAAA good.example']));
    await dns.close();
  });

  test('an unreachable name server counts as an internal failure', async () => {
    const sender = senderOf({ resolve: createResolve(await deadDns(), '') });
    expect(await post(sender, 'http://h.example/')).toEqual({ class: 'internal' });
  });

  test('the deadline covers the look-up', async () => {
    const sender = senderOf({ resolve: () => new Promise(() => undefined), deadline: 50 });
    expect(await post(sender, 'http://h.example/')).toEqual({ class: 'timeout' });
  });

  test('localhost needs no DNS and no hosts file', async () => {
    const sender = senderOf({ resolve: () => Promise.reject(new Error('asked')) });
    for (const host of ['localhost', 'LOCALHOST.', 'a.localhost', '127.0.0.1', '[::ffff:127.0.0.1]']) {
      expect(await post(sender, `http://${host}:${receiver.port}/`)).toEqual(SUCCESS);
    }
  });

  test('the hosts file comes first', async () => {
    const dns = await startDns({});
    const resolve = createResolve(dns.resolver, '# 127.0.0.9 box\n127.0.0.1  box Box.Lan # here\n127.0.0.3 box\n\n');
    expect(await resolve('BOX.')).toEqual(['127.0.0.1', '127.0.0.3']);
    expect(await resolve('box.lan')).toEqual(['127.0.0.1']);
    expect(dns.questions).toEqual([]);
    await expect(resolve('here')).rejects.toMatchObject({ outcome: 'dns' });
    await dns.close();
  });

  test('a look-up answers both call forms of Node', async () => {
    const lookup = createLookup(createGuard([]), () => Promise.resolve(['1.1.1.1', '2606:4700::1111']));
    const ask = (all: boolean): Promise<readonly [string | LookupAddress[], number | undefined]> =>
      new Promise((done) => lookup('h.example', { all }, (_, address, family) => done([address, family])));
    expect(await ask(true)).toEqual([
      [
        { address: '1.1.1.1', family: 4 },
        { address: '2606:4700::1111', family: 6 },
      ],
      undefined,
    ]);
    expect(await ask(false)).toEqual(['1.1.1.1', 4]);
  });
});

describe('faults', () => {
  const coded = (code: string): Error => Object.assign(new Error(code), { code });

  test.each([
    ['EMFILE', 'internal'],
    ['ENFILE', 'internal'],
    ['ENOMEM', 'internal'],
    ['ECONNRESET', 'connect'],
    ['EPIPE', 'connect'],
    ['UND_ERR_SOCKET', 'connect'],
    ['ETIMEDOUT', 'timeout'],
    ['UND_ERR_HEADERS_OVERFLOW', 'protocol'],
    ['HPE_INVALID_CONSTANT', 'protocol'],
    ['ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED', 'tls'],
    ['', 'protocol'],
  ])('%j is %s', (code, outcome) => expect(faultOutcome(coded(code))).toEqual({ class: outcome }));

  test('a fault of our own at one of several addresses counts as internal', () => {
    const all = new AggregateError([coded('ECONNREFUSED'), coded('EMFILE')]);
    expect(faultOutcome(all)).toEqual({ class: 'internal' });
  });

  test.each([
    ['ENOTFOUND', 'dns'],
    ['ESERVFAIL', 'dns'],
    ['ETIMEOUT', 'dns'],
    ['ECONNREFUSED', 'internal'],
    ['EMFILE', 'internal'],
  ])('DNS %s is %s', (code, outcome) => expect(dnsFault(coded(code)).outcome).toBe(outcome));
});
