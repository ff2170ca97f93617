// Deprecations (D38) in the API document: marks, sentences and headers, derived by hand from the descriptors below.
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { generate } from '../../generator/generate.js';
import { readSpec } from '../../generator/write/read-spec.js';
import { ROOT, temporaryFolder } from '../support/paths.js';
import { type OpenApi, type Operation, openApiText, operationAt, operations } from './openapi-document.js';

type Edit = readonly [file: string, find: string, replace: string];

/** The library of the maintainers' tests, in which nothing is deprecated, with the given edits. */
function documentOf(...edits: readonly Edit[]): OpenApi {
  const spec = join(temporaryFolder('deprecations'), 'spec');
  cpSync(join(ROOT, 'tests', 'maintainer', 'library'), spec, { recursive: true });
  for (const [name, find, replace] of edits) {
    const file = join(spec, 'resources', `${name}.yaml`);
    const text = readFileSync(file, 'utf8');
    expect(text).toContain(find);
    writeFileSync(file, text.replace(find, replace));
  }
  return JSON.parse(openApiText(generate(readSpec(spec), '../kit.js'))) as OpenApi;
}

const BOOK: Edit = ['book', 'plural: books\n', 'plural: books\nsunset: 2031-12-31\ndeprecated: 2030-01-31\n'];
const TITLE: Edit = ['book', 'filter: true,', 'filter: true, deprecated: 2029-05-01,'];
const GROUP: Edit = ['book', 'kind: enum,', 'kind: enum, sunset: 2029-06-01, synonyms: [shelf],'];
const AUTHOR: Edit = ['book', 'to: author,', 'to: author, deprecated: 2029-07-01, sunset: 2030-07-01,'];

const marksOf = (described: object | undefined) => {
  const { deprecated, 'x-sunset': sunset } = (described ?? {}) as Record<string, unknown>;
  return [deprecated, sunset];
};
const NONE = [undefined, undefined];

function headersAt(document: OpenApi, method: string, path: string): readonly string[] {
  const { responses } = operationAt(document, method, path) as Operation;
  const headers = Object.keys((responses[200] ?? responses[201])?.headers ?? {});
  return headers.filter((name) => ['Deprecation', 'Sunset', 'Link'].includes(name));
}
const ANNOUNCED = ['Deprecation', 'Sunset', 'Link'];

test('nothing is marked without deprecations', () => {
  const text = JSON.stringify(documentOf());
  expect(text).not.toMatch(/deprecat|sunset/i);
});

describe('a resource', () => {
  const document = documentOf(BOOK);
  const recordOperations = ['GET', 'PUT', 'PATCH', 'DELETE'].map((method) => `${method} /api/book/{id}`);
  const ownOperations = ['POST /api/book', ...recordOperations];
  const related = ['GET /api/book', 'GET /api/book/_options', 'GET /api/book/{id}/loans', 'GET /api/author/{id}/books'];

  test.each([...ownOperations, ...related])('%s is marked', (at) => {
    const [method = '', path = ''] = at.split(' ');
    const operation = operationAt(document, method, path);
    expect(marksOf(operation)).toEqual([true, '2031-12-31']);
    expect(operation?.description).toMatch(/[.] Deprecated as of 2030-01-31; to be removed on 2031-12-31[.]$/);
    expect(headersAt(document, method, path)).toEqual(ANNOUNCED);
  });

  test('no other operation is marked', () => {
    const marked = operations(document).filter((operation) => marksOf(operation)[0] !== undefined);
    expect(marked).toHaveLength(ownOperations.length + related.length);
    expect(marksOf(document.components.schemas.book?.properties?.title)).toEqual(NONE);
  });
});

