// Derives the API document of the profile wing from that of plain (D01 to D06).
import type { ErrorCode } from '../contract/errors.js';
import { answersOf, ERROR_BODY, type Json, type JsonObjects, mapped, nameOf } from './wing-answers.js';

export interface WingFormats {
  /** The status of each error (D04). */
  status(code: ErrorCode): number;
  /** A date as the profile writes it (D05). */
  date(milliseconds: number): string;
}

/** @param text the document of the profile plain */
export function wingDocument(text: string, formats: WingFormats): string {
  const plain = JSON.parse(text) as Json;
  const components = plain.components as Readonly<Record<string, JsonObjects>>;
  const { schemas = {}, parameters = {}, responses = {}, examples = {} } = components;
  const answers = answersOf(responses, formats.status);
  const operation = (original: Json): Json => ({
    ...original,
    ...(original.parameters === undefined ? {} : { parameters: withOptions(original.parameters as readonly Json[]) }),
    ...(original.requestBody === undefined ? {} : { requestBody: requestBody(original.requestBody as Json, formats) }),
    responses: answers.of(original.responses as JsonObjects, WRITES.test(String(original.operationId))),
  });
  const paths = { ...(plain.paths as JsonObjects), ...relatedPaths(plain.paths as JsonObjects, schemas) };
  const document = {
    ...plain,
    info: info(plain.info as Json),
    paths: mapped(paths, (item) => mapped(item as JsonObjects, operation)),
    components: {
      ...components,
      schemas: { ...mapped(schemas, (one) => withExtras(objectSchema(one, formats))), _error: ERROR_BODY },
      parameters: { ...mapped(parameters, (one) => parameter(one, formats)), _include_options: INCLUDE_OPTIONS },
      responses: answers.components,
      examples: mapped(examples, (one) => ({ ...one, value: example(one.value, formats) })),
    },
  };
  return `${JSON.stringify(withoutUnused(document), null, 2)}\n`;
}

function parameter(plain: Json, formats: WingFormats): Json {
  const shown = plain.example === undefined ? {} : { example: value(plain.example, formats) };
  return { ...plain, ...shown, schema: valueSchema(plain.schema as Json, formats) };
}

const SECTION = [
  '## Wire profile',
  '',
  'This document describes the profile `wing`, chosen by `--wire wing`. A success always has status 200 and the body',
  '`{"result": ...}`. An error is `{"error": {"code", "message", "data"}}`: only the first failure, with the status as its',
  'code. Dates are `YYYY-MM-DD HH:MM:SS` in UTC, and booleans are 0 or 1. Where a list takes bounds,',
  '`_start_<name>` and `_end_<name>` are other names of `<name>[gte]` and `<name>[lte]`. Records say the name of their',
  'type (`object_name`) and, with a session, whether it may view and edit them; what a record refers to is also at',
  '`/api/<type>/<id>/<name>`. A create, update or delete without a session, or with one that has expired, is 450.',
].join('\n');

