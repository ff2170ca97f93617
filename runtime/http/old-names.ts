// Serves a type at the paths of its old names, too. A name that stands for an identity hides all records of others: create
// fills it in, lists are filtered by it, and what another record answers is not_found.
import type { AnyDefinition, RouteDefinition } from '../definition.js';
import { ServiceError } from '../errors.js';
import { chain } from '../maybe-promise.js';
import { refusal } from '../operations/authorize.js';
import type { Call, Run } from '../operations/call.js';
import type { Records } from '../store/records.js';

/** A place of a declared route below an old name of its type. */
export interface OldRoute {
  readonly path: string;
  /** The identity that the name stands for; null: any. */
  readonly identity: string | null;
}

/** The same route at each old name of the type whose path it is below; none for an alias of another path. */
export function oldRoutes({ name, oldNames }: AnyDefinition, route: RouteDefinition): readonly OldRoute[] {
  const own = `/api/${name}`;
  if (oldNames === undefined || route.isAlias || (route.path !== own && !route.path.startsWith(`${own}/`))) return [];
  return Object.entries(oldNames).map(([old, identity]) => ({
    path: `/api/${old}${route.path.slice(own.length)}`,
    identity,
  }));
}

/** The operation of a route, for records of one identity alone. */
export function ofIdentity(store: Pick<Records, 'get'>, route: RouteDefinition, identity: string, run: Run): Run {
  const { operation } = route;
  if (operation === 'options') return run;
  if (!route.path.includes('/{id}')) return (call) => run(withIdentity(call, identity));
  // A fetch answers with the record itself, so that one read is enough.
  if (operation === 'fetch') {
    return (call) => chain(run(call), (answer) => (isOf(answer.body, identity) ? answer : missing(call)));
  }
  return (call) => {
    const { definition, id, caller } = call;
    const sent = operation === 'update' ? withIdentity(call, identity, false) : call;
    return chain(store.get(definition.name, id, caller), (found) => {
      // What the caller may not read is refused by the operation.
      if (found.found && !isOf(found.text, identity)) return missing(call);
      return run(sent);
    });
  };
}

function isOf(record: string, identity: string): boolean {
  return (JSON.parse(record) as { readonly identity?: unknown }).identity === identity;
}

function missing({ definition }: Call): never {
  throw refusal(definition, 'not_found');
}

function withIdentity(call: Call, identity: string, fill = true): Call {
  const sent = call.parameters.identity ?? null;
  if (sent !== null && sent !== identity) {
    const message = `identity is always ${identity} at this path.`;
    throw new ServiceError('invalid', message, [{ field: 'identity', code: 'invalid', message }]);
  }
  if (!fill || sent === identity) return call;
  return { ...call, parameters: Object.assign(Object.create(null), call.parameters, { identity }) };
}
