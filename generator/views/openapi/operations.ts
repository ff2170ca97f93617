// The operations that the model offers on one resource, each at its path: the four, options, lists and actions.

import type { Operation } from '../../../runtime/definition.js';
import type { Action, List, Model, Resource } from '../../model.js';
import { pascalCase } from '../../typescript.js';
import { type ErrorName, errorAnswers } from './errors.js';
import { component, type Fragment, sentences } from './fragment.js';
import { listReferences } from './parameters.js';
import { includable, relationshipNames } from './records.js';
import { actionBody, createBody, updateBody } from './requests.js';
import { ANSWER_HEADERS, jsonAnswer, SECURITY } from './responses.js';
import { holders, viewSentence } from './rights.js';

/** An operation and where it stands. */
export interface Placed {
  readonly path: string;
  readonly method: 'get' | 'post' | 'put' | 'delete';
  readonly operation: Fragment;
}

/** What every operation may answer besides. */
const ALWAYS: readonly ErrorName[] = ['malformed', 'too_large', 'invalid', 'rate_limited', 'internal', 'unavailable'];
const WRITING: readonly ErrorName[] = ['login_required', 'forbidden', 'conflict', 'storage_full'];

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

function create(resource: Resource): Fragment {
  const { title, name } = resource;
  const headers = { ...ANSWER_HEADERS, Location: component('headers', 'Location') };
  const made = { ...jsonAnswer('The new record as its creator sees it.', component('schemas', name)), headers };
  return {
    ...named(resource, `create${pascalCase(name)}`, `Create: ${title}`),
    description: sentences(resource.summary, onlyAdmin(resource, 'create')),
    security: security(resource, 'create'),
    requestBody: createBody(resource),
    responses: { 201: made, ...errorAnswers([...ALWAYS, ...WRITING, 'method', ...fileErrors(resource)]) },
  };
}

function fetch(resource: Resource, model: Model): Fragment {
  const { title, name } = resource;
  const related = includable(resource).map((one) => `\`${one.name}\``);
  const includes = related.length === 0 ? [] : ['_include_related_objects'];
  return {
    ...named(resource, `get${pascalCase(name)}`, `Fetch: ${title}`),
    description: sentences(
      onlyAdmin(resource, 'fetch'),
      related.length === 0 ? '' : `Related objects: ${related.join(', ')}.`,
      `Relationships: ${relationshipNames(resource, model)
        .map((one) => `\`${one}\``)
        .join(', ')}.`,
    ),
    security: security(resource, 'fetch'),
    parameters: ['id', ...includes, '_include_relationships'].map((one) => component('parameters', one)),
    responses: {
      200: jsonAnswer('The record as the caller sees it.', component('schemas', name)),
      ...errorAnswers([...ALWAYS, 'not_found', ...readErrors(resource)]),
    },
  };
}

function update(resource: Resource): Fragment {
  const { title, name } = resource;
  return {
    ...named(resource, `update${pascalCase(name)}`, `Update: ${title}`),
    description: sentences(
      'Only what is sent changes; null clears an optional value or brings its default back.',
      `Open to ${holders('editor', resource)}.`,
    ),
    security: security(resource, 'update'),
    parameters: [component('parameters', 'id')],
    requestBody: updateBody(resource),
    responses: {
      200: jsonAnswer('The record as an editor sees it.', component('schemas', name)),
      ...errorAnswers([...ALWAYS, ...WRITING, 'not_found', ...fileErrors(resource)]),
    },
  };
}

function remove(resource: Resource): Fragment {
  return {
    ...named(resource, `delete${pascalCase(resource.name)}`, `Delete: ${resource.title}`),
    description: sentences(
      'Deletes the record with what goes with it; a second time answers `not_found`.',
      `Open to ${holders('editor', resource)}.`,
    ),
    security: security(resource, 'delete'),
    parameters: [component('parameters', 'id')],
    responses: { 200: component('responses', 'success'), ...errorAnswers([...ALWAYS, ...WRITING, 'not_found']) },
  };
}

function options(resource: Resource): Fragment {
  const allowed = resource.parameters.flatMap(({ name, schema }) =>
    Array.isArray(schema.enum) ? [{ name, values: schema.enum as readonly unknown[], type: schema.type }] : [],
  );
  const schema = {
    type: 'object',
    required: allowed.map(({ name }) => name),
    properties: Object.fromEntries(allowed.map(({ name, type }) => [name, { type: 'array', items: { type } }])),
    additionalProperties: false,
    examples: [Object.fromEntries(allowed.map(({ name, values }) => [name, values]))],
  };
  return {
    ...named(resource, `${camelCase(resource.name)}Options`, `Allowed values: ${resource.title}`),
    description: 'Every parameter that is chosen from a list, with the values it may have.',
    security: [],
    responses: { 200: jsonAnswer('Allowed values by parameter.', schema), ...errorAnswers(ALWAYS) },
  };
}

function listing(resource: Resource, model: Model, { parent, name, by, where }: List): Fragment {
  const owner = model.resources.find((one) => one.name === parent);
  const conditions = Object.entries(where).map(([field, value]) => `${field} is ${value ?? 'not set'}`);
  const reading = owner ? readErrors(owner) : [];
  return {
    ...named(resource, `list${pascalCase(parent)}${pascalCase(name)}`, `List: ${name} of ${owner?.title ?? parent}`),
    description: sentences(
      `Records of ${resource.name} whose ${by} is the id${conditions.map((one) => ` and whose ${one}`).join('')}.`,
      viewSentence(null, resource),
      'Records that the caller may not read are left out.',
    ),
    security: SECURITY.optional,
    parameters: listReferences(resource),
    responses: {
      200: jsonAnswer('A page of the list.', component('schemas', `${resource.name}_list`)),
      ...errorAnswers([...ALWAYS, 'not_found', ...reading]),
    },
  };
}

function action(resource: Resource, declared: Action): Fragment {
  return {
    ...named(resource, `${camelCase(resource.name)}${pascalCase(declared.name)}`, declared.title),
    description: `Open to ${holders(declared.by, resource)}.`,
    security: SECURITY.required,
    parameters: [component('parameters', 'id')],
    requestBody: actionBody(resource, declared),
    responses: {
      200: jsonAnswer('What the action answers.', {}),
      ...errorAnswers([...ALWAYS, ...WRITING, 'method', 'not_found']),
    },
  };
}

function named(resource: Resource, operationId: string, summary: string): Fragment {
  return { tags: [resource.name], operationId, summary };
}

function camelCase(name: string): string {
  const pascal = pascalCase(name);
  return pascal.charAt(0).toLowerCase() + pascal.slice(1);
}

function security({ operations }: Resource, name: Operation): readonly Fragment[] {
  return operations[name] === 'anyone' ? SECURITY.optional : SECURITY.required;
}

function onlyAdmin({ operations }: Resource, name: Operation): string {
  return operations[name] === 'admin' ? 'Open to administrators.' : '';
}

/** Who may not read a record is told to log in or refused, unless the record is kept hidden (D15). */
function readErrors({ access, operations }: Resource): readonly ErrorName[] {
  const open = access.hidden || access.read.some((clause) => 'anyone' in clause);
  const admitted = operations.fetch === 'anyone' ? [] : (['login_required'] as const);
  return open ? admitted : ['login_required', 'forbidden'];
}

function fileErrors({ upload, references }: Resource): readonly ErrorName[] {
  return upload !== null || references.some(({ accepts }) => accepts) ? ['unsupported_file'] : [];
}
