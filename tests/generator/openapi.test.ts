// The API document against the tables of the service document: parameters, fields, errors, events.

import { openapiText } from '../../generator/emit/openapi/document.js';
import { createParameters } from '../../generator/model/find.js';
import { aroundParameters } from '../document/around-parameters.js';
import { errors } from '../document/errors.js';
import { callbackTypes, events, formParameters, messageKeys } from '../document/events.js';
import { limits } from '../document/limits.js';
import { documentedParameters } from '../document/parameters.js';
import { records } from '../document/resources.js';
import { ajv, at } from './openapi-ajv.js';
import { generated, type OpenApi, operationAt } from './openapi-document.js';

const { text, model } = generated();
const document = JSON.parse(text) as OpenApi;
const { schemas } = document.components;
const parametersOf = { ...documentedParameters, ...aroundParameters };

describe('requests', () => {
  const offered = Object.entries(parametersOf);

  test.each(offered)('%s: required, optional and other names', (name, { required, optional, synonyms }) => {
    // The part of an upload is not in the schema but beside it, in the multipart body.
    const needed = required.filter((parameter) => !(name === 'file' && parameter === 'file'));
    const synonymNames = Object.keys(synonyms);
    const schema = schemas[`${name}_create`];
    const either = Object.entries(synonyms).filter(([, original]) => needed.includes(original));
    const always = needed.filter((parameter) => !either.some(([, original]) => original === parameter));
    expect([...(schema?.required ?? [])].sort()).toEqual(always.sort());
    const choices = either.map(([synonym, original]) => ({
      anyOf: [{ required: [original] }, { required: [synonym] }],
    }));
    expect(schema?.allOf ?? []).toEqual(choices);
    expect(Object.keys(schema?.properties ?? {}).sort()).toEqual([...needed, ...optional, ...synonymNames].sort());
  });

  test('parameters without effect are mentioned in the description only', () => {
    const description = String(operationAt(document, 'POST', '/api/boxtop')?.description);
    expect(description).toContain('Accepted without effect: `bottom_id`, `has_proofed_bottom`.');
  });

  test('update requires nothing', () => {
    expect(schemas.boxtop_update?.required).toBeUndefined();
    expect(schemas.boxtop_update?.properties?.top_id?.type).toEqual(['string', 'null']);
    expect(schemas.boxtop_update?.properties?.name?.type).toBe('string');
  });

  test('update of a web hook requires all', () => {
    const listed = ['owner_class', 'owner_id', 'event', 'callback_uri', 'api_key_id'];
    expect(schemas.webhook_update?.required).toEqual(listed);
  });

  test('the schemas are those of the model', () => {
    for (const { name, parameters, operations: of } of model.resources) {
      if (of.create === null) continue;
      for (const parameter of createParameters(parameters)) {
        const { description, ...schema } = schemas[`${name}_create`]?.properties?.[parameter.name] ?? {};
        const { default: fallback, ...same } = parameter.schema;
        expect({ [`${name}.${parameter.name}`]: schema }).toEqual({ [`${name}.${parameter.name}`]: same });
        if (fallback !== undefined) expect(description).toContain(`By default ${JSON.stringify(fallback)}.`);
      }
    }
  });

  test.each(limits.filter(({ parameter }) => parameter !== 'free'))('$resource.$parameter: limits', (limit) => {
    const accepts = ajv(document).compile(at(`${limit.resource}_create`, limit.parameter));
    // Numbers as text, and U+0000, are left to the conversion (D20).
    const converted = (values: typeof limit.accepts) => {
      const type = limit.parameter === 'share_percent' ? 'string' : typeof limit.accepts[0];
      return values.filter((value) => typeof value === type && !String(value).includes('\u0000'));
    };
    expect(converted(limit.accepts).filter((value) => !accepts(value))).toEqual([]);
    expect(converted(limit.refuses).filter((value) => accepts(value))).toEqual([]);
  });

  test('a body is described in every encoding that its operation accepts', () => {
    expect(Object.keys(operationAt(document, 'POST', '/api/boxtop')?.requestBody?.content ?? {})).toEqual([
      'application/json',
      'application/x-www-form-urlencoded',
      'multipart/form-data',
    ]);
    const upload = operationAt(document, 'POST', '/api/file')?.requestBody?.content ?? {};
    expect(Object.keys(upload)).toEqual(['multipart/form-data']);
    expect(JSON.stringify(upload)).toContain(
      '"file":{"type":"string","format":"binary","description":"The file, at most 50 MiB."',
    );
  });
});

