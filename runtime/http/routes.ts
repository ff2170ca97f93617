// Maps paths and methods to operations, which are looked up in three maps.
import type { Conditions } from '../contract/conditions.js';
import type { AnyDefinition, Method, Upload } from '../contract/definition.js';
import type { MaybePromise } from '../contract/maybe-promise.js';
import type { Answer, Parameters } from '../operations/call.js';
import type { IdempotencyKey } from '../store/idempotency.js';
import type { Caller } from '../store/records.js';
import type { NoticeFinder } from './deprecations.js';
import type { CountHashes } from './limits.js';
import type { AcceptedPart } from './multipart.js';

/** A request as a route sees it: without HTTP, with its session looked up. */
export interface RouteRequest {
  /** The decoded id in the path; empty if the path has none. */
  readonly id: string;
  /** Without `session_id`. */
  readonly parameters: Parameters;
  /** The parameters as sent, in the names of an earlier version; absent: the names are today's (D68). */
  readonly sent?: Parameters;
  readonly caller: Caller;
  /** The session id that the client sent, live or not; null if none. */
  readonly session: string | null;
  /** The client's address. */
  readonly address: string;
  /** Epoch milliseconds. */
  readonly now: number;
  readonly upload: Upload | null;
  /** Present for a POST with a key, which is carried out once (D50). */
  readonly idempotencyKey?: IdempotencyKey;
  /** The conditions of a write of the record in the path (D57). */
  readonly conditions?: Conditions | undefined;
}

/** Handles a method and path. A hand-written route has no definition. */
export interface Route {
  readonly method: Method;
  /** Path before the id, `/api/session`. */
  readonly base: string;
  readonly withId: boolean;
  /** Last segment of `/base/<id>/tail`; null if there is none. */
  readonly tail: string | null;
  /** Names for logs and metrics. */
  readonly resource: string;
  readonly operation: string;
  /** The operation that serves it; absent: the route is hand-written. */
  readonly verb?: string;
  /** The list, action or relation that it serves. */
  readonly name?: string;
  /** The identity that its path stands for. */
  readonly identity?: string | null;
  readonly definition: AnyDefinition | null;
  /**
   * The resource whose records it reads or writes; null: records of any resource; absent: it is the same for every caller, and
   * takes no session.
   */
  readonly of?: AnyDefinition | null;
  /** The file part it accepts; null if it accepts none. */
  readonly upload: AcceptedPart | null;
  /** A POST that is carried out once for each Idempotency-Key (D60). */
  readonly takesKey?: boolean;
  /** Finds the deprecated items that a request uses (D38); undefined if there are none. */
  readonly noticeOf?: NoticeFinder | undefined;
  /** How many passwords a request has hashed; undefined: always none. */
  readonly hashes?: CountHashes | undefined;
  /** It writes many records in one transaction. */
  readonly isLong?: boolean;
  run(request: RouteRequest): MaybePromise<Answer>;
}

/** The routes that share a method and path, the path's own resource first: the id decides which one responds (D32). */
export interface PathTarget {
  /** The path with `:id` for the id. */
  readonly pattern: string;
  readonly routes: readonly [Route, ...Route[]];
  /** Names of their resources, in the same order. */
  readonly resources: readonly string[];
}

/** By method. */
export type TargetsByMethod = ReadonlyMap<string, PathTarget>;

export interface RouteMatch {
  readonly targets: TargetsByMethod;
  /** As in the path, not decoded; empty if it has none. */
  readonly id: string;
}

export interface Table {
  /** Null if no route has that path, with any method. */
  find(path: string): RouteMatch | null;
}

/** All routes with a prefix, in order of precedence; an empty list if there are none. */
export type RoutesBelow = (prefix: string) => readonly Route[];

const API = '/api/';

/** What the paths of a resource have in common: `/api/game`, or `/scorepad` outside of the API. */
export function prefixOf(path: string): string {
  const end = path.indexOf('/', path.startsWith(API) ? API.length : 1);
  return end < 0 ? path : path.slice(0, end);
}

/** The prefix of a type's own paths. */
export function prefixOfType(name: string): string {
  return API + name;
}

/**
 * @param fixed hand-written routes, which come first. Throws if one of them shares its method and path with another route.
 * @param below all other routes, which are asked for with the first path that needs them
 */
export function createTable(fixed: readonly Route[], below: RoutesBelow): Table {
  const [collections, members, tails] = [newPlaces(), newPlaces(), newPlaces()];
  const add = (route: Route): void => {
    const places = route.tail !== null ? tails : route.withId ? members : collections;
    const key = route.tail === null ? route.base : `${route.base}/${route.tail}`;
    const methods = places.get(key) ?? new Map<string, PathTarget>();
    places.set(key, methods.set(route.method, addRoute(methods.get(route.method), route)));
  };
  const added = new Set<string>();
  /** @returns whether there are new ones */
  const addBelow = (prefix: string): boolean => {
    const routes = added.has(prefix) ? [] : below(prefix);
    if (routes.length === 0) return false;
    added.add(prefix);
    for (const route of routes) add(route);
    return true;
  };
  const find = (path: string): RouteMatch | null => {
    const collection = collections.get(path);
    if (collection !== undefined) return { targets: collection, id: '' };
    const last = path.lastIndexOf('/');
    const member = members.get(path.slice(0, last));
    if (member !== undefined) return last + 1 < path.length ? { targets: member, id: path.slice(last + 1) } : null;
    const middle = path.lastIndexOf('/', last - 1);
    const tail = tails.get(path.slice(0, middle) + path.slice(last));
    return tail !== undefined && middle + 1 < last ? { targets: tail, id: path.slice(middle + 1, last) } : null;
  };
  for (const route of fixed) add(route);
  for (const { base } of fixed) addBelow(prefixOf(base));
  return { find: (path) => find(path) ?? (addBelow(prefixOf(path)) ? find(path) : null) };
}

function newPlaces(): Map<string, Map<string, PathTarget>> {
  return new Map();
}

function addRoute(target: PathTarget | undefined, route: Route): PathTarget {
  const pattern = patternOf(route);
  if (target === undefined) return { pattern, routes: [route], resources: [route.resource] };
  if (route.definition === null || target.routes[0].definition === null) {
    throw new Error(
      `Two routes handle ${route.method} ${pattern}: ${target.routes[0].resource} and ${route.resource}.`,
    );
  }
  return { pattern, routes: [...target.routes, route], resources: [...target.resources, route.resource] };
}

function patternOf({ base, withId, tail }: Route): string {
  return base + (withId ? '/:id' : '') + (tail === null ? '' : `/${tail}`);
}

/** Value of the Allow header. */
export function allowed(place: TargetsByMethod): string {
  return [...place.keys()].flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])).join(', ');
}
