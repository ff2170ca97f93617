// What the names of today were in one version (D68), looked up from its table.

import type { AnyDefinition } from '../../contract/definition.js';
import { memoize } from '../../contract/memoize.js';
import type { FieldThen, ResourceThen, VersionTable } from '../../contract/versions.js';

/** A resource that differs. */
export interface Told {
  readonly definition: AnyDefinition;
  readonly then: ResourceThen;
  /** By today's name of a parameter, synonyms included. */
  readonly sent: ReadonlyMap<string, string>;
  /** By today's name of a column. */
  readonly columns: ReadonlyMap<string, string>;
  /** What a record showed, in its order. */
  readonly showing: readonly (FieldThen & { readonly name: string })[];
  /** Those that have another name today. */
  readonly renamed: readonly (readonly [then: string, today: string])[];
  /** Every property of today. */
  readonly shown: ReadonlySet<string>;
  /** By today's name of a property: today's choices, each with its name of then. */
  readonly choices: ReadonlyMap<string, ReadonlyMap<string, string>>;
}

export interface Names {
  /** By today's name; undefined: it is as it was. */
  told(resource: string): Told | undefined;
  definition(resource: string): AnyDefinition | undefined;
  /** Of a resource. */
  name(resource: string): string;
  /** `/api/<type>/<id>/…`, as it was: the type, and the list or relation behind the id. */
  path(path: string): string;
  /** Today's names of the lists below the records of a resource. */
  listsBelow(resource: string): readonly string[];
}

export function createNames(definitions: readonly AnyDefinition[], { resources }: VersionTable): Names {
  const byName = new Map(definitions.map((definition) => [definition.name, definition]));
  const told = memoize((resource: string): Told | undefined => {
    const [definition, then] = [byName.get(resource), resources[resource]];
    return definition === undefined || then === undefined ? undefined : toldOf(definition, then);
  });
  const name = (resource: string): string => resources[resource]?.name ?? resource;
  return {
    told,
    definition: (resource) => byName.get(resource),
    listsBelow: memoize((resource) =>
      definitions.flatMap(({ lists }) => lists.filter(({ parent }) => parent === resource).map((list) => list.name)),
    ),
    name,
    path(path) {
      const [root, api, type = '', id, tail] = path.split('/');
      if (api !== 'api' || !byName.has(type)) return path;
      const behind = tail === undefined ? [] : [memberThen(told(type), tail) ?? tail];
      return [root, api, name(type), ...(id === undefined ? [] : [id]), ...behind].join('/');
    },
  };
}

/** A list or relation; undefined: there was none. */
export function memberThen(told: Told | undefined, today: string): string | undefined {
  if (told === undefined) return today;
  return keyOf(told.then.lists, today) ?? keyOf(told.then.relations, today);
}

export function keyOf(all: Readonly<Record<string, string>>, value: string): string | undefined {
  return Object.keys(all).find((key) => all[key] === value);
}

/** Never of Object.prototype: names come from callers. */
export function fieldOf({ then }: Told, name: string): FieldThen | undefined {
  return Object.hasOwn(then.fields, name) ? then.fields[name] : undefined;
}

function toldOf(definition: AnyDefinition, then: ResourceThen): Told {
  const sent = new Map<string, string>();
  const columns = new Map<string, string>();
  const choices = new Map<string, ReadonlyMap<string, string>>();
  const shown = new Set(Object.keys(definition.properties));
  for (const [name, { sends, shows, column, values }] of Object.entries(then.fields)) {
    if (typeof sends === 'string' && !sent.has(sends)) sent.set(sends, name);
    if (column !== undefined && !columns.has(column)) columns.set(column, name);
    if (typeof shows === 'string') shown.add(shows);
    const named = new Map(Object.entries(values ?? {}).map(([one, today]) => [today, one]));
    if (values !== undefined) for (const one of [shows, column]) if (typeof one === 'string') choices.set(one, named);
  }
  const showing = Object.entries(then.fields).flatMap(([name, field]) =>
    field.shows === undefined ? [] : [{ name, ...field }],
  );
  const renamed = showing.flatMap(({ name, shows }) =>
    typeof shows === 'string' && shows !== name ? [[name, shows] as const] : [],
  );
  return { definition, then, sent, columns, showing, renamed, shown, choices };
}
