// Translates between today's names and those of one version (D68), by the table of the version.

import type { AnyDefinition, RenamedValue } from '../../contract/definition.js';
import { memoize } from '../../contract/memoize.js';
import type { EarlierField, EarlierResource, FillRule, NameTable } from '../../contract/versions.js';
import type { PathNames } from '../resource-routes.js';
import type { NameContext } from './versions.js';

type Shown = { readonly [key in 'shows' | 'constant' | 'describes' | 'form']: EarlierField[key] };

/** All have one shape: with several, it takes half as long again to map a record. */
export interface ShownField extends Shown {
  readonly name: string;
  /** The choices that have another name today. */
  readonly renamed: readonly RenamedValue[];
}

/** A resource that differs, with its names in both directions. */
export interface ResourceMapping {
  readonly definition: AnyDefinition;
  readonly earlier: EarlierResource;
  /** Earlier names by today's name of a parameter or column. */
  readonly names: ReadonlyMap<unknown, string>;
  /** Earlier names by today's name of a relation, a list below a record, or the token; undefined: the version had none. */
  readonly members: ReadonlyMap<string, string | undefined>;
  /** The fields that a record showed, in their order, without the token, which comes after all else. */
  readonly shown: readonly ShownField[];
  /** The fields of its brief description. */
  readonly brief: readonly ShownField[];
  /** The shown fields whose current names do not exist in the version. */
  readonly renamed: readonly ShownField[];
  /** What a create adds for parameters, by today's name, that were not sent. */
  readonly fillings: readonly (readonly [string, FillRule])[];
}

export interface VersionNames extends PathNames {
  readonly table: NameTable;
  readonly profile: NameContext['profile'];
  /** @param resource today's name @returns undefined if the resource does not differ */
  mapping(resource: string): ResourceMapping | undefined;
  /** The resource that a relation leads to; all are today's names. */
  related(resource: string, relation: string): string | undefined;
  /** The earlier form of `/api/<type>/<id>/…`: the type, and the list or relation after the id. */
  path(path: string): string;
}

export function createNames(table: NameTable, { definitions, profile }: NameContext): VersionNames {
  const byName = new Map(definitions.map((definition) => [definition.name, definition]));
  const earlierOf = new Map(Object.entries(table.resources));
  const mapping = memoize((resource: string): ResourceMapping | undefined => {
    const [definition, earlier] = [byName.get(resource), earlierOf.get(resource)];
    return definition && earlier && mappingOf(definition, earlier);
  });
  const type = (resource: string) => earlierOf.get(resource)?.name ?? resource;
  const member = (resource: string, name: string) => {
    const { members } = mapping(resource) ?? {};
    return members?.has(name) ? members.get(name) : name;
  };
  return {
    ...{ table, profile, mapping, type, member },
    related: (resource, name) => byName.get(resource)?.references.find(({ relation }) => relation === name)?.to,
    path: (path) =>
      path.replace(/^\/api\/(\w+)(?:(\/[^/]+\/)(\w+))?/, (_, resource: string, id = '', tail = '') => {
        return `/api/${type(resource)}${id}${member(resource, tail) ?? tail}`;
      }),
  };
}

/** The value of a key that comes from a caller, and so may be a name of Object.prototype. */
export function own<T>(all: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(all, key) ? all[key] : undefined;
}

/** The earlier choices that are among today's. @param values absent: they have today's names */
export function choicesIn<T>(values: EarlierField['values'], today: readonly T[]): readonly (T | string)[] {
  return values === undefined ? today : Object.keys(values).filter((name) => today.includes(values[name] as T));
}

function mappingOf(definition: AnyDefinition, earlier: EarlierResource): ResourceMapping {
  const { token = '', references } = definition;
  const names = new Map<unknown, string>();
  const members = new Map<string, string | undefined>([[token, undefined]]);
  for (const { relation } of references) members.set(relation, undefined);
  for (const all of [earlier.relations, earlier.lists])
    for (const [name, today] of Object.entries(all)) members.set(today, name);
  const fields = Object.entries(earlier.fields);
  // The first of several names of a parameter is its own.
  for (const [name, { sends, shows, column }] of fields.toReversed()) {
    names.set(sends, name).set(column, name);
    if (shows === token) members.set(token, name);
  }
  const shown = fields
    .map(([name, { shows, constant, describes, form, values = {} }]): ShownField => {
      const renamed = Object.entries(values).flatMap(([to, from]) => (to === from ? [] : [{ from, to }]));
      return { name, shows, constant, describes, form, renamed };
    })
    .filter(({ shows }) => shows !== undefined && shows !== token);
  const defaults = fields.flatMap(([, { sends, default: filling }]) =>
    sends && filling ? [[sends, filling] as const] : [],
  );
  return {
    ...{ definition, earlier, names, members, shown },
    brief: earlier.brief.flatMap((name) =>
      shown.filter((one) => one.name === name && definition.brief.includes(one.shows ?? '')),
    ),
    renamed: shown.filter(({ shows }) => typeof shows === 'string' && !Object.hasOwn(earlier.fields, shows)),
    fillings: [...defaults, ...Object.entries(earlier.adds ?? {})],
  };
}
