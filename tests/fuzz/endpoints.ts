// Every method and path of the service, with its parameters, from the generated definitions.

import type { AnyDefinition, Parameter } from '../../runtime/contract/definition.js';
import type { Chance } from '../support/chance.js';
import type { Field } from './values.js';
import type { World } from './world.js';

export interface Endpoint {
  readonly method: string;
  /** @returns a path with an id that may exist */
  path(world: World, chance: Chance): string;
  readonly fields: ReadonlyMap<string, Field>;
  readonly upload: string | null;
}

type WeightedEndpoints = readonly (readonly [weight: number, endpoint: Endpoint])[];

/** Endpoints by resource, so that one with a hundred lists does not get all the requests. */
export function endpointsOf(definitions: readonly AnyDefinition[]): readonly WeightedEndpoints[] {
  return [...definitions.map((definition) => ofDefinition(definition, definitions)), HAND_WRITTEN];
}

function ofDefinition(definition: AnyDefinition, all: readonly AnyDefinition[]): WeightedEndpoints {
  const { name } = definition;
  const base = `/api/${name}`;
  const fields = fieldsOf(definition);
  const reading = new Map([...Object.entries(SERVICE_FIELDS), ['_order_by', orderOf(definition)] as const]);
  const lists = all.flatMap((items) =>
    items.lists
      .filter(({ parent }) => parent === name)
      .map((list) => endpoint('GET', withId(base, name, `/${list.name}`), listFields(items, reading))),
  );
  const aliases = definition.routes.flatMap(({ method, path, isAlias }) => {
    const [alias = '', below] = path.split('/{id}');
    return isAlias ? [endpoint(method, below === undefined ? () => alias : withId(alias, name), fields)] : [];
  });
  const actions = Object.entries(definition.actions).map(([action, { parameters }]) =>
    endpoint(
      'POST',
      withId(base, name, `/${action}`),
      new Map(Object.entries(parameters).map(([key, one]) => [key, plain(one)])),
    ),
  );
  return [
    [6, { ...endpoint('POST', () => base, fields), upload: definition.upload?.part ?? null }],
    [4, endpoint('PUT', withId(base, name), definition.principal ? harmless(fields) : fields)],
    [1, endpoint('PUT', (world, chance) => `${base}/${world.pool.loose(name, chance)}`, fields)],
    [4, endpoint('GET', withId(base, name), reading)],
    [2, endpoint('DELETE', (world, chance) => `${base}/${world.pool.loose(name, chance)}`, reading)],
    [0.3, endpoint('GET', () => `${base}/_options`, reading)],
    [0.5, endpoint('GET', () => base, listFields(definition, reading))],
    ...share(3, lists),
    ...share(
      1,
      aliases.filter(({ method }) => method !== 'DELETE'),
    ),
    ...share(2, actions),
  ];
}

function endpoint(method: string, path: Endpoint['path'], fields: Endpoint['fields']): Endpoint {
  return { method, path, fields, upload: null };
}

function withId(base: string, resource: string, tail = ''): Endpoint['path'] {
  return (world, chance) => `${base}/${world.pool.one(resource, chance)}${tail}`;
}

function share(weight: number, endpoints: readonly Endpoint[]): WeightedEndpoints {
  return endpoints.map((one) => [weight / endpoints.length, one]);
}

function fieldsOf({ parameters, references, options, synonyms, ignored }: AnyDefinition): Map<string, Field> {
  const targets = new Map(references.map(({ column, to }) => [column, to]));
  const fields = new Map<string, Field>();
  for (const [name, parameter] of Object.entries(parameters)) {
    fields.set(name, { parameter, to: targets.get(name) ?? null, allowed: options[name] ?? [] });
  }
  for (const [synonym, name] of Object.entries(synonyms)) {
    const field = fields.get(name);
    if (field !== undefined) fields.set(synonym, field);
  }
  for (const name of ignored) fields.set(name, plain({ kind: 'text' }));
  return fields;
}

/** Removes the parameters that would end the sessions of the run. */
function harmless(fields: ReadonlyMap<string, Field>): Map<string, Field> {
  return new Map([...fields].filter(([, { parameter }]) => parameter.kind !== 'password' && parameter.set !== 'admin'));
}

function plain(parameter: Parameter): Field {
  return { parameter, to: null, allowed: [] };
}

const SERVICE_FIELDS: Readonly<Record<string, Field>> = {
  _include_related_objects: { ...plain({ kind: 'token' }), allowed: ['1', '0', 'game', 'game,user,set', 'nothing'] },
  _include_relationships: plain({ kind: 'boolean' }),
  _page_number: plain({ kind: 'integer' }),
  _items_per_page: plain({ kind: 'integer' }),
  _sort_order: { ...plain({ kind: 'token' }), allowed: ['asc', 'desc'] },
};

function orderOf({ sortable }: AnyDefinition): Field {
  return { ...plain({ kind: 'text' }), allowed: sortable };
}

function listFields(items: AnyDefinition, reading: ReadonlyMap<string, Field>): Map<string, Field> {
  const fields = fieldsOf(items);
  const filters = items.filters.map((name) => [name, fields.get(name) ?? plain({ kind: 'text' })] as const);
  return new Map([...reading, ['_order_by', orderOf(items)], ['_cursor', plain({ kind: 'text' })], ...filters]);
}

const LOGIN: ReadonlyMap<string, Field> = new Map([
  ['username', { ...plain({ kind: 'text' }), allowed: ['demo', 'nobody'] }],
  ['password', plain({ kind: 'password' })],
  ['api_key_id', { ...plain({ kind: 'reference' }), to: 'apikey' }],
]);
const NONE: ReadonlyMap<string, Field> = new Map();

const HAND_WRITTEN: WeightedEndpoints = [
  [0.3, endpoint('POST', () => '/api/session', LOGIN)],
  [1, endpoint('GET', (world, chance) => `/api/session/${world.pool.loose('session', chance)}`, NONE)],
  [0.3, endpoint('DELETE', (world, chance) => `/api/session/${world.pool.loose('session', chance)}`, NONE)],
  [2, endpoint('GET', (world, chance) => chance.one(world.filePaths), NONE)],
  [0.3, endpoint('GET', (_world, chance) => chance.one(['/healthz', '/readyz', '/metrics']), NONE)],
];
