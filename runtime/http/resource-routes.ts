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
  // Loops that fill three lists: with lists within lists, these 1,600 routes leave a megabyte of garbage.
  const [own, aliases, old]: [Route[], Route[], Route[]] = [[], [], []];
  for (const items of served) {
    for (const declared of items.routes) {
      // A list is an operation on its parent, and is not there without it.
      const on = byName.get(declared.parent ?? items.name);
      if (on === undefined) continue;
      const { path } = declared;
      (declared.isAlias ? aliases : own).push(serve(source, declared, { on, items, path, identity: null }));
      for (const place of oldRoutes(on, declared)) old.push(serve(source, declared, { on, items, ...place }));
    }
  }
  return [...own, ...aliases, ...old];
}

interface Resources {
  /** The resource that the path names. */
  readonly on: AnyDefinition;
  /** The resource whose records the answer holds. */
  readonly items: AnyDefinition;
  readonly path: string;
  /** The identity that the path stands for. */
  readonly identity: string | null;
}

const ID = '/{id}';

function serve(source: ResourceSource, declared: RouteDefinition, { on, items, path, identity }: Resources): Route {
  const { method, operation, name = '' } = declared;
  const at = path.indexOf(ID);
  const tail = at < 0 ? '' : path.slice(at + ID.length + 1);
  const verb = operation === 'delete' ? 'remove' : operation;
  const all = operationsFor(source, items)[verb];
  const run = identity === null ? all : ofIdentity(source.store, declared, identity, all);
  return {
    method,
    base: at < 0 ? path : path.slice(0, at),
    withId: at >= 0,
    tail: tail === '' ? null : tail,
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
