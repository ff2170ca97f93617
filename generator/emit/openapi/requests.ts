// The schemas, bodies and examples of requests. The schema of each parameter comes from the model; validators use the same.

import { createParameters, type ResourceLookup } from '../../model/find.js';
import type { Action, JsonSchema, List, Parameter, Property, Resource } from '../../model/model.js';
import { MOST_OF_BULK } from '../../model/promises.js';
import { deprecationKeys } from './deprecations.js';
import { bytesInWords, component, type Fragment, nounsFor, sentences, withNull } from './fragment.js';

/** @returns `<resource>_create`, `<resource>_update` and one schema per action, where offered */
export function requestSchemas(resource: Resource, others: ResourceLookup): Fragment {
  const { name, title, operations, parameters } = resource;
  const schema = (base: JsonSchema, of: readonly Parameter[]) => bodySchema(base, { parameters: of, resource, others });
  const taken = createParameters(parameters);
  const create = () => ({ title: `${title}: create`, ...schema(createSchema(taken), taken) });
  const update = () => ({ title: `${title}: update`, ...schema(updateSchema(parameters), parameters) });
  return {
    ...(operations.create === null ? {} : { [`${name}_create`]: create() }),
    ...(operations.update === null ? {} : { [`${name}_update`]: update() }),
    ...Object.fromEntries(
      resource.actions
        .filter(({ sets }) => sets === null)
        .map((action) => [
          `${name}_${action.name}`,
          { title: `${title}: ${action.title}`, ...schema(createSchema(action.parameters), action.parameters) },
        ]),
    ),
  };
}

/** The parameters of a create request, as JSON Schema. */
function createSchema(parameters: readonly Parameter[]): JsonSchema {
  return objectSchema(
    createParameters(parameters),
    ({ requiredOnCreate }) => requiredOnCreate,
    ({ schema }) => withoutDefault(schema),
  );
}

/** The parameters of an update request: none is required unless the descriptor says so, and optional ones may be null. */
function updateSchema(parameters: readonly Parameter[]): JsonSchema {
  return objectSchema(
    parameters,
    ({ requiredOnUpdate }) => requiredOnUpdate,
    ({ schema, requiredOnCreate }) => (requiredOnCreate ? schema : withNull(withoutDefault(schema))),
  );
}

/** Client generators treat a parameter with a default as always present, so the default is stated in the text. */
function withoutDefault({ default: _, ...schema }: JsonSchema): JsonSchema {
  return schema;
}

function objectSchema(
  parameters: readonly Parameter[],
  required: (parameter: Parameter) => boolean,
  schema: (parameter: Parameter) => JsonSchema,
): JsonSchema {
  const names = parameters.filter(required).map(({ name }) => name);
  return {
    type: 'object',
    properties: Object.fromEntries(parameters.map((parameter) => [parameter.name, schema(parameter)])),
    ...(names.length === 0 ? {} : { required: names }),
  };
}

interface Body {
  readonly parameters: readonly Parameter[];
  readonly resource: Resource;
  readonly others: ResourceLookup;
}

function bodySchema(base: JsonSchema, body: Body): JsonSchema {
  const { required, ...rest } = base as { required?: readonly string[]; properties: Record<string, JsonSchema> };
  const described = body.parameters.map((parameter) => [
    parameter.name,
    {
      description: parameterText(parameter, body),
      ...rest.properties[parameter.name],
      ...deprecationKeys(parameter.deprecation),
    },
  ]);
  const synonyms = body.parameters.flatMap(({ name, synonyms: others, deprecation }) => {
    const same = {
      description: `Another name for ${name}.`,
      ...rest.properties[name],
      ...deprecationKeys(deprecation),
    };
    return others.map((other) => [other, same]);
  });
  const properties = Object.fromEntries([...described, ...synonyms]);
  return { ...rest, properties, ...needed(required ?? [], body.parameters) };
}

/** The required parameters; if one has synonyms, any of its names will do. */
function needed(names: readonly string[], parameters: readonly Parameter[]): Fragment {
  const others = new Map(parameters.map(({ name, synonyms }) => [name, synonyms]));
  const plain = names.filter((name) => others.get(name)?.length === 0);
  const choices = names
    .filter((name) => !plain.includes(name))
    .map((name) => ({ anyOf: [name, ...(others.get(name) ?? [])].map((one) => ({ required: [one] })) }));
  return {
    ...(plain.length === 0 ? {} : { required: plain }),
    ...(choices.length === 0 ? {} : { allOf: choices }),
  };
}

