// Remembers what is made from a resource together with what it looked up of the others, so that no key has to say what that is.

import { isSame } from '../remembered.js';
import type { Others } from './find.js';
import type { List, Resource } from './model.js';

/** Calls `make` again for a resource only when a look-up, or one of the further arguments, is not what it was the last time. */
export function rememberedByLookUps<A extends readonly unknown[], V>(
  make: (resource: Resource, others: Others, ...more: A) => V,
): (resource: Resource, others: Others, ...more: A) => V {
  const results = new WeakMap<Resource, LookUps & { readonly more: A; readonly value: V }>();
  return (resource, others, ...more) => {
    const last = results.get(resource);
    if (last !== undefined && isSame(last.more, more) && isUnchanged(last, others)) return last.value;
    const { value, ...lookUps } = recorded(others, (seen) => make(resource, seen, ...more));
    results.set(resource, { ...lookUps, more, value });
    return value;
  };
}

interface LookUps {
  readonly resources: ReadonlyMap<string, Resource | undefined>;
  readonly lists: ReadonlyMap<string, readonly List[]>;
}

function isUnchanged({ resources, lists }: LookUps, others: Others): boolean {
  return (
    [...resources].every(([name, resource]) => others.find(name) === resource) &&
    [...lists].every(([parent, under]) => isSame(others.listsUnder(parent), under))
  );
}

function recorded<V>(others: Others, make: (seen: Others) => V): LookUps & { readonly value: V } {
  const resources = new Map<string, Resource | undefined>();
  const lists = new Map<string, readonly List[]>();
  const value = make({
    find(name) {
      const resource = others.find(name);
      resources.set(name, resource);
      return resource;
    },
    listsUnder(parent) {
      const under = others.listsUnder(parent);
      lists.set(parent, under);
      return under;
    },
  });
  return { resources, lists, value };
}
