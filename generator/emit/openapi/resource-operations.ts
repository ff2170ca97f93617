// The operations of one resource as OpenAPI describes them, without their paths: create, fetch, update and delete, allowed
// values, lists and actions.

import type { Operation } from '../../../runtime/contract/definition.js';
import { orderTerm } from '../../../runtime/schema/order.js';
import type { ResourceLookup } from '../../model/find.js';
import type { Action, List, Resource } from '../../model/model.js';
import { includableRelations, type OperationPromises } from '../../model/promises.js';
import { pascalCase } from '../../model/type-names.js';
import {
  camelCase,
  capitalized,
  component,
  type Fragment,
  nounsFor,
  nounsOf,
  operationNames,
  sentences,
} from './fragment.js';
import { ACTION_ANSWERS } from './hook-operations.js';
import { operation } from './operation.js';
import { listReferences, pathParameter, searchParameters } from './parameters.js';
import { relationshipNames } from './records.js';
import { actionBody, bulkBody, createBody, patchBody, updateBody } from './requests.js';
import { createdAnswer, jsonResponse, recordAnswer } from './responses.js';
import { holders } from './rights.js';

export function create(resource: Resource, _: ResourceLookup, promises: OperationPromises): Fragment {
  const { title, name, upload } = resource;
  return operation(promises, {
    ...operationNames(
      resource,
      `create${pascalCase(name)}`,
      `${upload === null ? 'Create' : 'Upload'} ${nounsOf(title).a}`,
    ),
    description: sentences(resource.summary, onlyAdmin(resource, 'create'), withoutEffect(resource)),
    body: createBody(resource),
    responses: { ...existing(resource), 201: createdAnswer(resource) },
  });
}

/** The response of a create that finds a record with the same unique values. */
function existing(resource: Resource): Fragment {
  const { existing: columns } = resource;
  if (columns === null) return {};
  const description = `The record with the same ${columns.join(' and ')}, which was updated instead.`;
  return { 200: recordAnswer(description, resource) };
}

export function fetch(resource: Resource, others: ResourceLookup, promises: OperationPromises): Fragment {
  const { title, name } = resource;
  const related = includableRelations(resource).map((one) => one.name);
  return operation(promises, {
    ...operationNames(resource, `get${pascalCase(name)}`, `Get ${nounsOf(title).a}`),
    description: sentences(
      onlyAdmin(resource, 'fetch'),
      related.length === 0 ? '' : `Related objects: ${inCode(related)}.`,
      `Relationships: ${inCode(relationshipNames(resource, others))}.`,
    ),
    responses: { 200: recordAnswer('The record as the caller sees it.', resource) },
  });
}

/** A fetch whose path has a column's value instead of the id. */
export function byValue(fetched: Fragment, resource: Resource, column: string): Fragment {
  const { name, title } = resource;
  const { parameters, ...rest } = fetched as { readonly parameters?: readonly Fragment[] };
  return {
    ...rest,
    ...operationNames(
      resource,
      `get${pascalCase(name)}By${pascalCase(column)}`,
      `Get ${nounsOf(title).a} by its ${column}`,
    ),
    parameters: [pathParameter(resource, column), ...(parameters ?? [])],
  };
}

export function update(resource: Resource, others: ResourceLookup, promises: OperationPromises): Fragment {
  const { title, name } = resource;
  return operation(promises, {
    ...operationNames(resource, `update${pascalCase(name)}`, `Update ${nounsOf(title).a}`),
    description: sentences(
      'Only what is sent changes; null clears an optional value or restores its default.',
      `Allowed for ${holders('editor', resource, others)}.`,
      withoutEffect(resource),
    ),
    body: updateBody(resource),
    responses: { 200: recordAnswer('The record as an editor sees it.', resource) },
  });
}

/** An update whose body is a patch (D58). */
export function patch(resource: Resource, others: ResourceLookup, promises: OperationPromises): Fragment {
  const { description, ...whole } = update(resource, others, promises);
  return {
    ...whole,
    operationId: `patch${pascalCase(resource.name)}`,
    summary: `Patch ${nounsOf(resource.title).a}`,
    description: sentences('Like the update, also as a JSON merge patch (RFC 7396).', String(description)),
    requestBody: patchBody(resource),
  };
}

