// The message of a callback and its form, byte by byte.

import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { EMPTY_PAYLOAD, type MessageHead, messageText } from '../../runtime/rules/message.js';
import { epochOf, signatureOf, signedForm } from '../../runtime/rules/signature.js';
import { anyCharacter } from '../support/any-character.js';
import { seedOfRun } from '../support/chance.js';

const seed = seedOfRun();
const HEAD: MessageHead = {
  id: 'ab0123456789',
  owner_class: 'Designer',
  owner_id: 'cd0123456789',
  event: 'ItemSold',
  type: 'data',
};

describe('message', () => {
  test('has the keys of the document in its order', () => {
    expect(messageText(HEAD, '{"item":{"quantity":2}}')).toBe(
      '{"id":"ab0123456789","owner_class":"Designer","owner_id":"cd0123456789","event":"ItemSold","type":"data",' +
        '"payload":{"item":{"quantity":2}}}',
    );
  });

  test('has no other properties of the hook', () => {
    const row = { ...HEAD, private_key: 'secret', callback_uri: 'http://127.0.0.1/' };
    expect(Object.keys(JSON.parse(messageText(row, '{}')))).toEqual([
      'id',
      'owner_class',
      'owner_id',
      'event',
      'type',
      'payload',
    ]);
  });

  test('S26: an empty payload is an empty object', () => {
    expect(messageText({ ...HEAD, type: 'subscribe' }, EMPTY_PAYLOAD)).toMatch(/"type":"subscribe","payload":\{\}\}$/);
  });

  test('S25: the payload is inserted unchanged, including spaces and forms of numbers', () => {
    expect(messageText(HEAD, '{ "a" : 1.0e2, "a":-0 }')).toMatch(/"payload":\{ "a" : 1\.0e2, "a":-0 \}\}$/);
  });

  test.each([
    ['é', '\\u00e9'],
    ['\u2028', '\\u2028'],
    ['😀', '\\ud83d\\ude00'],
    ['\u007f\u0080', '\u007f\\u0080'],
    ['\ud800', '\\ud800'],
  ])('S27: %p is sent as %s', (text, escaped) => {
    expect(messageText(HEAD, `{"n":"${text}"}`)).toContain(`"payload":{"n":"${escaped}"}`);
  });

  test('the payload may be deep and large', () => {
    const deep = `${'['.repeat(200_000)}${']'.repeat(200_000)}`;
    expect(messageText(HEAD, deep)).toHaveLength(messageText(HEAD, '').length + 400_000);
    const large = JSON.stringify({ text: 'ü'.repeat(1_000_000) });
    expect(messageText(HEAD, large)).toHaveLength(messageText(HEAD, '{"text":""}').length + 6_000_000);
  });

  test(`any payload is ASCII and reads back equal (seed ${seed})`, () => {
    fc.assert(
      fc.property(fc.json({ stringUnit: anyCharacter }), fc.string({ unit: anyCharacter }), (payload, name) => {
        const text = messageText({ ...HEAD, owner_id: name }, payload);
        expect(text).toMatch(/^[\0-\x7f]*$/);
        expect(JSON.parse(text)).toEqual({ ...HEAD, owner_id: name, payload: JSON.parse(payload) });
      }),
      { seed, numRuns: 500 },
    );
  });
});

describe('signature', () => {
  // By `printf '1767323045.{"a":1}' | openssl dgst -sha256 -hmac s3cret`.
  test('is that of the recipe in the document', () => {
    expect(signatureOf(1767323045, '{"a":1}', 's3cret')).toBe(OPENSSL);
  });

  test('the epoch is in whole seconds', () => {
    expect(epochOf(Date.UTC(2026, 0, 2, 3, 4, 5, 999))).toBe(1767323045);
  });

  test('S14: an empty key signs nothing', () => {
    expect(() => signatureOf(1, 'x', '')).toThrow('empty key');
  });

  test('S27: the form holds the three parameters and decodes to the signed text', () => {
    const message = messageText(HEAD, '{"n":"a+b & c=d % é"}');
    const form = signedForm({ message, key: 'k' }, 1767323045678);
    expect(form).toMatch(/^epoch=1767323045&message=[^&=]*&hmac=[0-9a-f]{64}$/);
    const sent = Object.fromEntries(new URLSearchParams(form));
    expect(sent.message).toBe(message);
    expect(sent.hmac).toBe(createHmac('sha256', 'k').update(`1767323045.${message}`).digest('hex'));
  });

  test('S25: every attempt signs its own time with the same message', () => {
    const [one, two] = [1_000, 3_601_000].map(
      (now) => new URLSearchParams(signedForm({ message: '{}', key: 'k' }, now)),
    );
    expect(one?.get('message')).toBe(two?.get('message'));
    expect(one?.get('epoch')).toBe('1');
    expect(two?.get('epoch')).toBe('3601');
    expect(one?.get('hmac')).not.toBe(two?.get('hmac'));
  });
});
const OPENSSL = '19deeee1dbf3e68132db6a4db41cfe324ecf01ea3d30e68ce4b483b0d0980d5c';
