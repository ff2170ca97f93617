// The basis of all pieces of the document: their type, references between them, names of operations, and titles of resources in
// running text (`API key` becomes "an API key", `Box top` "box tops").

import type { ResourceLookup } from '../../model/find.js';
import type { JsonSchema, Resource } from '../../model/model.js';
import { pascalCase } from '../../model/type-names.js';

/** A piece of the OpenAPI document: plain JSON. */
export type Fragment = { readonly [key: string]: unknown };

export type Section = 'schemas' | 'parameters' | 'responses' | 'headers' | 'examples';

/** `{$ref}` to a component; resource and field names need no escaping in a pointer. */
export function component(section: Section, name: string): { readonly $ref: string } {
  return { $ref: `#/components/${section}/${name}` };
}

/** Sentences joined with a space; empty ones left out. */
export function sentences(...parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join(' ');
}

/** The schema of an object; `more` is added to it and may say which properties are required, by default all. */
export function object(head: Fragment, properties: Fragment, more: Fragment = {}) {
  return { type: 'object', ...head, required: Object.keys(properties), properties, ...more };
}

export function array(items: Fragment, description: string) {
  return { type: 'array', items, description };
}

export function text(description: string, more: Fragment = {}) {
  return { type: 'string', ...more, description };
}

export function dateTime(description: string) {
  return text(description, { format: 'date-time' });
}

export function integer(description: string, minimum = 0) {
  return { type: 'integer', minimum, description };
}

/** The same schema, but null is allowed. */
export function withNull(schema: JsonSchema): JsonSchema {
  const { type, enum: values } = schema;
  if (type === undefined) return schema;
  const types = Array.isArray(type) ? (type as readonly unknown[]) : [type];
  return {
    ...schema,
    type: [...types, 'null'],
    ...(Array.isArray(values) ? { enum: [...(values as readonly unknown[]), null] } : {}),
  };
}

/** Tag, operationId and summary of an operation on `resource`. */
export function operationNames(resource: Resource, operationId: string, summary: string): Fragment {
  return { tags: [resource.name], operationId, summary };
}

/** `two_sided_box` to `twoSidedBox`. */
export function camelCase(name: string): string {
  const pascal = pascalCase(name);
  return pascal.charAt(0).toLowerCase() + pascal.slice(1);
}

export interface ResourceNouns {
  /** `box top` */
  readonly one: string;
  /** `a box top` */
  readonly a: string;
  /** `box tops` */
  readonly many: string;
}

/** @returns the title of a resource in the middle of a sentence */
export function nounsOf(title: string): ResourceNouns {
  const one = isAcronym(title) ? title : title.charAt(0).toLowerCase() + title.slice(1);
  return { one, a: `${article(one)} ${one}`, many: plural(one) };
}

/** The nouns of the resource with this name. */
export function nounsFor(others: ResourceLookup, name: string): ResourceNouns {
  return nounsOf(others.find(name)?.title ?? name);
}

/** `box tops` to `Box tops`. */
export function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** A number of bytes for people: 52428800 is `50 MiB`. */
export function bytesInWords(bytes: number): string {
  const unit = UNITS.find(({ size }) => bytes % size === 0);
  return unit === undefined ? `${bytes.toLocaleString('en')} bytes` : `${bytes / unit.size} ${unit.name}`;
}

const UNITS = ['GiB', 'MiB', 'KiB'].map((name, at) => ({ name, size: 1024 ** (3 - at) }));

function isAcronym(text: string): boolean {
  return /^[A-Z0-9][A-Z0-9]/.test(text);
}

/** By pronunciation: `a user`, `a one-sided piece`, `an API key`, but `a URL`. */
function article(text: string): 'a' | 'an' {
  if (isAcronym(text)) return /^(?:[AEFHILMNORSX](?![a-z])|8|11|18)/.test(text) ? 'an' : 'a';
  return /^(?:[aeio]|u(?!ni|s[eu]|t[ei]))/i.test(text) && !/^(?:one|eu)/i.test(text) ? 'an' : 'a';
}

const IRREGULAR: Readonly<Record<string, string>> = { die: 'dice', person: 'people', child: 'children' };

function plural(text: string): string {
  const [, before = '', last = ''] = /^(.*?)(\w*)$/s.exec(text) ?? [];
  const irregular = IRREGULAR[last.toLowerCase()];
  if (irregular !== undefined) return before + irregular;
  if (/[^aeiou]y$/i.test(last)) return `${before}${last.slice(0, -1)}ies`;
  return `${text}${/(?:s|x|z|ch|sh)$/i.test(last) ? 'es' : 's'}`;
}
