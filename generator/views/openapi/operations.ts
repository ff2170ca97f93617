// Where the operations that the model offers on one resource stand: its own paths, lists, actions, and other paths.

import type { Operation } from '../../../runtime/definition.js';
import type { Model, Resource } from '../../model.js';
import { create, fetch, remove, update } from './four-operations.js';
import { type Fragment, sentences } from './fragment.js';
import { action, listing, options } from './further-operations.js';

/** An operation and where it stands. */
export interface Placed {
  readonly path: string;
  readonly method: 'get' | 'post' | 'put' | 'delete';
  readonly operation: Fragment;
}

/** @returns the canonical operations of a resource, below /api */
export function ownOperations(resource: Resource, model: Model): readonly Placed[] {
  const base = `/api/${resource.name}`;
  const offered = (Object.keys(FOUR) as Operation[]).filter((name) => resource.operations[name] !== null);
  return [
    ...offered.map((name) => placed(resource, model, { name, base })),
    { path: `${base}/_options`, method: 'get', operation: options(resource) },
    ...resource.lists.map((list): Placed => {
      const path = `/api/${list.parent}/{id}/${list.name}`;
      return { path, method: 'get', operation: listing(resource, model, list) };
    }),
    ...resource.actions.map((one): Placed => {
      return { path: `${base}/{id}/${one.name}`, method: 'post', operation: action(resource, one) };
    }),
  ];
}

/** @returns the same operations at their other paths (D32) */
export function aliasOperations(resource: Resource, model: Model): readonly Placed[] {
  const aliases = resource.paths.filter(
    ({ operation, base }) => resource.operations[operation] !== null && base !== `/api/${resource.name}`,
  );
  return aliases.map(({ operation: name, base }) => {
    const { path, method, operation } = placed(resource, model, { name, base });
    const description = sentences(String(operation.description), `Another path of /api/${resource.name}.`);
    return { path, method, operation: { ...operation, operationId: `${operation.operationId}Alias`, description } };
  });
}

interface Four {
  readonly method: Placed['method'];
  readonly withId: boolean;
  operation(resource: Resource, model: Model): Fragment;
}

const FOUR: Readonly<Record<Operation, Four>> = {
  create: { method: 'post', withId: false, operation: create },
  fetch: { method: 'get', withId: true, operation: fetch },
  update: { method: 'put', withId: true, operation: update },
  delete: { method: 'delete', withId: true, operation: remove },
};

function placed(resource: Resource, model: Model, { name, base }: { name: Operation; base: string }): Placed {
  const { method, withId, operation } = FOUR[name];
  return { path: withId ? `${base}/{id}` : base, method, operation: operation(resource, model) };
}
