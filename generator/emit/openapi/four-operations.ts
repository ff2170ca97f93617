// The operations create, fetch, update and delete of one resource, as OpenAPI describes them. Not their paths.

import type { Operation } from '../../../runtime/definition.js';
import type { Others } from '../../model/find.js';
import type { Resource } from '../../model/model.js';
import { includable, type Promised } from '../../model/promises.js';
import { pascalCase } from '../typescript.js';
import { errorsByStatus } from './errors.js';
import { component, type Fragment, sentences } from './fragment.js';
import { named } from './naming.js';
import { promised } from './parameters.js';
import { relationshipNames } from './records.js';
import { createBody, updateBody } from './requests.js';
import { createdAnswer, jsonResponse } from './responses.js';
import { holders } from './rights.js';
import { words } from './words.js';

export function create(resource: Resource, _: Others, promises: Promised): Fragment {
  const { title, name, upload } = resource;
  return {
    ...named(resource, `create${pascalCase(name)}`, `${upload === null ? 'Create' : 'Upload'} ${words(title).a}`),
    description: sentences(resource.summary, onlyAdmin(resource, 'create'), withoutEffect(resource)),
    ...promised(promises),
    requestBody: createBody(resource),
    responses: {
      ...existing(resource),
      201: createdAnswer(resource),
      ...errorsByStatus(promises.errors),
    },
  };
}

/** The answer of a create that meets a record with the same unique values. */
function existing({ name, existing: columns }: Resource): Fragment {
  if (columns === null) return {};
  const description = `The record with the same ${columns.join(' and ')}, which was updated instead.`;
  return { 200: jsonResponse(description, component('schemas', name)) };
}

export function fetch(resource: Resource, others: Others, promises: Promised): Fragment {
  const { title, name } = resource;
  const related = includable(resource).map((one) => `\`${one.name}\``);
  return {
    ...named(resource, `get${pascalCase(name)}`, `Get ${words(title).a}`),
    description: sentences(
      onlyAdmin(resource, 'fetch'),
      related.length === 0 ? '' : `Related objects: ${related.join(', ')}.`,
      `Relationships: ${relationshipNames(resource, others)
        .map((one) => `\`${one}\``)
        .join(', ')}.`,
    ),
    ...promised(promises),
    responses: {
      200: jsonResponse('The record as the caller sees it.', component('schemas', name)),
      ...errorsByStatus(promises.errors),
    },
  };
}

export function update(resource: Resource, others: Others, promises: Promised): Fragment {
  const { title, name } = resource;
  return {
    ...named(resource, `update${pascalCase(name)}`, `Update ${words(title).a}`),
    description: sentences(
      'Only what is sent changes; null clears an optional value or restores its default.',
      `Allowed for ${holders('editor', resource, others)}.`,
      withoutEffect(resource),
    ),
    ...promised(promises),
    requestBody: updateBody(resource),
    responses: {
      200: jsonResponse('The record as an editor sees it.', component('schemas', name)),
      ...errorsByStatus(promises.errors),
    },
  };
}

export function remove(resource: Resource, others: Others, promises: Promised): Fragment {
  return {
    ...named(resource, `delete${pascalCase(resource.name)}`, `Delete ${words(resource.title).a}`),
    description: sentences(
      'Deletes the record and everything that is deleted with it. Deleting it again responds with `not_found`.',
      `Allowed for ${holders('editor', resource, others)}.`,
    ),
    ...promised(promises),
    responses: { 200: component('responses', 'success'), ...errorsByStatus(promises.errors) },
  };
}

/** Parameters that existing clients send (D19); they are not part of the schema. */
function withoutEffect({ ignored }: Resource): string {
  const names = ignored.map((name) => `\`${name}\``).join(', ');
  return ignored.length === 0 ? '' : `Accepted without effect: ${names}.`;
}

function onlyAdmin({ operations }: Resource, name: Operation): string {
  return operations[name] === 'admin' ? 'Allowed for administrators.' : '';
}
