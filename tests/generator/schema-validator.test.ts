// The judges of literals and of schemas in descriptors.

import { createSchemaValidator, memoizeBySchema, problemOf } from '../../generator/form/schema-validator.js';

test('what is made of a schema is made once for each text of it', () => {
  const made: string[] = [];
  const once = memoizeBySchema((schema) => made.push(JSON.stringify(schema)));
  expect([once({ minimum: 1 }), once({ minimum: 1 }), once({ minimum: 2 }), once({ minimum: 1 })]).toEqual([
    1, 1, 2, 1,
  ]);
  expect(made).toEqual(['{"minimum":1}', '{"minimum":2}']);
});

test('a problem is remembered as well as its absence', () => {
  let calls = 0;
  const once = memoizeBySchema((schema) => {
    calls++;
    return problemOf(schema);
  });
  for (const _ of [1, 2]) {
    expect(once({ type: 'object' })).toBeNull();
    expect(once({ $ref: '#/nowhere' })).toContain('nowhere');
  }
  expect(calls).toBe(2);
});

test('a schema that does not compile judges nothing: a rule of its own reports it', () => {
  expect(createSchemaValidator({ $ref: '#/nowhere' })(1)).toEqual([]);
  expect(createSchemaValidator({ type: 'integer' })('1')).toEqual([expect.objectContaining({ keyword: 'type' })]);
});
