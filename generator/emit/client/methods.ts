// The methods of the client, one for each canonical route and one for each control of web hooks: its name, the route for the
// core, and its signature.

import { memoizeByObject } from '../../memoize.js';
import type { JsonSchema, List, Model, Resource } from '../../model/model.js';
import { hookPromises, includableRelations, takesKey } from '../../model/promises.js';
import {
  HOOK_ROUTES,
  type HookRoute,
  hasHookRoutes,
  type OperationRoute,
  type Route,
  routesOf,
} from '../../model/routes.js';
import { pascalCase } from '../../model/type-names.js';
import { ACTION_ANSWERS, hookSchemas } from '../openapi/hook-operations.js';
import { type Member, recordOf, schemaType, type Type, type TypeReference } from '../types.js';
import { literal } from '../typescript.js';

/** @returns the methods by resource: its own first, then the lists below its records; all names are different */
export function methodsOf(model: Model): ReadonlyMap<string, readonly Method[]> {
  const all = model.resources.flatMap((resource) => methodsFrom(resource));
  const methods = new Map(model.resources.map(({ name }) => [name, new Map<string, Method>()]));
  for (const method of [...all.filter(({ isBelow }) => !isBelow), ...all.filter(({ isBelow }) => isBelow)]) {
    const others = methods.get(method.of) ?? new Map<string, Method>();
    const name = freeName(method.name, others);
    others.set(name, name === method.name ? method : { ...method, name });
  }
  return new Map([...methods].map(([name, own]) => [name, [...own.values()]]));
}

const methodsFrom = memoizeByObject((resource: Resource): readonly Method[] => [
  ...routesOf(resource)
    // An update is partial: a method for PATCH would do the same.
    .filter((route) => !('isAlias' in route && route.isAlias) && route.method !== 'PATCH')
    .map((route) => methodOf(route, resource)),
  ...(hasHookRoutes(resource) ? hookMethods(resource) : []),
]);

/** A list may have the name of an action or of an operation. */
function freeName(name: string, others: ReadonlyMap<string, Method>): string {
  return others.has(name) ? freeName(`${name}_`, others) : name;
}

function methodOf(route: Route, resource: Resource): Method {
  const { method, path } = route;
  const plain = {
    of: resource.name,
    name: path.replace(/^.*\/_?/, ''),
    route: `${method} ${path}`,
    comment: '',
    isBelow: false,
  };
  return { ...plain, ...(SIGNATURES[route.kind] as Signature)(resource, route) };
}

type Signature = (resource: Resource, route: Route) => Partial<Method> & Pick<Method, 'parameters' | 'result'>;
type SignatureOf<K extends Route['kind']> = (
  resource: Resource,
  route: Extract<Route, { readonly kind: K }>,
) => ReturnType<Signature>;

/** The parts of a method that depend on the kind of its route. */
const SIGNATURES: { readonly [K in Route['kind']]: SignatureOf<K> } = {
  create: (resource) => (resource.upload === null ? created(resource) : uploaded(resource, resource.upload.part)),
  fetch: (resource, { by, path }: Pick<OperationRoute, 'by' | 'path'>) => ({
    name: by === null ? 'get' : `by_${path.split('/').at(-2)}`,
    parameters: [
      by === null ? ID : { name: 'value', type: 'string' },
      { name: 'query', optional: true, type: coreType('Include', ...includes(resource)) },
      CALL,
    ],
    result: record(resource),
  }),
  update: (resource) => ({
    name: 'update',
    parameters: [recordOrId(resource), { name: 'changes', type: typeOf(resource.name, 'Update') }, CALL],
    result: record(resource),
  }),
  delete: (resource) => ({
    name: 'delete',
    parameters: [recordOrId(resource), CALL],
    result: promiseOf(coreType('Deleted')),
  }),
  options: (resource) => ({ parameters: [NOTHING, CALL], result: promiseOf(optionsType(resource)) }),
  whole: (resource, { path }) => {
    const query = typeOf(resource.name, 'Query');
    const type: Type = resource.whole?.search === undefined ? query : { both: [query, coreType('Search')] };
    return { name: 'all', route: `LIST ${path}`, ...listed(resource, [{ name: 'query', optional: true, type }]) };
  },
  bulk: (resource, { list }) => bulk(resource, list),
  list: (resource, { list, path }) => ({
    of: list.parent,
    name: list.name,
    route: `LIST ${path}`,
    isBelow: true,
    ...listed(resource, [ID, { name: 'query', optional: true, type: typeOf(resource.name, 'Query') }]),
  }),
  uses: (_, { name, path }) => ({
    name,
    route: `LIST ${path}`,
    isBelow: true,
    parameters: [ID, { name: 'query', optional: true, type: coreType('ListQuery') }, CALL],
    result: coreType('List', {
      members: ['id', 'object_type'].map((one) => ({ name: one, readonly: true, type: 'string' })),
    }),
  }),
  action: (resource, { action, method, path }) => ({
    name: action.name,
    comment: action.title,
    ...(method === 'POST' && !takesKey(resource, action) ? { route: `UNKEYED ${path}` } : {}),
    parameters: [
      recordOrId(resource),
      sent(typeOf(resource.name, pascalCase(action.name)), action.parameters),
      callOptions(takesKey(resource, action)),
    ],
    result: resource.servedBy === null ? record(resource) : promiseOf(moduleAnswer(resource, action.name)),
  }),
};

