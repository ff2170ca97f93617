// Where the operations that the model offers on one resource stand: its own paths, lists, actions, and other paths.

import type { Dates, Operation } from '../../../runtime/definition.js';
import type { List, Model, Resource } from '../../model/model.js';
import { ended, type Uses } from './deprecations.js';
import { create, fetch, remove, update } from './four-operations.js';
import { type Fragment, sentences } from './fragment.js';
import { action, listing, options } from './further-operations.js';
import { endingOf, includable } from './records.js';

/** An operation and where it stands. */
export interface Placed {
  readonly path: string;
  readonly method: string;
  readonly operation: Fragment;
}

/** @returns the canonical operations of a resource, below /api */
export function ownOperations(resource: Resource, model: Model): readonly Placed[] {
  const base = `/api/${resource.name}`;
  const offered = (Object.keys(FOUR) as Operation[]).filter((name) => resource.operations[name] !== null);
  return [
    ...offered.map((name) => placed(resource, model, { name, base })),
    { path: `${base}/_options`, method: 'get', operation: ended(options(resource), usesOf(resource)) },
    ...resource.lists.map((list): Placed => {
      const path = `/api/${list.parent}/{id}/${list.name}`;
      const operation = ended(listing(resource, model, list), usesOfList(resource, model, list));
      return { path, method: 'get', operation };
    }),
    ...resource.actions.map((one): Placed => {
      const operation = ended(action(resource, one), usesOf(resource, one.parameters.some(isEnding)));
      return { path: `${base}/{id}/${one.name}`, method: 'post', operation };
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
  readonly method: 'get' | 'post' | 'put' | 'delete';
  readonly withId: boolean;
  operation(resource: Resource, model: Model): Fragment;
  /** Whether a request for it can use a field that is to go. */
  maybe(resource: Resource): boolean;
}

const FOUR: Readonly<Record<Operation, Four>> = {
  create: { method: 'post', withId: false, operation: create, maybe: sends },
  fetch: { method: 'get', withId: true, operation: fetch, maybe: includes },
  update: { method: 'put', withId: true, operation: update, maybe: sends },
  delete: { method: 'delete', withId: true, operation: remove, maybe: () => false },
};

function placed(resource: Resource, model: Model, { name, base }: { name: Operation; base: string }): Placed {
  const { method, withId, operation, maybe } = FOUR[name];
  const described = ended(operation(resource, model), usesOf(resource, maybe(resource)));
  return { path: withId ? `${base}/{id}` : base, method, operation: described };
}

function isEnding({ ends }: { readonly ends?: Dates }): boolean {
  return ends !== undefined;
}

function sends({ parameters }: Resource): boolean {
  return parameters.some(isEnding);
}

function includes(resource: Resource): boolean {
  return includable(resource).some(({ name }) => endingOf(resource, name) !== undefined);
}

function usesOf({ endings }: Resource, maybe = false): Uses {
  return { always: endings.filter(({ field }) => field === null), maybe };
}

/** A list goes with its parent, with what it lists, and with the fields it is made by (D23). */
function usesOfList(resource: Resource, model: Model, { parent, by, where }: List): Uses {
  const owner = model.resources.find(({ name }) => name === parent);
  const involved = owner === undefined || owner === resource ? [resource] : [owner, resource];
  const needed = [by, ...Object.keys(where)];
  const fields = resource.endings.filter(({ field, action }) => field !== null && action === undefined);
  const asked = [...resource.filters, ...resource.sortable];
  return {
    always: [
      ...involved.flatMap((one) => usesOf(one).always),
      ...fields.filter(({ names }) => names.some((name) => needed.includes(name))),
    ],
    maybe: fields.some(({ names }) => names.some((name) => asked.includes(name))),
  };
}
