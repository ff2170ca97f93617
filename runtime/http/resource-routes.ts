// Serves the routes that definitions list, each with the operation behind it.
import type { AnyDefinition, RouteDefinition } from '../contract/definition.js';
import { fetchByValue } from '../operations/lookup.js';
import type { Operations } from '../operations/operations.js';
import type { Records, WireFormats } from '../store/records.js';
import { relationsOf } from '../store/relations.js';
import type { NoticeFinder, OperationRef } from './deprecations.js';
import { hashesOf } from './limits.js';
import { oldNamesOf, pathAtOldName, restrictToIdentity } from './old-names.js';
import { HTTP_PARTS } from './optional-parts.js';
import { prefixOf, prefixOfType, type Route, type RouteRequest, type RoutesBelow } from './routes.js';

export interface ResourceSource {
  readonly definitions: readonly AnyDefinition[];
  readonly operations: Operations;
  readonly store: Pick<Records, 'get' | 'findIdByValue'>;
  /** Hand-written operations by `servedBy`; those a module omits are served as for any resource. */
  readonly modules: Readonly<Record<string, Partial<Operations>>>;
  readonly profile: Pick<WireFormats, 'extras'>;
  /** The names of types and relations in the paths of a version (D68); absent: today's. */
  readonly called?: PathNames;
}

export interface PathNames {
  type(resource: string): string;
  /** The name of a relation or list of the resource; undefined: the version does not have it. Any other name stays. */
  member(resource: string, name: string): string | undefined;
}

const TODAY: PathNames = { type: (name) => name, member: (_, name) => name };

/** A route that a definition lists, or that of a relation. */
export interface ServedRoute extends Omit<RouteDefinition, 'operation'> {
  readonly operation: RouteDefinition['operation'] | 'related';
}

/** The route, and the resources behind it. */
interface DeclaredRoute {
  readonly route: ServedRoute;
  /** The resource that the path names. */
  readonly on: AnyDefinition;
  /** The resource whose records the answer holds. */
  readonly items: AnyDefinition;
}

/**
 * The routes below a prefix are composed when they are asked for: to compose all 1,600 took 7 ms of a start. Canonical routes
 * come before aliases, so that the resource whose own path it is answers first (D32).
 */
export function resourceRoutes(source: ResourceSource): RoutesBelow {
  const { definitions, modules, profile, called = TODAY } = source;
  const served = definitions.filter(({ servedBy }) => servedBy === null || Object.hasOwn(modules, servedBy));
  const declared = declaredBelow(served);
  if (profile.extras) addRelated(declared, served, called);
  const oldNames = oldNamesOf(served);
  return (prefix) => {
    const here = (declared.get(prefix) ?? []).map((entry) =>
      serve(source, entry, { path: entry.route.path, identity: null }),
    );
    const old = oldNames.get(prefix);
    if (old === undefined) return here;
    const { type, identity } = old;
    const canonical = declared.get(prefixOfType(called.type(type.name))) ?? [];
    const renamed = canonical.filter(({ route, on }) => on === type && !route.isAlias);
    return [
      ...here,
      ...renamed.map((entry) => serve(source, entry, { path: pathAtOldName(entry.route.path, prefix), identity })),
    ];
  };
}

/** By prefix, canonical ones first. A list is an operation on its parent, and is absent without it. */
function declaredBelow(served: readonly AnyDefinition[]): Map<string, DeclaredRoute[]> {
  const byName = new Map(served.map((definition) => [definition.name, definition]));
  const all = new Map<string, DeclaredRoute[]>();
  for (const wanted of [undefined, true]) {
    for (const items of served) {
      for (const route of items.routes) {
        const on = byName.get(route.parent ?? items.name);
        if (on === undefined || route.isAlias !== wanted) continue;
        const prefix = prefixOf(route.path);
        const below = all.get(prefix);
        if (below === undefined) all.set(prefix, [{ route, on, items }]);
        else below.push({ route, on, items });
      }
    }
  }
  return all;
}

/** What a record refers to, at a path of its own (D07), unless a list has the path. */
function addRelated(declared: Map<string, DeclaredRoute[]>, served: readonly AnyDefinition[], called: PathNames): void {
  for (const on of served.filter(({ operations }) => operations.fetch !== null)) {
    const prefix = prefixOfType(called.type(on.name));
    const routes = declared.get(prefix) ?? [];
    for (const { name, described } of relationsOf(on)) {
      const as = called.member(on.name, name);
      const path = `${prefix}/{id}/${as}`;
      if (described || as === undefined || routes.some(({ route }) => route.method === 'GET' && route.path === path))
        continue;
      routes.push({ route: { method: 'GET', path, operation: 'related', name }, on, items: on });
    }
    declared.set(prefix, routes);
  }
}

/** Where a route is served: at its own path, or at that of an old name. */
interface RoutePath {
  readonly path: string;
  /** The identity that the path stands for. */
  readonly identity: string | null;
}

function serve(source: ResourceSource, { route, on, items }: DeclaredRoute, { path, identity }: RoutePath): Route {
  const { method, operation, name = '', takesKey = true } = route;
  const at = path.indexOf('/{');
  const tail = at < 0 ? '' : path.slice(path.indexOf('}', at) + 2);
  const verb = operation === 'delete' ? 'remove' : operation;
  const all = operationsFor(source, items)[verb];
  const runAtPath = identity === null ? all : restrictToIdentity(source.store, route, identity, all);
  const run = route.by === undefined ? runAtPath : fetchByValue(source.store, route.by, runAtPath);
  return {
    method,
    base: at < 0 ? path : path.slice(0, at),
    withId: at >= 0,
    tail: tail === '' ? null : tail,
    resource: on.name,
    operation: operation === 'action' ? name : operation,
    verb,
    name,
    identity,
    definition: on,
    ...(operation === 'options' ? {} : { of: operation === 'uses' ? null : items }),
    upload: operation === 'create' ? on.upload : null,
    takesKey: method === 'POST' && takesKey,
    noticeOf: noticeFinder({
      ...{ definition: on, operation: verb, name, identity, by: route.by },
      items: operation === 'list' ? items : null,
    }),
    hashes: hashesOf(on, operation),
    isLong: operation === 'bulk' || (operation === 'action' && on.actions[name]?.copies !== undefined),
    run: ({ id, parameters, caller, now, upload, idempotencyKey, conditions }: RouteRequest) =>
      run({
        definition: on,
        id,
        name,
        parameters,
        caller,
        now,
        upload,
        ...(idempotencyKey && { idempotencyKey }),
        ...(conditions && { conditions }),
      }),
  };
}

/** Undefined if no request of the operation can use anything deprecated, as most cannot: there are thousands of routes. */
function noticeFinder(ref: OperationRef): NoticeFinder | undefined {
  if (ref.definition.deprecations === undefined && ref.items?.deprecations === undefined) return undefined;
  return HTTP_PARTS.deprecations().noticeFinder(ref);
}

function operationsFor({ operations, modules }: ResourceSource, { servedBy }: AnyDefinition): Operations {
  return servedBy === null ? operations : { ...operations, ...modules[servedBy] };
}
