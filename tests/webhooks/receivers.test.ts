// Must hold: what is signed here is verified by the README's receivers, with openssl, with Python's hmac and with the library of
// Standard Webhooks, on real callbacks of both formats.

import { spawnSync } from 'node:child_process';
import { Webhook } from 'standardwebhooks';
import { standardText } from '../../runtime/rules/message.js';
import { signedForm, signedPost, standardSecret, verifyCallback } from '../../runtime/rules/signature.js';
import { clientOf } from '../support/client.js';
import { temporaryFolder } from '../support/paths.js';
import { startService } from '../support/service.js';
import { shared } from '../support/shared.js';
import { startHttpReceiver } from './http-receiver.js';
import {
  has,
  type Program,
  python,
  runReceiver,
  snippets,
  standardLibrary,
  standardPython,
  typescript,
} from './readme-snippets.js';
import { makeSubscriber, type Subscriber, subscribe } from './subscriber.js';

/** What often breaks signatures: other scripts, pairs of surrogates, line separators, quotes, syntax of shells and forms. */
const PAYLOADS: readonly object[] = [
  {},
  { greeting: 'grüß dich, Łódź' },
  { dice: '🎲🧩', family: '👩‍👩‍👧', separator: 'a\u2028b\u2029c' },
  { quotes: `"double" 'single' \`back\``, slashes: '\\ / \\n', lines: 'a\r\nb\tc' },
  { shell: '$HOME %s $(id) !', form: 'a=b&c=d+e%20f;g', bom: '\ufeffx', last: '\u007f\u0080\uffff' },
  { ключ: [1, 1.5, -0.001, 1e21, null, true, [{ 深い: ['漢字'] }]] },
];

const service = shared(startService);
let subscriber: Subscriber;
let folder: string;
beforeAll(async () => {
  subscriber = await makeSubscriber(service.address, (await service.user('owner')).session);
});
beforeEach(() => {
  folder = temporaryFolder('receiver');
});

/** Answer of the test call: 1 when the receiver answered 200. */
async function testCall(hook: string, payload: object): Promise<string> {
  const call = { session: subscriber.session, parameters: { payload } };
  return (await clientOf(service.address)('POST', `/api/webhook/${hook}/test`, call)).text;
}

async function post(address: string, body: string): Promise<number> {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  return (await fetch(address, { method: 'POST', body, headers })).status;
}

/** A missing program must be noticed: its tests count as skipped, not as passed. */
function testWith(program: string): jest.It {
  if (has(program)) return test;
  console.log(`${program} is not installed: its test is skipped.`);
  return test.skip;
}

async function receives(program: Program): Promise<void> {
  const { secret } = subscriber.key;
  const receiver = await runReceiver(program, folder, secret);
  try {
    const { id } = await subscribe(service.address, subscriber, receiver.address);
    expect(await receiver.line(0)).toBe('subscribe {}');
    for (const [index, payload] of PAYLOADS.entries()) {
      expect(await testCall(id, payload)).toBe('1');
      const [type, ...rest] = (await receiver.line(index + 1)).split(' ');
      expect([type, JSON.parse(rest.join(' '))]).toEqual(['test', payload]);
    }
    await refuses(receiver.address, secret);
  } finally {
    await receiver.stop();
  }
}

async function refuses(address: string, key: string): Promise<void> {
  const message = JSON.stringify({ type: 'data', payload: {} });
  const good = signedForm({ message, key }, Date.now());
  const forged: Readonly<Record<string, string>> = {
    'another key': signedForm({ message, key: `${key}x` }, Date.now()),
    'too old': signedForm({ message, key }, Date.now() - 301_000),
    'from the future': signedForm({ message, key }, Date.now() + 3_600_000),
    'another message': good.replace('data', 'test'),
    'another time': good.replace(/epoch=\d/, 'epoch=9'),
    unsigned: good.replace(/&hmac=.*/, ''),
    'signed with words': good.replace(/hmac=.*/, 'hmac=%C3%BC'),
    'without a message': good.replace(/message=.*&/, ''),
    empty: '',
  };
  for (const [name, body] of Object.entries(forged)) expect([name, await post(address, body)]).toEqual([name, 401]);
  expect(await post(address, good)).toBe(200);
}

