// The validators of literals and of schemas in descriptors.

import { createSchemaValidator, memoizeBySchema, problemOf } from '../../generator/form/schema-validator.js';

test('a value derived from a schema is computed once for each text of the schema', () => {
  const computed: string[] = [];
  const cached = memoizeBySchema((schema) => computed.push(JSON.stringify(schema)));
  expect([cached({ minimum: 1 }), cached({ minimum: 1 }), cached({ minimum: 2 }), cached({ minimum: 1 })]).toEqual([
    1, 1, 2, 1,
  ]);
  expect(computed).toEqual(['{"minimum":1}', '{"minimum":2}']);
});

test('both a problem and its absence are remembered', () => {
  let calls = 0;
  const cached = memoizeBySchema((schema) => {
    calls++;
    return problemOf(schema);
  });
  for (const _ of [1, 2]) {
    expect(cached({ type: 'object' })).toBeNull();
    expect(cached({ $ref: '#/nowhere' })).toContain('nowhere');
  }
  expect(calls).toBe(2);
});

test('a schema that does not compile accepts every value, since a rule of its own reports it', () => {
  expect(createSchemaValidator({ $ref: '#/nowhere' })(1)).toEqual([]);
  expect(createSchemaValidator({ type: 'integer' })('1')).toEqual([expect.objectContaining({ keyword: 'type' })]);
});
