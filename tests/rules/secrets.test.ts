// Which secrets sign at a given time, and how an exchange changes them.

import { exchangeSecret, secretsAt } from '../../runtime/rules/secrets.js';
import { standardSecret } from '../../runtime/rules/signature.js';

const NOW = Date.UTC(2026, 0, 1);
const DAY = 24 * 3_600_000;
const KEY = 'the private key';
const OF_KEY = standardSecret(KEY);

test('after an exchange both secrets sign for a day, the newest first, then only the new one', () => {
  const stored = exchangeSecret(undefined, { secret: 'new', key: KEY, now: NOW });
  expect(stored).toEqual({ secret: 'new', previous: OF_KEY, ends: NOW + DAY });
  expect(secretsAt(stored, NOW)).toEqual({ secrets: ['new', OF_KEY] });
  expect(secretsAt(stored, NOW + DAY - 1)).toEqual({ secrets: ['new', OF_KEY] });
  expect(secretsAt(stored, NOW + DAY)).toEqual({ secrets: ['new'] });
});

test('the next exchange replaces the previous secret', () => {
  const first = exchangeSecret(undefined, { secret: 'first', key: KEY, now: NOW });
  const second = exchangeSecret(first, { secret: 'second', key: KEY, now: NOW + DAY });
  expect(second).toEqual({ secret: 'second', previous: 'first', ends: NOW + 2 * DAY });
});

test('an exchange whose answer was lost can be repeated: the unknown secret does not replace the known previous one', () => {
  const first = exchangeSecret(undefined, { secret: 'lost', key: KEY, now: NOW });
  const again = exchangeSecret(first, { secret: 'found', key: KEY, now: NOW + 1_000 });
  expect(again).toEqual({ secret: 'found', previous: OF_KEY, ends: NOW + 1_000 + DAY });
});

test('a hook without a key has no previous secret', () => {
  const stored = exchangeSecret(undefined, { secret: 'new', key: null, now: NOW });
  expect(stored.previous).toBeNull();
  expect(secretsAt(stored, NOW + 1)).toEqual({ secrets: ['new'] });
  expect(exchangeSecret(stored, { secret: 'next', key: null, now: NOW + 1 }).previous).toBe('new');
});