/** The secret of a hook before any exchange, as the README's command prints it. */
function derivedSecret(): string {
  const env = { PATH: process.env.PATH, PRIVATE_KEY: subscriber.key.secret };
  return spawnSync('sh', ['-c', snippets('sh')[1] ?? ''], { env, encoding: 'utf8' }).stdout.trim();
}

async function exchange(hook: string): Promise<{ readonly secret: string; readonly previous_ends: string }> {
  const call = { session: subscriber.session, parameters: {} };
  const { status, body } = await clientOf(service.address)('POST', `/api/webhook/${hook}/exchange`, call);
  expect(status).toBe(200);
  return body;
}

/** Uses the secret of the key and, after an exchange, the new secret, while a receiver with the previous secret goes on. */
async function receivesStandard(program: Program): Promise<void> {
  const before = await runReceiver(program, folder, derivedSecret());
  const elsewhere = temporaryFolder('receiver');
  try {
    const { id } = await subscribe(service.address, subscriber, before.address, 'standard');
    expect(await before.line(0)).toBe('webhook.subscribe {}');
    for (const [index, payload] of PAYLOADS.entries()) {
      expect(await testCall(id, payload)).toBe('1');
      const [type, ...rest] = (await before.line(index + 1)).split(' ');
      expect([type, JSON.parse(rest.join(' '))]).toEqual(['webhook.test', payload]);
    }
    await refusesStandard(before.address, derivedSecret());
    const { secret } = await exchange(id);
    expect(await testCall(id, {})).toBe('1');
    const after = await runReceiver(program, elsewhere, secret);
    const moved = {
      ...HOOK,
      owner_id: subscriber.designer,
      api_key_id: subscriber.key.id,
      callback_uri: after.address,
    };
    const call = { session: subscriber.session, parameters: moved };
    // The update does not send the format, which stays.
    expect((await clientOf(service.address)('PUT', `/api/webhook/${id}`, call)).body.format).toBe('standard');
    expect(await testCall(id, { moved: true })).toBe('1');
    expect(await after.line(0)).toBe('webhook.test {"moved":true}');
    await after.stop();
  } finally {
    await before.stop();
  }
}

const HOOK = { event: 'ItemSold', owner_class: 'Designer' };
const HEAD = { ...HOOK, id: 'a', owner_id: 'b', type: 'data' } as const;

async function refusesStandard(address: string, secret: string): Promise<void> {
  const now = Date.now();
  const text = standardText(HEAD, '{"name":"Zoë"}', now);
  const signed = (secrets: readonly string[], at = now) => signedPost('d', text, { key: 'k', secrets }, at);
  const good = signed([secret]);
  const forged: Readonly<
    Record<string, { readonly body: string; readonly headers: Readonly<Record<string, string>> }>
  > = {
    'another secret': signed([standardSecret('another')]),
    'too old': signed([secret], now - 302_000),
    'from the future': signed([secret], now + 3_600_000),
    'another message': { ...good, body: good.body.replace('data', 'test') },
    'another id': { ...good, headers: { ...good.headers, 'webhook-id': 'e' } },
    'another time': { ...good, headers: { ...good.headers, 'webhook-timestamp': String(Math.floor(now / 1000) - 1) } },
    unsigned: { ...good, headers: { 'content-type': 'application/json' } },
  };
  for (const [name, sent] of Object.entries(forged)) {
    expect([name, (await fetch(address, { method: 'POST', ...sent })).status]).toEqual([name, 401]);
  }
  expect((await fetch(address, { method: 'POST', ...signed([standardSecret('new'), secret]) })).status).toBe(200);
}

test('TypeScript', () => receives(typescript));

