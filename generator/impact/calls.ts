// The operations of a model as callers name them: `POST /api/boxtop`. What they take and answer is not told here.

import type { Operation } from '../../runtime/definition.js';
import type { Action, List, Model, Resource } from '../model/model.js';

export type CallKind = Operation | 'options' | 'list' | 'action';

export interface Call {
  /** `GET /api/game/{id}/boxtops`. */
  readonly key: string;
  readonly resource: string;
  readonly kind: CallKind;
  /** 0: anyone, 1: a session, 2: an administrator. */
  readonly needs: number;
  readonly list?: List;
  readonly action?: Action;
}

const METHODS: Readonly<Record<Operation, string>> = { create: 'POST', fetch: 'GET', update: 'PUT', delete: 'DELETE' };
const NEEDS = { anyone: 0, session: 1, admin: 2 } as const;

/** Every operation, also at its further paths. */
export function callsOf(model: Model): readonly Call[] {
  return model.resources.flatMap(resourceCalls);
}

function resourceCalls(resource: Resource): readonly Call[] {
  const { name, lists, actions } = resource;
  const base = `/api/${name}`;
  return [
    ...(Object.keys(METHODS) as Operation[]).flatMap((operation) => offered(resource, operation)),
    { key: `GET ${base}/_options`, resource: name, kind: 'options', needs: 0 },
    ...lists.map(
      (list): Call => ({
        key: `GET /api/${list.parent}/{id}/${list.name}`,
        resource: name,
        kind: 'list',
        needs: 0,
        list,
      }),
    ),
    ...actions.map(
      (action): Call => ({ key: `POST ${base}/{id}/${action.name}`, resource: name, kind: 'action', needs: 1, action }),
    ),
  ];
}

function offered({ name, operations, paths }: Resource, operation: Operation): readonly Call[] {
  const who = operations[operation];
  if (who === null) return [];
  const bases = [`/api/${name}`, ...paths.filter((path) => path.operation === operation).map(({ base }) => base)];
  return [...new Set(bases)].map((base) => ({
    key: `${METHODS[operation]} ${base}${operation === 'create' ? '' : '/{id}'}`,
    resource: name,
    kind: operation,
    needs: NEEDS[who],
  }));
}

/** Kinds of operations that take the parameters of a resource, and that answer its record. */
export const TAKING: readonly CallKind[] = ['create', 'update'];
export const ANSWERING: readonly CallKind[] = ['create', 'fetch', 'update', 'list', 'action'];
