// Where the operations that the model offers on one resource stand: its own paths, lists, actions, and other paths.

import type { Dates, Operation } from '../../../runtime/definition.js';
import type { List, Model, Resource } from '../../model/model.js';
import { type Route, routesOf } from '../../model/routes.js';
import { ended, type Uses } from './deprecations.js';
import { create, fetch, remove, update } from './four-operations.js';
import { type Fragment, sentences } from './fragment.js';
import { action, listing, options } from './further-operations.js';
import { deprecationOf, includable } from './records.js';

/** An operation and where it stands. */
export interface Placed {
  readonly path: string;
  readonly method: string;
  readonly operation: Fragment;
}

/** @returns the canonical operations of a resource, below /api */
export function ownOperations(resource: Resource, model: Model): readonly Placed[] {
  const routes = routesOf(resource).filter((route) => !('isAlias' in route && route.isAlias));
  return routes.map((route) => placed(route, described(route, resource, model)));
}

/** @returns the same operations at their other paths (D32) */
export function aliasOperations(resource: Resource, model: Model): readonly Placed[] {
  const routes = routesOf(resource).filter((route) => 'isAlias' in route && route.isAlias);
  return routes.map((route) => {
    const operation = described(route, resource, model);
    const description = sentences(String(operation.description), `Another path of /api/${resource.name}.`);
    return placed(route, { ...operation, operationId: `${operation.operationId}Alias`, description });
  });
}

function placed({ path, method }: Route, operation: Fragment): Placed {
  return { path, method: method.toLowerCase(), operation };
}

function described(route: Route, resource: Resource, model: Model): Fragment {
  switch (route.kind) {
    case 'options':
      return ended(options(resource), usesOf(resource));
    case 'list':
      return ended(listing(resource, model, route.list), usesOfList(resource, model, route.list));
    case 'action':
      return ended(action(resource, route.action), usesOf(resource, route.action.parameters.some(isEnding)));
    default: {
      const { operation, maybe } = FOUR[route.kind];
      return ended(operation(resource, model), usesOf(resource, maybe(resource)));
    }
  }
}

interface Four {
  operation(resource: Resource, model: Model): Fragment;
  /** Whether a request for it can use a field that is to go. */
  maybe(resource: Resource): boolean;
}

const FOUR: Readonly<Record<Operation, Four>> = {
  create: { operation: create, maybe: sends },
  fetch: { operation: fetch, maybe: includes },
  update: { operation: update, maybe: sends },
  delete: { operation: remove, maybe: () => false },
};

function isEnding({ ends }: { readonly ends?: Dates }): boolean {
  return ends !== undefined;
}

function sends({ parameters }: Resource): boolean {
  return parameters.some(isEnding);
}

function includes(resource: Resource): boolean {
  return includable(resource).some(({ name }) => deprecationOf(resource, name) !== undefined);
}

function usesOf({ deprecations }: Resource, maybe = false): Uses {
  return { always: deprecations.filter(({ field }) => field === null), maybe };
}

/** A list goes with its parent, with what it lists, and with the fields it is made by (D23). */
function usesOfList(resource: Resource, model: Model, { parent, by, where }: List): Uses {
  const owner = model.resources.find(({ name }) => name === parent);
  const involved = owner === undefined || owner === resource ? [resource] : [owner, resource];
  const needed = [by, ...Object.keys(where)];
  const fields = resource.deprecations.filter(({ field, action }) => field !== null && action === undefined);
  const asked = [...resource.filters, ...resource.sortable];
  return {
    always: [
      ...involved.flatMap((one) => usesOf(one).always),
      ...fields.filter(({ names }) => names.some((name) => needed.includes(name))),
    ],
    maybe: fields.some(({ names }) => names.some((name) => asked.includes(name))),
  };
}
