// Serves the routes that definitions list, each with the operation behind it.
import type { AnyDefinition, RouteDefinition } from '../definition.js';
import type { Operations } from '../operations/operations.js';
import type { Records } from '../store/records.js';
import { noticeFinder } from './deprecations.js';
import { ofIdentity, oldRoutes } from './old-names.js';
import type { Route, RouteRequest } from './routes.js';

export interface ResourceSource {
  readonly definitions: readonly AnyDefinition[];
  readonly operations: Operations;
  readonly store: Pick<Records, 'get'>;
  /** Hand-written operations by `servedBy`; those a module omits are served as for any resource. */
  readonly modules: Readonly<Record<string, Partial<Operations>>>;
}

/** Canonical routes come before aliases, so that the resource whose own path it is answers first (D32). */
export function resourceRoutes(source: ResourceSource): readonly Route[] {
  const { definitions, modules } = source;
  const served = definitions.filter(({ servedBy }) => servedBy === null || Object.hasOwn(modules, servedBy));
  const byName = new Map(served.map((definition) => [definition.name, definition]));
  const routesWhere = (alias: boolean) =>
    served.flatMap((definition) =>
      definition.routes
        .filter(({ isAlias = false }) => isAlias === alias)
        .flatMap((route) => {
          // A list is an operation on its parent, and is not there without it.
          const on = byName.get(route.parent ?? definition.name);
          return on === undefined ? [] : [serve(source, route, { on, items: definition })];
        }),
    );
  return [...routesWhere(false), ...routesWhere(true), ...atOldNames(source, served, byName)];
}

function atOldNames(
  source: ResourceSource,
  served: readonly AnyDefinition[],
  byName: ReadonlyMap<string, AnyDefinition>,
): readonly Route[] {
  return served.flatMap((items) =>
    items.routes.flatMap((declared) => {
      const on = byName.get(declared.parent ?? items.name);
      if (on === undefined) return [];
      return oldRoutes(on, declared).map(({ route, identity }) => serve(source, route, { on, items, identity }));
    }),
  );
}

interface Resources {
  /** The resource that the path names. */
  readonly on: AnyDefinition;
  /** The resource whose records the answer holds. */
  readonly items: AnyDefinition;
  /** The identity that the path stands for. */
  readonly identity?: string | null;
}

function serve(source: ResourceSource, declared: RouteDefinition, { on, items, identity = null }: Resources): Route {
  const { method, path, operation, name = '' } = declared;
  const [base = '', below] = path.split('/{id}');
  const verb = operation === 'delete' ? 'remove' : operation;
  const all = operationsFor(source, items)[verb];
  const run = identity === null ? all : ofIdentity(source.store, declared, identity, all);
  return {
    method,
    base,
    withId: below !== undefined,
    tail: below === undefined || below === '' ? null : below.slice(1),
    resource: on.name,
    operation: operation === 'action' ? name : operation,
    definition: on,
    upload: operation === 'create' ? on.upload : null,
    noticeOf: noticeFinder({
      definition: on,
      operation: verb,
      name,
      items: operation === 'list' ? items : null,
      identity,
    }),
    run: ({ id, parameters, caller, now, upload, once }: RouteRequest) =>
      run({ definition: on, id, name, parameters, caller, now, upload, ...(once && { once }) }),
  };
}

function operationsFor({ operations, modules }: ResourceSource, { servedBy }: AnyDefinition): Operations {
  return servedBy === null ? operations : { ...operations, ...modules[servedBy] };
}
