// JSON Schema as TypeScript, for the client's types of JSON fields.

import type { JsonSchema } from '../../model/model.js';
import { literal, property, union } from '../typescript.js';

/** @returns the type of the values that the schema describes; `unknown` where TypeScript cannot say it */
export function schemaType(schema: JsonSchema): string {
  const { type, enum: values, const: constant } = schema;
  if (constant !== undefined) return literal(constant);
  if (Array.isArray(values)) return union(values as readonly (string | number)[]);
  const types = Array.isArray(type) ? (type as readonly string[]) : [String(type)];
  return types.map((one) => TYPES[one]?.(schema) ?? 'unknown').join(' | ');
}

const TYPES: Readonly<Record<string, (schema: JsonSchema) => string>> = {
  string: () => 'string',
  integer: () => 'number',
  number: () => 'number',
  boolean: () => 'boolean',
  null: () => 'null',
  array: ({ items }) => `readonly ${inBraces(schemaType((items ?? {}) as JsonSchema))}[]`,
  object: objectType,
};

function objectType({ properties, required, additionalProperties }: JsonSchema): string {
  const needed = (required ?? []) as readonly string[];
  const members = Object.entries((properties ?? {}) as Readonly<Record<string, JsonSchema>>).map(
    ([name, schema]) => `${property(name)}${needed.includes(name) ? '' : '?'}: ${schemaType(schema)}`,
  );
  if (members.length === 0) return `Readonly<Record<string, ${additional(additionalProperties)}>>`;
  const others = additionalProperties === false ? [] : ['[name: string]: unknown'];
  return `{ ${[...members, ...others].join('; ')} }`;
}

/** The type of properties that the schema does not name. */
function additional(schema: unknown): string {
  return typeof schema === 'object' ? schemaType(schema as JsonSchema) : 'unknown';
}

/** A type to which brackets can be appended. */
export function inBraces(type: string): string {
  return type.includes('|') || type.startsWith('readonly ') ? `(${type})` : type;
}
