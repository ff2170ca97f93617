// Compares a response with the API document: its status, our headers, its media type and its body.

import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { allPaths } from '../support/document-paths.js';
import type { Reply, WireRequest } from './wire.js';

type Json = Readonly<Record<string, unknown>>;

interface Answer {
  readonly headers?: Json;
  readonly content?: Readonly<Record<string, { readonly schema: Json }>>;
}

export interface Document {
  readonly tags: readonly { readonly name: string; readonly 'x-old-names'?: readonly string[] }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, Json>>>>;
}

export interface Operation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly parameters?: readonly Json[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Json }>> };
  readonly responses: Readonly<Record<string, Json>>;
}

/** Headers of the service itself, without those of HTTP and the security headers, which every response has. */
const OURS = [
  ...[
    'x-request-id',
    'ignored-parameters',
    'location',
    'accept-post',
    'allow',
    'retry-after',
    'www-authenticate',
    'deprecation',
  ],
  ...['sunset', 'link', 'etag', 'content-disposition', 'accept-ranges', 'content-range'],
];

export interface Contract {
  /** How the response contradicts the document; empty for paths and methods that the document does not have. */
  violations(asked: WireRequest, reply: Reply): readonly string[];
  /** `operationId status` of every response so far. */
  readonly seen: ReadonlySet<string>;
}

export function contractOf(document: Document): Contract {
  const seen = new Set<string>();
  const problemsOf = bodyProblems(document);
  const places = allPaths(document)
    .map(([path, item]) => ({ item, pattern: patternOf(path) }))
    // A path without a variable takes precedence.
    .sort((one, other) => variables(one.pattern) - variables(other.pattern));
  return {
    seen,
    violations({ method, path }, reply) {
      const item = places.find(({ pattern }) => pattern.test(path))?.item ?? {};
      const name = method === 'HEAD' ? 'get' : method.toLowerCase();
      const operation = Object.hasOwn(item, name) ? item[name] : undefined;
      if (operation === undefined) return [];
      const { operationId = `${name} ${path}`, responses } = operation;
      seen.add(`${operationId} ${reply.status}`);
      const described = responses[String(reply.status)];
      if (described === undefined) return [`${operationId} does not document ${reply.status}`];
      const answer = resolved<Answer>(document, described);
      const wrong = [...wrongHeaders(answer, reply), ...(method === 'HEAD' ? [] : problemsOf(answer, reply))];
      return wrong.map((what) => `${operationId} ${reply.status}: ${what}`);
    },
  };
}

function patternOf(path: string): RegExp {
  return new RegExp(`^${path.replace(/[.]/g, '\\.').replace(/\{\w+\}/g, '[^/]+')}$`);
}

function variables(pattern: RegExp): number {
  return pattern.source.split('[^/]+').length;
}

function resolved<T>({ components }: Document, one: Json): T {
  if (typeof one.$ref !== 'string') return one as T;
  const [, , section = '', name = ''] = one.$ref.split('/');
  return components[section]?.[name] as T;
}

function wrongHeaders({ headers = {} }: Answer, { head }: Reply): readonly string[] {
  const sent = head
    .split('\r\n')
    .slice(1)
    .map((line) => (line.split(':', 1)[0] ?? '').toLowerCase());
  const documented = Object.keys(headers).map((name) => name.toLowerCase());
  const undocumented = OURS.filter((name) => sent.includes(name) && !documented.includes(name));
  return [
    ...undocumented.map((name) => `${name} is not documented`),
    ...(sent.includes('x-request-id') ? [] : ['there is no X-Request-Id']),
  ];
}

function bodyProblems(document: Document): (answer: Answer, reply: Reply) => readonly string[] {
  // Every component is compiled only once, not for each reference.
  const ajv = new Ajv2020({ strict: false, allErrors: true, inlineRefs: false, code: { optimize: false } });
  addFormats.default(ajv);
  ajv.addFormat('password', true);
  ajv.addSchema({ $id: 'openapi.json', components: closed(document.components) });
  const compiled = new Map<Json, ValidateFunction>();
  const validator = (schema: Json): ValidateFunction => {
    const known = compiled.get(schema) ?? ajv.compile(absolute(schema));
    compiled.set(schema, known);
    return known;
  };
  return ({ content }, { head, body }) => {
    const type = /^content-type: ([^;\r\n]+)/im.exec(head)?.[1];
    if (content === undefined) return body === '' ? [] : [`a body of ${type} is not documented`];
    const media = content[type ?? ''] ?? content['*/*'];
    if (media === undefined) return [`${type} is not documented`];
    if (!/json$/.test(type ?? '') || content['*/*'] !== undefined || /^content-encoding:/im.test(head)) return [];
    const validate = validator(media.schema);
    if (validate(JSON.parse(body))) return [];
    return (validate.errors ?? []).map(
      ({ instancePath, message }) => `${instancePath} ${message}: ${body.slice(0, 300)}`,
    );
  };
}

function absolute(schema: Json): Json {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/components/', '"openapi.json#/components/')) as Json;
}

/** Properties that the schema does not have are violations as well. */
function closed(components: Document['components']): Json {
  const schemas = Object.entries(components.schemas ?? {}).map(([name, schema]) => {
    const open = schema.properties === undefined || schema.oneOf !== undefined || schema.allOf !== undefined;
    return [
      name,
      open || schema.additionalProperties !== undefined ? schema : { ...schema, additionalProperties: false },
    ];
  });
  return { ...components, schemas: Object.fromEntries(schemas) };
}
