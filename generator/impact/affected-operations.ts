// Finds the operations affected by a right: those that require it and those that show its holders more, dependent rights included.

import type { Clause } from '../../runtime/definition.js';
import type { Model, Resource } from '../model/model.js';
import { ANSWERING, type Call, type CallKind, callsOf, TAKING } from './calls.js';

interface Right {
  readonly resource: string;
  readonly name: string;
}

/** @returns keys of the operations, those that require the right itself first; operations for administrators need no right */
export function affectedOperations(right: Right, model: Model): readonly string[] {
  const calls = callsOf(model).filter(({ needs }) => needs < ADMIN);
  const requiring = calls.filter(
    ({ resource, kind }) => resource === right.resource && REQUIRED_BY[right.name]?.includes(kind),
  );
  const dependent = dependentRights(right, model).flatMap((one) => {
    const affected = new Map(model.resources.map((resource) => [resource.name, affects(one, resource, model)]));
    return calls.filter((call) => affected.get(call.resource)?.(call));
  });
  return [...new Set([...requiring, ...dependent].map(({ key }) => key))];
}

const ADMIN = 2;

/** The right and every other that somebody holds because of it. */
function dependentRights(right: Right, { resources }: Model): readonly Right[] {
  const rights = [right];
  // The list grows while it is traversed, so that rights that depend on a new one are found too.
  for (const base of rights) {
    for (const resource of resources) {
      for (const [name, clauses] of rightsOf(resource)) {
        const isKnown = rights.some((one) => one.resource === resource.name && one.name === name);
        if (!isKnown && clauses.some((clause) => dependsOn(clause, resource, base)))
          rights.push({ resource: resource.name, name });
      }
    }
  }
  return rights;
}

function rightsOf({ access }: Resource): readonly (readonly [string, readonly Clause[]])[] {
  return Object.entries({ ...access.rights, read: access.read, edit: access.edit });
}

function dependsOn(clause: Clause, { name }: Resource, base: Right): boolean {
  if ('through' in clause) return clause.to === base.resource && base.name === 'edit';
  return 'right' in clause && name === base.resource && clause.right === base.name;
}

/** Whether an operation of the resource is affected by the right. */
function affects(right: Right, resource: Resource, model: Model): (call: Call) => boolean {
  const own = right.resource === resource.name;
  const shows = own && resource.properties.some(({ view }) => view !== null && sameRight(view, right.name));
  const refers = resource.references.some(({ to, need }) => to === right.resource && requires(need, to, model, right));
  return ({ kind, action }) =>
    (own && (REQUIRED_BY[right.name] ?? []).includes(kind)) ||
    (own && action !== undefined && sameRight(action.by, right.name)) ||
    (shows && ANSWERING.includes(kind)) ||
    (refers && TAKING.includes(kind));
}

const REQUIRED_BY: Readonly<Record<string, readonly CallKind[]>> = {
  read: ['fetch', 'list'],
  edit: ['update', 'delete'],
};

/** Views and actions call the edit right `editor`. */
function sameRight(word: string, right: string): boolean {
  return word === right || (word === 'editor' && right === 'edit');
}

/** Whether a reference requires the right on its target: `use` if the target defines it, else `edit`. */
function requires(need: string, to: string, { resources }: Model, right: Right): boolean {
  if (need === 'exists') return false;
  const hasUse = need === 'use' && resources.find(({ name }) => name === to)?.access.rights.use !== undefined;
  return right.name === (hasUse ? 'use' : 'edit');
}
