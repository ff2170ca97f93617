// Text of a bounded length.

import type { RawField } from '../../language/language.js';
import { KEYS, type Limits } from './kind.js';
import { valueKind } from './value.js';

/** Maximum length of a text by default. */
export const TEXT_MAX = 255;

/** The number of single characters: too few values to distinguish records. */
const SINGLE_CHARACTERS = 1000;

export const text = valueKind<RawField>({
  makes: 'Text: a parameter and a property of the name of the field.',
  keys: [...KEYS.listed, 'find', 'default', 'fill', 'from', 'min', 'max'],
  parameter: 'text',
  storage: 'text',
  convertsAs: 'text',
  copyable: true,
  searchable: true,
  leastLimits: { min: 0, max: 1 },
  filledBy: ['upload.name', 'upload.type', 'upload.hash', 'random'],
  defaultWords: ['upload.name'],
  copiesDefaults: true,
  limitsFilled: true,
  expects: () => 'text',
  schema: (field) => ({ type: 'string', minLength: limits(field).min, maxLength: limits(field).max }),
  check: (field) => ({ rule: 'length', ...limits(field) }),
  example: (field, name) => exampleWithin(EXAMPLES[field.from ?? ''] ?? inWords(name), limits(field)),
  limits,
  lengths: (field) => [limits(field).min, limits(field).max],
  count: ({ max = TEXT_MAX }) => (max < 2 ? SINGLE_CHARACTERS : Number.POSITIVE_INFINITY),
});

function limits({ required, min = 0, max = TEXT_MAX }: RawField): Limits {
  return { min: Math.max(required ? 1 : 0, min), max };
}

/** Examples of what the service takes from an upload. */
const EXAMPLES: Readonly<Record<string, string>> = {
  'upload.name': 'top.png',
  'upload.type': 'image/png',
  'upload.hash': '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  random: 'kJ4x0pQm7tYw2bR9sVd5kLhG3nZ8cF1a',
};

/** `tracking_number` to `Tracking number`. */
function inWords(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1).replaceAll('_', ' ');
}

/** An example of a length within the limits. */
export function exampleWithin(example: string, { min, max }: Limits): string {
  return example.padEnd(min, 'x').slice(0, max);
}
