// Finds resources and lists of a model by name, and remembers results that depend on such look-ups. The index is built once per
// model: with a thousand types, searching for every field and list took a tenth of gen's time.

import type { ChoiceName } from '../../runtime/schema/schema.js';
import { isSame } from '../memoize.js';
import type { Action, Column, List, Model, Parameter, Property, Resource } from './model.js';

type Resources = Model['resources'];

/** What the output of one resource may know about the others. */
export interface ResourceLookup {
  find(name: string): Resource | undefined;
  /** The lists below the path of a record, in the order of the listed resources. */
  listsUnder(parent: string): readonly List[];
  /** Whether other records can prevent a record of the resource from being deleted. */
  isHeld(name: string): boolean;
}

const indexes = new WeakMap<Resources, ResourceLookup>();

/** The resources of a model, which each of them uses to look up the others. */
export function resourceLookup({ resources }: Pick<Model, 'resources'>): ResourceLookup {
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
    isHeld: memberOf(heldNames(resources)),
  };
}

function memberOf(names: ReadonlySet<string>): (name: string) => boolean {
  return (name) => names.has(name);
}

/** Targets of restricting references, and records whose deletion would delete them; made records follow their makers (D40). */
function heldNames(resources: Resources): ReadonlySet<string> {
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

/** Whether a function implements the action: a descriptor suffices to set fields, copy the record or renew a token. */
export function needsFunction({ sets, copies, renews }: Pick<Action, 'sets' | 'copies' | 'renews'>): boolean {
  return sets === null && copies === null && renews === null;
}

export function columnOf(resource: Pick<Resource, 'columns'> | undefined, name: string): Column | undefined {
  return resource?.columns.find((column) => column.name === name);
}

/** @param number of the ledger */
export function columnAt({ columns }: Pick<Resource, 'columns'>, number: unknown): Column | undefined {
  return columns.find((column) => column.number === number);
}

/** The names that the column may hold; none if it can hold anything else. */
export function choicesOf(column: Pick<Column, 'check'> | undefined): readonly ChoiceName[] {
  return column?.check?.rule === 'choice' ? column.check.names : [];
}

/** The numbers of the choices, in the order in which lists sort them. */
export function choiceOrderOf(column: Column): readonly number[] {
  const byName = (one: ChoiceName, other: ChoiceName) => (one.name < other.name ? -1 : 1);
  return column.choiceOrder ?? [...choicesOf(column)].sort(byName).map(({ number }) => number);
}

/** The properties that somebody may see, even if only in the response that creates the record. */
export function visible({ properties }: Pick<Resource, 'properties'>): readonly Property[] {
  return properties.filter(({ view }) => view !== 'nobody');
}

/** The column with the hash of a token; undefined if there is none. */
export function tokenOf({ columns }: Pick<Resource, 'columns'>): string | undefined {
  return columns.find(({ write }) => write.by === 'service' && write.initial.from === 'new_token')?.name;
}

/** The name of the action that undoes another. */
export function undoName(action: string): string {
  return `undo_${action}`;
}

/** The parameters of a create; an old password is sent only with an update. */
export function createParameters(parameters: readonly Parameter[]): readonly Parameter[] {
  return parameters.filter(({ proves }) => proves === undefined);
}

/** Calls `make` again for a resource only if the result of a look-up, or a further argument, has changed since the last call. */
export function memoizeByLookups<A extends readonly unknown[], V>(
  make: (resource: Resource, others: ResourceLookup, ...more: A) => V,
): (resource: Resource, others: ResourceLookup, ...more: A) => V {
  const results = new WeakMap<Resource, { readonly lookUps: readonly LookUp[]; readonly more: A; readonly value: V }>();
  return (resource, others, ...more) => {
    const last = results.get(resource);
    if (last !== undefined && isSame(last.more, more) && last.lookUps.every(hasSameAnswer(others))) return last.value;
    const lookUps: LookUp[] = [];
    const value = make(resource, recordingLookUps(others, lookUps), ...more);
    results.set(resource, { lookUps, more, value });
    return value;
  };
}

interface LookUp {
  ask(others: ResourceLookup): unknown;
  readonly answer: unknown;
}

/** Notes each look-up with its answer. */
function recordingLookUps(others: ResourceLookup, lookUps: LookUp[]): ResourceLookup {
  const recorded = <T>(ask: (others: ResourceLookup) => T): T => {
    const answer = ask(others);
    lookUps.push({ ask, answer });
    return answer;
  };
  return {
    find: (name) => recorded((all) => all.find(name)),
    isHeld: (name) => recorded((all) => all.isHeld(name)),
    listsUnder: (parent) => recorded((all) => all.listsUnder(parent)),
  };
}

/** Compares lists by their values. */
function hasSameAnswer(others: ResourceLookup): (lookUp: LookUp) => boolean {
  return ({ ask, answer }) => {
    const now = ask(others);
    return now === answer || (Array.isArray(now) && Array.isArray(answer) && isSame(now, answer));
  };
}
