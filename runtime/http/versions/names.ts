// Translates between today's names and those of one version (D68), by the table of the version.

import type { AnyDefinition } from '../../contract/definition.js';
import { memoize } from '../../contract/memoize.js';
import type { EarlierField, EarlierResource, FillRule, NameTable } from '../../contract/versions.js';

export interface ShownField extends EarlierField {
  readonly name: string;
  /** The choices that have another name today, by that; undefined: none has. */
  readonly renamed: ReadonlyMap<string, string> | undefined;
}

/** A resource that differs, with its names in both directions. */
export interface ResourceMapping {
  readonly definition: AnyDefinition;
  readonly earlier: EarlierResource;
  /** Earlier names by today's name of a parameter. */
  readonly parameters: ReadonlyMap<string, string>;
  /** Earlier names by today's name of a column. */
  readonly columns: ReadonlyMap<string, string>;
  /** Today's columns by their earlier names. */
  readonly columnsToday: ReadonlyMap<string, string>;
  /** The fields that a record showed, in their order, without a token, which comes after all else. */
  readonly shownFields: readonly ShownField[];
  /** What a create adds for parameters, by today's name, that were not sent. */
  readonly fillings: readonly (readonly [string, FillRule])[];
  /** Properties whose names of today are not names of the version. */
  readonly renamed: readonly (readonly [earlier: string, today: string])[];
  /** Every property of today but a token. */
  readonly properties: ReadonlySet<string>;
  /** Today's choices with their earlier names, by today's name of a property or column. */
  readonly choices: ReadonlyMap<string, ReadonlyMap<string, string>>;
  /** Today's names of all relations, and of all lists below a record. */
  readonly members: ReadonlySet<string>;
}

export interface VersionNames {
  /** @param resource today's name @returns undefined if the resource does not differ */
  mapping(resource: string): ResourceMapping | undefined;
  definition(resource: string): AnyDefinition | undefined;
  /** The earlier name of a resource. */
  name(resource: string): string;
  /** The earlier form of `/api/<type>/<id>/…`: the type, and the list or relation after the id. */
  path(path: string): string;
}

export function createNames(definitions: readonly AnyDefinition[], { resources }: NameTable): VersionNames {
  const byName = new Map(definitions.map((definition) => [definition.name, definition]));
  const earlierOf = new Map(Object.entries(resources));
  const listsBelow = (resource: string) =>
    definitions.flatMap(({ lists }) => lists.filter(({ parent }) => parent === resource).map((list) => list.name));
  const mapping = memoize((resource: string): ResourceMapping | undefined => {
    const [definition, earlier] = [byName.get(resource), earlierOf.get(resource)];
    if (definition === undefined || earlier === undefined) return undefined;
    return mappingOf(definition, earlier, listsBelow(resource));
  });
  const name = (resource: string): string => earlierOf.get(resource)?.name ?? resource;
  return {
    mapping,
    definition: (resource) => byName.get(resource),
    name,
    path(path) {
      const [root, api, type = '', id, tail] = path.split('/');
      if (api !== 'api' || !byName.has(type)) return path;
      const rest = tail === undefined ? [] : [earlierMember(mapping(type), tail) ?? tail];
      return [root, api, name(type), ...(id === undefined ? [] : [id]), ...rest].join('/');
    },
  };
}

/** The earlier name of a list or relation; undefined: there was no such member. */
export function earlierMember(mapping: ResourceMapping | undefined, today: string): string | undefined {
  if (mapping === undefined) return today;
  return keyOf(mapping.earlier.lists, today) ?? keyOf(mapping.earlier.relations, today);
}

export function keyOf(all: Readonly<Record<string, string>>, value: string): string | undefined {
  return Object.keys(all).find((key) => all[key] === value);
}

/** The name comes from a caller, and so may be one of Object.prototype. */
export function fieldOf({ earlier }: ResourceMapping, name: string): EarlierField | undefined {
  return Object.hasOwn(earlier.fields, name) ? earlier.fields[name] : undefined;
}

function mappingOf(definition: AnyDefinition, earlier: EarlierResource, lists: readonly string[]): ResourceMapping {
  const parameters = new Map<string, string>();
  const columns = new Map<string, string>();
  const choices = new Map<string, ReadonlyMap<string, string>>();
  const properties = new Set(Object.keys(definition.properties).filter((name) => name !== definition.token));
  for (const [name, { sends, shows, column, values }] of Object.entries(earlier.fields)) {
    if (typeof sends === 'string' && !parameters.has(sends)) parameters.set(sends, name);
    if (column !== undefined && !columns.has(column)) columns.set(column, name);
    if (typeof shows === 'string' && shows !== definition.token) properties.add(shows);
    const named = new Map(Object.entries(values ?? {}).map(([one, today]) => [today, one]));
    if (values !== undefined) for (const one of [shows, column]) if (typeof one === 'string') choices.set(one, named);
  }
  const shownFields = Object.entries(earlier.fields)
    .filter(([, { shows }]) => shows !== undefined && shows !== definition.token)
    .map(([name, field]): ShownField => ({ ...field, name, renamed: renamedIn(choices.get(field.shows ?? '')) }));
  const renamed = shownFields.flatMap(({ name, shows }) =>
    typeof shows === 'string' && !Object.hasOwn(earlier.fields, shows) ? [[name, shows] as const] : [],
  );
  const defaults = Object.values(earlier.fields).flatMap(({ sends, default: filling }) =>
    typeof sends === 'string' && filling !== undefined ? [[sends, filling] as const] : [],
  );
  const fillings = [...defaults, ...Object.entries(earlier.adds ?? {})];
  const columnsToday = new Map([...columns].map(([column, name]) => [name, column]));
  const members = new Set([...definition.references.map(({ relation }) => relation), ...lists]);
  return {
    ...{ definition, earlier, parameters, columns, columnsToday },
    ...{ shownFields, fillings, renamed, properties, choices, members },
  };
}

function renamedIn(choices: ReadonlyMap<string, string> = new Map()): ShownField['renamed'] {
  const renamed = [...choices].filter(([today, earlier]) => today !== earlier);
  return renamed.length === 0 ? undefined : new Map(renamed);
}
