// Explains where a route comes from: the key that produces it, who may use it, the keys of its parameters, and its code.

import { suggest } from '../../diagnostics/suggest.js';
import { catalogueOperations } from '../../emit/openapi/catalogue.js';
import type { PathOperation } from '../../emit/openapi/operation.js';
import { serviceOperations } from '../../emit/openapi/service.js';
import { resourceCode } from '../../emit/resource.js';
import { memoizeByObject } from '../../memoize.js';
import type { Action } from '../../model/model.js';
import { originsOf } from './name.js';
import type { ResourceRoute } from './routes.js';
import {
  didYouMean,
  type Explanation,
  keyText,
  type LocatedKey,
  locatedKeys,
  locationText,
  paragraphs,
  type Row,
  resourceOf,
  rows,
  type SpecContext,
  subjectOf,
} from './spec-context.js';

/**
 * @param method in upper case
 * @param path with an id, `{id}` or `:id`; a query is ignored
 * @param out the folder of generated code, as the user names it
 */
export function explainRoute(
  context: SpecContext,
  { method, path, out }: { method: string; path: string; out: string },
): Explanation {
  const requested = path.replace(/[?#].*$/, '').replace(/(.)\/$/, '$1');
  const verb = method === 'HEAD' ? 'GET' : method;
  const all = allRoutesOf(context);
  const atPath = nearest(all, requested.replace(/^(\/console)\/.*$/, '$1'));
  const matches = atPath.filter((route) => route.method === verb);
  if (matches.length > 0) {
    const texts = matches.map((route) => (hasResource(route) ? describe(context, route, out) : describeService(route)));
    return { text: paragraphs(texts) };
  }
  if (atPath.length > 0) {
    const methods = [...new Set(atPath.map((route) => route.method))].join(', ');
    return { unknown: `${requested} does not support ${verb}, only ${methods}` };
  }
  const paths = all.filter(({ route }) => route.method === verb).map(({ route }) => route.path);
  return { unknown: `No route answers ${verb} ${requested}${didYouMean(suggest(requested, paths))}` };
}

/** A route, with its path in parts. */
interface SplitRoute {
  readonly route: ResourceRoute | BareRoute;
  readonly segments: readonly string[];
}

const allRoutesOf = memoizeByObject((context: SpecContext): readonly SplitRoute[] =>
  [...context.routes, ...serviceRoutes(context)].map((route) => ({ route, segments: route.path.split('/') })),
);

interface BareRoute extends Pick<ResourceRoute, 'method' | 'path'> {
  /** Its origin, in words. */
  readonly origin: string;
}

function hasResource(route: ResourceRoute | BareRoute): route is ResourceRoute {
  return 'resource' in route;
}

function serviceRoutes({ model }: SpecContext): readonly BareRoute[] {
  const from = (origin: string, operations: readonly PathOperation[]) =>
    operations.map(({ path, method }) => ({ path, method: method.toUpperCase() as BareRoute['method'], origin }));
  return [
    ...from('the catalogue; "catalogue" in conventions.yaml declares it', catalogueOperations(model)),
    ...from(OWN, serviceOperations(model)),
    ...Object.entries(PAGES).flatMap(([path, origin]) =>
      (path.startsWith('/console') ? (['GET', 'POST'] as const) : (['GET'] as const)).map((method) => ({
        path,
        method,
        origin,
      })),
    ),
  ];
}

const OWN = 'the service itself; it comes from no descriptor';

/** Pages for browsers, which the API document does not list. */
const PAGES: Readonly<Record<string, string>> = {
  '/': 'the first page of the service, for browsers; it comes from no descriptor',
  '/docs': 'a page of the service that shows the API document; it comes from no descriptor',
  '/docs/{tag}': 'a page of the service that shows the operations of a tag; it comes from no descriptor',
  '/assets/{name}': 'what the pages of the service load; it comes from no descriptor',
  '/favicon.ico': 'what the pages of the service load; it comes from no descriptor',
  '/console': "the operators' pages, with `serve --console`; they come from no descriptor",
};

/** Routes that match the path; a literal segment takes precedence over an id. */
function nearest(all: readonly SplitRoute[], requested: string): readonly SplitRoute['route'][] {
  const parts = requested.split('/').map((part) => (/^(:\w+|\{\w+\})$/.test(part) ? null : part));
  const matching = all.filter(
    ({ segments }) =>
      segments.length === parts.length && segments.every((segment, at) => isId(segment) || segment === parts[at]),
  );
  const ids = ({ segments }: SplitRoute): number => segments.filter(isId).length;
  const fewest = Math.min(...matching.map(ids));
  return matching.filter((one) => ids(one) === fewest).map(({ route }) => route);
}

function isId(segment: string): boolean {
  return segment.startsWith('{');
}

function describeService({ method, path, origin }: BareRoute): string {
  return `${method} ${path}: ${origin}\n`;
}

function describe(context: SpecContext, route: ResourceRoute, out: string): string {
  const subject = subjectOf(context, route.resource);
  const keys = locatedKeys(subject, route.pointer);
  return paragraphs([
    `${route.method} ${route.path}: ${route.summary}${route.pointer[0] === 'paths' ? `, of ${route.resource}` : ''}\n`,
    ...keys.map((key) => keyText(context, key)),
    rows([
      ...callerRows(context, route),
      ...parameterRows(context, route),
      ['served in', servedAt(context, route, out)],
    ]),
  ]);
}

/** The right that an operation requires besides a session. */
const RIGHTS: Readonly<Record<string, string>> = { fetch: 'read', update: 'edit', delete: 'edit' };

function callerRows(context: SpecContext, { resource, summary, pointer }: ResourceRoute): readonly Row[] {
  const right = pointer[0] === 'actions' ? null : RIGHTS[summary];
  const callers = (resourceOf(context, resource).operations as Readonly<Record<string, string | null>>)[summary];
  const keys =
    right === undefined || right === null ? [] : locatedKeys(subjectOf(context, resource), ['access', right]);
  const key = keys[0];
  return [
    [
      'callers',
      callers === 'session' ? 'any user who is logged in' : callers === 'admin' ? 'administrators' : (callers ?? ''),
    ],
    ['right', key === undefined ? (right ?? '') : `${right}, defined at ${locationText(context, key.place)}`],
  ];
}

function parameterRows(context: SpecContext, { resource, summary, pointer }: ResourceRoute): readonly Row[] {
  const model = resourceOf(context, resource);
  const action = pointer[0] === 'actions' ? model.actions.find(({ name }) => name === pointer[1]) : undefined;
  const parameters = action?.parameters ?? (summary === 'create' || summary === 'update' ? model.parameters : []);
  if (parameters.length === 0) return [];
  const subject = subjectOf(context, resource);
  const origins = originsOf(context, resource);
  return parameters.map(({ name, requiredOnCreate }, at) => {
    const origin = origins.find((one) => one.name === name && one.role === 'a parameter');
    const place = action === undefined ? origin?.pointer : ['actions', action.name, ...keyOf(action, name)];
    const key: LocatedKey | undefined = place === undefined ? undefined : locatedKeys(subject, place)[0];
    const needed = requiredOnCreate && summary !== 'update' ? ', required' : '';
    return [
      at === 0 ? 'parameters' : '',
      `${name}${needed}${key === undefined ? '' : `: ${locationText(context, key.place)}`}`,
    ];
  });
}

/** The key of an action's parameter: an action that copies takes the name of the copy. */
function keyOf({ copies }: Action, parameter: string): readonly string[] {
  return copies === null ? ['parameters', parameter] : ['copies'];
}

function servedAt(context: SpecContext, { resource, served: pattern }: ResourceRoute, out: string): string {
  const path = `resources/${resource}.ts`;
  // The paths of the kit and the functions do not affect line numbers.
  const text = codeOf(resourceOf(context, resource), context.kit, '');
  const line = text.slice(0, Math.max(0, text.search(pattern))).split('\n').length;
  return `${out}/${path}:${line}`;
}

const codeOf = memoizeByObject(resourceCode);
