// What a key of a resource makes on the wire and in the table, in words. Lines of files are told elsewhere.

import type { Pointer } from '../../load/load.js';
import type { Part } from '../../model/kinds/part.js';
import { type MadeRoute, routesOf } from './routes.js';
import { partOf, type SpecContext, subjectOf } from './spec-context.js';
import type { Row } from './words.js';

/** Rows about what stands at `pointer` of a resource: columns, parameters, properties, routes. */
export function made(context: SpecContext, resource: string, pointer: Pointer): readonly Row[] {
  const name = fieldAt(context, resource, pointer);
  return [
    ...(name === null ? [] : ofPart(resource, partOf(context, subjectOf(context, resource).raw, name))),
    ...routes(context, resource, pointer),
  ];
}

/** Null for a part of a field, which does not make the field. */
function fieldAt(context: SpecContext, resource: string, pointer: Pointer): string | null {
  const whole = pointer[0] === 'fields' && pointer.length === 2;
  const name = pointer[0] === 'identities' ? 'identity' : whole ? String(pointer[1]) : null;
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

function routes(context: SpecContext, resource: string, pointer: Pointer): readonly Row[] {
  const own = routesOf(context).filter((route) => route.resource === resource && touches(route, pointer));
  return own.map(({ method, path }, at) => [at === 0 ? 'routes' : '', `${method} ${path}`]);
}

/** The key makes the route, or is part of what makes it. */
function touches(route: MadeRoute, pointer: Pointer): boolean {
  const shorter = Math.min(route.pointer.length, pointer.length);
  return shorter > 0 && route.pointer.slice(0, shorter).every((step, at) => step === pointer[at]);
}
