// The routes that descriptors make, each with the keys it comes from. What a route answers is not told here.

import type { Operation } from '../../../runtime/definition.js';
import type { Pointer } from '../../load/load.js';
import type { Resource } from '../../model/model.js';
import { type SpecContext, subjectOf } from './spec-context.js';

export interface MadeRoute {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** With `{id}`. */
  readonly path: string;
  /** Whose records it is about. */
  readonly resource: string;
  /** In words: `create`, `list boxes`. */
  readonly does: string;
  /** Key of the resource that makes it. */
  readonly pointer: Pointer;
  /** Where in the resource's generated file it is served. */
  readonly served: RegExp;
}

const FOUR: Readonly<Record<Operation, { method: MadeRoute['method']; tail: string; served: RegExp }>> = {
  create: { method: 'POST', tail: '', served: /^function create\(/m },
  fetch: { method: 'GET', tail: '/{id}', served: /^const properties\b/m },
  update: { method: 'PUT', tail: '/{id}', served: /^function update\(/m },
  delete: { method: 'DELETE', tail: '/{id}', served: /^ {2}operations:/m },
};

/** Every route of every resource, in their order; the service's own are not among them. */
export function routesOf(context: SpecContext): readonly MadeRoute[] {
  return context.model.resources.flatMap((resource) => {
    const base = `/api/${resource.name}`;
    return [
      ...operations(context, resource, base),
      {
        method: 'GET',
        path: `${base}/_options`,
        resource: resource.name,
        does: 'allowed values',
        pointer: ['resource'],
        served: /^ {2}options:/m,
      } satisfies MadeRoute,
      ...lists(context, resource),
      ...resource.actions.map(
        ({ name }): MadeRoute => ({
          method: 'POST',
          path: `${base}/{id}/${name}`,
          resource: resource.name,
          does: `the action ${name}`,
          pointer: ['actions', name],
          served: /^ {2}actions:/m,
        }),
      ),
      ...aliases(context, resource),
    ];
  });
}

function operations(context: SpecContext, resource: Resource, base: string): readonly MadeRoute[] {
  const offered = (Object.keys(FOUR) as Operation[]).filter((name) => resource.operations[name] !== null);
  const said = subjectOf(context, resource.name).raw.operations;
  return offered.map((name) => {
    const { method, tail, served } = FOUR[name];
    const pointer = said?.[name] === undefined ? ['resource'] : ['operations', name];
    return { method, path: `${base}${tail}`, resource: resource.name, does: name, pointer, served };
  });
}

function lists(context: SpecContext, resource: Resource): readonly MadeRoute[] {
  const { raw } = subjectOf(context, resource.name);
  return resource.lists.map(({ parent, name, by }) => {
    const field = by.replace(/_id$/, '');
    const reference = raw.fields.get(field);
    const further =
      reference?.kind === 'reference' && reference.lists !== undefined && Object.hasOwn(reference.lists, name);
    return {
      method: 'GET',
      path: `/api/${parent}/{id}/${name}`,
      resource: resource.name,
      does: `list of ${resource.name}`,
      pointer: further ? ['fields', field, 'lists', name] : ['fields', field, 'list'],
      served: /^ {2}lists:/m,
    };
  });
}

function aliases(context: SpecContext, resource: Resource): readonly MadeRoute[] {
  const said = subjectOf(context, resource.name).raw.paths;
  return resource.paths
    .filter(({ operation, base }) => resource.operations[operation] !== null && base !== `/api/${resource.name}`)
    .map(({ operation, base }) => {
      const { method, tail, served } = FOUR[operation];
      const key = said?.[operation]?.includes(base) ? operation : 'all';
      return {
        method,
        path: `${base}${tail}`,
        resource: resource.name,
        does: operation,
        pointer: ['paths', key],
        served,
      };
    });
}
