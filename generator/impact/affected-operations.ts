// The operations affected by a right: what requires it and what shows more to its holders, also through dependent rights.

import type { Clause } from '../../runtime/definition.js';
import type { Model, Resource } from '../model/model.js';
import { ANSWERING, type Call, type CallKind, callsOf, TAKING } from './calls.js';

interface Right {
  readonly resource: string;
  readonly name: string;
}

/** @returns keys of the operations, those that ask for the right itself first; administrators alone need no right */
export function affectedOperations(right: Right, model: Model): readonly string[] {
  const calls = callsOf(model).filter(({ needs }) => needs < ADMIN);
  const asking = calls.filter(({ resource, kind }) => resource === right.resource && ASKS[right.name]?.includes(kind));
  const others = dependentRights(right, model).flatMap((one) => {
    const meets = new Map(model.resources.map((resource) => [resource.name, meeting(one, resource, model)]));
    return calls.filter((call) => meets.get(call.resource)?.(call));
  });
  return [...new Set([...asking, ...others].map(({ key }) => key))];
}

const ADMIN = 2;

/** The right and every other that somebody holds because of it. */
function dependentRights(right: Right, { resources }: Model): readonly Right[] {
  const found = [right];
  // The list grows while it is gone through: what hangs on a new one is looked for too.
  for (const base of found) {
    for (const resource of resources) {
      for (const [name, clauses] of rightsOf(resource)) {
        const known = found.some((one) => one.resource === resource.name && one.name === name);
        if (!known && clauses.some((clause) => leansOn(clause, resource, base)))
          found.push({ resource: resource.name, name });
      }
    }
  }
  return found;
}

function rightsOf({ access }: Resource): readonly (readonly [string, readonly Clause[]])[] {
  return Object.entries({ ...access.rights, read: access.read, edit: access.edit });
}

function leansOn(clause: Clause, { name }: Resource, base: Right): boolean {
  if ('through' in clause) return clause.to === base.resource && base.name === 'edit';
  return 'right' in clause && name === base.resource && clause.right === base.name;
}

/** Whether an operation of the resource meets the right. */
function meeting(right: Right, resource: Resource, model: Model): (call: Call) => boolean {
  const own = right.resource === resource.name;
  const shows = own && resource.properties.some(({ view }) => view !== null && sameRight(view, right.name));
  const refers = resource.references.some(({ to, need }) => to === right.resource && needed(need, to, model, right));
  return ({ kind, action }) =>
    (own && (ASKS[right.name] ?? []).includes(kind)) ||
    (own && action !== undefined && sameRight(action.by, right.name)) ||
    (shows && ANSWERING.includes(kind)) ||
    (refers && TAKING.includes(kind));
}

const ASKS: Readonly<Record<string, readonly CallKind[]>> = { read: ['fetch', 'list'], edit: ['update', 'delete'] };

/** Views and actions call the right to edit `editor`. */
function sameRight(word: string, right: string): boolean {
  return word === right || (word === 'editor' && right === 'edit');
}

/** What a reference asks of its target: the right to use it, where it has one, or to edit it. */
function needed(need: string, to: string, { resources }: Model, right: Right): boolean {
  if (need === 'exists') return false;
  const used = need === 'use' && resources.find(({ name }) => name === to)?.access.rights.use !== undefined;
  return right.name === (used ? 'use' : 'edit');
}
