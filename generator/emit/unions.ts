// Names for the long unions of a resource, so that a list of identities is written once, as one type.

import type { Resource } from '../model/model.js';
import { remembered } from '../remembered.js';
import { listedValues } from './row-code.js';
import { literal, pascalCase, type TypeOrValues, union } from './typescript.js';

export interface NamedUnion {
  readonly name: string;
  readonly members: readonly string[];
}

interface NamedUnions {
  readonly all: readonly NamedUnion[];
  /** A type as text: a union by its name, if it has one. */
  name(type: TypeOrValues): string;
}

const SHORT = 2;

/** @returns every union of more than two texts or numbers, and a function that writes a type with their names */
export const namedUnions = remembered((resource: Resource): NamedUnions => {
  const found = new Map<string, NamedUnion>();
  const taken = takenNames(resource);
  for (const { name, schema } of [...resource.parameters, ...resource.properties]) {
    const values = listedValues(schema);
    const key = JSON.stringify(values);
    if (values.length <= SHORT || found.has(key)) continue;
    const free = freeName(pascalCase(resource.name) + pascalCase(name), taken);
    taken.add(free);
    found.set(key, { name: free, members: values.map(literal) });
  }
  return {
    all: [...found.values()],
    name: (type) => (typeof type === 'string' ? type : (found.get(JSON.stringify(type))?.name ?? union(type))),
  };
});

/** Types that the resource's file declares anyway. */
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
