// The judges of literals and of schemas in descriptors.

import { onceBySchema, openJudge, problemOf } from '../../generator/form/judge.js';

test('what is made of a schema is made once for each text of it', () => {
  const made: string[] = [];
  const once = onceBySchema((schema) => made.push(JSON.stringify(schema)));
  expect([once({ minimum: 1 }), once({ minimum: 1 }), once({ minimum: 2 }), once({ minimum: 1 })]).toEqual([
    1, 1, 2, 1,
  ]);
  expect(made).toEqual(['{"minimum":1}', '{"minimum":2}']);
});

test('a problem is remembered as well as its absence', () => {
  let calls = 0;
  const once = onceBySchema((schema) => {
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
  expect(openJudge({ $ref: '#/nowhere' })(1)).toEqual([]);
  expect(openJudge({ type: 'integer' })('1')).toEqual([expect.objectContaining({ keyword: 'type' })]);
});
