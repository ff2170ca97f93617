// The routes that definitions declare: the four operations with their path aliases, options, lists and actions.
import type { AnyDefinition, Operation } from '../definition.js';
import type { Operations } from '../operations/operations.js';
import { noticeFinder, type OperationRef } from './deprecations.js';
import type { Method, Route, RouteRequest } from './routes.js';

export interface ResourceSource {
  readonly definitions: readonly AnyDefinition[];
  readonly operations: Operations;
  /** Hand-written operations by `servedBy`; those a module omits are served as for any resource. */
  readonly modules: Readonly<Record<string, Partial<Operations>>>;
}

interface Shape {
  readonly method: Method;
  readonly withId: boolean;
  readonly run: keyof Operations;
}

const OPERATIONS: Readonly<Record<Operation, Shape>> = {
  create: { method: 'POST', withId: false, run: 'create' },
  fetch: { method: 'GET', withId: true, run: 'fetch' },
  update: { method: 'PUT', withId: true, run: 'update' },
  delete: { method: 'DELETE', withId: true, run: 'remove' },
};

/** Routes under a resource's own path come before aliases, so that the path's own resource is tried first (D32). */
export function resourceRoutes(source: ResourceSource): readonly Route[] {
  const served = source.definitions.filter(
    ({ servedBy }) => servedBy === null || Object.hasOwn(source.modules, servedBy),
  );
  const own = served.flatMap((definition) => [
    ...offered(definition).map((operation) => operationRoute(source, definition, operation, baseOf(definition.name))),
    optionsRoute(source, definition),
    ...served.flatMap((parent) => listRoutes(source, parent, definition)),
    ...Object.keys(definition.actions).map((action) => actionRoute(source, definition, action)),
  ]);
  const aliases = served.flatMap((definition) =>
    definition.paths
      .filter(({ operation, base }) => definition.operations[operation] !== null && base !== baseOf(definition.name))
      .map(({ operation, base }) => operationRoute(source, definition, operation, base)),
  );
  return [...own, ...aliases];
}

function offered(definition: AnyDefinition): readonly Operation[] {
  return (Object.keys(OPERATIONS) as Operation[]).filter((operation) => definition.operations[operation] !== null);
}

function baseOf(resource: string): string {
  return `/api/${resource}`;
}

function operationRoute(source: ResourceSource, definition: AnyDefinition, name: Operation, base: string): Route {
  const { method, withId, run } = OPERATIONS[name];
  const upload = name === 'create' ? definition.upload : null;
  return {
    ...route(source, { definition, operation: run, name: '', items: null }),
    method,
    base,
    withId,
    operation: name,
    upload,
  };
}

function optionsRoute(source: ResourceSource, definition: AnyDefinition): Route {
  return {
    ...route(source, { definition, operation: 'options', name: '', items: null }),
    method: 'GET',
    base: `${baseOf(definition.name)}/_options`,
    withId: false,
  };
}

/** A list is served under its parent's path, and exists only if the resource it lists is served. */
function listRoutes(source: ResourceSource, parent: AnyDefinition, items: AnyDefinition): readonly Route[] {
  const own = items.lists.filter((list) => list.parent === parent.name);
  return own.map(({ name }) => ({
    ...route(source, { definition: parent, operation: 'list', name, items }),
    method: 'GET',
    base: baseOf(parent.name),
    tail: name,
  }));
}

function actionRoute(source: ResourceSource, definition: AnyDefinition, action: string): Route {
  return {
    ...route(source, { definition, operation: 'action', name: action, items: null }),
    method: 'POST',
    base: baseOf(definition.name),
    tail: action,
    operation: action,
  };
}

function route(source: ResourceSource, ref: OperationRef) {
  const { definition, operation, name, items } = ref;
  const run = operationsOf(source, items ?? definition)[operation];
  return {
    withId: true,
    tail: null,
    resource: definition.name,
    operation,
    definition,
    upload: null,
    noticeOf: noticeFinder(ref),
    run: ({ id, parameters, caller, now, upload }: RouteRequest) =>
      run({ definition, id, name, parameters, caller, now, upload }),
  };
}

function operationsOf({ operations, modules }: ResourceSource, { servedBy }: AnyDefinition): Operations {
  return servedBy === null ? operations : { ...operations, ...modules[servedBy] };
}
