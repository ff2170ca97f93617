// Must hold: what is signed here is verified by the README's receivers, with openssl and with Python's hmac, on real callbacks.

import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { signedForm } from '../../runtime/rules/signature.js';
import { clientOf } from '../support/client.js';
import { temporaryFolder } from '../support/paths.js';
import { startService, type TestService } from '../support/service.js';
import { startHttpReceiver } from './http-receiver.js';
import { has, type Program, python, runReceiver, snippet, typescript } from './readme-snippets.js';
import { makeSubscriber, type Subscriber, subscribe } from './subscriber.js';

/** What breaks signatures elsewhere: other scripts, pairs of surrogates, line separators, quotes, what shells and forms read. */
const PAYLOADS: readonly object[] = [
  {},
  { greeting: 'grüß dich, Łódź' },
  { dice: '🎲🧩', family: '👩‍👩‍👧', separator: 'a\u2028b\u2029c' },
  { quotes: `"double" 'single' \`back\``, slashes: '\\ / \\n', lines: 'a\r\nb\tc' },
  { shell: '$HOME %s $(id) !', form: 'a=b&c=d+e%20f;g', bom: '\ufeffx', last: '\u007f\u0080\uffff' },
  { ключ: [1, 1.5, -0.001, 1e21, null, true, [{ 深い: ['漢字'] }]] },
];

let service: TestService;
let subscriber: Subscriber;
let folder: string;
beforeAll(async () => {
  service = await startService();
  subscriber = await makeSubscriber(service.address, (await service.user('owner')).session);
});
afterAll(() => service.stop());
beforeEach(() => {
  folder = temporaryFolder('receiver');
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Answer of the test call: 1 when the receiver answered 200. */
async function testCall(hook: string, payload: object): Promise<string> {
  const call = { session: subscriber.session, parameters: { payload } };
  return (await clientOf(service.address)('POST', `/api/webhook/${hook}/test`, call)).text;
}

async function post(address: string, body: string): Promise<number> {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  return (await fetch(address, { method: 'POST', body, headers })).status;
}

/** A missing program must be seen: its tests count as skipped, not as passed. */
function testWith(program: string): jest.It {
  if (has(program)) return test;
  console.log(`${program} is not here: its test is skipped.`);
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

test('TypeScript', () => receives(typescript));

testWith('python3')('Python', () => receives(python));

testWith('openssl')('openssl', async () => {
  const receiver = await startHttpReceiver();
  const { id } = await subscribe(service.address, subscriber, receiver.address);
  for (const payload of PAYLOADS) expect(await testCall(id, payload)).toBe('1');
  const tests = await receiver.until((posts) => {
    const found = posts.filter(({ said }) => said.type === 'test');
    return found.length === PAYLOADS.length ? found : undefined;
  });
  expect(tests.map(({ said }) => said.payload)).toEqual(PAYLOADS);
  const says = (parameters: object): string =>
    spawnSync('sh', ['-c', snippet('sh')], {
      env: { PATH: process.env.PATH, PRIVATE_KEY: subscriber.key.secret, ...parameters },
      encoding: 'utf8',
    }).stdout;
  for (const { epoch, message, hmac } of tests) {
    expect(says({ epoch, message, hmac })).toBe('authentic\n');
    expect(says({ epoch, message: message.replace('test', 'data'), hmac })).toBe('');
    expect(says({ epoch: String(Number(epoch) + 1), message, hmac })).toBe('');
    expect(says({ epoch, message, hmac, PRIVATE_KEY: 'another' })).toBe('');
  }
  for (const late of [-301_000, 3_600_000]) {
    const form = signedForm({ message: '{}', key: subscriber.key.secret }, Date.now() + late);
    expect(says(Object.fromEntries(new URLSearchParams(form)))).toBe('');
  }
  await receiver.close();
});
