// A whole number, between limits or from a list.

import type { RawField } from '../../language/language.js';
import type { JsonSchema } from '../model.js';
import { KEYS } from './kind.js';
import { valueKind } from './value.js';

export const integer = valueKind<RawField>({
  makes: 'A whole number.',
  keys: [...KEYS.listed, 'default', 'fill', 'from', 'min', 'max', 'step', 'values'],
  parameter: 'integer',
  storage: 'integer',
  convertsAs: 'integer',
  summable: true,
  ranged: true,
  copyable: true,
  listed: { type: 'number', says: 'whole numbers' },
  filledBy: ['upload.size', 'upload.width', 'upload.height'],
  expects: ({ step }) => (step === undefined ? 'a whole number' : `a multiple of ${step}`),
  schema: (field) => ({ type: 'integer', ...(field.values ? { enum: field.values } : bounds(field)) }),
  check: ({ values, min = null, max = null, step }) => {
    if (values) return { rule: 'one_of', values };
    if (step !== undefined) return { rule: 'range', min, max, step };
    return min === null && max === null ? null : { rule: 'range', min, max };
  },
  converts: Number.isSafeInteger,
  stored: Number,
  example: ({ values, min, step = 1 }) => values?.[0] ?? (min === undefined ? step : Math.ceil(min / step) * step),
  // The least and the greatest multiple of the step.
  limits: ({ min = Number.MIN_SAFE_INTEGER, max = Number.MAX_SAFE_INTEGER, step = 1 }) => {
    return { min: Math.ceil(min / step) * step, max: Math.floor(max / step) * step };
  },
  lengths: () => [1, 16],
  count: ({ values, min = 0, max = Number.POSITIVE_INFINITY, step = 1 }) =>
    values?.length ?? Math.floor(max / step) - Math.ceil(min / step) + 1,
});

function bounds({ min, max, step }: RawField): JsonSchema {
  return {
    ...(min === undefined ? {} : { minimum: min }),
    ...(max === undefined ? {} : { maximum: max }),
    ...(step === undefined ? {} : { multipleOf: step }),
  };
}
