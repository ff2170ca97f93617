// Every example of the API document is valid by its schema.
import { ajv, at } from './openapi-ajv.js';
import { generated, type Media, type OpenApi, operations } from './openapi-document.js';

const document = JSON.parse(generated().text) as OpenApi;
const { schemas } = document.components;

/** The problems of the examples in the component schemas with these names. */
function wrongRecords(of: OpenApi, names: readonly string[]): readonly string[] {
  const validator = ajv(of);
  return names.flatMap((name) => {
    const { examples = [] } = of.components.schemas[name] ?? {};
    const validate = validator.compile(at(name));
    return examples.flatMap((example) =>
      validate(example) ? [] : [`${name}: ${validator.errorsText(validate.errors)}`],
    );
  });
}

/** The examples of a request, with those of the components resolved. */
function valuesOf({ example, examples = {} }: Media): readonly unknown[] {
  const named = Object.values(examples).map(({ $ref, value }) =>
    $ref === undefined ? value : document.components.examples[$ref.replace(/^.*\//, '')]?.value,
  );
  return example === undefined ? named : [example, ...named];
}

function bodies(): readonly (readonly [string, Media])[] {
  return operations(document).flatMap(({ operationId, requestBody }) =>
    Object.entries(requestBody?.content ?? {}).map(([type, media]) => [`${operationId} ${type}`, media] as const),
  );
}

test('every record has an example', () => {
  const without = Object.keys(schemas).filter((name) => /^[a-z0-9]+$/.test(name) && !schemas[name]?.examples);
  expect(without).toEqual([]);
});

test('the examples of records and responses are valid', () => {
  expect(wrongRecords(document, Object.keys(schemas))).toEqual([]);
});

test('a wrong example is reported', () => {
  const broken = structuredClone(document);
  const example = broken.components.schemas.boxtop?.examples?.[0] as Record<string, unknown>;
  example.quantity = 100;
  expect(wrongRecords(broken, ['boxtop'])).toEqual([expect.stringMatching(/^boxtop: .*quantity.* <= 99/)]);
});

test('every body has an example', () => {
  expect(bodies().length).toBeGreaterThan(60);
  expect(bodies().filter(([, media]) => valuesOf(media).length === 0)).toEqual([]);
});

test('the examples of requests are valid', () => {
  // References inside a body are relative to the root of the document.
  const validator = ajv(document);
  const inDocument = (schema: object) =>
    JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"openapi.json#/')) as object;
  const wrong = bodies().flatMap(([name, media]) => {
    const validate = validator.compile(inDocument(media.schema));
    const bad = valuesOf(media).filter((value) => !validate(value));
    return bad.map((value) => `${name}: ${JSON.stringify(value)}`);
  });
  expect(wrong).toEqual([]);
});
