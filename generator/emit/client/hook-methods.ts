// The methods by which administrators read the deliveries of web hooks and control them, and their types.

import { HOOK_ROUTES, type HookRoute } from '../../model/hook-routes.js';
import type { JsonSchema, Resource } from '../../model/model.js';
import { hookPromises } from '../../model/promises.js';
import { hookSchemas } from '../openapi/hook-operations.js';
import { comment, pascalCase, property } from '../typescript.js';
import type { Method } from './methods.js';
import { schemaType } from './types.js';

/** @param resource that of the web hooks */
export function hookMethods(resource: Resource): readonly Method[] {
  return HOOK_ROUTES.map((route) => ({
    of: resource.name,
    name: route.name,
    route: `${methodOf(route)} /api/${resource.name}/{id}/${route.name}`,
    comment: comment(`${route.summary}; for administrators.`),
    parameters: `id: string, ${sent(route)}, call?: ${hookPromises(route).takesKey ? 'CallOptions' : 'UnkeyedOptions'}`,
    result: result(route, pascalCase(resource.name)),
    uses: [],
  }));
}

function methodOf(route: HookRoute): string {
  if (route.isPage) return 'LIST';
  return route.method === 'post' && !hookPromises(route).takesKey ? 'UNKEYED' : route.method.toUpperCase();
}

function sent({ parameters, isPage }: HookRoute): string {
  const members = Object.entries(parameters).map(
    ([name, { schema, required }]) => `${property(name)}${required ? '' : '?'}: ${schemaType(schema)}`,
  );
  const page = isPage ? ['_items_per_page?: number', '_cursor?: string'] : [];
  const isOptional = Object.values(parameters).every(({ required }) => !required);
  const type = [...members, ...page].join('; ');
  return `parameters${isOptional ? '?' : ''}: ${type === '' ? 'undefined' : `{ ${type} }`}`;
}

function result({ answers, isPage }: HookRoute, pascal: string): string {
  const type = RESULTS[answers].replace('Hook', pascal);
  return isPage ? `List<${type}, Continuation>` : `Promise<${type}>`;
}

/** By the component of the API document. */
const RESULTS: Readonly<Record<HookRoute['answers'], string>> = {
  _delivery: 'HookDelivery',
  _message: 'HookMessage',
  _retried: '{ readonly retried: number }',
  _success: '{ readonly success: 1 }',
};

/** @returns the types of what is answered */
export function hookTypes({ name }: Resource) {
  const { _delivery, _attempt, _message } = hookSchemas();
  const pascal = pascalCase(name);
  return Object.entries({ Delivery: _delivery, Attempt: _attempt, Message: _message }).map(
    ([type, { properties }]) => ({
      name: pascal + type,
      members: Object.entries(properties).map(([key, schema]) => member(key, schema as JsonSchema, pascal)),
    }),
  );
}

function member(name: string, schema: JsonSchema, pascal: string): string {
  const type = name === 'attempts' ? `readonly ${pascal}Attempt[]` : schemaType(schema);
  return `/** ${comment(String(schema.description))} */ readonly ${property(name)}: ${type};`;
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
