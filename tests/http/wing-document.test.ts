// F34: the document of the profile wing, against the tables of the decisions (D01 to D06).
import { PROFILES } from '../../runtime/http/profiles.js';
import { readDocument } from '../../runtime/server/load-generated.js';
import { errors } from '../document/errors.js';

type Json = Readonly<Record<string, unknown>>;
interface Operation {
  readonly responses: Readonly<Record<string, Json>>;
}
interface Document {
  readonly info: Json;
  readonly servers: unknown;
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, Json>>>>;
}

const text = readDocument(null).toString();
const plain = JSON.parse(text) as Document;
const wing = JSON.parse(String(PROFILES.wing.document(Buffer.from(text)))) as Document;
const operations = Object.entries(wing.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({ name: `${method} ${path}`, operation })),
);
const statusesAt = (path: string, method: string): readonly number[] =>
  Object.keys(wing.paths[path]?.[method]?.responses ?? {}).map(Number);

test('F34: plain is the generated document, and both name the server they are read from', () => {
  expect(String(PROFILES.plain.document(Buffer.from(text)))).toBe(text);
  for (const { servers } of [plain, wing]) expect(servers).toEqual([{ url: '/' }]);
  expect(plain.info.description).toContain('the profile `plain`');
  expect(wing.info.description).toContain('the profile `wing`');
  expect(wing.info.description).not.toContain('plain');
});

test('D06: a constant false becomes a constant 0', () => {
  const properties = wing.components.schemas?._paging?.properties as Readonly<Record<string, Json>> | undefined;
  expect(properties?.complete).toMatchObject({ type: 'integer', enum: [0] });
  expect(properties?.complete).not.toHaveProperty('const');
});

test('F34: wing has the operations of plain', () => {
  const names = ({ paths }: Document) =>
    Object.entries(paths).map(([path, item]) => [path, Object.keys(item)] as const);
  const related = names(wing).filter(([path]) => plain.paths[path] === undefined);
  expect(names(wing).filter(([path]) => plain.paths[path] !== undefined)).toEqual(names(plain));
  // Wing also has a path for each record that another refers to (D07).
  expect(related).toContainEqual(['/api/boxtop/{id}/game', ['get']]);
  expect(related.filter(([path]) => !/^\/api\/\w+\/\{id\}\/\w+$/.test(path))).toEqual([]);
});

/** The description of an answer, or of the component that it names. */
function descriptionOf(answers: Readonly<Record<string, Json>> | undefined, status: string): unknown {
  const { $ref, description } = answers?.[status] ?? {};
  return $ref === undefined
    ? description
    : wing.components.responses?.[String($ref).split('/').at(-1) ?? '']?.description;
}

test('D07: callers who may not write are refused alike, and a fetch may include allowed values', () => {
  for (const [path, method] of [
    ['/api/boxtop', 'post'],
    ['/api/boxtop/{id}', 'put'],
    ['/api/boxtop/{id}', 'delete'],
  ]) {
    expect(statusesAt(String(path), String(method))).toEqual(expect.arrayContaining([450]));
    expect(descriptionOf(wing.paths[String(path)]?.[String(method)]?.responses, '401')).toMatch(
      /^The token of an API key/,
    );
  }
  expect(statusesAt('/api/game/{id}/public', 'post')).toContain(401);
  const fetch = wing.paths['/api/boxtop/{id}']?.get as Partial<{ parameters: readonly Json[] }> | undefined;
  expect(fetch?.parameters).toContainEqual({ $ref: '#/components/parameters/_include_options' });
  const { boxtop, _session } = wing.components.schemas as unknown as Readonly<Record<string, { properties: object }>>;
  expect(Object.keys(boxtop?.properties ?? {})).toEqual(
    expect.arrayContaining(['object_name', 'can_view', 'can_edit', '_options']),
  );
  expect(Object.keys(_session?.properties ?? {})).not.toContain('can_view');
});

test('F34: a success is 200, in the envelope, without Location', () => {
  expect(operations.filter(({ operation }) => '201' in operation.responses)).toEqual([]);
  const inEnvelope = (answer: Json | undefined) => {
    const response = answer?.$ref === undefined ? answer : wing.components.responses?.[String(answer.$ref).slice(23)];
    const content = response?.content as Readonly<Record<string, { schema: Json }>>;
    return content['application/json']?.schema.required;
  };
  for (const { name, operation } of operations.filter((each) => each.name.includes(' /api/'))) {
    expect([name, inEnvelope(operation.responses['200'])]).toEqual([name, ['result']]);
  }
  expect(JSON.stringify(wing)).not.toContain('Location');
});

