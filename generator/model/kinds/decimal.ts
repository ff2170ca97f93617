// An exact decimal, sent and stored as text.

import type { RawField } from '../../language/language.js';
import { decimalPattern } from './decimal-pattern.js';
import { KEYS, type Limits } from './kind.js';
import { valueKind } from './value.js';

export const decimal = valueKind<RawField>({
  makes: 'An exact decimal, sent and shown as text.',
  keys: [...KEYS.listed, 'default', 'fill', 'min', 'max', 'scale'],
  parameter: 'decimal',
  storage: 'text',
  convertsAs: 'decimal',
  // Stored as text, which does not sort like the values.
  sortable: false,
  copyable: true,
  fractional: true,
  expects: (field) => {
    const { min, max, scale } = limits(field);
    return `a decimal from ${min} to ${max} with at most ${scale} digits after the point`;
  },
  schema: (field) => ({ type: 'string', pattern: decimalPattern(limits(field), limits(field).scale) }),
  check: (field) => ({ rule: 'decimal', ...limits(field) }),
  // A descriptor may state it as a number.
  sent: (literal) => (typeof literal === 'number' ? String(literal) : literal),
  example: (field) => String(limits(field).min),
  limits,
  lengths: () => [1, 30],
  count: ({ min = 0, max = Number.POSITIVE_INFINITY }) => Math.floor(max - min) + 1,
});

type DecimalLimits = Limits & { readonly scale: number };

function limits({ min = 0, max = 999_999_999, scale = 2 }: RawField): DecimalLimits {
  return { min, max, scale };
}
