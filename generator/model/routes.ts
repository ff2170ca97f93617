// The routes that resources offer: the one list that definitions, API document, impact and explain read.

import type { Method, Operation } from '../../runtime/definition.js';
import { remembered } from '../remembered.js';
import type { Action, List, Model, Resource } from './model.js';

interface RoutePath {
  readonly method: Method;
  /** With `{id}`: `/api/game/{id}/boxtops`. */
  readonly path: string;
}

/** An operation at one of its paths. */
export interface OperationRoute extends RoutePath {
  readonly kind: Operation;
  /** The path without the id. */
  readonly base: string;
  /** True: an alias of the canonical path (D32). */
  readonly isAlias: boolean;
}

export type Route =
  | OperationRoute
  | (RoutePath & { readonly kind: 'options' })
  | (RoutePath & { readonly kind: 'list'; readonly list: List })
  | (RoutePath & { readonly kind: 'whole' })
  | (RoutePath & { readonly kind: 'bulk'; readonly list: List })
  | (RoutePath & { readonly kind: 'uses'; readonly name: string })
  | (RoutePath & { readonly kind: 'action'; readonly action: Action });

const OPERATIONS: Readonly<Record<Operation, { readonly method: Method; readonly tail: string }>> = {
  create: { method: 'POST', tail: '' },
  fetch: { method: 'GET', tail: '/{id}' },
  update: { method: 'PUT', tail: '/{id}' },
  delete: { method: 'DELETE', tail: '/{id}' },
};

/** Every route once: the operations, allowed values, lists, actions, and the operations at their aliases. */
export const routesOf = remembered((resource: Resource): readonly Route[] => {
  const { name, operations, lists, actions, paths, upload } = resource;
  const canonical = `/api/${name}`;
  const offered = (Object.keys(OPERATIONS) as Operation[]).filter((operation) => operations[operation] !== null);
  const aliases = paths.filter(({ operation, base }) => operations[operation] !== null && base !== canonical);
  const routes = [
    ...offered.map((operation) => operationRoute(operation, canonical, false)),
    { kind: 'whole', method: 'GET', path: canonical } as const,
    { kind: 'options', method: 'GET', path: `${canonical}/_options` } as const,
    ...lists.map(
      (list) => ({ kind: 'list', method: 'GET', path: `/api/${list.parent}/{id}/${list.name}`, list }) as const,
    ),
    ...lists.flatMap((list) => (list.bulk && operations.create !== null ? [bulkRoute(list)] : [])),
    ...(upload?.uses === undefined ? [] : [usesRoute(canonical, upload.uses)]),
    ...actions.map(
      (action) =>
        ({ kind: 'action', method: action.method, path: `${canonical}/{id}/${action.segment}`, action }) as const,
    ),
    ...aliases.map(({ operation, base }) => operationRoute(operation, base, true)),
  ];
  return [...new Map(routes.map((route) => [`${route.kind} ${route.method} ${route.path}`, route])).values()];
});

function usesRoute(canonical: string, name: string): Route {
  return { kind: 'uses', method: 'GET', path: `${canonical}/{id}/${name}`, name };
}

function bulkRoute(list: List): Route {
  return { kind: 'bulk', method: 'POST', path: `/api/${list.parent}/{id}/bulk-${list.name}`, list };
}

function operationRoute(kind: Operation, base: string, isAlias: boolean): OperationRoute {
  const { method, tail } = OPERATIONS[kind];
  return { kind, method, path: `${base}${tail}`, base, isAlias };
}

/** A route at the path of an old name. */
export interface OldRoute {
  /** The type that has the name. */
  readonly type: Resource;
  readonly name: string;
  /** The resource whose records it serves: for a list, not the type itself. */
  readonly resource: Resource;
  readonly route: Route;
}

/** At an old name of a type, everything below its own path: operations, allowed values, actions, and the lists of its records. */
export function oldRoutesOf({ resources }: Pick<Model, 'resources'>): readonly OldRoute[] {
  const named = resources.filter(({ oldNames }) => oldNames.length > 0);
  if (named.length === 0) return [];
  const all = resources.flatMap((resource) => routesOf(resource).map((route) => ({ resource, route })));
  return named.flatMap((type) => {
    const below = all.filter(({ route }) => !('isAlias' in route && route.isAlias) && isBelow(route.path, type.name));
    return type.oldNames.flatMap(({ name }) =>
      below.map(({ resource, route }) => ({ type, name, resource, route: atName(route, type.name, name) })),
    );
  });
}

/** Whether a path is that of a type, or below it. */
function isBelow(path: string, type: string): boolean {
  return path === `/api/${type}` || path.startsWith(`/api/${type}/`);
}

function atName(route: Route, type: string, name: string): Route {
  return { ...route, path: `/api/${name}${route.path.slice(`/api/${type}`.length)}` };
}
