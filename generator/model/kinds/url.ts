// The address of something on the web.

import type { RawField } from '../../language/language.js';
import { KEYS, type Limits } from './kind.js';
import { valueKind } from './value.js';

const URL_MAX = 2000;
/** A host and the characters of RFC 3986, like the CHECK of the same name; lengths are checked separately. */
const URL_PATTERN = "^https?://(?![/?#])[A-Za-z0-9._~:/?#@!$&'()*+,;=%\\[\\]-]+$";

export const url = valueKind<RawField>({
  makes: 'The address of something on the web.',
  keys: [...KEYS.listed, 'default', 'fill', 'max'],
  parameter: 'url',
  storage: 'text',
  convertsAs: 'url',
  copyable: true,
  leastLimits: { min: 0, max: 32 },
  expects: () => 'an http URL',
  schema: ({ max = URL_MAX }) => ({ type: 'string', format: 'uri', pattern: URL_PATTERN, maxLength: max }),
  // The format is only an annotation (JSON Schema 2020-12); the pattern validates, and a CHECK can express the same.
  validationSchema: ({ max = URL_MAX }) => ({ type: 'string', pattern: URL_PATTERN, maxLength: max }),
  check: ({ max = URL_MAX }) => ({ rule: 'url', max }),
  example: () => 'https://example.com/',
  limits,
  lengths: (field) => [limits(field).min, limits(field).max],
});

function limits({ max = URL_MAX }: RawField): Limits {
  return { min: 0, max };
}
