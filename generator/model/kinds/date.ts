// A moment, stored as epoch milliseconds.

import type { RawField } from '../../language/language.js';
import { KEYS } from './kind.js';
import { valueKind } from './value.js';

export const date = valueKind<RawField>({
  makes: 'A moment, such as 2030-01-31T12:00:00Z.',
  keys: [...KEYS.listed, 'default', 'fill'],
  parameter: 'date',
  storage: 'date',
  convertsAs: 'date',
  ranged: true,
  expects: () => 'a date such as 2030-01-31T12:00:00Z',
  schema: () => ({ type: 'string', format: 'date-time' }),
  check: () => null,
  converts: (value) =>
    typeof value === 'string' && /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value) && !Number.isNaN(Date.parse(value)),
  stored: (literal) => Date.parse(String(literal)),
  example: () => '2026-01-02T03:04:05.678Z',
});
