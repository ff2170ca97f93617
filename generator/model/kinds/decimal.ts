// An exact decimal, sent and stored as text.

import toRegexRange from 'to-regex-range';
import type { RawField } from '../../language/language.js';
import { KEYS, type Limits } from './kind.js';
import { valueKind } from './value.js';

export const decimal = valueKind<RawField>({
  keys: [...KEYS.listed, 'default', 'min', 'max', 'scale'],
  parameter: 'decimal',
  storage: 'text',
  convertsAs: 'decimal',
  // Stored as text, which does not sort like the values.
  sortable: false,
  copyable: true,
  unsigned: true,
  expects: (field) => {
    const { min, max, scale } = limits(field);
    return `a decimal from ${min} to ${max} with at most ${scale} digits after the point`;
  },
  schema: (field) => ({ type: 'string', pattern: decimalPattern(limits(field)) }),
  check: (field) => ({ rule: 'decimal', ...limits(field) }),
  // A descriptor may write it as a number.
  sent: (literal) => (typeof literal === 'number' ? String(literal) : literal),
  example: (field) => String(limits(field).min),
  limits,
  lengths: () => [1, 16],
  count: ({ min = 0, max = Number.POSITIVE_INFINITY }) => max - min + 1,
});

type DecimalLimits = Limits & { readonly scale: number };

function limits({ min = 0, max = 999_999_999, scale = 2 }: RawField): DecimalLimits {
  return { min, max, scale };
}

/** Exactly the decimal texts from min to max (whole numbers): no sign, no leading zeros, at most `scale` decimals. */
function decimalPattern({ min, max, scale }: DecimalLimits): string {
  const fraction = (digit: string): string => (scale === 0 ? '' : `(?:\\.${digit}{1,${scale}})?`);
  const below = max > min ? [`(?:${toRegexRange(min, max - 1, { capture: false })})${fraction('[0-9]')}`] : [];
  return `^(?:${[...below, `${max}${fraction('0')}`].join('|')})$`;
}
