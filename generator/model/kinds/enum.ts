// One of a list of words.

import type { RawField } from '../../language/language.js';
import { KEYS } from './kind.js';
import { valueKind } from './value.js';

type EnumField = RawField & { readonly values: readonly string[] };

/** `enum` is a word of the language. */
export const enumeration = valueKind<EnumField>({
  keys: [...KEYS.listed, 'default', 'values'],
  needs: ['values'],
  parameter: 'token',
  storage: 'text',
  convertsAs: 'enum',
  copyable: true,
  listed: { type: 'string', says: 'text' },
  expects: () => 'text',
  schema: ({ values }) => ({ type: 'string', enum: values }),
  check: ({ values }) => ({ rule: 'one_of', values }),
  example: ({ values }) => values[0],
  count: ({ values }) => values.length,
  lengths: ({ values }) => {
    const lengths = values.map((value) => [...String(value)].length);
    return [Math.min(...lengths), Math.max(...lengths)];
  },
});
