// Which secrets sign at a moment, and what an exchange makes of them.

import { exchangeSecret, secretsAt } from '../../runtime/rules/secrets.js';
import { standardSecret } from '../../runtime/rules/signature.js';

const NOW = Date.UTC(2026, 0, 1);
const DAY = 24 * 3_600_000;
const KEY = 'the private key';
const OF_KEY = standardSecret(KEY);

test('without an exchange it follows from the key', () => {
  expect(secretsAt(undefined, KEY, NOW)).toEqual([OF_KEY]);
});

test('for a day both sign, the newest first, then one', () => {
  const stored = exchangeSecret(undefined, { secret: 'new', key: KEY, now: NOW });
  expect(stored).toEqual({ secret: 'new', previous: OF_KEY, ends: NOW + DAY });
  expect(secretsAt(stored, KEY, NOW)).toEqual(['new', OF_KEY]);
  expect(secretsAt(stored, KEY, NOW + DAY - 1)).toEqual(['new', OF_KEY]);
  expect(secretsAt(stored, KEY, NOW + DAY)).toEqual(['new']);
});

test('the one before stays with what it was, whatever becomes of the key', () => {
  const stored = exchangeSecret(undefined, { secret: 'new', key: KEY, now: NOW });
  expect(secretsAt(stored, 'another', NOW + 1)).toEqual(['new', OF_KEY]);
});

test('the next exchange ends the one before', () => {
  const first = exchangeSecret(undefined, { secret: 'first', key: KEY, now: NOW });
  const second = exchangeSecret(first, { secret: 'second', key: KEY, now: NOW + DAY });
  expect(second).toEqual({ secret: 'second', previous: 'first', ends: NOW + 2 * DAY });
});

test('an exchange whose answer got lost is made again: the secret that nobody knows does not take the place of the known one', () => {
  const first = exchangeSecret(undefined, { secret: 'lost', key: KEY, now: NOW });
  const again = exchangeSecret(first, { secret: 'found', key: KEY, now: NOW + 1_000 });
  expect(again).toEqual({ secret: 'found', previous: OF_KEY, ends: NOW + 1_000 + DAY });
});

test('a hook without a key had no secret', () => {
  const stored = exchangeSecret(undefined, { secret: 'new', key: null, now: NOW });
  expect(stored.previous).toBeNull();
  expect(secretsAt(stored, KEY, NOW + 1)).toEqual(['new']);
  expect(exchangeSecret(stored, { secret: 'next', key: null, now: NOW + 1 }).previous).toBe('new');
});
