// Lists the operations of a model by the names callers use: `POST /api/boxtop`.

import type { Operation, WholeList } from '../../runtime/definition.js';
import type { Action, List, Model, Resource } from '../model/model.js';
import { oldRoutesOf, type Route, routesOf } from '../model/routes.js';

export type CallKind = Operation | 'options' | 'list' | 'uses' | 'action';

export interface Call {
  /** `GET /api/game/{id}/boxtops`. */
  readonly key: string;
  readonly resource: string;
  readonly kind: CallKind;
  /** 0: anyone, 1: a session, 2: an administrator. */
  readonly needs: number;
  readonly list?: List;
  /** What a list of all records shows to others than administrators. */
  readonly whole?: WholeList | null;
  readonly action?: Action;
  /** At the path of an old name of a type. */
  readonly isOld?: true;
}

const KINDS: readonly CallKind[] = ['create', 'fetch', 'update', 'delete', 'options', 'list', 'uses', 'action'];
const NEEDS = { anyone: 0, session: 1, admin: 2 } as const;

/** Every operation, at each of its paths. */
export function callsOf(model: Model): readonly Call[] {
  const own = model.resources.flatMap((resource) =>
    routesOf(resource)
      .map((route) => callOf(route, resource))
      .sort((a, b) => KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind)),
  );
  return [
    ...own,
    ...oldRoutesOf(model).map(({ route, resource }) => ({ ...callOf(route, resource), isOld: true as const })),
  ];
}

function callOf(route: Route, resource: Resource): Call {
  const kind = route.kind === 'whole' ? 'list' : route.kind === 'bulk' ? 'create' : route.kind;
  const call = { key: `${route.method} ${route.path}`, resource: resource.name, kind };
  if (route.kind === 'whole') return { ...call, needs: NEEDS[resource.whole?.by ?? 'admin'], whole: resource.whole };
  if (route.kind === 'bulk') return { ...call, needs: NEEDS[resource.operations.create ?? 'admin'] };
  if (route.kind === 'options' || route.kind === 'uses') return { ...call, needs: NEEDS.anyone };
  if (route.kind === 'list') return { ...call, needs: NEEDS.anyone, list: route.list };
  if (route.kind === 'action') return { ...call, needs: NEEDS.session, action: route.action };
  return { ...call, needs: NEEDS[resource.operations[route.kind] ?? 'admin'] };
}

/** Kinds of operations that accept the parameters of a resource, and that return its record. */
export const TAKING: readonly CallKind[] = ['create', 'update'];
export const ANSWERING: readonly CallKind[] = ['create', 'fetch', 'update', 'list', 'action'];
