// A list or map that conforms to a JSON Schema.

import type { RawField } from '../../language/language.js';
import type { JsonSchema } from '../model.js';
import { KEYS } from './kind.js';
import { valueKind } from './value.js';

const ANY_JSON: JsonSchema = { type: ['object', 'array'] };

export const json = valueKind<RawField>({
  keys: [...KEYS.sent, 'shown_as', 'default', 'schema'],
  parameter: 'json',
  storage: 'json',
  convertsAs: 'json',
  structured: true,
  sortable: false,
  expects: () => 'a list or a map',
  schema: ({ schema = ANY_JSON }) => schema,
  check: ({ schema = ANY_JSON }) => ({ rule: 'json', schema }),
  converts: (value) => typeof value === 'object' && value !== null,
  stored: (literal) => JSON.stringify(literal),
  example: ({ schema }) => (schema?.type === 'array' ? [] : {}),
});
