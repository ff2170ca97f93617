// A list or map that conforms to a JSON Schema.

import type { RawField } from '../../language/language.js';
import type { JsonSchema } from '../model.js';
import { KEYS } from './kind.js';
import { valueKind } from './value.js';

const ANY_JSON: JsonSchema = { type: ['object', 'array'] };

export const json = valueKind<RawField>({
  makes: 'A list or map that conforms to the JSON Schema in `schema`.',
  keys: [...KEYS.sent, 'shown_as', 'default', 'fill', 'schema'],
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
  example: ({ schema = ANY_JSON }) => sample(schema),
});

/** The least value that a plain schema allows, or its own example; schemas with patterns and conditions need an example. */
function sample(schema: JsonSchema): unknown {
  const stated = [schema.const, ...listOf(schema.examples), schema.default, ...listOf(schema.enum)];
  const first = stated.find((value) => value !== undefined);
  if (first !== undefined) return first;
  const [type = 'object'] = listOf(schema.type);
  return MINIMAL[String(type)]?.(schema) ?? null;
}

const MINIMAL: Readonly<Record<string, (schema: JsonSchema) => unknown>> = {
  object: ({ properties = {}, required }) =>
    Object.fromEntries(
      listOf(required).map((name) => [name, sample((properties as Record<string, JsonSchema>)[String(name)] ?? {})]),
    ),
  array: ({ items = {}, minItems = 0 }) => Array.from({ length: Number(minItems) }, () => sample(items as JsonSchema)),
  string: ({ minLength = 0 }) => 'text'.padEnd(Number(minLength), 't'),
  integer: ({ minimum = 1 }) => minimum,
  number: ({ minimum = 1 }) => minimum,
  boolean: () => false,
};

function listOf(value: unknown): readonly unknown[] {
  if (value === undefined) return [];
  return Array.isArray(value) ? (value as readonly unknown[]) : [value];
}
