// The routes that descriptors make, each with the key it comes from. What a route answers is not told here.

import type { Pointer } from '../../load/load.js';
import type { List } from '../../model/model.js';
import { type OperationRoute, type Route, routesOf as routesOfResource } from '../../model/routes.js';
import { type SpecContext, subjectOf } from './spec-context.js';

export interface MadeRoute {
  readonly method: Route['method'];
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

/** Where in a resource's generated file each kind of route is served. */
const SERVED: Readonly<Record<Route['kind'], RegExp>> = {
  create: /^function create\(/m,
  fetch: /^const properties\b/m,
  update: /^function update\(/m,
  delete: /^ {2}operations:/m,
  options: /^ {2}options:/m,
  list: /^ {2}lists:/m,
  action: /^ {2}actions:/m,
};

/** Every route of every resource, in their order; the service's own are not among them. */
export function routesOf(context: SpecContext): readonly MadeRoute[] {
  return context.model.resources.flatMap((resource) =>
    routesOfResource(resource).map((route) => ({
      method: route.method,
      path: route.path,
      resource: resource.name,
      served: SERVED[route.kind],
      ...source(context, resource.name, route),
    })),
  );
}

function source(context: SpecContext, resource: string, route: Route): Pick<MadeRoute, 'does' | 'pointer'> {
  switch (route.kind) {
    case 'options':
      return { does: 'allowed values', pointer: ['resource'] };
    case 'list':
      return { does: `list of ${resource}`, pointer: listPointer(context, resource, route.list) };
    case 'action':
      return { does: `the action ${route.action.name}`, pointer: ['actions', route.action.name] };
    default:
      return { does: route.kind, pointer: operationPointer(context, resource, route) };
  }
}

function operationPointer(context: SpecContext, resource: string, { kind, base, isAlias }: OperationRoute): Pointer {
  const { operations, paths } = subjectOf(context, resource).raw;
  if (isAlias) return ['paths', paths?.[kind]?.includes(base) ? kind : 'all'];
  return operations?.[kind] === undefined ? ['resource'] : ['operations', kind];
}

function listPointer(context: SpecContext, resource: string, { name, by }: List): Pointer {
  const field = by.replace(/_id$/, '');
  const reference = subjectOf(context, resource).raw.fields.get(field);
  const further = Object.hasOwn(reference?.lists ?? {}, name);
  return further ? ['fields', field, 'lists', name] : ['fields', field, 'list'];
}