/** The response of a module's action; unknown unless the document describes it. */
function moduleAnswer({ name }: Resource, action: string): Type {
  const described = Object.entries(hookSchemas()).find(([schema]) => schema === ACTION_ANSWERS[action])?.[1];
  if (described === undefined) return 'unknown';
  const members = Object.entries(described.properties);
  return { members: members.map(([key, schema]) => member(key, schema as JsonSchema, name)) };
}

const NOTHING: Member = { name: 'parameters', optional: true, type: 'undefined' };

function listed({ name }: Resource, parameters: readonly Member[]): Pick<Method, 'parameters' | 'result'> {
  return { parameters: [...parameters, CALL], result: coreType('List', typeOf(name, 'Record')) };
}

/** Creates records of a list, each of which may leave out the id of its parent. */
function bulk({ name }: Resource, list: List): ReturnType<Signature> {
  const below = coreType('Below', typeOf(name, 'Create'), literal(list.by));
  const of = (type: Type, isMade: boolean): Member => ({ name: list.name, readonly: isMade, type: { items: type } });
  return {
    of: list.parent,
    name: `bulk${pascalCase(list.name)}`,
    parameters: [ID, { name: 'parameters', type: { members: [of(below, false)] } }, CALL],
    result: promiseOf({ members: [of(typeOf(name, 'Record'), true), { name: 'errors', readonly: true, type: '0' }] }),
  };
}

function created(resource: Resource): ReturnType<Signature> {
  const parameters = [sent(typeOf(resource.name, 'Create'), resource.parameters), CALL];
  return { name: 'create', parameters, result: record(resource) };
}

function uploaded(resource: Resource, part: string): ReturnType<Signature> {
  const { parameters, result } = created(resource);
  const bytes: Member = { name: 'bytes', type: 'Blob' };
  return { name: 'upload', route: `UPLOAD /api/${resource.name} ${part}`, parameters: [bytes, ...parameters], result };
}

function sent(type: Type, parameters: Resource['parameters']): Member {
  if (parameters.length === 0) return NOTHING;
  return { name: 'parameters', optional: !parameters.some(({ requiredOnCreate }) => requiredOnCreate), type };
}

function record({ name }: Resource): Type {
  return promiseOf(typeOf(name, 'Record'));
}

function includes(resource: Resource): readonly Type[] {
  const values = includableRelations(resource).map(({ name }) => name);
  return values.length === 0 ? [] : [{ values }];
}

function optionsType({ parameters }: Resource): Type {
  const members = parameters.flatMap(({ name, schema }) => {
    if (!Array.isArray(schema.enum)) return [];
    return [{ name, readonly: true, type: { items: { values: schema.enum } } }];
  });
  return members.length === 0 ? recordOf('never') : { members };
}

export interface Method {
  /** The resource whose client has the method: a list belongs to its parent. */
  readonly of: string;
  readonly name: string;
  /** For the core: `POST /api/boxtop`. */
  readonly route: string;
  readonly comment: string;
  readonly parameters: readonly Member[];
  readonly result: Type;
  /** Whether it lists records below a record: the record's own methods come first. */
  readonly isBelow: boolean;
}

/** @returns a type that the core declares */
export function coreType(name: string, ...of: readonly Type[]): TypeReference {
  return { name, from: '../core.js', of };
}

