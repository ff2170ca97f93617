// A password: its limits apply to the text that is sent; a hash is stored.

import type { RawField } from '../../language/language.js';
import type { Parameter } from '../model.js';
import { KEYS, type Limits } from './kind.js';
import { exampleWithin, TEXT_MAX } from './text.js';
import { valueKind } from './value.js';

export const password = valueKind<RawField>({
  makes: 'A password: a parameter, stored as a hash and never shown.',
  keys: [...KEYS.sent, 'min', 'max'],
  parameter: 'password',
  storage: 'text',
  convertsAs: 'password',
  secret: true,
  leastLimits: { min: 0, max: 1 },
  expects: () => 'text',
  schema: (field) => {
    const { min, max } = limits(field);
    return { type: 'string', minLength: min, maxLength: max, format: 'password' };
  },
  check: () => null,
  example: (field) => exampleWithin('correct horse', limits(field)),
  limits,
  furtherParameters: oldPassword,
});

function limits({ min = 1, max = TEXT_MAX }: RawField): Limits {
  return { min, max };
}

/** Users who change a password send the old one (D47), to which the limits of new ones do not apply. */
function oldPassword(name: string, { set }: RawField): readonly Parameter[] {
  if (set === 'admin') return [];
  const schema = { type: 'string', minLength: 1, format: 'password' };
  return [
    {
      name: `old_${name}`,
      kind: 'password',
      description: `The current ${name}, required from everyone except administrators to change it.`,
      schema,
      validationSchema: schema,
      structured: false,
      refers: false,
      unset: null,
      requiredOnCreate: false,
      requiredOnUpdate: false,
      nullable: false,
      synonyms: [],
      set: null,
      proves: name,
      example: 'battery staple',
    },
  ];
}
