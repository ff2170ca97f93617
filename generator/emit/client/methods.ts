// The methods of the client, one for each canonical route: its name, the route for the core, and its signature.

import { hasHookRoutes } from '../../model/hook-routes.js';
import type { List, Model, Resource } from '../../model/model.js';
import { includable, takesKey } from '../../model/promises.js';
import { type Route, routesOf } from '../../model/routes.js';
import { remembered } from '../../remembered.js';
import { comment, literal, pascalCase, property } from '../typescript.js';
import { namedUnions } from '../unions.js';
import { hookMethods } from './hook-methods.js';
import { inBraces } from './types.js';

export interface Method {
  /** The resource of whose client it is a part: a list belongs to its parent. */
  readonly of: string;
  readonly name: string;
  /** For the core: `POST /api/boxtop`. */
  readonly route: string;
  readonly comment: string;
  readonly parameters: string;
  readonly result: string;
  /** Types in its signature, with the resource whose file declares them. */
  readonly uses: readonly (readonly [type: string, resource: string])[];
}

/** @returns the methods by resource: its own first, then the lists below its records; no two have the same name */
export function methodsOf(model: Model): ReadonlyMap<string, readonly Method[]> {
  const all = model.resources.flatMap((resource) => methodsFrom(resource));
  const methods = new Map(model.resources.map(({ name }) => [name, new Map<string, Method>()]));
  const isBelow = ({ route }: Method) => /^LIST .*{id}/.test(route);
  for (const method of [...all.filter((one) => !isBelow(one)), ...all.filter(isBelow)]) {
    const others = methods.get(method.of) ?? new Map<string, Method>();
    const name = freeName(method.name, others);
    others.set(name, name === method.name ? method : { ...method, name });
  }
  return new Map([...methods].map(([name, own]) => [name, [...own.values()]]));
}

const methodsFrom = remembered((resource: Resource): readonly Method[] => [
  ...routesOf(resource)
    .filter((route) => !('isAlias' in route && route.isAlias))
    .map((route) => methodOf(route, resource)),
  ...(hasHookRoutes(resource) ? hookMethods(resource) : []),
]);

/** A list may have the name of an action or of an operation. */
function freeName(name: string, others: ReadonlyMap<string, Method>): string {
  return others.has(name) ? freeName(`${name}_`, others) : name;
}

function methodOf(route: Route, resource: Resource): Method {
  const { method, path } = route;
  const plain: Method = {
    of: resource.name,
    name: path.replace(/^.*\/_?/, ''),
    route: `${method} ${path}`,
    comment: '',
    parameters: `${path.includes('{id}') ? 'id: string, ' : ''}parameters?: Readonly<Record<string, unknown>>, call?: CallOptions`,
    result: 'Promise<unknown>',
    uses: [],
  };
  return { ...plain, ...(SPECIAL[route.kind] as Special)?.(resource, route) };
}

type Special = ((resource: Resource, route: Route) => Partial<Method>) | undefined;
type SpecialOf<K extends Route['kind']> = (
  resource: Resource,
  route: Extract<Route, { readonly kind: K }>,
) => Partial<Method>;