testWith('openssl')('JavaScript with the library of Standard Webhooks', () => receivesStandard(standardLibrary));

testWith('python3')('Python by the specification of Standard Webhooks', () => receivesStandard(standardPython));

test('a form has the headers too; during an exchange both secrets verify it, and its hmac stays', async () => {
  const receiver = await startHttpReceiver();
  const { id } = await subscribe(service.address, subscriber, receiver.address);
  await testCall(id, { a: 1 });
  const { secret, previous_ends } = await exchange(id);
  expect(Math.abs(Date.parse(previous_ends) - Date.now() - 24 * 3_600_000)).toBeLessThan(60_000);
  await testCall(id, { b: 'ü' });
  const [first, second] = await receiver.until((posts) => {
    const tests = posts.filter(({ said }) => said.type === 'test');
    return tests.length === 2 ? tests : undefined;
  });
  const now = { now: Date.now() };
  const old = standardSecret(subscriber.key.secret);
  for (const post of [first, second]) {
    if (post === undefined) throw new Error('a callback did not arrive');
    expect(post.headers['webhook-id']).toBe(post.delivery);
    expect(post.headers['webhook-timestamp']).toBe(post.epoch);
    expect(new Webhook(old).verify(post.body, post.headers, { jsonParse: false })).toBeUndefined();
    const { epoch, message, hmac } = post;
    expect(verifyCallback({ epoch, message, hmac }, subscriber.key.secret, now)).toBe(true);
  }
  const signatures = [first, second].map((post) => post?.headers['webhook-signature']?.split(' ').length);
  expect(signatures).toEqual([1, 2]);
  expect(verifyCallback(first ?? {}, secret, now)).toBe(false);
  expect(verifyCallback(second ?? {}, secret, now)).toBe(true);
  await receiver.close();
});

test('only callers who may edit the hook can exchange its secret', async () => {
  const { id } = await subscribe(service.address, subscriber, 'http://127.0.0.1:8/');
  const send = clientOf(service.address);
  const { session } = await service.user('stranger');
  expect((await send('POST', `/api/webhook/${id}/exchange`, { session, parameters: {} })).status).toBe(404);
  expect((await send('POST', `/api/webhook/${id}/exchange`, { parameters: {} })).status).toBe(404);
  const { body } = await send('GET', `/api/webhook/${id}`, { session: subscriber.session });
  expect(JSON.stringify(body)).not.toContain('whsec_');
});

testWith('python3')('Python', () => receives(python));

testWith('openssl')('openssl', async () => {
  const receiver = await startHttpReceiver();
  const { id } = await subscribe(service.address, subscriber, receiver.address);
  for (const payload of PAYLOADS) expect(await testCall(id, payload)).toBe('1');
  const tests = await receiver.until((posts) => {
    const arrived = posts.filter(({ said }) => said.type === 'test');
    return arrived.length === PAYLOADS.length ? arrived : undefined;
  });
  expect(tests.map(({ said }) => said.payload)).toEqual(PAYLOADS);
  const verify = (parameters: object): string =>
    spawnSync('sh', ['-c', snippets('sh')[0] ?? ''], {
      env: { PATH: process.env.PATH, PRIVATE_KEY: subscriber.key.secret, ...parameters },
      encoding: 'utf8',
    }).stdout;
  for (const { epoch, message, hmac } of tests) {
    expect(verify({ epoch, message, hmac })).toBe('authentic\n');
    expect(verify({ epoch, message: message.replace('test', 'data'), hmac })).toBe('');
    expect(verify({ epoch: String(Number(epoch) + 1), message, hmac })).toBe('');
    expect(verify({ epoch, message, hmac, PRIVATE_KEY: 'another' })).toBe('');
  }
  for (const late of [-301_000, 3_600_000]) {
    const form = signedForm({ message: '{}', key: subscriber.key.secret }, Date.now() + late);
    expect(verify(Object.fromEntries(new URLSearchParams(form)))).toBe('');
  }
  await receiver.close();
});
