// A date without a time: 2026-01-31.

import type { RawField } from '../../language/language.js';
import { KEYS } from './kind.js';
import { valueKind } from './value.js';

const SCHEMA = { type: 'string', format: 'date' } as const;

export const day = valueKind<RawField>({
  makes: 'A day without a time, such as 2030-01-31.',
  keys: [...KEYS.listed, 'default', 'fill'],
  parameter: 'day',
  storage: 'text',
  convertsAs: 'day',
  ranged: true,
  // Written alike in every wire profile, and sorted like the calendar.
  copyable: true,
  expects: () => 'a date such as 2030-01-31',
  schema: () => SCHEMA,
  check: () => ({ rule: 'length', min: 10, max: 10, schema: SCHEMA }),
  example: () => '2026-01-31',
  lengths: () => [10, 10],
});
