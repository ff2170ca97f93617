// JSON Schema as TypeScript, for the client's types of JSON fields and the payloads of events.

import type { JsonSchema } from '../../model/model.js';
import { literal, property, union } from '../typescript.js';

/** `sent`: what our own code writes, where a property that the schema does not name is a typo unless it says otherwise. */
type Use = 'received' | 'sent';

/** @returns the type of the values that the schema describes; `unknown` where TypeScript cannot say it */
export function schemaType(schema: JsonSchema, use: Use = 'received'): string {
  const { type, enum: values, const: constant } = schema;
  if (constant !== undefined) return literal(constant);
  if (Array.isArray(values)) return union(values as readonly (string | number)[]);
  const types = Array.isArray(type) ? (type as readonly string[]) : [String(type)];
  return types.map((one) => TYPES[one]?.(schema, use) ?? 'unknown').join(' | ');
}

const TYPES: Readonly<Record<string, (schema: JsonSchema, use: Use) => string>> = {
  string: () => 'string',
  integer: () => 'number',
  number: () => 'number',
  boolean: () => 'boolean',
  null: () => 'null',
  array: ({ items }, use) => `readonly ${inBraces(schemaType((items ?? {}) as JsonSchema, use))}[]`,
  object: objectType,
};

function objectType({ properties, required, additionalProperties: others }: JsonSchema, use: Use): string {
  const needed = (required ?? []) as readonly string[];
  const absent = use === 'sent' ? ' | undefined' : '';
  const members = Object.entries((properties ?? {}) as Readonly<Record<string, JsonSchema>>).map(([name, schema]) => {
    const isNeeded = needed.includes(name);
    return `${property(name)}${isNeeded ? '' : '?'}: ${schemaType(schema, use)}${isNeeded ? '' : absent}`;
  });
  if (members.length === 0) return `Readonly<Record<string, ${additional(others, use)}>>`;
  const isOpen = others === undefined ? use === 'received' : others !== false;
  return `{ ${[...members, ...(isOpen ? ['[name: string]: unknown'] : [])].join('; ')} }`;
}

/** The type of properties that the schema does not name. */
function additional(schema: unknown, use: Use): string {
  return typeof schema === 'object' ? schemaType(schema as JsonSchema, use) : 'unknown';
}

/** A type to which brackets can be appended. */
export function inBraces(type: string): string {
  return type.includes('|') || type.startsWith('readonly ') ? `(${type})` : type;
}
