// Compares who may do what before and after, as sets of clauses, and finds the operations that a right affects.

import { neededRight } from '../../runtime/contract/access.js';
import type { Clause } from '../../runtime/contract/definition.js';
import { holdersText } from '../emit/openapi/rights.js';
import type { Model, Resource } from '../model/model.js';
import { difference } from './parameter-rules.js';
import type { Difference } from './report.js';
import {
  CALLS_WITH_PARAMETERS,
  CALLS_WITH_RECORD,
  type Call,
  type CallKind,
  callsOf,
  type ResourceSide,
} from './sides.js';

/** The clauses that grant a right, or that the `by` of an action names; an empty list means administrators only. */
export function clausesOf({ access }: Resource, right: string): readonly Clause[] {
  if (right === 'admin' || right === 'created' || right === 'nobody') return [];
  if (right === 'read') return access.read;
  return right === 'edit' || right === 'editor' ? access.edit : (access.rights[right] ?? []);
}

/** Fewer people is breaking, more is exposing. Names are compared by number, so that a rename changes nobody's right. */
export function rightChange(
  from: ResourceSide & { readonly clauses: readonly Clause[] },
  to: ResourceSide & { readonly clauses: readonly Clause[] },
): readonly Difference[] {
  const [old, now] = [keysOf(from), keysOf(to)];
  const lost = [...old].filter((key) => !now.has(key));
  const gained = [...now].filter((key) => !old.has(key));
  if (lost.length === 0 && gained.length === 0) return [];
  const open = now.has(ANYONE);
  // While `anyone` stays, nobody loses access.
  if (old.has(ANYONE) && open) return [];
  const message = `${holdersText(from.clauses)} -> ${holdersText(to.clauses)}`;
  const isLost = lost.length > 0 && !open;
  const change = difference(isLost, message, texts(from.clauses), texts(to.clauses));
  if (gained.length === 0) return [change];
  const exposing = { ...change, breaking: false, exposing: true };
  // Two findings, since accepting that some people lose the right is not accepting that others gain it.
  return isLost ? [change, { ...exposing, from: null }] : [exposing];
}

/** Sorted by name, since another ledger would give the same edit other numbers. */
function texts(clauses: readonly Clause[]): readonly string[] {
  return clauses.map((clause) => JSON.stringify(clause)).sort();
}

const ANYONE = JSON.stringify({ anyone: true });

function keysOf({
  model,
  resource,
  clauses,
}: ResourceSide & { readonly clauses: readonly Clause[] }): ReadonlySet<string> {
  return new Set(clauses.map((clause) => JSON.stringify(numbered(clause, { model, resource }))));
}

/** The clause with numbers in place of names that a rename may change. */
function numbered(clause: Clause, { model, resource }: { model: Model; resource: Resource }): unknown {
  const column = (name: string): string | number => resource.columns.find((one) => one.name === name)?.number ?? name;
  const table = (name: string): string | number => model.resources.find((one) => one.name === name)?.number ?? name;
  if ('user' in clause && !('member' in clause)) return { user: column(clause.user) };
  if ('through' in clause) return { ...clause, through: column(clause.through), to: table(clause.to) };
  if ('when' in clause) return { when: column(clause.when) };
  if ('member' in clause) return { ...clause, member: table(clause.member), by: column(clause.by) };
  return clause;
}

interface NamedRight {
  readonly resource: string;
  readonly name: string;
}

/** @returns keys of the operations, those that require the right itself first; operations for administrators need no right */
export function affectedOperations(right: NamedRight, model: Model): readonly string[] {
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

/** The right and all rights that somebody holds because of it. */
function dependentRights(right: NamedRight, { resources }: Model): readonly NamedRight[] {
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

function dependsOn(clause: Clause, { name }: Resource, base: NamedRight): boolean {
  if ('through' in clause) return clause.to === base.resource && base.name === (clause.right ?? 'edit');
  return 'right' in clause && name === base.resource && clause.right === base.name;
}

/** Whether an operation of the resource is affected by the right. */
function affects(right: NamedRight, resource: Resource, model: Model): (call: Call) => boolean {
  const isOwnRight = right.resource === resource.name;
  const shows = isOwnRight && resource.properties.some(({ view }) => view !== null && sameRight(view, right.name));
  const refers = resource.references.some(({ to, need }) => to === right.resource && requires(need, to, model, right));
  return ({ kind, action }) =>
    (isOwnRight && (REQUIRED_BY[right.name] ?? []).includes(kind)) ||
    (isOwnRight && action !== undefined && sameRight(action.by, right.name)) ||
    (shows && CALLS_WITH_RECORD.includes(kind)) ||
    (refers && CALLS_WITH_PARAMETERS.includes(kind));
}

const REQUIRED_BY: Readonly<Record<string, readonly CallKind[]>> = {
  read: ['fetch', 'list'],
  edit: ['update', 'delete'],
};

/** Views and actions call the edit right `editor`. */
function sameRight(word: string, right: string): boolean {
  return word === right || (word === 'editor' && right === 'edit');
}

/** Whether a reference requires the right on its target. */
function requires(need: string, to: string, { resources }: Model, right: NamedRight): boolean {
  const target = resources.find(({ name }) => name === to);
  return target !== undefined && neededRight(need, target.access) === right.name;
}