function info(plain: Json): Json {
  return { ...plain, description: String(plain.description).replace(/## Wire profile[\s\S]*$/, SECTION) };
}

function requestBody(body: Json, formats: WingFormats): Json {
  const content = mapped(body.content as JsonObjects, (media) => {
    if (media.examples === undefined) return media;
    const examples = mapped(media.examples as JsonObjects, (one) =>
      one.value === undefined ? one : { ...one, value: example(one.value, formats) },
    );
    return { ...media, examples };
  });
  return { ...body, content };
}

const WRITES = /^(create|update|delete)(?!Session)/;

/** What includes relationships includes allowed values, too. */
function withOptions(parameters: readonly Json[]): readonly Json[] {
  const isFetch = parameters.some(({ $ref }) => nameOf($ref) === '_include_relationships');
  return isFetch ? [...parameters, { $ref: '#/components/parameters/_include_options' }] : parameters;
}

const INCLUDE_OPTIONS: Json = {
  name: '_include_options',
  in: 'query',
  description: 'Includes the allowed values of its fields as `_options`.',
  schema: { type: 'string' },
  example: '1',
};

/** Adds what a record of this profile also shows (D07). */
function withExtras(schema: Json): Json {
  const { properties } = schema as { properties?: JsonObjects };
  if (properties?.object_type?.const === undefined || properties.id === undefined) return schema;
  const right = (may: string): Json => ({
    type: 'integer',
    enum: BITS,
    description: `Whether the session may ${may} it; only with a session.`,
  });
  const ofRecords = {
    can_view: right('view'),
    can_edit: right('edit'),
    _options: { type: 'object', description: 'Allowed values by field, and their titles, if `_include_options` asks.' },
  };
  const name = { object_name: { type: 'string', const: schema.title, description: 'Name of its type.' } };
  return { ...schema, properties: { ...name, ...(properties.date_created && ofRecords), ...properties } };
}

/** A path to each record that another record refers to (D07): what a fetch of the other record can include. */
function relatedPaths(paths: JsonObjects, schemas: JsonObjects): JsonObjects {
  const entries = Object.entries(schemas).flatMap(([name, { properties = {} }]) => {
    const fetch = paths[`/api/${name}/{id}`]?.get as Json | undefined;
    const relations = Object.entries(properties as JsonObjects).filter(
      ([relation, { $ref }]) =>
        paths[`/api/${nameOf($ref)}/{id}`]?.get !== undefined && paths[`/api/${name}/{id}/${relation}`] === undefined,
    );
    if (fetch === undefined) return [];
    return relations.map(([relation, { $ref }]) => [
      `/api/${name}/{id}/${relation}`,
      { get: related(fetch, relation, $ref) },
    ]);
  });
  return Object.fromEntries(entries);
}

function related(fetch: Json, relation: string, $ref: unknown): Json {
  const responses = fetch.responses as JsonObjects;
  return {
    ...fetch,
    operationId: `${String(fetch.operationId)}_${relation}`,
    summary: `${String(fetch.summary)}: its ${relation}`,
    description: `The record itself, if \`${relation}_id\` is set and the caller may read both.`,
    parameters: [{ $ref: '#/components/parameters/id' }],
    responses: { ...responses, 200: { ...responses[200], content: { 'application/json': { schema: { $ref } } } } },
  };
}

/** Converts the properties of a record or a request, but nothing inside JSON fields. */
function objectSchema(schema: Json, formats: WingFormats): Json {
  const { properties, examples } = schema as { properties?: JsonObjects; examples?: readonly unknown[] };
  return {
    ...schema,
    ...(properties === undefined ? {} : { properties: mapped(properties, (one) => valueSchema(one, formats)) }),
    ...(examples === undefined ? {} : { examples: examples.map((one) => example(one, formats, properties)) }),
  };
}

const DATE = '^\\d{4}-\\d{2}-\\d{2} \\d{2}:\\d{2}:\\d{2}$';

function valueSchema(schema: Json, formats: WingFormats): Json {
  const { default: otherwise, format, ...rest } = schema;
  const fallback = otherwise === undefined ? {} : { default: value(otherwise, formats) };
  const types = [schema.type].flat();
  if (types.includes('boolean')) {
    const { const: only, ...others } = rest;
    const nullable = types.includes('null');
    const bits = only === undefined ? BITS : [Number(only)];
    return {
      ...others,
      type: nullable ? ['integer', 'null'] : 'integer',
      enum: nullable ? [...bits, null] : bits,
      ...fallback,
    };
  }
  return format === 'date-time' ? { ...rest, pattern: DATE, ...fallback } : schema;
}

const BITS = [0, 1];

/** @param properties of the schema: objects that have a schema of their own are converted, too */
function example(whole: unknown, formats: WingFormats, properties: JsonObjects = {}): unknown {
  if (typeof whole !== 'object' || whole === null || Array.isArray(whole)) return whole;
  const converted = (schema: Json | undefined, one: unknown): unknown => {
    if (schema?.$ref !== undefined) return example(one, formats);
    const items = schema?.items as Json | undefined;
    if (items?.$ref !== undefined && Array.isArray(one)) return one.map((item) => example(item, formats));
    return value(one, formats);
  };
  return Object.fromEntries(Object.entries(whole).map(([name, one]) => [name, converted(properties[name], one)]));
}

function value(plain: unknown, { date }: WingFormats): unknown {
  if (typeof plain === 'boolean') return Number(plain);
  const isDate = typeof plain === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/.test(plain);
  return isDate ? date(Date.parse(plain)) : plain;
}

/** Removes components that nothing refers to, except security schemes, which are referred to by name. */
function withoutUnused<T extends { readonly components: object }>({ components, ...rest }: T): Json {
  const sections = Object.entries(components as Readonly<Record<string, JsonObjects>>);
  const used = new Set<string>();
  const follow = (from: unknown): void => {
    for (const [, section = '', name = ''] of JSON.stringify(from).matchAll(REFERENCE)) {
      if (used.has(`${section}/${name}`)) continue;
      used.add(`${section}/${name}`);
      follow((components as Readonly<Record<string, JsonObjects>>)[section]?.[name] ?? {});
    }
  };
  follow(rest);
  const usedSections = sections.map(([section, all]) => {
    const entries = Object.entries(all).filter(([name]) => used.has(`${section}/${name}`));
    return [section, section === 'securitySchemes' ? all : Object.fromEntries(entries)];
  });
  return { ...rest, components: Object.fromEntries(usedSections) };
}

const REFERENCE = /"\$ref":"#\/components\/(\w+)\/([^"/]+)"/g;
