// A whole number, between limits or one of a list.

import type { RawField } from '../../language/language.js';
import type { JsonSchema } from '../model.js';
import { KEYS } from './kind.js';
import { valueKind } from './value.js';

export const integer = valueKind<RawField>({
  makes: 'A whole number.',
  keys: [...KEYS.listed, 'default', 'fill', 'from', 'min', 'max', 'values'],
  parameter: 'integer',
  storage: 'integer',
  convertsAs: 'integer',
  summable: true,
  ranged: true,
  copyable: true,
  listed: { type: 'number', says: 'whole numbers' },
  filledBy: ['upload.size', 'upload.width', 'upload.height'],
  expects: () => 'a whole number',
  schema: (field) => ({ type: 'integer', ...(field.values ? { enum: field.values } : bounds(field)) }),
  check: ({ values, min = null, max = null }) => {
    if (values) return { rule: 'one_of', values };
    return min === null && max === null ? null : { rule: 'range', min, max };
  },
  converts: Number.isSafeInteger,
  stored: Number,
  example: ({ values, min }) => values?.[0] ?? min ?? 1,
  limits: ({ min = Number.MIN_SAFE_INTEGER, max = Number.MAX_SAFE_INTEGER }) => ({ min, max }),
  lengths: () => [1, 16],
  count: ({ values, min = 0, max = Number.POSITIVE_INFINITY }) => values?.length ?? max - min + 1,
});

function bounds({ min, max }: RawField): JsonSchema {
  return { ...(min === undefined ? {} : { minimum: min }), ...(max === undefined ? {} : { maximum: max }) };
}
