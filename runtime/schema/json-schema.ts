// Compares two JSON Schemas by what they allow: annotations and the order of keys do not matter.

import { isMap } from '../contract/is-map.js';

type JsonSchema = Readonly<Record<string, unknown>>;

/** True if both certainly allow the same values. */
export function allowsSame(one: JsonSchema | undefined, other: JsonSchema): boolean {
  return JSON.stringify(assertions(one)) === JSON.stringify(assertions(other));
}

/** Keywords that describe a value and do not validate it. */
const ANNOTATIONS: ReadonlySet<string> = new Set([
  'title',
  'description',
  'default',
  'examples',
  '$comment',
  'deprecated',
  'readOnly',
  'writeOnly',
]);

/** Keywords whose keys are names of properties or definitions, not keywords. */
const NAMED: ReadonlySet<string> = new Set([
  'properties',
  'patternProperties',
  'dependentSchemas',
  'dependentRequired',
  'dependencies',
  '$defs',
  'definitions',
]);

/** Keywords that hold values, in which any key may appear. */
const VALUES: ReadonlySet<string> = new Set(['enum', 'const']);

/** A schema without its annotations, with its keys in order. */
function assertions(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(assertions);
  if (!isMap(schema)) return schema;
  const keywords = Object.keys(schema).filter((key) => !ANNOTATIONS.has(key));
  return sorted(keywords, (key) => assertion(key, schema[key]));
}

function assertion(keyword: string, value: unknown): unknown {
  if (VALUES.has(keyword)) return value;
  return NAMED.has(keyword) && isMap(value)
    ? sorted(Object.keys(value), (name) => assertions(value[name]))
    : assertions(value);
}

/** The keys are pairs because an object would put numeric keys first and lose `__proto__`. */
function sorted(keys: readonly string[], value: (key: string) => unknown): unknown {
  return { keys: [...keys].sort().map((key) => [key, value(key)]) };
}
