// Names for the long unions of a resource, so that a list of identities is written once, as one type.

import type { Resource } from '../model/model.js';
import { remembered } from '../remembered.js';
import { listedValues } from './row-code.js';
import { pascalCase, union } from './typescript.js';

export interface NamedUnion {
  readonly name: string;
  readonly members: readonly string[];
}

interface NamedUnions {
  readonly all: readonly NamedUnion[];
  name(type: string): string;
}

const SHORT = 2;

/** @returns every union of more than two texts or numbers, and a function that replaces a union with its name */
export const namedUnions = remembered((resource: Resource): NamedUnions => {
  const found = new Map<string, string>();
  const taken = takenNames(resource);
  for (const { name, schema } of [...resource.parameters, ...resource.properties]) {
    const values = listedValues(schema);
    const type = union(values);
    if (values.length <= SHORT || found.has(type)) continue;
    const free = freeName(pascalCase(resource.name) + pascalCase(name), taken);
    taken.add(free);
    found.set(type, free);
  }
  return {
    all: [...found].map(([type, name]) => ({ name, members: type.split(' | ') })),
    name: (type) => {
      const nullable = type.endsWith(' | null');
      const bare = nullable ? type.slice(0, -' | null'.length) : type;
      return (found.get(bare) ?? bare) + (nullable ? ' | null' : '');
    },
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