function parameterText(parameter: Parameter, { resource, others }: Body): string {
  const reference = resource.references.find(({ column }) => column === parameter.name);
  const accepted = reference?.accepts ? `Accepted file types: ${reference.accepts.join(', ')}.` : '';
  return sentences(
    parameter.description,
    reference ? `Id of ${targetText(reference.need, nounsFor(others, reference.to).a)}.` : '',
    accepted,
    defaultText(parameter),
    parameter.synonyms.length === 0 ? '' : `Also accepted as ${parameter.synonyms.join(', ')}.`,
    wordsText(parameter),
    parameter.set === 'admin' ? 'Only administrators can set it.' : '',
  );
}

function wordsText({ words = {} }: Parameter): string {
  const each = Object.entries(words).map(([word, value]) => `the text \`${word}\` is ${value}`);
  return each.length === 0 ? '' : `Here ${each.join(', ')}.`;
}

/** Empty if the description says what happens, or if there is no default. */
function defaultText({ schema }: Parameter): string {
  return schema.default === undefined ? '' : `By default ${JSON.stringify(schema.default)}.`;
}

/** Names the target, and the right that the caller must have on it (D16). */
function targetText(need: string, a: string): string {
  if (need === 'exists') return a;
  return `${a} ${NEEDS[need] ?? `on which the caller has the right \`${need}\``}`;
}

const NEEDS: Readonly<Record<string, string>> = {
  read: 'that the caller may read',
  use: 'that the caller owns',
  edit: 'that the caller may edit',
};

/** The request body of a create: JSON, a form, or multipart; only multipart with an upload. */
export function createBody(resource: Resource): Fragment {
  const { name, parameters, upload } = resource;
  if (upload !== null) return uploadBody(resource, upload);
  const examples = requestExamples(`${name}_create`, parameters);
  const schema = component('schemas', `${name}_create`);
  return body({ schema, examples, parameters, required: isRequired(parameters) });
}

/** The request body of several creates, each of which may leave out the parent. */
export function bulkBody({ name, by }: Pick<List, 'name' | 'by'>, item: Fragment, resource: Resource): Fragment {
  const parameters = resource.parameters.filter((parameter) => parameter.name !== by);
  const [example] = requestExamples(`${resource.name}_create`, parameters);
  const list = {
    type: 'array',
    minItems: 1,
    maxItems: MOST_OF_BULK,
    items: { type: 'object', description: `As in ${String(item.$ref)}.` },
  };
  const schema = { type: 'object', required: [name], properties: { [name]: list } };
  const examples = example === undefined ? {} : { examples: { one: { value: { [name]: [example.value] } } } };
  return { required: true, content: { 'application/json': { schema, ...examples } } };
}

function uploadBody({ name, parameters }: Resource, upload: { part: string; maxBytes: number }): Fragment {
  const description = `The file, at most ${bytesInWords(upload.maxBytes)}.`;
  const bytes = { type: 'string', format: 'binary', description };
  const part = { type: 'object', required: [upload.part], properties: { [upload.part]: bytes } };
  const examples = requestExamples(`${name}_create`, parameters).map(({ key, summary, value }) => [
    key,
    { summary, value: { [upload.part]: '(bytes)', ...value } },
  ]);
  const schema = { allOf: [component('schemas', `${name}_create`), part] };
  return { required: true, content: { 'multipart/form-data': { schema, examples: Object.fromEntries(examples) } } };
}

/** The request body of an update (D18). */
export function updateBody({ name, parameters }: Resource): Fragment {
  const required = parameters.some(({ requiredOnUpdate }) => requiredOnUpdate);
  const examples = updateExamples(`${name}_update`, parameters);
  return body({ schema: component('schemas', `${name}_update`), examples, parameters, required });
}

/** The same body as JSON only; a null member clears a value in either form (D58). */
export function patchBody(resource: Resource): Fragment {
  const { content, ...rest } = updateBody(resource) as { readonly content: Fragment };
  const media = content['application/json'];
  return { ...rest, content: { 'application/json': media, 'application/merge-patch+json': media } };
}

export function actionBody(resource: Resource, { name, parameters }: Action): Fragment {
  const schema = component('schemas', `${resource.name}_${name}`);
  const examples = requestExamples(`${resource.name}_${name}`, parameters);
  return body({ schema, examples, parameters, required: isRequired(parameters) });
}

function isRequired(parameters: readonly Parameter[]): boolean {
  return parameters.some(({ requiredOnCreate }) => requiredOnCreate);
}

interface Content {
  readonly schema: Fragment;
  readonly examples: readonly NamedExample[];
  readonly parameters: readonly Parameter[];
  readonly required: boolean;
}

function body({ schema, examples, parameters, required }: Content): Fragment {
  const named = Object.fromEntries(examples.map(({ key, name }) => [key, component('examples', name)]));
  const media = { schema, ...(examples.length === 0 ? {} : { examples: named }) };
  // In forms, a value that is not a scalar is sent as JSON text.
  const json = parameters.filter(({ structured }) => structured).map(({ name }) => name);
  const encoding = Object.fromEntries(json.map((name) => [name, { contentType: 'application/json' }]));
  const form = json.length === 0 ? media : { ...media, encoding };
  return {
    required,
    content: {
      'application/json': media,
      'application/x-www-form-urlencoded': form,
      'multipart/form-data': form,
    },
  };
}

/** A record as its editors see it, with all values set. */
export function recordExample(resource: Resource, others: ResourceLookup): Fragment {
  const shown = resource.properties.filter(({ view }) => view !== 'nobody' && view !== 'created');
  return Object.fromEntries(shown.map((property) => [property.name, propertyExample(property, others)]));
}

/** The brief description of a record that other records show. */
export function briefExample(resource: Resource): Fragment {
  const shown = resource.brief.map((name) => resource.properties.find((property) => property.name === name));
  return Object.fromEntries(shown.flatMap((property) => (property ? [[property.name, property.example ?? null]] : [])));
}

interface NamedExample {
  /** Name of the component. */
  readonly name: string;
  readonly key: 'required' | 'all' | 'change';
  readonly summary: string;
  readonly value: Fragment;
}

/** A create or action with the required parameters, and one with all of them; one example if both are the same. */
function requestExamples(name: string, of: readonly Parameter[]): readonly NamedExample[] {
  const parameters = createParameters(of);
  const required = parameters.filter(({ requiredOnCreate }) => requiredOnCreate);
  const all = { name: `${name}_all`, key: 'all', summary: 'All parameters', value: values(parameters) } as const;
  if (required.length === parameters.length) return [all];
  const minimal = { key: 'required', summary: 'What is required', value: values(required) } as const;
  return [{ name: `${name}_required`, ...minimal }, all];
}

/** An update of all required parameters, or else of the first parameter that is not a reference. */
function updateExamples(name: string, parameters: readonly Parameter[]): readonly NamedExample[] {
  const required = parameters.filter(({ requiredOnUpdate }) => requiredOnUpdate);
  const simple = parameters.filter(({ refers }) => !refers);
  const changed = required.length > 0 ? required : [...simple, ...parameters].slice(0, 1);
  if (changed.length === 0) return [];
  return [{ name: `${name}_change`, key: 'change', summary: 'A change', value: values(changed) }];
}

/** Every example of the requests of a resource, for the components; the example of an upload is beside its part. */
export function allRequestExamples(resource: Resource): readonly NamedExample[] {
  const { name, operations, parameters, actions, upload } = resource;
  return [
    ...(operations.create === null || upload !== null ? [] : requestExamples(`${name}_create`, parameters)),
    ...(operations.update === null ? [] : updateExamples(`${name}_update`, parameters)),
    ...actions
      .filter(({ sets }) => sets === null)
      .flatMap((action) => requestExamples(`${name}_${action.name}`, action.parameters)),
  ];
}

function values(parameters: readonly Parameter[]): Fragment {
  return Object.fromEntries(parameters.map(({ name, example }) => [name, example]));
}

const BRIEF = /^#\/components\/schemas\/(.+)_brief$/;

/** A property without an example is either a brief description or not set. */
function propertyExample({ schema, example }: Property, others: ResourceLookup): unknown {
  if (example !== undefined) return example;
  const described = BRIEF.exec(String(schema.$ref))?.[1];
  const target = described === undefined ? undefined : others.find(described);
  return target ? briefExample(target) : null;
}
