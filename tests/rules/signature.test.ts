// What a receiver's check accepts and refuses; openssl and Python compute the same signatures.

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { messageText } from '../../runtime/rules/message.js';
import { type Callback, refuseCallback, signedForm, verifyCallback } from '../../runtime/rules/signature.js';
import { seedOfRun } from '../support/chance.js';
import { ROOT } from '../support/paths.js';

const seed = seedOfRun();
const KEY = 's3cret';
const NOW = 1767323045_000;
const MESSAGE = messageText(
  { id: 'a', owner_class: 'User', owner_id: 'b', event: 'ReceiptShipped', type: 'data' },
  '{"name":"Zoë 😀 \u2028"}',
);

function sent(now = NOW, key = KEY): Callback {
  return Object.fromEntries(new URLSearchParams(signedForm({ message: MESSAGE, key }, now))) as unknown as Callback;
}

const refusal = (callback: Partial<Callback>, options: { now?: number; tolerance?: number } = {}) =>
  refuseCallback(callback, KEY, { now: NOW, ...options });

describe('verify', () => {
  test('accepts a signed callback', () => {
    expect(verifyCallback(sent(), KEY, { now: NOW })).toBe(true);
    expect(refusal(sent())).toBeNull();
  });

  test.each([
    ['message', { message: `${MESSAGE} ` }],
    ['epoch', { epoch: '1767323046' }],
    ['hmac', { hmac: '0'.repeat(64) }],
  ])('refuses another %s as forged', (_name, changed) => {
    expect(refusal({ ...sent(), ...changed })).toBe('forged');
    expect(verifyCallback({ ...sent(), ...changed }, KEY, { now: NOW })).toBe(false);
  });

  test('refuses a signature of another key as forged', () => {
    expect(refusal(sent(NOW, 'other'))).toBe('forged');
  });

  test.each([
    ['no epoch', { epoch: undefined }],
    ['no message', { message: undefined }],
    ['no hmac', { hmac: undefined }],
    ['a short hmac', { hmac: 'abcd' }],
    ['a long hmac', { hmac: 'a'.repeat(65) }],
    ['an hmac that is not hexadecimal', { hmac: 'x'.repeat(64) }],
    ['an hmac with a line end', { hmac: `${'a'.repeat(64)}\n` }],
    ['two hmacs', { hmac: ['a'.repeat(64), 'a'.repeat(64)] }],
    ['a parsed message', { message: JSON.parse(MESSAGE) }],
    ['an empty epoch', { epoch: '' }],
    ['an epoch with a sign', { epoch: '+1767323045' }],
    ['an epoch with a fraction', { epoch: '1767323045.0' }],
    ['an epoch with a space', { epoch: ' 1767323045' }],
    ['an epoch with a leading zero', { epoch: '01767323045' }],
    ['an epoch as a power', { epoch: '1e9' }],
    ['a huge epoch', { epoch: '9'.repeat(400) }],
  ])('refuses %s as malformed', (_name, changed) => {
    const callback = { ...sent(), ...changed } as unknown as Callback;
    expect(refusal(callback)).toBe('malformed');
  });

  test.each([
    [-301, 'stale'],
    [-300, null],
    [0, null],
    [300, null],
    [301, 'stale'],
  ])('a clock that differs by %i seconds', (seconds, expected) => {
    expect(refusal(sent(), { now: NOW + seconds * 1000 })).toBe(expected);
  });

  test('the tolerance is in seconds', () => {
    expect(refusal(sent(), { now: NOW + 10_000, tolerance: 9 })).toBe('stale');
    expect(refusal(sent(), { now: NOW + 10_000, tolerance: 10 })).toBeNull();
  });

  test('a time that is not a number is refused', () => {
    expect(refusal(sent(), { now: Number.NaN })).toBe('stale');
  });

  test('without a key nothing is authentic', () => {
    expect(refuseCallback(sent(), '', { now: NOW })).toBe('no_key');
    expect(refuseCallback(sent(), undefined as unknown as string, { now: NOW })).toBe('no_key');
  });

  test(`any change of any character is refused (seed ${seed})`, () => {
    const names = ['epoch', 'message', 'hmac'] as const;
    fc.assert(
      fc.property(fc.constantFrom(...names), fc.nat(), fc.string({ minLength: 1, maxLength: 1 }), (name, at, unit) => {
        const callback = sent();
        const text = callback[name];
        const place = at % text.length;
        if (text[place] === unit) return;
        const changed = { ...callback, [name]: text.slice(0, place) + unit + text.slice(place + 1) };
        expect(verifyCallback(changed, KEY, { now: NOW, tolerance: Number.POSITIVE_INFINITY })).toBe(false);
      }),
      { seed, numRuns: 1_000 },
    );
  });

  test('the file can be copied: it imports nothing of the project', () => {
    const imports = readFileSync(join(ROOT, 'runtime', 'rules', 'signature.ts'), 'utf8').match(/from '[^']+'/g);
    expect(imports).toEqual(["from 'node:crypto'"]);
  });
});

describe('signatures of other tools', () => {
  const { epoch, message, hmac } = sent();

  test('openssl', () => {
    const output = execFileSync('openssl', ['dgst', '-sha256', '-hmac', KEY], { input: `${epoch}.${message}` });
    expect(output.toString().trim().split(' ').at(-1)).toBe(hmac);
  });

  test('Python', () => {
    const program =
      'import hmac,sys; print(hmac.new(sys.argv[1].encode(), sys.stdin.buffer.read(), "sha256").hexdigest())';
    const output = execFileSync('python3', ['-c', program, KEY], { input: `${epoch}.${message}` });
    expect(output.toString().trim()).toBe(hmac);
  });
});