test('F34: each error has its status and body', () => {
  const { responses = {} } = wing.components;
  // Only the login reports an unknown user, with 440, which also means a missing reference there: one response for both.
  const { unknown_user: shared, ...others } = errors;
  const SHARED = [
    'unsupported_media_type',
    'idempotency_key_reused',
    'quota_exceeded',
    'invalid_token',
    'insufficient_scope',
    // No descriptor of the project asks for it.
    'precondition_required',
  ];
  const unshared = Object.fromEntries(Object.entries(others).filter(([code]) => !SHARED.includes(code)));
  const fetch = wing.paths['/api/boxtop/{id}']?.get?.responses;
  expect(descriptionOf(fetch, '401')).toMatch(/ Or: The token of an API key is unknown, expired or revoked\.$/);
  expect(descriptionOf(fetch, '450')).toMatch(/ Or: The token of an API key does not reach that far\.$/);
  const upload = wing.paths['/api/file']?.post?.responses;
  expect(descriptionOf(upload, '450')).toMatch(/ Or: The files of the user take up all the space that they may\.$/);
  const create = wing.paths['/api/boxtop']?.post?.responses;
  expect(descriptionOf(create, '400')).toMatch(/ Or: The body is of a type that the service does not read\.$/);
  expect(descriptionOf(create, '442')).toMatch(/ Or: The key was used for another request\.$/);
  expect(create?.['409']?.$ref).toBe('#/components/responses/conflict_with_key');
  expect(wing.paths['/api/boxtop/{id}']?.put?.responses['409']?.$ref).toBe('#/components/responses/conflict');
  const login = wing.paths['/api/session']?.post?.responses[String(shared.wing)];
  expect(login?.description).toBe(
    'There is no user of that name. Or: A parameter refers to a record that does not exist.',
  );
  for (const [code, { wing: status }] of Object.entries(unshared)) {
    const content = responses[code]?.content as Readonly<Record<string, { example: Json; schema: Json }>>;
    expect([code, Object.keys(content)]).toEqual([code, ['application/json']]);
    expect(content['application/json']?.example.error).toMatchObject({ code: status });
    expect(content['application/json']?.schema).toEqual({ $ref: '#/components/schemas/_error' });
  }
  expect(statusesAt('/api/boxtop', 'post')).toEqual([
    200, 400, 401, 405, 409, 413, 440, 441, 442, 443, 444, 450, 452, 500, 503, 507,
  ]);
  expect(statusesAt('/api/session', 'post')).toEqual([200, 400, 405, 413, 440, 441, 442, 452, 454, 500, 503, 507]);
  expect(statusesAt('/api/boxtop/{id}', 'get')).toEqual([200, 400, 401, 404, 413, 440, 441, 442, 450, 452, 500, 503]);
  expect(statusesAt('/healthz', 'get')).toEqual([200, 405]);
  expect(JSON.stringify(wing)).not.toContain('problem');
});

test('F34: dates and booleans', () => {
  const {
    boxtop,
    boxtop_create: create,
    boxtop_update: update,
  } = wing.components.schemas as Readonly<
    Record<string, { properties: Readonly<Record<string, Json>>; examples: readonly Json[] }>
  >;
  expect(boxtop?.properties.has_proofed_top).toMatchObject({ type: 'integer', enum: [0, 1] });
  expect(create?.properties.has_proofed_top).toMatchObject({ type: 'integer', enum: [0, 1] });
  expect(update?.properties.has_proofed_top).toMatchObject({ type: ['integer', 'null'], enum: [0, 1, null] });
  expect(boxtop?.properties.date_created).toEqual({
    type: 'string',
    pattern: '^\\d{4}-\\d{2}-\\d{2} \\d{2}:\\d{2}:\\d{2}$',
    description: 'When the record was created.',
  });
  expect(boxtop?.examples[0]).toMatchObject({
    has_proofed_top: 0,
    date_created: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
  });
  expect(wing.components.examples?.boxtop_create_all?.value).toMatchObject({ has_proofed_top: 0 });
});
