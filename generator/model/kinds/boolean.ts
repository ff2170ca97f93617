// True or false; false by default.

import type { RawField } from '../../language/language.js';
import { KEYS } from './kind.js';
import { valueKind } from './value.js';

export const boolean = valueKind<RawField>({
  makes: 'True or false; false by default.',
  keys: [...KEYS.listed, 'default', 'fill', 'as', 'words'],
  parameter: 'boolean',
  storage: 'boolean',
  convertsAs: 'boolean',
  grants: 'when_true',
  unset: false,
  expects: () => 'true or false',
  schema: () => ({ type: 'boolean' }),
  shown: (field) => (isBit(field) ? { type: 'integer', enum: [0, 1] } : { type: 'boolean' }),
  isBit,
  check: () => ({ rule: 'one_of', values: [0, 1] }),
  stored: (literal) => (literal ? 1 : 0),
  example: () => false,
  count: () => 2,
});

function isBit({ as }: RawField): boolean {
  return as === 'bit';
}
