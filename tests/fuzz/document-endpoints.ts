// Turns every operation of an API document into an endpoint of the fuzz, from nothing but the document.

import type { ParameterKind } from '../../runtime/contract/definition.js';
import type { Chance } from '../support/chance.js';
import type { Document, Operation } from './contract.js';
import type { Endpoint } from './endpoints.js';
import type { Field } from './values.js';
import type { World } from './world.js';

type Json = Readonly<Record<string, unknown>>;
type WeightedEndpoints = readonly (readonly [weight: number, endpoint: Endpoint])[];

/** One list for each tag, so that a tag with a hundred lists does not get all the requests. */
export function endpointsOfDocument(document: Document): readonly WeightedEndpoints[] {
  const byTag = new Map<string, (readonly [number, Endpoint])[]>();
  for (const [path, item] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(item)) {
      const [tag = ''] = operation.tags;
      const all = byTag.get(tag) ?? [];
      byTag.set(tag, all);
      const endpoint = endpointOf(document, { method, path, operation });
      // Hashing a password is deliberately slow.
      all.push([endpoint.fields.has('password') ? 0.1 : method === 'post' ? 4 : 1, endpoint]);
    }
  }
  return [...byTag.values()];
}

interface PlacedParameter {
  readonly method: string;
  readonly path: string;
  readonly operation: Operation;
}

function endpointOf(document: Document, { method, path, operation }: PlacedParameter): Endpoint {
  const [tag = ''] = operation.tags;
  const parameters = (operation.parameters ?? []).map((one) => resolved(document, one));
  const queries = parameters.filter((one) => one.in === 'query');
  const content = operation.requestBody?.content ?? {};
  const [media] = Object.values(content);
  const schemas = parts(document, media?.schema ?? {});
  const properties = schemas.flatMap((schema) => Object.entries((schema.properties ?? {}) as Record<string, Json>));
  const upload = properties.find(([, schema]) => schema.contentMediaType === 'application/octet-stream')?.[0] ?? null;
  const fields = properties.filter(([name]) => name !== 'session_id' && name !== upload);
  return {
    method: method.toUpperCase(),
    path: (world, chance) => pathOf(path, { tag, deletes: method === 'delete' }, { world, chance }),
    fields: new Map([
      ...queries.map((one) => [String(one.name), fieldOf(one.schema as Json, String(one.description))] as const),
      // Changing the passwords of the sessions in use would end the run.
      ...fields
        .filter(([name]) => method !== 'put' || (name !== 'password' && name !== 'admin'))
        .map(([name, schema]) => [name, fieldOf(schema, String(schema.description))] as const),
    ]),
    upload,
  };
}

function resolved({ components }: Document, one: Json): Json {
  if (typeof one.$ref !== 'string') return one;
  const [, , section = '', name = ''] = one.$ref.split('/');
  return components[section]?.[name] ?? {};
}

/** The parts of a composed schema. */
function parts(document: Document, schema: Json): readonly Json[] {
  const itself = resolved(document, schema);
  const all = (itself.allOf ?? []) as readonly Json[];
  return [itself, ...all.flatMap((one) => parts(document, one))];
}

function pathOf(
  path: string,
  { tag, deletes }: { readonly tag: string; readonly deletes: boolean },
  { world, chance }: { readonly world: World; readonly chance: Chance },
): string {
  if (path.startsWith('/files/')) return chance.happens(0.9) ? chance.one(world.filePaths) : '/files/nothing/nobody';
  const resource = /^\/api\/(\w+)\/\{id\}\/\w+$/.exec(path)?.[1] ?? tag;
  if (resource === 'Session') return path.replace('{id}', world.pool.loose('session', chance));
  return path.replace('{id}', deletes ? world.pool.loose(resource, chance) : world.pool.one(resource, chance));
}

/** The description of a reference names the type of its id; a parameter without a type is a text. */
function fieldOf(schema: Json, description: string): Field {
  const to = /\bId of (?:a|an|any) (\w+)/.exec(description)?.[1] ?? null;
  const allowed = ((schema.enum ?? []) as readonly (string | number | null)[]).filter((one) => one !== null);
  const [type = 'string'] = [schema.type].flat() as readonly string[];
  return { parameter: { kind: to === null ? (KINDS[type] ?? 'text') : 'reference' }, to, allowed };
}

const KINDS: Readonly<Record<string, ParameterKind>> = {
  boolean: 'boolean',
  integer: 'integer',
  object: 'json',
  array: 'json',
  string: 'text',
};
