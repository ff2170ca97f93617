// Explains where a name comes from (a resource, or one of its columns, parameters, properties, lists or actions) and what its
// key produces.

import { writtenPointer } from '../../check/subject.js';
import { suggest } from '../../diagnostics/suggest.js';
import type { Pointer } from '../../load/load.js';
import { FIXED_NAMES, FIXED_PROPERTIES } from '../../model/fixed.js';
import type { FieldParts } from '../../model/kinds/kind.js';
import type { ResourceRoute } from './routes.js';
import {
  didYouMean,
  type Explanation,
  keyText,
  locatedKeys,
  paragraphs,
  partOf,
  type Row,
  rows,
  type SpecContext,
  subjectOf,
} from './spec-context.js';

/** A named part of a resource, and the key it comes from. */
export interface NameOrigin {
  readonly name: string;
  /** In words: `a column`. */
  readonly role: string;
  /** The resource whose descriptor has the key; for a list, the resource of its records, not of their parent. */
  readonly resource: string;
  readonly pointer: Pointer;
}

/** @param path `boxes` or `boxes.name` */
export function explainName(context: SpecContext, path: string): Explanation {
  const [resource = '', name] = path.split('.');
  if (!context.project.byName.has(resource)) {
    return {
      unknown: `There is no resource "${resource}"${didYouMean(suggest(resource, context.project.byName.keys()))}`,
    };
  }
  if (name === undefined) return { text: describeResource(context, resource) };
  const all = originsOf(context, resource);
  const matches = all.filter((one) => one.name === name);
  if (matches.length > 0) return { text: describe(context, path, matches) };
  const hint = didYouMean(suggest(name, new Set(all.map((one) => one.name))));
  return { unknown: `${resource} has no column, parameter, property, list or action "${name}"${hint}` };
}

function describeResource(context: SpecContext, resource: string): string {
  const keys = locatedKeys(subjectOf(context, resource), ['resource']);
  const routes = context.routes.filter(
    (route) => route.path.startsWith(`/api/${resource}/`) || route.resource === resource,
  );
  return paragraphs([
    ...keys.map((key) => keyText(context, key)),
    rows(routes.map(({ method, path, summary }) => [`${method} ${path}`, summary])),
  ]);
}

function describe(context: SpecContext, path: string, origins: readonly NameOrigin[]): string {
  const roles = [...new Set(origins.map(({ role }) => role))].join(', ');
  const pointers = new Map(
    origins.map(({ resource, pointer }) => [`${resource}/${pointer.join('/')}`, { resource, pointer }]),
  );
  const places = [...pointers.values()].map(({ resource, pointer }) => {
    const keys = locatedKeys(subjectOf(context, resource), pointer).map((key) => keyText(context, key));
    const everywhere = pointer[0] === 'resource';
    return paragraphs([...keys, everywhere ? 'Every resource has it.\n' : rows(effectsOf(context, resource, pointer))]);
  });
  return paragraphs([`${path}: ${roles}\n`, ...places]);
}

/** Every name of a resource. */
export function originsOf(context: SpecContext, resource: string): readonly NameOrigin[] {
  const { raw } = subjectOf(context, resource);
  const of = (role: string, pointer: Pointer, names: readonly string[]): readonly NameOrigin[] =>
    names.map((name) => ({ name, role, resource, pointer }));
  const belowRecord = new RegExp(`^/api/${resource}/\\{id\\}/(\\w+)$`);
  const typeNames = raw.type_field === undefined ? [] : [raw.type_field];
  return [
    ...of('a column', ['resource'], FIXED_NAMES),
    ...of('a property', ['resource'], FIXED_PROPERTIES),
    ...of('a property', ['type_field'], typeNames),
    ...[...raw.fields.keys()].flatMap((name) => ofField(context, resource, name)),
    ...of('a parameter that is ignored', ['ignores'], raw.ignores ?? []),
    ...[...raw.actions.keys()].flatMap((name) => of('an action', ['actions', name], [name])),
    ...context.routes.flatMap((route) => {
      const list = belowRecord.exec(route.path)?.[1];
      return list === undefined || route.method !== 'GET'
        ? []
        : [{ name: list, role: 'a list', resource: route.resource, pointer: route.pointer }];
    }),
  ];
}

function ofField(context: SpecContext, resource: string, field: string): readonly NameOrigin[] {
  const { raw } = subjectOf(context, resource);
  const { columns = [], parameters = [], properties = [], references = [] } = partOf(context, raw, field);
  const origin =
    (role: string) =>
    (name: string): NameOrigin => ({ name, role, resource, pointer: writtenPointer(raw, ['fields', field]) });
  const propertyNames = new Set(properties.map(({ name }) => name));
  return [
    ...columns.map(({ name }) => origin('a column')(name)),
    ...parameters.map(({ name }) => origin('a parameter')(name)),
    ...parameters.flatMap(({ synonyms }) => synonyms.map(origin('another name of a parameter'))),
    ...properties.map(({ name }) => origin('a property')(name)),
    ...references
      .filter(({ relation }) => !propertyNames.has(relation))
      .map(({ relation }) => origin('a related record')(relation)),
  ];
}

/** Rows about what the key at `pointer` of a resource produces. */
function effectsOf(context: SpecContext, resource: string, pointer: Pointer): readonly Row[] {
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

function ofPart(resource: string, { columns, parameters, properties }: FieldParts): readonly Row[] {
  const synonyms = (parameters ?? []).flatMap((parameter) => parameter.synonyms);
  return [
    ['columns', (columns ?? []).map(({ name }) => `${resource}.${name}`).join(', ')],
    ['parameters', [...(parameters ?? []).map(({ name }) => name), ...synonyms].join(', ')],
    ['properties', (properties ?? []).map(({ name }) => name).join(', ')],
  ];
}

function routeRows(context: SpecContext, resource: string, pointer: Pointer): readonly Row[] {
  const routes = context.routes.filter((route) => route.resource === resource && isPartOf(route, pointer));
  return routes.map(({ method, path }, at) => [at === 0 ? 'routes' : '', `${method} ${path}`]);
}

/** Whether the key produces the route, or is part of the key that does. */
function isPartOf(route: ResourceRoute, pointer: Pointer): boolean {
  const shorter = Math.min(route.pointer.length, pointer.length);
  return shorter > 0 && route.pointer.slice(0, shorter).every((step, at) => step === pointer[at]);
}
