// Plans requests from the API document with a seed: every operation, valid and invalid parameters, every encoding.

import type { Chance } from '../support/chance.js';
import type { RecordedRequest, Value } from './exchange.js';

/** The part of an OpenAPI 3.1 document that the plan reads. */
export interface ApiDocument {
  readonly tags: readonly { readonly name: string; readonly 'x-displayName'?: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly parameters: Readonly<Record<string, Parameter>>;
  };
}
interface Ref {
  readonly $ref: string;
}
export interface Operation {
  readonly parameters?: readonly (Ref | Parameter)[];
  readonly requestBody?: Ref | { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
}
interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly schema: Schema;
}
export interface Schema {
  readonly $ref?: string;
  readonly allOf?: readonly Schema[];
  readonly type?: string | readonly string[];
  readonly enum?: readonly Value[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly pattern?: string;
  readonly format?: string;
  readonly default?: Value;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly description?: string;
}

/** An operation with the parameters that a request to it may have. */
export interface Target {
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, Schema>>;
  readonly body: Schema | null;
  readonly encodings: readonly string[];
}

/** Names of ids in previous responses, by resource. */
export type KnownIds = ReadonlyMap<string, readonly string[]>;

/** Resources by their titles in lower case. */
export function titlesOf({ tags }: ApiDocument): ReadonlyMap<string, string> {
  return new Map(tags.map((tag) => [tag['x-displayName']?.toLowerCase() ?? tag.name, tag.name]));
}

/** Paths whose responses depend on the clock or the process. */
const NOT_RECORDED = ['/metrics', '/files/{id}/{key}'];

export function targetsOf(document: ApiDocument): readonly Target[] {
  return Object.entries(document.paths)
    .filter(([path]) => !NOT_RECORDED.includes(path))
    .flatMap(([path, operations]) =>
      Object.entries(operations).map(([method, operation]) =>
        targetOf(document, operation, method.toUpperCase(), path),
      ),
    );
}

function targetOf(document: ApiDocument, operation: Operation, method: string, path: string): Target {
  const parameters = (operation.parameters ?? []).map((one) => resolved(document, one) as Parameter);
  const query = parameters.filter((one) => one.in === 'query').map(({ name, schema }) => [name, schema]);
  const body = operation.requestBody && (resolved(document, operation.requestBody) as { content: Content });
  const [first] = Object.values(body?.content ?? {});
  const schema = first === undefined ? null : merged(document, first.schema);
  return { method, path, query: Object.fromEntries(query), body: schema, encodings: Object.keys(body?.content ?? {}) };
}

/** The parameters of an upload are those of the record, with the file beside them. */
function merged(document: ApiDocument, schema: Schema): Schema {
  const first = schema.allOf?.[0] ?? schema;
  return resolved(document, first) as Schema;
}

type Content = Readonly<Record<string, { readonly schema: Schema }>>;

function resolved(document: ApiDocument, value: object): unknown {
  if (!('$ref' in value) || typeof value.$ref !== 'string') return value;
  return value.$ref
    .slice(2)
    .split('/')
    .reduce<unknown>((at, key) => (at as Record<string, unknown>)[key], document);
}

export interface Situation {
  readonly known: KnownIds;
  readonly titles: ReadonlyMap<string, string>;
  readonly chance: Chance;
  /** Users with a session. */
  readonly people: readonly string[];
  /** Whether the request must succeed, since later requests need the record. */
  readonly sure: boolean;
}

/** One request to the operation, most often a valid one. */
export function requestTo(target: Target, situation: Situation): RecordedRequest {
  const { chance } = situation;
  const { method } = target;
  const parameters = parametersOf(target, situation);
  const as = encodingOf(target, chance);
  const who = situation.sure
    ? 'ada'
    : chance.weighted<string | null>([
        [8, 'ada'],
        [2, chance.one(situation.people)],
        [method === 'GET' ? 3 : 0.5, null],
      ]);
  const session =
    who === null ? {} : { session: { of: who, in: chance.happens(0.5) ? 'bearer' : 'parameter' } as const };
  const tunnelled = ['PUT', 'DELETE'].includes(method) && chance.happens(0.1);
  return {
    method: tunnelled ? 'POST' : method,
    path: pathOf(target, situation),
    ...session,
    ...(Object.keys(parameters).length > 0 ? { as, parameters } : { as }),
    ...(tunnelled ? { headers: { 'x-http-method': method } } : {}),
    ...fileOf(target, situation),
  };
}

function encodingOf({ method, body, encodings }: Target, chance: Chance): NonNullable<RecordedRequest['as']> {
  if (body === null) return method === 'GET' || chance.happens(0.5) ? 'query' : 'form';
  if (encodings.length === 1) return 'multipart';
  return chance.weighted([
    [5, 'json'],
    [3, 'form'],
    [1, 'multipart'],
    [1, 'query'],
  ]);
}

function pathOf({ method, path }: Target, { known, chance }: Situation): string {
  const resource = /^(?:\/api)?\/(\w+)/.exec(path)?.[1] ?? '';
  const ownIds = known.get(RESOURCE_OF[resource] ?? resource) ?? [];
  const open = method === 'DELETE' ? ownIds.slice(KEPT) : ownIds.slice(-2 * KEPT);
  const allIds = [...known.values()].flat();
  const id = chance.weighted<string>([
    [9, open.length === 0 ? NOBODY : chance.one(open)],
    [method === 'DELETE' ? 0 : 0.7, allIds.length === 0 ? NOBODY : chance.one(allIds)],
    [0.3, NOBODY],
  ]);
  return path.replace('{id}', id);
}

/** The number of records of each resource that are never deleted, so that others can refer to them. */
const KEPT = 4;
const NOBODY = 'zz0123456789abcdefghjkmnpq';

/** Paths whose first part is not the resource that they serve (D32). */
const RESOURCE_OF: Readonly<Record<string, string>> = { download: 'gamedownload' };

/** Orders that depend on timing or chance. */
const UNSTABLE_ORDER = /^date_updated$|_id$/;

/** Changing these would leave the rest of the run without sessions. */
const ENDS_SESSIONS = /password$/;

function parametersOf({ method, query, body }: Target, situation: Situation): Readonly<Record<string, Value>> {
  const { chance } = situation;
  const schemas = { ...query, ...body?.properties };
  const required = body?.required ?? [];
  const share = situation.sure ? 0 : chance.one(method === 'POST' ? [0, 0.3, 1] : [0, 0.15, 0.3]);
  const careless = !situation.sure && chance.happens(0.2);
  const sent: Record<string, Value> = {};
  for (const [name, schema] of Object.entries(schemas)) {
    if (name === 'session_id' || (method === 'PUT' && ENDS_SESSIONS.test(name)) || (careless && chance.happens(0.2)))
      continue;
    if (!required.includes(name) && !chance.happens(share)) continue;
    const value = careless && chance.happens(0.3) ? badValue(chance) : goodValue(name, schema, situation);
    if (value !== undefined) sent[name] = value;
  }
  if (!situation.sure && chance.happens(0.06)) sent[chance.one(['nmae', 'Quantity', '_include', 'id'])] = 'x';
  return sent;
}

function goodValue(name: string, schema: Schema, situation: Situation): Value | undefined {
  const { chance } = situation;
  if (name === '_cursor') return undefined;
  if (name === '_order_by') return chance.one((schema.enum ?? []).filter((one) => !UNSTABLE_ORDER.test(String(one))));
  if (name === '_include_related_objects') return chance.one(['1', 'true', 'game', 'user,game', 'set']);
  if (schema.enum !== undefined) return chance.one(schema.enum);
  if (name.endsWith('_id')) return idOf(name, schema, situation);
  if (name === 'username') return chance.one([...situation.people, `user ${chance.below(1000)}`]);
  if (name === 'password') return 'correct horse battery';
  if (schema.format === 'uri') return `<receiver>/${chance.below(5)}`;
  return plainValue(schema, situation);
}

/** The description of a reference names its target; without a known id the parameter is omitted. */
function idOf(name: string, schema: Schema, { known, titles, chance, sure }: Situation): Value | undefined {
  const title = /Id of an? ([^.]+?)(?: that .*)?\./.exec(schema.description ?? '')?.[1]?.toLowerCase() ?? '';
  const named = titles.get(title) ?? name.slice(0, -'_id'.length);
  const ids = known.get(named) ?? (name === 'owner_id' ? known.get(chance.one(['user', 'designer'])) : undefined);
  if (!sure && chance.happens(0.03)) return NOBODY;
  if (ids === undefined) return undefined;
  return named === 'user' && chance.happens(0.8) ? ids[0] : chance.one(ids.slice(0, sure ? 1 : KEPT));
}

function plainValue(schema: Schema, situation: Situation): Value {
  const { chance } = situation;
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  if (type === 'integer')
    return chance.one([
      schema.minimum ?? 0,
      Math.min(schema.maximum ?? 9, (schema.minimum ?? 0) + 6),
      String(schema.minimum ?? 0),
    ]);
  if (type === 'boolean') return chance.one<Value>([true, false, 1, '0', 'true']);
  if (type === 'array') return schema.items === undefined ? [] : [objectOf(schema.items, situation)];
  if (type === 'object') return schema.properties === undefined ? { move: 'e2e4' } : objectOf(schema, situation);
  if (schema.pattern !== undefined) return chance.one(['12.5', '0', '7']);
  return chance
    .one(['Outer box', 'Zoë’s <b>dice</b> & "pieces"', `Name ${chance.below(100)}`])
    .slice(0, schema.maxLength);
}

function objectOf(schema: Schema, situation: Situation): Value {
  const names = Object.entries(schema.properties ?? {}).filter(
    ([name]) => schema.required?.includes(name) || situation.chance.happens(0.5),
  );
  return Object.fromEntries(names.map(([name, one]) => [name, goodValue(name, one, situation) ?? null]));
}

function badValue(chance: Chance): Value {
  return chance.one<Value>([
    null,
    '',
    -1,
    100,
    1e9,
    1.5,
    true,
    'x'.repeat(300),
    [],
    {},
    ['a', 'b'],
    'nobody',
    '12.34567',
    'javascript:0',
  ]);
}

function fileOf({ path, encodings }: Target, { chance, sure }: Situation): Pick<RecordedRequest, 'file'> {
  if (encodings.length !== 1 || (!sure && chance.happens(0.05))) return {};
  const content = chance.weighted([
    [6, 'png'],
    [sure ? 0 : 2, 'svg'],
    [sure ? 0 : 1, 'text'],
    [sure ? 0 : 0.5, 'empty'],
  ]);
  return { file: { part: path === '/api/file' ? 'file' : 'other', name: `picture.${content}`, content } };
}
