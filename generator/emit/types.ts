// Types of TypeScript as data, and their text. Printing a type that another file declares adds its import; the long unions of a
// resource have names, so that a list of identities is written once.

import { memoizeByObject } from '../memoize.js';
import { EXTENSIBLE } from '../model/kinds/enum.js';
import type { JsonSchema, Resource } from '../model/model.js';
import { pascalCase } from '../model/type-names.js';
import { comment, type Imports, literal, property } from './typescript.js';

export type Type =
  /** A keyword, or a type that the same file declares. */
  | string
  | TypeReference
  | { readonly values: Values }
  | { readonly either: readonly Type[] }
  | { readonly both: readonly Type[] }
  /** A read-only list. */
  | { readonly items: Type }
  /** An object; `open`: it may have further properties. */
  | { readonly members: readonly Member[]; readonly open?: boolean };

export type Values = readonly (string | number)[];

export interface TypeReference {
  readonly name: string;
  /** The module that declares it; absent for the file itself, or the language. */
  readonly from?: string;
  readonly of?: readonly Type[];
}

export interface Member {
  readonly name: string;
  readonly type: Type;
  readonly optional?: boolean;
  readonly readonly?: boolean;
  readonly comment?: string;
}

/** The context in which types are printed. */
export interface TypeScope {
  readonly imports?: Imports;
  /** The name of a union; null if it has none. */
  unionName?(values: Values): string | null;
}

export function recordOf(type: Type): Type {
  return { name: 'Readonly', of: [{ name: 'Record', of: ['string', type] }] };
}

export function nullableType(type: Type, isNullable: boolean): Type {
  return isNullable ? { either: [type, 'null'] } : type;
}

function either(types: readonly Type[]): Type {
  return types.length === 1 ? (types[0] as Type) : { either: types };
}

/** @returns the text of a type */
export function typeText(type: Type, scope: TypeScope = {}): string {
  if (typeof type === 'string') return type;
  if ('values' in type) return scope.unionName?.(type.values) ?? union(type.values);
  if ('either' in type) return type.either.map((one) => typeText(one, scope)).join(' | ');
  if ('both' in type) return type.both.map((one) => typeText(one, scope)).join(' & ');
  if ('items' in type) return listText(type.items, scope);
  if ('members' in type)
    return objectText(
      type.members.map((one) => memberText(one, scope)),
      type.open,
    );
  const { name, from, of = [] } = type;
  const written = from === undefined ? name : (scope.imports?.type(name, from) ?? name);
  return of.length === 0 ? written : `${written}<${of.map((one) => typeText(one, scope)).join(', ')}>`;
}

function objectText(members: readonly string[], open = false): string {
  return `{ ${[...members, ...(open ? ['[name: string]: unknown'] : [])].join('; ')} }`;
}

function listText(items: Type, scope: TypeScope): string {
  const text = typeText(items, scope);
  return `readonly ${isSeveral(items, scope) ? `(${text})` : text}[]`;
}

/** Whether `[]` after its text would apply only to the last part. */
function isSeveral(type: Type, { unionName }: TypeScope): boolean {
  if (typeof type === 'string') return false;
  if ('values' in type) return type.values.length > 1 && (unionName?.(type.values) ?? null) === null;
  return 'items' in type || 'either' in type;
}

/** Without a semicolon, because it is also a parameter of a function. */
export function memberText({ name, type, optional, readonly: fixed, comment: text }: Member, scope: TypeScope): string {
  const head = `${fixed ? 'readonly ' : ''}${property(name)}${optional ? '?' : ''}`;
  return `${text ? `/** ${comment(text)} */ ` : ''}${head}: ${typeText(type, scope)}`;
}

/** `'A' | 'B'`, or the only member. */
function union(values: Values): string {
  return values.map(literal).join(' | ') || 'never';
}

/** `sent`: our own code writes the value, so a property that the schema does not name is a typo unless it is allowed. */
type Direction = 'received' | 'sent';

/** @returns the type of the values that the schema describes; `unknown` if TypeScript cannot express it */
export function schemaType(schema: JsonSchema, use: Direction = 'received'): Type {
  const { type, enum: values, const: constant } = schema;
  if (constant !== undefined) return literal(constant);
  if (Array.isArray(values)) return { values };
  const types = Array.isArray(type) ? (type as readonly string[]) : [String(type)];
  return either(types.map((one) => TYPES[one]?.(schema, use) ?? 'unknown'));
}

const TYPES: Readonly<Record<string, (schema: JsonSchema, use: Direction) => Type>> = {
  string: () => 'string',
  integer: () => 'number',
  number: () => 'number',
  boolean: () => 'boolean',
  null: () => 'null',
  array: ({ items }, use) => ({ items: schemaType((items ?? {}) as JsonSchema, use) }),
  object: objectType,
};

function objectType({ properties, required, additionalProperties: others }: JsonSchema, use: Direction): Type {
  const needed = (required ?? []) as readonly string[];
  const members = Object.entries((properties ?? {}) as Readonly<Record<string, JsonSchema>>).map(([name, schema]) => {
    const optional = !needed.includes(name);
    const type = schemaType(schema, use);
    return { name, optional, type: optional && use === 'sent' ? { either: [type, 'undefined'] } : type };
  });
  if (members.length === 0)
    return recordOf(typeof others === 'object' ? schemaType(others as JsonSchema, use) : 'unknown');
  const isOpen = others === undefined ? use === 'received' : others !== false;
  return { members, open: isOpen };
}

export interface NamedUnion {
  readonly name: string;
  readonly members: readonly string[];
}

interface NamedUnions extends Required<Pick<TypeScope, 'unionName'>> {
  readonly all: readonly NamedUnion[];
}

const SHORT = 2;

/** @returns every union of more than two texts or numbers, with its name */
export const namedUnions = memoizeByObject((resource: Resource): NamedUnions => {
  const unions = new Map<string, NamedUnion>();
  const taken = takenNames(resource);
  for (const { name, schema } of [...resource.parameters, ...resource.properties]) {
    const values = listedValues(schema);
    const key = JSON.stringify(values);
    if (values.length <= SHORT || unions.has(key)) continue;
    const free = freeName(pascalCase(resource.name) + pascalCase(name), taken);
    taken.add(free);
    unions.set(key, { name: free, members: values.map(literal) });
  }
  return { all: [...unions.values()], unionName: (values) => unions.get(JSON.stringify(values))?.name ?? null };
});

/** The values that a schema lists, whether others may follow or not; empty if it lists none. */
function listedValues({ enum: values, [EXTENSIBLE]: open }: JsonSchema): Values {
  return (values ?? open ?? []) as Values;
}

/** Types that the resource's file always declares. */
function takenNames({ name, actions }: Resource): Set<string> {
  return new Set(
    ['record', 'row', 'create', 'update', 'brief', 'query', 'methods', ...actions.map((action) => action.name)].map(
      (type) => pascalCase(name) + pascalCase(type),
    ),
  );
}

function freeName(name: string, taken: ReadonlySet<string>): string {
  return taken.has(name) ? freeName(`${name}Value`, taken) : name;
}