describe('fields', () => {
  const document = documentOf(TITLE, GROUP, AUTHOR);
  const { schemas, parameters } = document.components;

  test.each([
    ['title', true, undefined, 'Title on the cover. Deprecated as of 2029-05-01.'],
    ['group', undefined, '2029-06-01', 'Where it stands. To be removed on 2029-06-01.'],
    ['author_id', true, '2030-07-01', 'Who wrote it. Deprecated as of 2029-07-01; to be removed on 2030-07-01.'],
    ['fine_per_day', undefined, undefined, 'Fine for each day too late.'],
  ])('%s', (name, deprecated, sunset, description) => {
    expect(schemas.book?.properties?.[name]?.description).toBe(description);
    for (const schema of ['book', 'book_create', 'book_update']) {
      expect([schema, ...marksOf(schemas[schema]?.properties?.[name])]).toEqual([schema, deprecated, sunset]);
    }
  });

  test('a synonym', () => {
    expect(marksOf(schemas.book_create?.properties?.shelf)).toEqual([undefined, '2029-06-01']);
  });

  test('a related object', () => {
    expect(marksOf(schemas.book?.properties?.author)).toEqual([true, '2030-07-01']);
  });

  test('a filter and an order', () => {
    expect(marksOf(parameters.book_where_title)).toEqual([true, undefined]);
    expect(parameters.book_order_by).toMatchObject({
      description: expect.stringMatching(/ Deprecated: title, group[.]$/),
    });
  });

  test('the list by a reference', () => {
    expect(marksOf(operationAt(document, 'GET', '/api/author/{id}/books'))).toEqual([true, '2030-07-01']);
  });

  test('a path by a unique value', () => {
    const { paths } = documentOf(['book', 'filter: true,', 'unique: named, sunset: 2029-05-01,']);
    expect(marksOf(paths['/api/book/named/{title}']?.get)).toEqual([undefined, '2029-05-01']);
  });

  test('operations that may send the fields announce the deprecations', () => {
    for (const at of ['POST /api/book', 'PUT /api/book/{id}', 'GET /api/book/{id}']) {
      const [method = '', path = ''] = at.split(' ');
      expect([at, ...marksOf(operationAt(document, method, path))]).toEqual([at, ...NONE]);
      expect([at, ...headersAt(document, method, path)]).toEqual([at, ...ANNOUNCED]);
    }
    expect(headersAt(document, 'DELETE', '/api/book/{id}')).toEqual([]);
    expect(headersAt(document, 'POST', '/api/author')).toEqual([]);
  });
});

describe('values', () => {
  const values: Edit = [
    'book',
    '[novel, poetry, reference]',
    '{ novel: {}, poetry: { deprecated: 2029-08-01 }, reference: {} }',
  ];
  const document = documentOf(values);

  test('the property and the parameters name the deprecated value', () => {
    const { schemas, parameters } = document.components;
    for (const schema of ['book', 'book_create', 'book_update']) {
      const group = schemas[schema]?.properties?.group;
      expect([schema, group?.description]).toEqual([
        schema,
        expect.stringMatching(/^Where it stands[.] `poetry` is deprecated as of 2029-08-01[.]/),
      ]);
      expect(marksOf(group)).toEqual(NONE);
    }
    expect(marksOf(parameters.book_where_group)).toEqual(NONE);
    expect(parameters.book_order_by).toMatchObject({ description: expect.not.stringMatching(/Deprecated/) });
  });

  test('operations that may send the value announce its deprecation', () => {
    for (const [at, announced] of [
      ['POST /api/book', ANNOUNCED],
      ['PUT /api/book/{id}', ANNOUNCED],
      ['GET /api/book/{id}', []],
      ['DELETE /api/book/{id}', []],
      ['GET /api/author/{id}/books', []],
    ] as const) {
      const [method = '', path = ''] = at.split(' ');
      expect([at, headersAt(document, method, path)]).toEqual([at, announced]);
    }
    expect(operations(document).filter((operation) => marksOf(operation)[0] !== undefined)).toEqual([]);
  });
});

describe('two resources at one path', () => {
  const alias: Edit = ['loan', 'plural: loans\n', 'plural: loans\npaths: { fetch: /api/book }\n'];
  const loan: Edit = ['loan', 'plural: loans\n', 'plural: loans\nsunset: 2032-01-01\ndeprecated: 2030-02-28\n'];
  const at = (...edits: readonly Edit[]) => marksOf(operationAt(documentOf(alias, ...edits), 'GET', '/api/book/{id}'));

  test('the path is not marked while one resource stays', () => expect(at(loan)).toEqual(NONE));
  // An alias is always deprecated, but has no date.
  test('only the alias is marked if just the alias stays', () => expect(at(BOOK)).toEqual([true, undefined]));
  test('the path is marked if both are deprecated', () => expect(at(BOOK, loan)).toEqual([true, '2032-01-01']));
});
