// Lists what a key of a resource produces: columns, parameters, properties and routes.

import type { Pointer } from '../../load/load.js';
import type { Part } from '../../model/kinds/part.js';
import type { Row } from './answer.js';
import type { ResourceRoute } from './routes.js';
import { partOf, type SpecContext, subjectOf } from './spec-context.js';

/** Rows about what the key at `pointer` of a resource produces. */
export function effectsOf(context: SpecContext, resource: string, pointer: Pointer): readonly Row[] {
  const name = fieldAt(context, resource, pointer);
  return [
    ...(name === null ? [] : ofPart(resource, partOf(context, subjectOf(context, resource).raw, name))),
    ...routeRows(context, resource, pointer),
  ];
}

/** Null for a key inside a field, which does not produce the field. */
function fieldAt(context: SpecContext, resource: string, pointer: Pointer): string | null {
  const isField = pointer[0] === 'fields' && pointer.length === 2;
  const name = pointer[0] === 'identities' ? 'identity' : isField ? String(pointer[1]) : null;
  return name !== null && subjectOf(context, resource).raw.fields.has(name) ? name : null;
}

function ofPart(resource: string, { columns, parameters, properties }: Part): readonly Row[] {
  const synonyms = (parameters ?? []).flatMap((parameter) => parameter.synonyms);
  return [
    ['columns', (columns ?? []).map(({ name }) => `${resource}.${name}`).join(', ')],
    ['parameters', [...(parameters ?? []).map(({ name }) => name), ...synonyms].join(', ')],
    ['properties', (properties ?? []).map(({ name }) => name).join(', ')],
  ];
}

function routeRows(context: SpecContext, resource: string, pointer: Pointer): readonly Row[] {
  const own = context.routes.filter((route) => route.resource === resource && isPartOf(route, pointer));
  return own.map(({ method, path }, at) => [at === 0 ? 'routes' : '', `${method} ${path}`]);
}

/** Whether the key produces the route, or is part of what produces it. */
function isPartOf(route: ResourceRoute, pointer: Pointer): boolean {
  const shorter = Math.min(route.pointer.length, pointer.length);
  return shorter > 0 && route.pointer.slice(0, shorter).every((step, at) => step === pointer[at]);
}
