// Lists the routes that descriptors produce, each with the key it comes from.

import type { Pointer } from '../../load/load.js';
import type { Action, List } from '../../model/model.js';
import { type OperationRoute, oldRoutesOf, type Route, routesOf as routesOfResource } from '../../model/routes.js';
import { type SpecContext, subjectOf } from './spec-context.js';

export interface ResourceRoute {
  readonly method: Route['method'];
  /** With `{id}`. */
  readonly path: string;
  /** The resource whose records it serves. */
  readonly resource: string;
  /** In words: `create`, `list of box`. */
  readonly summary: string;
  /** Key of the resource that produces it. */
  readonly pointer: Pointer;
  /** Finds the code that serves it in the resource's generated file. */
  readonly served: RegExp;
}

/** Finds the code that serves each kind of route in a resource's generated file. */
const SERVED: Readonly<Record<Route['kind'], RegExp>> = {
  create: /^function create\(/m,
  fetch: /^const properties\b/m,
  update: /^function update\(/m,
  delete: /^ {2}operations:/m,
  options: /^ {2}options:/m,
  list: /^ {2}lists:/m,
  whole: /^ {2}(whole|lists):/m,
  bulk: /^function create\(/m,
  action: /^ {2}actions:/m,
};

/** Every route of every resource, in order, without the service's own. */
export function routesOf(context: SpecContext): readonly ResourceRoute[] {
  const all = context.model.resources.flatMap((resource) =>
    routesOfResource(resource).map((route) => ({
      method: route.method,
      path: route.path,
      resource: resource.name,
      served: SERVED[route.kind],
      ...source(context, resource.name, route),
    })),
  );
  const old = oldRoutesOf(context.model).map(({ type, resource, route: { method, path, kind } }) => ({
    method,
    path,
    resource: type.name,
    served: SERVED[kind],
    summary: `${kind === 'list' ? `list of ${resource.name}` : kind}, at an old name`,
    pointer: ['old_names'],
  }));
  return [...all, ...old];
}

function source(context: SpecContext, resource: string, route: Route): Pick<ResourceRoute, 'summary' | 'pointer'> {
  switch (route.kind) {
    case 'options':
      return { summary: 'allowed values', pointer: ['resource'] };
    case 'bulk':
      return { summary: 'create', pointer: ['fields', route.list.by.replace(/_id$/, ''), 'bulk'] };
    case 'whole':
      return { summary: `list of all ${resource}`, pointer: wholePointer(context, resource) };
    case 'list':
      return { summary: `list of ${resource}`, pointer: listPointer(context, resource, route.list) };
    case 'action':
      return { summary: `the action ${route.action.name}`, pointer: actionPointer(route.action) };
    default:
      return { summary: route.kind, pointer: operationPointer(context, resource, route) };
  }
}

function wholePointer(context: SpecContext, resource: string): Pointer {
  return subjectOf(context, resource).raw.whole === undefined ? ['resource'] : ['operations', 'list'];
}

/** The one that undoes another is a key of it. */
function actionPointer({ segment, method }: Action): Pointer {
  return ['actions', segment, ...(method === 'DELETE' ? ['undo'] : [])];
}

function operationPointer(context: SpecContext, resource: string, { kind, base, isAlias }: OperationRoute): Pointer {
  const { operations, paths } = subjectOf(context, resource).raw;
  if (isAlias) return ['paths', paths?.[kind]?.includes(base) ? kind : 'all'];
  return operations?.[kind] === undefined ? ['resource'] : ['operations', kind];
}

function listPointer(context: SpecContext, resource: string, { name, by }: List): Pointer {
  const field = by.replace(/_id$/, '');
  const reference = subjectOf(context, resource).raw.fields.get(field);
  const extra = Object.hasOwn(reference?.lists ?? {}, name) ? reference?.lists?.[name] : undefined;
  if (extra === undefined) return ['fields', field, 'list'];
  return extra.of === undefined ? ['fields', field, 'lists', name] : ['fields', field, 'list_each'];
}
