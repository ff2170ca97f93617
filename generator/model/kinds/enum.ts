// One of a list of words.

import type { RawField } from '../../language/language.js';
import { KEYS } from './kind.js';
import { valueKind } from './value.js';

/** The values of a property that may get more values in future: an extension that tools for API documents know. */
export const EXTENSIBLE = 'x-extensible-enum';

type EnumField = RawField & { readonly values: readonly string[] };

/** Not called `enum`, which is a keyword of the language. */
export const enumeration = valueKind<EnumField>({
  makes: 'One of the words in `values`.',
  keys: [...KEYS.listed, 'default', 'fill', 'values'],
  needs: ['values'],
  parameter: 'token',
  storage: 'text',
  convertsAs: 'enum',
  copyable: true,
  listed: { type: 'string', says: 'text' },
  expects: () => 'text',
  schema: ({ values }) => ({ type: 'string', enum: values }),
  // Values may be added, and rows keep those that are removed (D45).
  shown: ({ values }) => ({ type: 'string', [EXTENSIBLE]: values }),
  check: ({ values }) => ({ rule: 'choice', names: values.map((name) => ({ number: 0, name: String(name) })) }),
  example: ({ values }) => values[0],
  count: ({ values }) => values.length,
  lengths: ({ values }) => {
    const lengths = values.map((value) => [...String(value)].length);
    return [Math.min(...lengths), Math.max(...lengths)];
  },
});
