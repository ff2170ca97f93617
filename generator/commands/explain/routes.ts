// Lists the routes that descriptors produce, each with the key it comes from.

import type { RawResource, RawSpec } from '../../language/language.js';
import type { Pointer } from '../../load/load.js';
import type { Action, List, Model } from '../../model/model.js';
import { type OperationRoute, oldRoutesOf, type Route, routesOf as routesOfResource } from '../../model/routes.js';

export interface ResourceRoute {
  readonly method: Route['method'];
  /** The path, with `{id}`. */
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
  fetch: /^ {2}properties:/m,
  update: /^function update\(/m,
  delete: /^ {2}operations:/m,
  options: /^ {2}(options|operations):/m,
  list: /^ {2}lists:/m,
  whole: /^ {2}(whole|operations):/m,
  bulk: /^function create\(/m,
  uses: /^ {2}upload:/m,
  action: /^ {2}actions:/m,
};

/** Every route of every resource, in order, without the service's own. */
export function allRoutes(model: Model, { resources }: RawSpec): readonly ResourceRoute[] {
  const raw = new Map(resources.map((one) => [one.resource, one]));
  const all = model.resources.flatMap((resource) =>
    routesOfResource(resource).map((route) => ({
      method: route.method,
      path: route.path,
      resource: resource.name,
      served: SERVED[route.kind],
      ...source(raw.get(resource.name) as RawResource, route),
    })),
  );
  const old = oldRoutesOf(model).map(({ type, resource, route: { method, path, kind } }) => ({
    method,
    path,
    resource: type.name,
    served: SERVED[kind],
    summary: `${kind === 'list' ? `list of ${resource.name}` : kind}, at an old name`,
    pointer: ['old_names'],
  }));
  return [...all, ...old];
}

function source(raw: RawResource, route: Route): Pick<ResourceRoute, 'summary' | 'pointer'> {
  switch (route.kind) {
    case 'options':
      return { summary: 'allowed values', pointer: ['resource'] };
    case 'bulk':
      return { summary: 'create', pointer: ['fields', route.list.by.replace(/_id$/, ''), 'bulk'] };
    case 'uses':
      return { summary: `list of what uses a ${raw.resource}`, pointer: ['upload', 'uses'] };
    case 'whole':
      return {
        summary: `list of all ${raw.resource}`,
        pointer: raw.whole === undefined ? ['resource'] : ['operations', 'list'],
      };
    case 'list':
      return { summary: `list of ${raw.resource}`, pointer: listPointer(raw, route.list) };
    case 'action':
      return { summary: `the action ${route.action.name}`, pointer: actionPointer(route.action) };
    default:
      return { summary: route.kind, pointer: operationPointer(raw, route) };
  }
}

/** An action that undoes another is a key of that action. */
function actionPointer({ segment, method, renews }: Action): Pointer {
  if (renews !== null) return ['fields', renews];
  return ['actions', segment, ...(method === 'DELETE' ? ['undo'] : [])];
}

function operationPointer(
  { operations, paths, fields }: RawResource,
  { kind, path, isAlias, by }: OperationRoute,
): Pointer {
  const base = path.replace('/{id}', '');
  if (by !== null) {
    const word = path.split('/').at(-2);
    return ['fields', [...fields].find(([, { unique }]) => unique === word)?.[0] ?? by, 'unique'];
  }
  if (isAlias) return ['paths', paths?.[kind]?.includes(base) ? kind : 'all'];
  return operations?.[kind] === undefined ? ['resource'] : ['operations', kind];
}

function listPointer({ fields }: RawResource, { name, by }: List): Pointer {
  const field = by.replace(/_id$/, '');
  const reference = fields.get(field);
  const extra = Object.hasOwn(reference?.lists ?? {}, name) ? reference?.lists?.[name] : undefined;
  if (extra === undefined) return ['fields', field, 'list'];
  return extra.of === undefined ? ['fields', field, 'lists', name] : ['fields', field, 'list_each'];
}