describe('records', () => {
  test.each(Object.entries(records))('%s: fields', (name, { fields, related }) => {
    const properties = schemas[name]?.properties ?? {};
    const shown = Object.entries(fields).filter(([, { type }]) => type !== 'password');
    const described = shown.filter(([, { type }]) => type === 'description').map(([field]) => field);
    const included = Object.keys(related).filter((relation) => !described.includes(relation));
    const expected = [...shown.map(([field]) => field), ...included, '_relationships'];
    expect(Object.keys(properties).sort()).toEqual(expected.sort());
  });

  test.each(Object.entries(records))('%s: properties that not everyone sees are not required', (name, { fields }) => {
    const required = new Set(schemas[name]?.required ?? []);
    for (const [field, { view, whenSet, type }] of Object.entries(fields)) {
      if (type === 'password') continue;
      expect({ [field]: required.has(field) }).toEqual({ [field]: view === undefined && whenSet !== true });
      const description = String(schemas[name]?.properties?.[field]?.description);
      if (view !== undefined) expect(description).toMatch(/Visible to|Shown only/);
    }
  });

  test('a related file has a brief description', () => {
    expect(schemas.file_brief?.required).toEqual([
      'id',
      'name',
      'file_type',
      'file_size',
      'image_width',
      'image_height',
      'file_uri',
    ]);
    expect(schemas.boxtop?.properties?.top?.$ref).toBe('#/components/schemas/file_brief');
  });
});

describe('errors', () => {
  test('each error code has the status of the decisions', () => {
    const codes = Object.values(document.components.responses).flatMap((response) => codesOf(response));
    // No descriptor here has `match: required`.
    const { precondition_required: _, ...declared } = errors;
    const expected = Object.entries(declared).filter(([, { plainCode }]) => plainCode === undefined);
    expect(Object.fromEntries(codes)).toEqual(Object.fromEntries(expected.map(([code, { plain }]) => [code, plain])));
  });
});

/** Each code that a response names, with the status of its example. */
function codesOf(response: Readonly<Record<string, unknown>>): readonly (readonly [string, number])[] {
  const content = response.content as Record<string, { example: { status: number } }> | undefined;
  const example = content?.['application/problem+json']?.example;
  if (example === undefined) return [];
  const codes = /`code`: (.*)\.$/.exec(String(response.description))?.[1] ?? '';
  return codes.split(', ').map((code) => [code.replaceAll('`', ''), example.status] as const);
}

describe('callbacks', () => {
  test.each(Object.entries(events))('%s', (name, { ownerClass, payload }) => {
    const form = schemas[`${name}_callback`];
    expect(Object.keys(form?.properties ?? {})).toEqual([...formParameters]);
    const message = schemas[`${name}_message`];
    expect(Object.keys(message?.properties ?? {})).toEqual([...messageKeys]);
    expect(message?.properties?.owner_class?.const).toBe(ownerClass);
    expect(message?.properties?.type?.enum).toEqual(Object.keys(callbackTypes));
    const carried = JSON.stringify(message?.oneOf);
    const leaves = 'record' in payload ? [`#/components/schemas/${payload.record}`] : Object.keys(payload);
    for (const leaf of leaves) expect(carried).toContain(`"${String(leaf).split('.').pop()}"`);
  });

  test('webhooks has one entry for each event', () => {
    expect(Object.keys(document.webhooks)).toEqual(Object.keys(events).sort());
    expect(JSON.parse(openapiText(model, [])).webhooks).toBeUndefined();
  });
});