export function remove(resource: Resource, others: ResourceLookup, promises: OperationPromises): Fragment {
  return operation(promises, {
    ...operationNames(resource, `delete${pascalCase(resource.name)}`, `Delete ${nounsOf(resource.title).a}`),
    description: sentences(
      'Deletes the record and everything that is deleted with it. Deleting it again responds with `not_found`.',
      `Allowed for ${holders('editor', resource, others)}.`,
    ),
    responses: { 200: component('responses', 'success') },
  });
}

/** Parameters that existing clients send (D19), which are not part of the schema. */
function withoutEffect({ ignored }: Resource): string {
  return ignored.length === 0 ? '' : `Accepted without effect: ${inCode(ignored)}.`;
}

function onlyAdmin({ operations }: Resource, name: Operation): string {
  return operations[name] === 'admin' ? 'Allowed for administrators.' : '';
}

export function options(resource: Resource, promises: OperationPromises): Fragment {
  const allowed = resource.parameters.flatMap(({ name, schema }) =>
    Array.isArray(schema.enum) ? [{ name, values: schema.enum as readonly unknown[], type: schema.type }] : [],
  );
  const titled = allowed.filter(({ type }) => type === 'string').map(({ name }) => `_${name}`);
  const hasSizes = Object.keys(resource.sizes).length > 0;
  const maps = hasSizes ? [...titled, '_sizes'] : titled;
  const schema = {
    type: 'object',
    required: allowed.map(({ name }) => name),
    properties: {
      ...Object.fromEntries(allowed.map(({ name, type }) => [name, { type: 'array', items: { type } }])),
      ...Object.fromEntries(maps.map((name) => [name, TEXT_BY_VALUE])),
    },
    additionalProperties: false,
    examples: [Object.fromEntries(allowed.map(({ name, values }) => [name, values]))],
  };
  return operation(promises, {
    ...operationNames(
      resource,
      `${camelCase(resource.name)}Options`,
      `Get the allowed values of ${nounsOf(resource.title).a}`,
    ),
    description: sentences(
      'The parameters with a fixed set of values, and those values.',
      titled.length === 0 ? '' : `Display names of values: ${inCode(titled)}.`,
      hasSizes ? 'Sizes of identities, in pixels: `_sizes`.' : '',
    ),
    responses: { 200: jsonResponse('Allowed values, by parameter.', schema) },
  });
}

const TEXT_BY_VALUE = { type: 'object', additionalProperties: { type: 'string' } };

export function listing(
  resource: Resource,
  others: ResourceLookup,
  { parent, name, by, where, through }: List,
  promises: OperationPromises,
): Fragment {
  const { many } = nounsOf(resource.title);
  const conditions = Object.entries(where);
  const chosen = conditions.map(([field, value]) => ` with ${field} ${value ?? 'not set'}`).join(' and');
  return operation(promises, {
    ...operationNames(
      resource,
      `list${pascalCase(parent)}${pascalCase(name)}`,
      `List the ${many} of ${nounsFor(others, parent).a}${chosen}`,
    ),
    description: sentences(
      `${capitalized(many)} whose ${by} is ${through === undefined ? 'the id in the path' : `that of a ${through.resource} with the id in the path as ${through.by}`}${conditions.map(([field, value]) => `, and whose ${field} is ${value ?? 'not set'}`).join('')}.`,
      `Ordered by ${[...resource.order, 'id'].map(inWords).join(', then ')} by default.`,
      'Records that the caller may not read are omitted.',
    ),
    parameters: listReferences(resource),
    responses: { 200: jsonResponse('A page of the list.', component('schemas', `${resource.name}_list`)) },
  });
}

/** The list of all records (D44). */
export function listAllOperation(resource: Resource, promises: OperationPromises): Fragment {
  const { by, where } = resource.whole ?? { by: 'admin', where: {} };
  const { many } = nounsOf(resource.title);
  const chosen = Object.entries(where).map(([field, value]) => `${field} is ${value ?? 'not set'}`);
  return operation(promises, {
    ...operationNames(resource, `list${pascalCase(resource.plural)}`, `List all ${many}`),
    description: sentences(
      by === 'admin' ? 'For administrators only.' : '',
      chosen.length === 0 ? '' : `Only those whose ${chosen.join(' and whose ')}; administrators get all.`,
      `Ordered by ${(resource.whole === null ? ['id'] : [...resource.order, 'id']).map(inWords).join(', then ')} by default.`,
    ),
    parameters: [...listReferences(resource), ...searchParameters(resource)],
    responses: { 200: jsonResponse('A page of the list.', component('schemas', `${resource.name}_list`)) },
  });
}

