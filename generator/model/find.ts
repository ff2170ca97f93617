// Finds resources and lists of a model by name. Indexed once for each model: with a thousand types a search for every
// field and list took a tenth of gen's time.

import type { Action, List, Model, Resource } from './model.js';

type Resources = Model['resources'];

/** What the output of one resource may know of the others. */
export interface Others {
  find(name: string): Resource | undefined;
  /** The lists below the path of a record, in the order of the resources that they list. */
  listsUnder(parent: string): readonly List[];
  /** Whether other records can keep one of these from being deleted. */
  isHeld(name: string): boolean;
}

const indexes = new WeakMap<Resources, Others>();

/** The resources of a model, for each of them to look up the others. */
export function othersIn({ resources }: Pick<Model, 'resources'>): Others {
  const index = indexes.get(resources) ?? indexOf(resources);
  indexes.set(resources, index);
  return index;
}

function indexOf(resources: Resources): Others {
  const byName = new Map(resources.map((resource) => [resource.name, resource]));
  const lists = byParent(resources.flatMap((one) => one.lists));
  return {
    find: (name) => byName.get(name),
    listsUnder: (parent) => lists.get(parent) ?? [],
    isHeld: memberOf(held(resources)),
  };
}

function memberOf(names: ReadonlySet<string>): (name: string) => boolean {
  return (name) => names.has(name);
}

/** What a reference restricts, and whatever would be deleted with that; what was made with a record goes with it (D40). */
function held(resources: Resources): ReadonlySet<string> {
  const all = resources.flatMap(({ name, references }) => references.map((one) => ({ ...one, from: name })));
  const restricting = all.filter(({ onDelete }) => onDelete === 'restrict');
  const names = new Set(restricting.filter(({ makes }) => makes === undefined).map(({ to }) => to));
  for (let size = -1; size < names.size; ) {
    size = names.size;
    for (const { from, to, onDelete } of all) if (onDelete === 'cascade' && names.has(from)) names.add(to);
  }
  return new Set([...names, ...restricting.map(({ to }) => to)]);
}

function byParent(lists: readonly List[]): ReadonlyMap<string, readonly List[]> {
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
