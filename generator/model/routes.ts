// The routes that resources offer, as the runtime derives them from their definitions, with their parts of the model; and the
// routes that the service adds for the resource whose records are web hooks (D48).

import type { Operation, RouteDefinition } from '../../runtime/contract/definition.js';
import { DELIVERY_STATES } from '../../runtime/contract/delivery-states.js';
import { routesOf as definedRoutes } from '../../runtime/contract/kit/routes.js';
import { memoizeByObject } from '../memoize.js';
import { ID_EXAMPLE } from './kinds/record-id.js';
import type { Action, JsonSchema, List, Model, Resource } from './model.js';

type RoutePath = Pick<RouteDefinition, 'method' | 'path'>;

/** An operation at one of its paths. */
export interface OperationRoute extends RoutePath {
  readonly kind: Operation;
  /** Whether it is an alias of the canonical path (D32). */
  readonly isAlias: boolean;
  /** The column whose value the path of a fetch has instead of the id; null if the path has the id. */
  readonly by: string | null;
}

export type Route =
  | OperationRoute
  | (RoutePath & { readonly kind: 'options' })
  | (RoutePath & { readonly kind: 'list'; readonly list: List })
  | (RoutePath & { readonly kind: 'whole' })
  | (RoutePath & { readonly kind: 'bulk'; readonly list: List })
  | (RoutePath & { readonly kind: 'uses'; readonly name: string })
  | (RoutePath & { readonly kind: 'action'; readonly action: Action });

/** Every route once. */
export const routesOf = memoizeByObject((resource: Resource): readonly Route[] =>
  definedRoutesOf(resource).map((route) => typed(route, resource)),
);

/** The same routes as the runtime derives them. */
export function definedRoutesOf(resource: Resource): readonly RouteDefinition[] {
  const { paths: aliases, actions } = resource;
  const named = actions.map((action) => {
    const { renews } = action;
    return [action.name, { ...undoneAction(action), ...(renews === null ? {} : { renews }) }] as const;
  });
  return definedRoutes({ ...resource, aliases, actions: Object.fromEntries(named) });
}

/** The action that this one undoes. */
export function undoneAction({ method, segment }: Action): { readonly undoes?: string } {
  return method === 'DELETE' ? { undoes: segment } : {};
}

function typed({ operation, name = '', parent, isAlias, by, ...route }: RouteDefinition, resource: Resource): Route {
  const { method, path } = route;
  if (operation === 'options') return { kind: operation, method, path };
  if (operation === 'uses') return { kind: operation, method, path, name };
  if (operation === 'action') {
    return { kind: operation, method, path, action: resource.actions.find((one) => one.name === name) as Action };
  }
  if (operation === 'list' && parent === undefined) return { kind: 'whole', method, path };
  if (operation === 'list' || operation === 'bulk') {
    const isIt = (list: List): boolean => list.name === name && list.parent === parent;
    return { kind: operation, method, path, list: resource.lists.find(isIt) as List };
  }
  return { kind: operation, method, path, isAlias: isAlias === true, by: by ?? null };
}

/** A route at the path of an old name. */
export interface OldRoute {
  /** The type with this old name. */
  readonly type: Resource;
  readonly name: string;
  /** The resource whose records it serves: for a list, another resource than the type. */
  readonly resource: Resource;
  readonly route: Route;
}

/** All routes below the paths of types with old names, at these names: operations, allowed values, actions, lists of records. */
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

/** Whether a path is the path of a type, or below it. */
function isBelow(path: string, type: string): boolean {
  return path === `/api/${type}` || path.startsWith(`/api/${type}/`);
}

function atName(route: Route, type: string, name: string): Route {
  return { ...route, path: `/api/${name}${route.path.slice(`/api/${type}`.length)}` };
}

export interface HookRoute {
  /** The last segment of the path, and the method of the client. */
  readonly name: string;
  readonly method: 'get' | 'post';
  readonly summary: string;
  readonly description: string;
  /** By name, without those of a page. */
  readonly parameters: Readonly<Record<string, HookParameter>>;
  /** The component with the schema of the response, or of each item of a page. */
  readonly answers: '_delivery' | '_message' | '_retried' | '_success';
  readonly isPage: boolean;
}

export interface HookParameter {
  readonly schema: JsonSchema;
  readonly description: string;
  readonly required?: true;
  readonly example: string;
}

const ONE: HookParameter = { schema: { type: 'string' }, description: 'Id of the delivery.', example: ID_EXAMPLE };

export const HOOK_ROUTES: readonly HookRoute[] = [
  {
    name: 'deliveries',
    method: 'get',
    summary: 'List the deliveries of a web hook',
    description: 'Newest first, for as long as they are kept; those of a deleted web hook as well.',
    parameters: {
      state: {
        schema: { type: 'string', enum: DELIVERY_STATES },
        description: 'Only deliveries in this state.',
        example: 'held',
      },
    },
    answers: '_delivery',
    isPage: true,
  },
  {
    name: 'message',
    method: 'get',
    summary: 'Get a delivery of a web hook',
    description: 'Its message, its attempts, and the beginning of each answer.',
    parameters: { delivery_id: { ...ONE, required: true } },
    answers: '_message',
    isPage: false,
  },
  {
    name: 'retry',
    method: 'post',
    summary: 'Retry what a web hook has not delivered',
    description:
      'Deliveries that are waiting, held, or cancelled with their web hook are attempted now, with the same Delivery-Id. What was delivered is never sent again.',
    parameters: {
      since: {
        schema: { type: 'string', format: 'date-time' },
        description: 'Only deliveries created since then; cannot be combined with `delivery_id`.',
        example: '2030-01-31T12:00:00.000Z',
      },
      delivery_id: { ...ONE, description: 'Id of the only delivery to retry.' },
    },
    answers: '_retried',
    isPage: false,
  },
  {
    name: 'pause',
    method: 'post',
    summary: 'Pause a web hook',
    description: 'Nothing is attempted until it is resumed, and nothing is lost.',
    parameters: {},
    answers: '_success',
    isPage: false,
  },
  {
    name: 'resume',
    method: 'post',
    summary: 'Resume a web hook',
    description: 'Deliveries are attempted again.',
    parameters: {},
    answers: '_success',
    isPage: false,
  },
];

/** Types of callbacks in the format of Standard Webhooks that are not about an event. */
export const CONTROL_CALLBACKS = ['webhook.subscribe', 'webhook.unsubscribe', 'webhook.test'];

/** Whether the records of the resource are web hooks. */
export function hasHookRoutes({ servedBy }: Pick<Resource, 'servedBy'>): boolean {
  return servedBy === 'webhooks';
}
