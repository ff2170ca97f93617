// The API document against the tables of the service document: paths, operations, sessions, statuses.
import { gameLists } from '../document/lists.js';
import { documentedParameters } from '../document/parameters.js';
import { paths, sessionRequired, successStatus, webhookPaths } from '../document/paths.js';
import { documented } from '../document/resources.js';
import { generated, type OpenApi, operationAt, operations } from './openapi-document.js';

const { text, model } = generated();
const document = JSON.parse(text) as OpenApi;
const { schemas } = document.components;

function undocumentedForms(of: OpenApi): readonly string[] {
  const forms = [...paths, ...webhookPaths].filter(({ method, path }) => operationAt(of, method, path) === undefined);
  return forms.map(({ method, path }) => `${method} ${path}`);
}

describe('paths', () => {
  test('contain every form of the service document', () => {
    expect(undocumentedForms(document)).toEqual([]);
  });

  test('a missing form is reported', () => {
    const { '/api/download/{id}': _, ...rest } = document.paths;
    expect(undocumentedForms({ ...document, paths: rest })).toEqual(['GET /api/download/{id}']);
  });

  test('aliases are in addition to the general paths', () => {
    const bare = Object.keys(document.paths).filter((path) => !path.startsWith('/api/'));
    expect(bare.sort()).toEqual([
      '/booklet/{id}',
      '/bookletpage/{id}',
      '/coilbook/{id}',
      '/files/{id}/{key}',
      '/healthz',
      '/metrics',
      '/openapi.json',
      '/readyz',
      '/scorepad',
      '/scorepad/{id}',
    ]);
    expect(Object.keys(document.paths['/booklet/{id}'] ?? {})).toEqual(['delete']);
    expect(Object.keys(document.paths['/api/download/{id}'] ?? {})).toEqual(['get']);
  });

  test('a path that two resources share names both', () => {
    const shared = operationAt(document, 'DELETE', '/api/designer/{id}');
    expect(shared?.tags).toEqual(['designer', 'designerassociate']);
    expect(shared?.operationId).toBe('deleteDesigner');
    expect(shared?.description).toContain('\n\nDelete a designer associate: ');
  });

  test('operations that are not offered are missing', () => {
    expect(operationAt(document, 'PUT', '/api/receipt/{id}')).toBeUndefined();
    expect(operationAt(document, 'DELETE', '/api/receipt/{id}')).toBeUndefined();
    expect(operationAt(document, 'DELETE', '/api/user/{id}')).toBeUndefined();
    expect(schemas.receipt_update).toBeUndefined();
  });

  test('old names are listed with their type', () => {
    expect(document.tags.find(({ name }) => name === 'tuckbox')?.['x-old-names']).toContain('pokertuckbox54');
    expect(Object.keys(document.paths).filter((path) => path.startsWith('/api/pokertuckbox54'))).toEqual([]);
    expect(document.info.description).toContain('`x-old-names`');
  });

  test('every resource offers its options', () => {
    for (const { name } of model.resources) expect(document.paths[`/api/${name}/_options`]?.get).toBeDefined();
  });

  test('lists are at the paths of the service document', () => {
    const ofGame = Object.values(gameLists).flatMap((lists) => Object.keys(lists));
    const below = Object.entries(documented).flatMap(([name, { lists }]) =>
      Object.keys(lists).map((list) => `/api/${name}/{id}/${list}`),
    );
    const further = ['/api/game/{id}/boxtops', '/api/designer/{id}/games', '/api/designer/{id}/associates'];
    const expected = [...ofGame.map((name) => `/api/game/{id}/${name}`), ...below, ...further];
    expect(Object.keys(document.paths)).toEqual(expect.arrayContaining(expected));
  });

  test('the paths of sessions and operators', () => {
    const fixedPaths = ['/api/session', '/api/session/{id}', '/files/{id}/{key}', '/healthz', '/readyz', '/metrics'];
    expect(fixedPaths.map((path) => Object.keys(document.paths[path] ?? {}).join())).toEqual([
      'post',
      'get,delete',
      'get',
      'get',
      'get',
      'get',
    ]);
  });
});

describe('operations', () => {
  const all = operations(document);

  test('are unique', () => {
    const ids = [...all, ...Object.values(document.webhooks).flatMap((item) => Object.values(item))].map(
      ({ operationId }) => operationId,
    );
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).toEqual(
      expect.arrayContaining([
        'createBoxtop',
        'getBoxtop',
        'updateBoxtop',
        'deleteBoxtop',
        'listGameBoxtops',
        'boxtopOptions',
        'webhookTest',
        'createScorepadAlias',
        'onItemSold',
      ]),
    );
  });

  test.each([...paths])('$method $path: session and success', ({ method, path, operation }) => {
    const described = operationAt(document, method, path);
    const anonymous = described?.security.some((requirement) => Object.keys(requirement).length === 0);
    expect(anonymous).toBe(!sessionRequired.includes(operation as 'create'));
    // The session comes first, because some programs use only the first scheme.
    expect(described?.security[0]).toEqual({ bearer: [] });
    const statuses = Object.keys(described?.responses ?? {}).filter((status) => status < '300');
    expect(statuses).toEqual([String(successStatus[operation as 'create'])]);
  });

  test('a hidden record needs a session', () => {
    const statuses = Object.keys(operationAt(document, 'GET', '/api/webhook/{id}')?.responses ?? {});
    expect(statuses).toEqual(['200', '400', '401', '403', '404', '413', '415', '422', '429', '500', '503']);
  });

  test('the statuses of a create', () => {
    const responses = operationAt(document, 'POST', '/api/boxtop')?.responses ?? {};
    const expected = '201 400 401 403 405 409 413 415 422 429 500 503 507';
    expect(Object.keys(responses).join(' ')).toBe(expected);
    expect(Object.keys(responses['201']?.headers ?? {})).toEqual([
      'X-Request-Id',
      'Ignored-Parameters',
      'ETag',
      'Location',
    ]);
  });

  test('every POST with a session takes an idempotency key', () => {
    const posts = Object.entries(document.paths).flatMap(([path, { post }]) => (post ? [{ path, post }] : []));
    const without = posts.filter(
      ({ post }) => !post.parameters?.some(({ $ref }) => $ref?.endsWith('/Idempotency-Key')),
    );
    // N01: a token is not stored, a test callback writes nothing, an exchange keeps the old secret (D63), the rest is idempotent.
    const repeatable = ['test', 'exchange', 'retry', 'pause', 'resume'].map((name) => `/api/webhook/{id}/${name}`);
    expect(without.map(({ path }) => path).sort()).toEqual(
      ['/api/apikey/{id}/token', '/api/session', ...repeatable].sort(),
    );
  });

  test.each(Object.entries(documentedParameters))('%s: fetch parameters', (name, { fetch }) => {
    const refs = operationAt(document, 'GET', `/api/${name}/{id}`)?.parameters?.map(({ $ref }) => $ref) ?? [];
    for (const one of fetch) expect(refs).toContain(`#/components/parameters/${one}`);
  });

  test('lists have pages', () => {
    const refs = operationAt(document, 'GET', '/api/game/{id}/boxtops')?.parameters ?? [];
    const names = refs.map(({ $ref }) => document.components.parameters[$ref.replace(/^.*\//, '')]?.name);
    expect(names).toEqual(['id', '_page_number', '_items_per_page', '_sort_order', '_cursor', '_order_by', 'identity']);
    const size = document.components.parameters._items_per_page?.schema;
    expect(size).toEqual({ type: 'integer', minimum: 1, maximum: 100, default: 25 });
  });
});
