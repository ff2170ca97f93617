// Finds resources and lists of a model by name. Indexed once for each model: with a thousand types a search for every
// field and list took a tenth of gen's time.

import type { Action, List, Model, Resource } from './model.js';

type Resources = Model['resources'];

interface Index {
  readonly byName: ReadonlyMap<string, Resource>;
  readonly listsByParent: ReadonlyMap<string, readonly List[]>;
}

const indexes = new WeakMap<Resources, Index>();

export function findResource({ resources }: Pick<Model, 'resources'>, name: string): Resource | undefined {
  return indexOf(resources).byName.get(name);
}

/** The lists below the path of a record, in the order of the resources that they list. */
export function listsUnder({ resources }: Pick<Model, 'resources'>, parent: string): readonly List[] {
  return indexOf(resources).listsByParent.get(parent) ?? [];
}

function indexOf(resources: Resources): Index {
  const index = indexes.get(resources) ?? {
    byName: new Map(resources.map((resource) => [resource.name, resource])),
    listsByParent: byParent(resources.flatMap(({ lists }) => lists)),
  };
  indexes.set(resources, index);
  return index;
}

function byParent(lists: readonly List[]): Index['listsByParent'] {
  const all = new Map<string, List[]>();
  for (const list of lists) {
    const others = all.get(list.parent);
    if (others === undefined) all.set(list.parent, [list]);
    else others.push(list);
  }
  return all;
}

/** Whether a function does what the action does: descriptors say what those do that set fields or copy the record. */
export function isByHand({ sets, copies }: Pick<Action, 'sets' | 'copies'>): boolean {
  return sets === null && copies === null;
}

/** The name of the action that undoes another. */
export function undoOf(action: string): string {
  return `undo_${action}`;
}
