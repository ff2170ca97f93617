// The operations of a resource as the API document of the tested service describes them: the promises that the tests check.
import { memoizeByObject } from '../../generator/memoize.js';
import { count } from '../support/counts.js';
import type { Facts } from './facts.js';
import type { PropertyTrial } from './trial.js';

type Json = Readonly<Record<string, unknown>>;

export interface QueryParameter {
  readonly name: string;
  readonly schema: Json;
}

export interface PromisedOperation {
  /** The resource, or the part of the service. */
  readonly tag: string;
  readonly method: string;
  /** The path with `{id}`. */
  readonly path: string;
  /** `POST /api/boxtop` */
  readonly name: string;
  readonly takesKey: boolean;
  readonly query: readonly QueryParameter[];
  readonly statuses: readonly number[];
  /** Names of the parameters of a JSON body. */
  readonly names: readonly string[];
}

/**
 * The operations that follow from the descriptor of the resource; the routes of a module have tests of their own. The short
 * form leaves out those that an earlier resource has in the same form.
 */
export async function promisedOperations({ world, facts }: PropertyTrial): Promise<readonly PromisedOperation[]> {
  const all = operationsOnce((await world.document()) as unknown as Document);
  const ofResource = all.filter(({ tag, path }) => tag === facts.resource && !isOfModule(facts, path));
  if (count(0, 1) === 1) return ofResource;
  const before = new Set(
    all
      .slice(
        0,
        all.findIndex(({ tag }) => tag === facts.resource),
      )
      .map(formOf),
  );
  return ofResource.filter((operation) => !before.has(formOf(operation)));
}

/** Each section of a resource's test asks for them. */
const operationsOnce = memoizeByObject((document: Document) => operationsIn(document));

/** The promises of an operation, without the names of resources, lists and fields. */
function formOf({ method, path, takesKey, query, statuses }: PromisedOperation): string {
  const kinds = query.map(({ name, schema }) =>
    name.startsWith('_') ? name : `${schema.type} ${schema.format} ${'enum' in schema}`,
  );
  const words = path.replace(/[a-z]\w*/gi, (word) => (OF_EVERY_PATH.test(word) ? word : '_'));
  return JSON.stringify([method, words, takesKey, statuses, [...new Set(kinds)].sort()]);
}

const OF_EVERY_PATH = /^(api|id|bulk)$/;

/** Every operation of a document, in its order. */
export function operationsIn(document: Document): readonly PromisedOperation[] {
  return Object.entries(document.paths ?? {}).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) =>
      promisedOperation(document, { method: method.toUpperCase(), path, operation }),
    ),
  );
}

export interface Document {
  readonly paths?: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, Json>>>>;
}

interface Operation {
  readonly tags: readonly string[];
  readonly parameters?: readonly Json[];
  readonly responses: Json;
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Json }>> };
}

/** A path below a record of a module's resource that is not an action. */
function isOfModule({ resource, served_by, actions }: Facts, path: string): boolean {
  const base = `/api/${resource}/{id}/`;
  return served_by !== undefined && path.startsWith(base) && !(path.slice(base.length) in actions);
}

interface PlacedParameter {
  readonly method: string;
  readonly path: string;
  readonly operation: Operation;
}

function promisedOperation(document: Document, { method, path, operation }: PlacedParameter): PromisedOperation {
  const parameters = (operation.parameters ?? []).map((one) => resolve(document, one));
  const named = (place: string) => parameters.filter((one) => one.in === place);
  return {
    method,
    path,
    name: `${method} ${path}`,
    takesKey: named('header').some(({ name }) => name === 'Idempotency-Key'),
    query: named('query').map((one) => ({ name: String(one.name), schema: one.schema as Json })),
    statuses: Object.keys(operation.responses).map(Number),
    tag: operation.tags[0] ?? '',
    names: namesIn(document, operation.requestBody?.content['application/json']?.schema ?? {}),
  };
}

function namesIn(document: Document, schema: Json): readonly string[] {
  return Object.keys((resolve(document, schema).properties ?? {}) as Json);
}

function resolve({ components }: Document, one: Json): Json {
  if (typeof one.$ref !== 'string') return one;
  const [, , section = '', name = ''] = one.$ref.split('/');
  return components[section]?.[name] ?? {};
}
