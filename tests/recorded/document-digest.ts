// The meaning of the API document: a hash of every operation and schema, without texts, and however its parts are shared.

import { createHash } from 'node:crypto';

/** One line per operation (`POST /api/boxtop`) and per schema. */
export type Digest = Readonly<Record<string, string>>;

const METHODS = ['get', 'post', 'put', 'delete'];
const TEXTS = ['title', 'summary', 'description', 'message', 'detail'];

export function digestOf(document: unknown): Digest {
  const { paths, components } = document as Shape;
  const operations = Object.entries(paths).flatMap(([path, item]) =>
    METHODS.filter((method) => method in item).map(
      (method) => [`${method.toUpperCase()} ${path}`, hash(expanded(item[method], document))] as const,
    ),
  );
  const schemas = Object.entries(components.schemas).map(
    ([name, schema]) => [name, hash(expanded(schema, document))] as const,
  );
  return Object.fromEntries([...operations, ...schemas]);
}

interface Shape {
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, unknown>> };
}

/** Resolves references, except to schemas, which have a line of their own; sorts keys and removes texts. */
function expanded(value: unknown, document: unknown, naming = false): unknown {
  if (Array.isArray(value)) return value.map((one) => expanded(one, document));
  if (typeof value !== 'object' || value === null) return value;
  const { $ref } = value as { readonly $ref?: unknown };
  if (typeof $ref === 'string' && !$ref.startsWith('#/components/schemas/'))
    return expanded(at(document, $ref), document);
  const entries = Object.entries(value).filter(
    ([key, one]) => naming || !(TEXTS.includes(key) && typeof one === 'string'),
  );
  return Object.fromEntries(
    entries
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([key, one]) => [key, expanded(one, document, key === 'properties')]),
  );
}

function at(document: unknown, $ref: string): unknown {
  return $ref
    .slice(2)
    .split('/')
    .reduce<unknown>((value, key) => (value as Record<string, unknown>)[key], document);
}

function hash(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 16);
}
