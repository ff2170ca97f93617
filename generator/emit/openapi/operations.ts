// The operations of one resource with their paths: its own path, lists, actions, and aliases.

import type { Dates, Deprecation, Operation } from '../../../runtime/contract/definition.js';
import type { ResourceLookup } from '../../model/find.js';
import type { List, Resource } from '../../model/model.js';
import { includableRelations, type OperationPromises, promisesOf } from '../../model/promises.js';
import { type Route, routesOf } from '../../model/routes.js';
import { type DeprecatedUses, markDeprecated } from './deprecations.js';
import { type Fragment, sentences } from './fragment.js';
import type { PathOperation } from './operation.js';
import { deprecationOf } from './records.js';
import {
  action,
  bulk,
  byValue,
  create,
  fetch,
  listAllOperation,
  listing,
  options,
  patch,
  remove,
  update,
  usesOperation,
} from './resource-operations.js';

/** @returns the canonical operations of a resource, below /api */
export function ownOperations(resource: Resource, others: ResourceLookup): readonly PathOperation[] {
  const routes = routesOf(resource).filter((route) => !('isAlias' in route && route.isAlias));
  return routes.map((route) => placed(route, described(route, resource, others)));
}

/** @returns the same operations at their other paths (D32) */
export function aliasOperations(resource: Resource, others: ResourceLookup): readonly PathOperation[] {
  const routes = routesOf(resource).filter((route) => 'isAlias' in route && route.isAlias);
  return routes.map((route) => {
    const operation = described(route, resource, others);
    const description = sentences(
      String(operation.description),
      `Another path of /api/${resource.name}, for programs that use it already.`,
    );
    return placed(route, { ...operation, operationId: `${operation.operationId}Alias`, description, deprecated: true });
  });
}

function placed({ path, method }: Route, operation: Fragment): PathOperation {
  return { path, method: method.toLowerCase(), operation };
}

function described(route: Route, resource: Resource, others: ResourceLookup): Fragment {
  const promises = promisesOf(route, resource, others);
  switch (route.kind) {
    case 'options':
      return markDeprecated(options(resource, promises), usesOf(resource));
    case 'whole':
      return markDeprecated(listAllOperation(resource, promises), usesOfList(resource, others, null));
    case 'bulk':
      return markDeprecated(bulk(resource, others, route.list, promises), usesOfList(resource, others, route.list));
    case 'uses':
      return markDeprecated(usesOperation(resource, route.name, promises), usesOf(resource));
    case 'list':
      return markDeprecated(listing(resource, others, route.list, promises), usesOfList(resource, others, route.list));
    case 'action':
      return markDeprecated(
        action(resource, route.action, others, promises),
        usesOf(
          resource,
          resource.deprecations.some((one) => one.action === route.action.name),
        ),
      );
    default: {
      const { operation: write, maybe } = WRITERS[route.kind];
      const written = (route.method === 'PATCH' ? patch : write)(resource, others, promises);
      const operation = route.by === null ? written : byValue(written, resource, route.by);
      const { always, ...uses } = usesOf(resource, maybe(resource));
      return markDeprecated(operation, { ...uses, always: [...always, ...usesOfLookup(resource, route.by)] });
    }
  }
}

interface OperationWriter {
  operation(resource: Resource, others: ResourceLookup, promises: OperationPromises): Fragment;
  /** Whether a request can use a deprecated field. */
  maybe(resource: Resource): boolean;
}

const WRITERS: Readonly<Record<Operation, OperationWriter>> = {
  create: { operation: create, maybe: sends },
  fetch: { operation: fetch, maybe: includes },
  update: { operation: update, maybe: sends },
  delete: { operation: remove, maybe: () => false },
};

function isDeprecated({ deprecation }: { readonly deprecation?: Dates }): boolean {
  return deprecation !== undefined;
}

function sends({ parameters, deprecations }: Resource): boolean {
  return (
    parameters.some(isDeprecated) ||
    deprecations.some(({ action, value }) => action === undefined && value !== undefined)
  );
}

function includes(resource: Resource): boolean {
  return includableRelations(resource).some(({ name }) => deprecationOf(resource, name) !== undefined);
}

function usesOf({ deprecations }: Resource, maybe = false): DeprecatedUses {
  return { always: deprecations.filter(({ field }) => field === null), maybe };
}

/** A path by a unique value is deprecated with its field. */
function usesOfLookup({ deprecations }: Resource, by: string | null): DeprecatedUses['always'] {
  return deprecations.filter(
    ({ field, action, value, names }) =>
      by !== null && field !== null && action === undefined && value === undefined && names.includes(by),
  );
}

/** A list is deprecated with its parent, with the listed resource, and with the fields that define it (D23). */
function usesOfList(resource: Resource, others: ResourceLookup, list: List | null): DeprecatedUses {
  const owner = list === null ? undefined : others.find(list.parent);
  const involved = owner === undefined || owner === resource ? [resource] : [owner, resource];
  const where = list === null ? (resource.whole?.where ?? {}) : list.where;
  const needed = [...(list === null ? [] : [list.by]), ...Object.keys(where)];
  const fields = resource.deprecations.filter(({ field, action }) => field !== null && action === undefined);
  const isNeeded = ({ names, value }: Deprecation) =>
    names.some((name) => needed.includes(name) && (value === undefined || where[name] === value));
  const terms = ({ value }: Deprecation) => [...resource.filters, ...(value === undefined ? resource.sortable : [])];
  return {
    always: [...involved.flatMap((one) => usesOf(one).always), ...fields.filter(isNeeded)],
    maybe: fields.some((one) => one.names.some((name) => terms(one).includes(name))),
  };
}