/** The records of any type that use an upload. */
export function usesOperation(resource: Resource, name: string, promises: OperationPromises): Fragment {
  const { one, a } = nounsOf(resource.title);
  const text = { type: 'string' };
  const item = {
    type: 'object',
    description: 'A record as the caller sees it; `object_type` is its type.',
    required: ['id', 'object_type'],
    properties: { id: text, object_type: text },
  };
  const schema = {
    type: 'object',
    required: ['paging', 'items'],
    properties: { paging: component('schemas', '_paging'), items: { type: 'array', items: item } },
  };
  return operation(promises, {
    ...operationNames(
      resource,
      `list${pascalCase(resource.name)}${pascalCase(name)}`,
      `List the records that use ${a}`,
    ),
    description: sentences(
      `Records of any type that refer to the ${one}, type by type.`,
      'Records that the caller may not read are omitted.',
    ),
    responses: { 200: jsonResponse('A page of the list.', schema) },
  });
}

/** Creates several records of a list together. */
export function bulk(
  resource: Resource,
  others: ResourceLookup,
  { parent, name, by }: List,
  promises: OperationPromises,
): Fragment {
  const { many } = nounsOf(resource.title);
  const items = component('schemas', `${resource.name}_create`);
  const owner = nounsFor(others, parent).a;
  const record = { type: 'array', items: component('schemas', resource.name) };
  const schema = {
    type: 'object',
    required: [name, 'errors'],
    properties: { [name]: record, errors: { type: 'integer', const: 0 } },
  };
  return operation(promises, {
    ...operationNames(resource, `bulk${pascalCase(parent)}${pascalCase(name)}`, `Create several ${many} of ${owner}`),
    description: sentences(
      `Creates all records or none. \`${by}\` is the id in the path and need not be sent.`,
      `Errors say which record they are about, as in \`${name}[3].name\`.`,
    ),
    body: bulkBody({ name, by }, items, resource),
    responses: {
      201: jsonResponse('The new records in the order of the request, as their creator sees them.', schema),
    },
  });
}

export function action(
  resource: Resource,
  declared: Action,
  others: ResourceLookup,
  promises: OperationPromises,
): Fragment {
  return operation(promises, {
    ...operationNames(resource, `${camelCase(resource.name)}${pascalCase(declared.name)}`, declared.title),
    description: sentences(
      declared.sets === null ? '' : `Sets ${inCode(Object.keys(declared.sets))}. Repeating it changes nothing.`,
      declared.copies === null ? '' : COPYING,
      declared.renews === null ? '' : `The answer shows the new \`${declared.renews}\`; the old one is of no more use.`,
      `Allowed for ${holders(declared.by, resource, others)}.`,
    ),
    ...(declared.sets === null && declared.renews === null ? { body: actionBody(resource, declared) } : {}),
    responses: {
      ...(declared.copies === null ? { 200: actionAnswer(resource, declared) } : { 201: createdAnswer(resource) }),
    },
  });
}

const COPYING =
  'Copies the record and everything that belongs to it, at most 1,000 records, all or none. The copies refer to the same files. Values that only the service sets start from their defaults.';

function inCode(names: readonly string[]): string {
  return names.map((name) => `\`${name}\``).join(', ');
}

/** Ordinary actions respond with the resulting record; a module determines the responses of its actions. */
function actionAnswer(resource: Resource, action: Pick<Action, 'name'>): Fragment {
  const answer = ACTION_ANSWERS[action.name];
  const schema = answer === undefined ? {} : component('schemas', answer);
  if (resource.servedBy !== null) return jsonResponse('The result of the action.', schema);
  return recordAnswer('The record after the action, as the caller sees it.', resource);
}

function inWords(term: string): string {
  const { name, descending } = orderTerm(term);
  return descending ? `${name} descending` : name;
}