/** What a route of a kind has beyond its path; a kind without a row takes and returns anything. */
const SPECIAL: { readonly [K in Route['kind']]?: SpecialOf<K> } = {
  create: (resource) => (resource.upload === null ? created(resource) : uploaded(resource, resource.upload.part)),
  fetch: (resource) => ({
    name: 'get',
    parameters: `id: string, query?: Include${includes(resource)}, call?: CallOptions`,
    result: record(resource),
  }),
  update: (resource) => ({
    name: 'update',
    parameters: `id: string, changes: ${pascalCase(resource.name)}Update, call?: CallOptions`,
    result: record(resource),
  }),
  delete: () => ({ name: 'delete', parameters: 'id: string, call?: CallOptions', result: 'Promise<Deleted>' }),
  options: (resource) => ({
    parameters: 'parameters?: undefined, call?: CallOptions',
    result: `Promise<${optionsType(resource)}>`,
  }),
  whole: (resource, { path }) => {
    const more = resource.whole?.search === undefined ? '' : ' & Search';
    return {
      name: 'all',
      route: `LIST ${path}`,
      parameters: `query?: ${pascalCase(resource.name)}Query${more}, call?: CallOptions`,
      result: `List<${pascalCase(resource.name)}Record>`,
      uses: queryAndRecord(resource),
    };
  },
  bulk: (resource, { list }) => bulk(resource, list),
  list: (resource, { list, path }) => ({
    of: list.parent,
    name: list.name,
    route: `LIST ${path}`,
    parameters: `id: string, query?: ${pascalCase(resource.name)}Query, call?: CallOptions`,
    result: `List<${pascalCase(resource.name)}Record>`,
    uses: queryAndRecord(resource),
  }),
  uses: (_, { name, path }) => ({
    name,
    route: `LIST ${path}`,
    parameters: 'id: string, query?: ListQuery, call?: CallOptions',
    result: 'List<{ readonly id: string; readonly object_type: string }>',
  }),
  action: (resource, { action, method, path }) => ({
    name: action.name,
    comment: comment(action.title),
    ...(method === 'POST' && !takesKey(resource, action) ? { route: `UNKEYED ${path}` } : {}),
    parameters: `id: string, ${sent(`${pascalCase(resource.name)}${pascalCase(action.name)}`, action.parameters)}, call?: ${takesKey(resource, action) ? 'CallOptions' : 'UnkeyedOptions'}`,
    result: resource.servedBy === null ? record(resource) : 'Promise<unknown>',
  }),
};

function queryAndRecord({ name }: Resource): Method['uses'] {
  return ['Query', 'Record'].map((type) => [`${pascalCase(name)}${type}`, name]);
}

/** Records of a list, of which each may leave out the id of its parent. */
function bulk({ name }: Resource, list: List): Partial<Method> {
  const create = `${pascalCase(name)}Create`;
  const made = `${pascalCase(name)}Record`;
  const of = property(list.name);
  return {
    of: list.parent,
    name: `bulk${pascalCase(list.name)}`,
    parameters: `id: string, parameters: { ${of}: readonly Below<${create}, ${literal(list.by)}>[] }, call?: CallOptions`,
    result: `Promise<{ readonly ${of}: readonly ${made}[]; readonly errors: 0 }>`,
    uses: [create, made].map((type) => [type, name]),
  };
}

function created(resource: Resource): Partial<Method> {
  return {
    name: 'create',
    parameters: `${sent(`${pascalCase(resource.name)}Create`, resource.parameters)}, call?: CallOptions`,
    result: record(resource),
  };
}

function uploaded(resource: Resource, part: string): Partial<Method> {
  return {
    name: 'upload',
    route: `UPLOAD /api/${resource.name} ${part}`,
    parameters: `bytes: Blob, ${sent(`${pascalCase(resource.name)}Create`, resource.parameters)}, call?: CallOptions`,
    result: record(resource),
  };
}

function sent(type: string, parameters: Resource['parameters']): string {
  if (parameters.length === 0) return 'parameters?: undefined';
  return `parameters${parameters.some(({ requiredOnCreate }) => requiredOnCreate) ? '' : '?'}: ${type}`;
}

function record({ name }: Resource): string {
  return `Promise<${pascalCase(name)}Record>`;
}

function includes(resource: Resource): string {
  const names = includable(resource).map(({ name }) => literal(name));
  return names.length === 0 ? '' : `<${names.join(' | ')}>`;
}

function optionsType(resource: Resource): string {
  const unions = namedUnions(resource);
  const lists = resource.parameters.flatMap(({ name, schema }) => {
    if (!Array.isArray(schema.enum)) return [];
    return [`readonly ${property(name)}: readonly ${inBraces(unions.name(schema.enum as readonly string[]))}[]`];
  });
  return lists.length === 0 ? 'Readonly<Record<string, never>>' : `{ ${lists.join('; ')} }`;
}