/** @returns a type of the client of a resource, such as its `Record` */
export function typeOf(resource: string, type: string): TypeReference {
  return { name: pascalCase(resource) + type, from: `./${resource}.js` };
}

function promiseOf(type: Type): Type {
  return { name: 'Promise', of: [type] };
}

const ID: Member = { name: 'id', type: 'string' };
/** A record, whose tag the client knows, or its id. */
function recordOrId({ name }: Resource): Member {
  return { name: 'record', type: coreType('RecordOrId', typeOf(name, 'Record')) };
}

const CALL: Member = { name: 'call', optional: true, type: coreType('CallOptions') };

/** @param takes whether the method takes an idempotency key */
function callOptions(takes: boolean): Member {
  return takes ? CALL : { ...CALL, type: coreType('UnkeyedOptions') };
}

/** @param resource the resource of web hooks */
function hookMethods({ name }: Resource): readonly Method[] {
  return HOOK_ROUTES.map((route) => ({
    of: name,
    name: route.name,
    route: `${hookMethod(route)} /api/${name}/{id}/${route.name}`,
    comment: `${route.summary}; for administrators.`,
    parameters: [ID, hookParameters(route), callOptions(hookPromises(route).takesKey)],
    result: result(route, name),
    isBelow: route.isPage,
  }));
}

function hookMethod(route: HookRoute): string {
  if (route.isPage) return 'LIST';
  return route.method === 'post' && !hookPromises(route).takesKey ? 'UNKEYED' : route.method.toUpperCase();
}

const PAGE: readonly Member[] = [
  { name: '_items_per_page', optional: true, type: 'number' },
  { name: '_cursor', optional: true, type: 'string' },
];

function hookParameters({ parameters, isPage }: HookRoute): Member {
  const stated = Object.entries(parameters).map(([name, { schema, required = false }]) => {
    return { name, optional: !required, type: schemaType(schema) };
  });
  const members = [...stated, ...(isPage ? PAGE : [])];
  const type: Type = members.length === 0 ? 'undefined' : { members };
  return { name: 'parameters', optional: stated.every(({ optional }) => optional), type };
}

function result({ answers, isPage }: HookRoute, resource: string): Type {
  const type = RESULTS[answers](resource);
  return isPage ? coreType('List', type, coreType('Continuation')) : promiseOf(type);
}

/** Result types by the component of the API document. */
const RESULTS: Readonly<Record<HookRoute['answers'], (resource: string) => Type>> = {
  _delivery: (resource) => typeOf(resource, 'Delivery'),
  _message: (resource) => typeOf(resource, 'Message'),
  _retried: () => ({ members: [{ name: 'retried', readonly: true, type: 'number' }] }),
  _success: () => ({ members: [{ name: 'success', readonly: true, type: '1' }] }),
};

/** @returns the members of the response types, by the suffixes of their names */
export function hookTypes({ name }: Resource): Readonly<Record<string, readonly Member[]>> {
  const { _delivery, _attempt, _message } = hookSchemas();
  const types = Object.entries({ Delivery: _delivery, Attempt: _attempt, Message: _message });
  const members = (properties: Readonly<Record<string, unknown>>) =>
    Object.entries(properties).map(([key, schema]) => member(key, schema as JsonSchema, name));
  return Object.fromEntries(types.map(([type, { properties }]) => [type, members(properties)]));
}

function member(name: string, schema: JsonSchema, resource: string): Member {
  const type = name === 'attempts' ? { items: typeOf(resource, 'Attempt') } : schemaType(schema);
  return { name, readonly: true, type, comment: String(schema.description) };
}

/** By object type, the properties that a server may write in another form. */
export function hookFormats() {
  const { _delivery, _attempt } = hookSchemas();
  return [_delivery, _attempt].map(({ properties }) => {
    const all = Object.entries(properties) as readonly (readonly [string, JsonSchema])[];
    const named = (fits: (schema: JsonSchema) => boolean) => all.filter(([, one]) => fits(one)).map(([name]) => name);
    const booleans = named(({ type }) => type === 'boolean');
    return {
      constant: String((properties.object_type as JsonSchema).const),
      format: { ...(booleans.length === 0 ? {} : { booleans }), dates: named(({ format }) => format === 'date-time') },
    };
  });
}
