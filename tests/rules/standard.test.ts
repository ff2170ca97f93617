// Must hold: callbacks in both formats are verified by the library of Standard Webhooks, by Python as its specification says,
// and by the functions that receivers are given; and nothing else is.

import { spawnSync } from 'node:child_process';
import { createHmac, randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { type MessageHead, messageOfBody, messageText, standardText } from '../../runtime/rules/message.js';
import {
  refuseCallback,
  signedPost,
  standardHeaders,
  standardSecret,
  verifyCallback,
} from '../../runtime/rules/signature.js';
import { anyCharacter } from '../support/any-character.js';
import { seedOfRun } from '../support/chance.js';
import { count } from '../support/counts.js';
import { has } from '../webhooks/readme-snippets.js';

const seed = seedOfRun();
const NOW = Date.now();
const KEY = 'a private key';
const HEAD: MessageHead = { id: 'ab01', owner_class: 'Designer', owner_id: 'cd02', event: 'ItemSold', type: 'data' };
const AT = Date.UTC(2026, 0, 2, 3, 4, 5, 678);
const newSecret = () => `whsec_${randomBytes(32).toString('base64')}`;

test('the example of the specification', () => {
  const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
  const body = '{"test": 2432232314}';
  expect(standardHeaders({ id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', body, secrets: [secret] }, 1614265330_000)).toEqual({
    'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  });
});

test('the secret of a key has 32 bytes, and openssl derives the same', () => {
  const bytes = spawnSync('openssl', ['dgst', '-sha256', '-hmac', KEY, '-binary'], { input: 'whsec' }).stdout;
  expect(standardSecret(KEY)).toBe(`whsec_${bytes.toString('base64')}`);
  expect(bytes).toHaveLength(32);
  expect(() => standardSecret('')).toThrow('empty key');
});

describe('message', () => {
  test('consists of the type, the time and the message of the form', () => {
    const payload = '{"item":{"name":"Zoë"}}';
    const text = standardText(HEAD, payload, AT);
    expect(text).toBe(
      `{"type":"ItemSold","timestamp":"2026-01-02T03:04:05.678Z","data":${messageText(HEAD, payload)}}`,
    );
  });

  test.each(['subscribe', 'unsubscribe', 'test'] as const)('of a %s cannot be mistaken for the event', (type) => {
    const { type: sentType, data } = JSON.parse(standardText({ ...HEAD, type }, '{}', AT));
    expect([sentType, data.event, data.type]).toEqual([`webhook.${type}`, 'ItemSold', type]);
  });

  test(`any payload is ASCII and reads back equal (seed ${seed})`, () => {
    fc.assert(
      fc.property(fc.json({ stringUnit: anyCharacter }), fc.string({ unit: anyCharacter }), (payload, owner_id) => {
        for (const text of [
          standardText({ ...HEAD, owner_id }, payload, AT),
          messageText({ ...HEAD, owner_id }, payload),
        ]) {
          const { body } = signedPost('d', text, { key: KEY, secrets: [newSecret()] }, NOW);
          expect(body).toMatch(/^[\0-\x7f]*$/);
          expect(messageOfBody(body)).toEqual({ ...HEAD, owner_id, payload: JSON.parse(payload) });
        }
      }),
      { seed, numRuns: 300 },
    );
  });
});

interface SentCallback {
  readonly body: string;
  readonly headers: Record<string, string>;
  readonly secrets: readonly string[];
}

/** Messages in both formats by turns, half of them during an exchange. */
function messages(many: number): readonly SentCallback[] {
  const texts = fc.sample(fc.json({ stringUnit: anyCharacter }), { seed, numRuns: many });
  return texts.map((payload, index) => {
    const text = index % 2 === 0 ? standardText(HEAD, payload, AT) : messageText(HEAD, payload);
    const secrets = index % 4 < 2 ? [standardSecret(KEY)] : [newSecret(), standardSecret(KEY)];
    return { ...signedPost(`delivery ${index}`, text, { key: KEY, secrets }, NOW), secrets };
  });
}

const COUNT = count(200, 1_000);

/** The callback with another text, id, time or signature. */
function spoiled({ body, headers }: SentCallback): readonly Pick<SentCallback, 'body' | 'headers'>[] {
  const late = { 'webhook-timestamp': String(Number(headers['webhook-timestamp']) + 1) };
  return [
    { body: `${body} `, headers },
    { body: body.replace('0', '1').replace('a', 'b'), headers },
    { body, headers: { ...headers, 'webhook-id': 'another' } },
    { body, headers: { ...headers, ...late } },
    { body, headers: { ...headers, 'webhook-signature': `v1,${randomBytes(32).toString('base64')}` } },
  ];
}

test(`the library of Standard Webhooks verifies ${COUNT} of ${COUNT}, with each secret (seed ${seed})`, () => {
  const accepts = (secret: string, { body, headers }: Pick<SentCallback, 'body' | 'headers'>) => {
    try {
      new Webhook(secret).verify(body, headers, { jsonParse: false });
      return true;
    } catch {
      return false;
    }
  };
  let verified = 0;
  for (const sent of messages(COUNT)) {
    if (sent.secrets.every((secret) => accepts(secret, sent))) verified += 1;
    expect(accepts(newSecret(), sent)).toBe(false);
    for (const callback of spoiled(sent)) expect(accepts(sent.secrets[0] ?? '', callback)).toBe(false);
  }
  expect(verified).toBe(COUNT);
});

test(`receivers verify ${COUNT} of ${COUNT}, with each secret and the private key (seed ${seed})`, () => {
  let verified = 0;
  for (const sent of messages(COUNT)) {
    const all = [...sent.secrets, KEY, ['whsec_AAAA', ...sent.secrets]];
    if (all.every((secret) => verifyCallback(sent, secret, { now: NOW }))) verified += 1;
    expect(refuseCallback(sent, newSecret(), { now: NOW })).toBe('forged');
    for (const callback of spoiled(sent)) expect(refuseCallback(callback, KEY, { now: NOW })).toBe('forged');
  }
  expect(verified).toBe(COUNT);
});

/** Reads a JSON text a line: body, headers, secret. Says for each whether it is authentic. */
const PYTHON = `
import base64, hashlib, hmac, json, sys
for line in sys.stdin:
    body, headers, secret = json.loads(line)
    signed = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.{body}".encode()
    key = base64.b64decode(secret.removeprefix("whsec_"))
    expected = base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    given = [one[3:] for one in headers["webhook-signature"].split(" ") if one.startswith("v1,")]
    print(any(hmac.compare_digest(expected, one) for one in given))
`;

const python = has('python3') ? test : test.skip;
if (!has('python3')) console.log('python3 is not here: its test is skipped.');

python(`Python verifies ${COUNT} of ${COUNT}, with each secret (seed ${seed})`, () => {
  const verdicts = (lines: readonly unknown[]) =>
    spawnSync('python3', ['-c', PYTHON], { input: lines.map((line) => JSON.stringify(line)).join('\n') })
      .stdout.toString()
      .trim()
      .split('\n');
  const all = messages(COUNT);
  const right = all.flatMap(({ body, headers, secrets }) => secrets.map((secret) => [body, headers, secret]));
  expect(verdicts(right).filter((verdict) => verdict === 'True')).toHaveLength(right.length);
  const wrong = all.flatMap((sent) =>
    spoiled(sent).map(({ body, headers }) => [body, headers, sent.secrets[0]] as const),
  );
  const foreign = all.map(({ body, headers }) => [body, headers, newSecret()]);
  expect(new Set(verdicts([...wrong, ...foreign]))).toEqual(new Set(['False']));
});

describe('what a receiver refuses', () => {
  const text = standardText(HEAD, '{"name":"Zoë 😀"}', AT);
  const secret = newSecret();
  const post = signedPost('d', text, { key: KEY, secrets: [secret] }, NOW);
  const form = signedPost('d', messageText(HEAD, '{}'), { key: KEY, secrets: [secret] }, NOW);
  const refusal = (more: object, now = NOW, secrets: string | readonly string[] = secret) =>
    refuseCallback({ ...post, ...more }, secrets, { now });
  const without = (name: string) => ({ headers: { ...post.headers, [name]: undefined } });

  test.each([
    ['id', 'webhook-id'],
    ['timestamp', 'webhook-timestamp'],
    ['signature', 'webhook-signature'],
  ])('a callback without its %s', (_name, header) =>
    expect(refusal(without(header), NOW, [secret, KEY])).toBe('malformed'),
  );

  test.each([
    ['a header sent twice', { headers: { ...post.headers, 'webhook-id': ['d', 'd'] } }],
    ['a timestamp that is not a time', { headers: { ...post.headers, 'webhook-timestamp': '1e9' } }],
    ['a signature of another version', { headers: { ...post.headers, 'webhook-signature': 'v1a,xyz' } }],
    ['a parsed body', { body: { type: 'ItemSold' } }],
    ['headers as text', { headers: 'x' }],
    ['no headers', { headers: null }],
  ])('%s', (_name, more) => expect(refusal(more)).toBe('malformed'));

  test.each([
    [-301_000, 'stale'],
    [-300_000, null],
    [299_000, null],
    [301_000, 'stale'],
    [Number.NaN, 'stale'],
  ])('a clock that differs by %i milliseconds', (by, expected) => {
    const { 'webhook-timestamp': sent = '' } = post.headers;
    expect(refusal({}, Number(sent) * 1000 + by)).toBe(expected);
  });

  test('callbacks beyond a given tolerance', () => {
    expect(refuseCallback(post, secret, { now: NOW + 20_000, tolerance: 10 })).toBe('stale');
    expect(refuseCallback(post, secret, { now: NOW + 20_000, tolerance: 30 })).toBeNull();
  });

  test('not: names of headers in any case, signatures of later versions, bytes', () => {
    const { 'webhook-id': id, 'webhook-timestamp': time, 'webhook-signature': signature } = post.headers;
    const headers = { 'Webhook-Id': id, 'Webhook-Timestamp': time, 'Webhook-Signature': `v2,x ${signature}` };
    expect(refusal({ headers, body: Buffer.from(post.body) })).toBeNull();
  });

  test('everything without a secret', () => {
    for (const none of ['', [], ['', '']]) expect(refusal({}, NOW, none)).toBe('no_key');
  });

  test('a form without the headers, if its hmac cannot be verified with a private key', () => {
    const old = { headers: { 'content-type': 'application/x-www-form-urlencoded' }, body: form.body };
    expect(refuseCallback(old, [secret, KEY], { now: NOW })).toBeNull();
    expect(refuseCallback(old, secret, { now: NOW })).toBe('no_key');
    expect(refuseCallback({ ...old, body: old.body.replace('data', 'test') }, KEY, { now: NOW })).toBe('forged');
    // If there are headers, they decide.
    expect(refuseCallback({ ...form, headers: { ...form.headers, 'webhook-id': 'x' } }, KEY, { now: NOW })).toBe(
      'forged',
    );
  });

  test('a form that none of several private keys has signed', () => {
    const parameters = Object.fromEntries(new URLSearchParams(form.body));
    expect(refuseCallback(parameters, ['another', KEY], { now: NOW })).toBeNull();
    expect(refuseCallback(parameters, ['another', 'third'], { now: NOW })).toBe('forged');
  });

  test('the hmac of a form as a signature: its key is not the secret', () => {
    const { hmac = '', epoch } = Object.fromEntries(new URLSearchParams(form.body));
    const again = createHmac('sha256', KEY).update(`d.${epoch}.${post.body}`).digest('base64');
    for (const signature of [`v1,${Buffer.from(hmac, 'hex').toString('base64')}`, `v1,${again}`])
      expect(refusal({ headers: { ...post.headers, 'webhook-signature': signature } }, NOW, KEY)).toBe('forged');
  });
});
