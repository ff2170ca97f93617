// The routes of a resource, which follow from the rest of its definition: the one list that the server, the API document, impact
// and explain read.

import type { Alias, Method, Operation, RouteDefinition } from '../definition.js';

/** What the routes are derived from. */
export interface RouteSource {
  readonly name: string;
  readonly servedBy: string | null;
  readonly upload: { readonly uses?: string } | null;
  readonly operations: Readonly<Record<Operation, string | null>>;
  readonly lists: readonly { readonly parent: string; readonly name: string; readonly bulk?: true }[];
  /** By name. */
  readonly actions: Readonly<Record<string, { readonly undoes?: string; readonly renews?: string }>>;
  readonly aliases: readonly Alias[];
  /** Columns by the words of their paths. */
  readonly lookups?: Readonly<Record<string, string>>;
}

const OPERATIONS: Readonly<Record<Operation, { readonly method: Method; readonly tail: string }>> = {
  create: { method: 'POST', tail: '' },
  fetch: { method: 'GET', tail: '/{id}' },
  update: { method: 'PUT', tail: '/{id}' },
  delete: { method: 'DELETE', tail: '/{id}' },
};

/** @returns every route once: the operations, allowed values, lists, actions, and the operations at their aliases */
export function routesOf(source: RouteSource): readonly RouteDefinition[] {
  const { name, operations, upload } = source;
  const path = `/api/${name}`;
  const offered = (Object.keys(OPERATIONS) as Operation[]).filter((operation) => operations[operation] !== null);
  return [
    ...offered.map((operation) => operationRoute(operation, path)),
    ...(operations.update === null ? [] : [{ ...operationRoute('update', path), method: 'PATCH' as const }]),
    { method: 'GET', path, operation: 'list' },
    { method: 'GET', path: `${path}/_options`, operation: 'options' },
    ...lookupRoutes(source, path),
    ...listRoutes(source),
    ...(upload?.uses === undefined ? [] : [usesRoute(path, upload.uses)]),
    ...actionRoutes(source, path),
    ...aliasRoutes(source, path),
  ];
}

function operationRoute(operation: Operation, base: string): RouteDefinition {
  const { method, tail } = OPERATIONS[operation];
  return { method, path: `${base}${tail}`, operation };
}

function lookupRoutes({ lookups = {}, operations }: RouteSource, path: string): readonly RouteDefinition[] {
  if (operations.fetch === null) return [];
  return Object.entries(lookups).map(([word, by]) => {
    return { method: 'GET', path: `${path}/${word}/{${by}}`, operation: 'fetch', by };
  });
}

function listRoutes({ lists, operations }: RouteSource): readonly RouteDefinition[] {
  const created = lists.filter(({ bulk }) => bulk && operations.create !== null);
  return [
    ...lists.map(({ parent, name }) => {
      return { method: 'GET', path: `/api/${parent}/{id}/${name}`, operation: 'list', name, parent } as const;
    }),
    ...created.map(({ parent, name }) => {
      return { method: 'POST', path: `/api/${parent}/{id}/bulk-${name}`, operation: 'bulk', name, parent } as const;
    }),
  ];
}

function usesRoute(path: string, name: string): RouteDefinition {
  return { method: 'GET', path: `${path}/{id}/${name}`, operation: 'uses', name };
}

/**
 * An action that undoes another is a DELETE at its path. A module's actions, such as a test callback, are not writes that an
 * Idempotency-Key could belong to; and a token is not stored, so that it cannot be returned again.
 */
function actionRoutes({ actions, servedBy }: RouteSource, path: string): readonly RouteDefinition[] {
  return Object.entries(actions).map(([name, { undoes, renews }]) => ({
    method: undoes === undefined ? 'POST' : 'DELETE',
    path: `${path}/{id}/${undoes ?? name}`,
    operation: 'action',
    name,
    ...(undoes === undefined && (servedBy !== null || renews !== undefined) ? { takesKey: false } : {}),
  }));
}

/** An alias may be stated twice, or be the path of the resource itself. */
function aliasRoutes({ operations, aliases }: RouteSource, path: string): readonly RouteDefinition[] {
  return aliases.flatMap(({ operation, base }, at) => {
    const isFirst = aliases.findIndex((other) => other.operation === operation && other.base === base) === at;
    if (!isFirst || base === path || operations[operation] === null) return [];
    return [{ ...operationRoute(operation, base), isAlias: true as const }];
  });
}
