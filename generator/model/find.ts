// Finds resources and lists of a model by name, and remembers what is made with such look-ups. Indexed once for each model: with
// a thousand types a search for every field and list took a tenth of gen's time.

import { isSame } from '../remembered.js';
import type { Action, List, Model, Parameter, Resource } from './model.js';

type Resources = Model['resources'];

/** What the output of one resource may know of the others. */
export interface ResourceLookup {
  find(name: string): Resource | undefined;
  /** The lists below the path of a record, in the order of the resources that they list. */
  listsUnder(parent: string): readonly List[];
  /** Whether other records can keep one of these from being deleted. */
  isHeld(name: string): boolean;
}

const indexes = new WeakMap<Resources, ResourceLookup>();

/** The resources of a model, for each of them to look up the others. */
export function othersIn({ resources }: Pick<Model, 'resources'>): ResourceLookup {
  const index = indexes.get(resources) ?? indexOf(resources);
  indexes.set(resources, index);
  return index;
}

function indexOf(resources: Resources): ResourceLookup {
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

/** What a reference restricts, and everything that would be deleted with that; what was made with a record goes with it (D40). */
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

/** Whether a function does what the action does: descriptors say what those do that set fields, copy the record or renew a token. */
export function isByHand({ sets, copies, renews }: Pick<Action, 'sets' | 'copies' | 'renews'>): boolean {
  return sets === null && copies === null && renews === null;
}

/** The column with the hash of a token; undefined: there is none. */
export function tokenOf({ columns }: Pick<Resource, 'columns'>): string | undefined {
  return columns.find(({ write }) => write.by === 'service' && write.initial.from === 'new_token')?.name;
}

/** The name of the action that undoes another. */
export function undoOf(action: string): string {
  return `undo_${action}`;
}

/** The parameters of a create; an old password is sent only with an update. */
export function takenByCreate(parameters: readonly Parameter[]): readonly Parameter[] {
  return parameters.filter(({ proves }) => proves === undefined);
}

/** Calls `make` again for a resource only when a look-up, or one of the further arguments, is not what it was the last time. */
export function rememberedByLookUps<A extends readonly unknown[], V>(
  make: (resource: Resource, others: ResourceLookup, ...more: A) => V,
): (resource: Resource, others: ResourceLookup, ...more: A) => V {
  const results = new WeakMap<Resource, { readonly lookUps: readonly LookUp[]; readonly more: A; readonly value: V }>();
  return (resource, others, ...more) => {
    const last = results.get(resource);
    if (last !== undefined && isSame(last.more, more) && last.lookUps.every(hasSameAnswer(others))) return last.value;
    const lookUps: LookUp[] = [];
    const value = make(resource, noting(others, lookUps), ...more);
    results.set(resource, { lookUps, more, value });
    return value;
  };
}

interface LookUp {
  ask(others: ResourceLookup): unknown;
  readonly answer: unknown;
}

/** The same look-ups, each noted with its answer. */
function noting(others: ResourceLookup, lookUps: LookUp[]): ResourceLookup {
  const noted = <T>(ask: (others: ResourceLookup) => T): T => {
    const answer = ask(others);
    lookUps.push({ ask, answer });
    return answer;
  };
  return {
    find: (name) => noted((all) => all.find(name)),
    isHeld: (name) => noted((all) => all.isHeld(name)),
    listsUnder: (parent) => noted((all) => all.listsUnder(parent)),
  };
}

/** The same value, or a list of the same values. */
function hasSameAnswer(others: ResourceLookup): (lookUp: LookUp) => boolean {
  return ({ ask, answer }) => {
    const now = ask(others);
    return now === answer || (Array.isArray(now) && Array.isArray(answer) && isSame(now, answer));
  };
}
