// A JSON Schema as rows of a table: each property with its type, its limits in words, and the properties inside it.

import { type ApiDocument, follow, isReference, nameOf, type RefOr, type Schema } from './document.js';

/** Part of a type in words; some are links. */
export interface Word {
  readonly text: string;
  readonly href: string | null;
}

export interface Property {
  /** `a.b` is inside `a`, `a[]` an item of it. */
  readonly name: string;
  readonly type: readonly Word[];
  readonly required: boolean;
  readonly description: string;
  readonly limits: string;
}

export interface SchemaSource {
  readonly document: ApiDocument;
  /** Where a schema is shown. */
  linkTo(schema: string): string;
}

const LIMITS: Readonly<Record<string, (value: unknown) => string>> = {
  const: (value) => `always ${JSON.stringify(value)}`,
  enum: (value) => `one of ${list(value)}`,
  'x-extensible-enum': (value) => `one of ${list(value)}, and later perhaps others`,
  minLength: (value) => (value === 0 ? '' : `at least ${count(value, 'character')}`),
  maxLength: (value) => `at most ${count(value, 'character')}`,
  minimum: (value) => `at least ${value}`,
  maximum: (value) => `at most ${value}`,
  minItems: (value) => `at least ${count(value, 'item')}`,
  maxItems: (value) => `at most ${count(value, 'item')}`,
  maxProperties: (value) => `at most ${count(value, 'key')}`,
  uniqueItems: () => 'each once',
  pattern: (value) => `pattern ${value}`,
};

/** The properties of a schema, and below each the properties inside it. @param path of what the schema describes */
export function propertiesOf(source: SchemaSource, schema: Schema, path = ''): readonly Property[] {
  const { properties = {}, required = [], items, contentSchema, additionalProperties } = schema;
  const direct = Object.entries(properties).flatMap(([key, part]) => {
    const name = path === '' ? key : `${path}.${key}`;
    return [propertyOf(source, { name, part, required: required.includes(key) }), ...inside(source, part, name)];
  });
  // A property that only one of the variants has is shown as optional.
  const all = (schema.allOf ?? []).flatMap((part) => propertiesOf(source, follow(source.document, part), path));
  const any = [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])].flatMap((part) => inside(source, part, path));
  return [
    ...[...direct, ...all, ...any],
    ...inside(source, items, `${path}[]`),
    ...inside(source, contentSchema, path),
    ...inside(source, additionalProperties, `${path}.*`),
  ];
}

/** A reference has no rows: the schema that it points to is shown once, elsewhere. */
function inside(source: SchemaSource, part: RefOr<Schema> | boolean | undefined, path: string): readonly Property[] {
  return typeof part !== 'object' || isReference(part) ? [] : propertiesOf(source, part, path);
}

/** A row for a property, or for a parameter. */
export function propertyOf(
  source: SchemaSource,
  { name, part, required }: { readonly name: string; readonly part: RefOr<Schema>; readonly required: boolean },
): Property {
  const schema = part as Schema;
  const { description = '' } = schema;
  return { name, type: typeOf(source, part), required, description, limits: limitsOf(schema) };
}

function limitsOf(schema: Schema): string {
  const limits = Object.entries(LIMITS).map(([name, say]) => (name in schema ? say(schema[name]) : ''));
  const { items } = schema;
  const ofItems = items === undefined || isReference(items) ? '' : limitsOf(items);
  return [...limits, ofItems === '' ? '' : `each ${ofItems}`].filter((text) => text !== '').join(', ');
}

/** The type in words, with links to the schemas that it names. */
export function typeOf(source: SchemaSource, part: RefOr<Schema>): readonly Word[] {
  if (isReference(part)) return [{ text: nameOf(part), href: source.linkTo(nameOf(part)) }];
  const { type = [], format, items, allOf, anyOf, oneOf } = part;
  const variants = anyOf ?? oneOf ?? allOf;
  const types = [type].flat();
  if (types.length === 0 && variants !== undefined) {
    return variants.flatMap((one, at) => [...(at === 0 ? [] : [word(' or ')]), ...typeOf(source, one)]);
  }
  if (types.includes('array') && items !== undefined) {
    return [word('list of '), ...typeOf(source, items), ...types.slice(1).map((one) => word(` or ${one}`))];
  }
  return [word(`${types.join(' or ') || 'any'}${format === undefined ? '' : ` (${format})`}`)];
}

function word(text: string): Word {
  return { text, href: null };
}

function list(values: unknown): string {
  return (values as readonly unknown[]).map(String).join(', ');
}

function count(value: unknown, noun: string): string {
  return `${value} ${noun}${value === 1 ? '' : 's'}`;
}
