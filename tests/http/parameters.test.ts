import { shared } from '../support/shared.js';
import { FORM_BODY, JSON_BODY, MULTIPART_BODY, multipart, type Service, start } from './client.js';

const service = shared(start);

const parametersOf = async (...request: Parameters<Service['send']>) => {
  const reply = await service.send(...request);
  expect(reply.status).toBeLessThan(300);
  return reply.json?.parameters;
};

describe('query', () => {
  test.each([
    ['', {}],
    ['?', {}],
    ['?a=1', { a: '1' }],
    ['?a', { a: '' }],
    ['?a=', { a: '' }],
    ['?=x&&a=1&', { a: '1' }],
    ['?a=1&a=2&a=3&b=x', { a: ['1', '2', '3'], b: 'x' }],
    ['?a=x+y%20z%2B', { a: 'x y z+' }],
    ['?a%20b=%E2%82%AC', { 'a b': '€' }],
    ['?a=b=c', { a: 'b=c' }],
    ['?constructor=1&toString=2&hasOwnProperty=3', { constructor: '1', toString: '2', hasOwnProperty: '3' }],
  ])('%s', async (query, expected) => {
    expect(await parametersOf('GET', `/api/maker/m1${query}`)).toEqual(expected);
  });
});

describe('bodies', () => {
  const bodies: readonly [string, Record<string, string>, string, Record<string, unknown>][] = [
    [
      'JSON',
      JSON_BODY,
      '{"a":1,"b":null,"c":[true],"d":{"e":{}},"":0}',
      { a: 1, b: null, c: [true], d: { e: {} }, '': 0 },
    ],
    ['JSON with a charset', { 'Content-Type': 'Application/JSON; charset=utf-8' }, '{"a":"€"}', { a: '€' }],
    ['JSON with quotes in names', JSON_BODY, String.raw`{"a\"b":"{\"a\":1,","a":"\\"}`, { 'a"b': '{"a":1,', a: '\\' }],
    [
      'JSON with one name on two levels',
      JSON_BODY,
      '{"a":{"a":1,"b":2},"b":[{"a":1},"a","b"]}',
      { a: { a: 1, b: 2 }, b: [{ a: 1 }, 'a', 'b'] },
    ],
    ['JSON, empty', JSON_BODY, '', {}],
    ['a form', FORM_BODY, 'a=1&b=x+y&a=2', { a: ['1', '2'], b: 'x y' }],
    [
      'multipart',
      MULTIPART_BODY,
      multipart([
        { name: 'a', value: '1' },
        { name: 'b', value: '€' },
        { name: 'a', value: '2' },
      ]),
      { a: ['1', '2'], b: '€' },
    ],
    ['multipart without parts', MULTIPART_BODY, '--b--\r\n', {}],
    [
      'multipart with a file that nobody reads',
      MULTIPART_BODY,
      multipart([
        { name: 'file', value: 'x'.repeat(5000), filename: 'f' },
        { name: 'a', value: '1' },
      ]),
      { a: '1' },
    ],
  ];
  for (const [method, path] of [
    ['POST', '/api/maker'],
    ['GET', '/api/maker/m1'],
    ['PUT', '/api/maker/m1'],
    ['DELETE', '/api/maker/m1'],
  ] as const) {
    test.each(bodies)(`${method} with %s`, async (_name, headers, body, expected) => {
      expect(await parametersOf(method, path, { headers, body })).toEqual(expected);
    });
  }

  test.each(bodies)('chunked: %s', async (_name, headers, body, expected) => {
    const chunks = [...Buffer.from(body)].map((byte) => Buffer.from([0x31, 13, 10, byte, 13, 10]));
    const [[name, value]] = Object.entries(headers) as [[string, string]];
    const head = `POST /api/maker HTTP/1.1\r\nHost: x\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n${name}: ${value}\r\n\r\n`;
    const text = await service.raw(Buffer.concat([Buffer.from(head), ...chunks, Buffer.from('0\r\n\r\n')]));
    expect(text).toMatch(/^HTTP\/1.1 201 /);
    expect(JSON.parse(text.slice(text.indexOf('\r\n\r\n'))).parameters).toEqual(expected);
  });

  test('the body wins over the query, name by name', async () => {
    const path = '/api/maker/m1?a=query&b=query&b=twice&c=query';
    const body = '{"a":"body","b":null}';
    expect(await parametersOf('PUT', path, { headers: JSON_BODY, body })).toEqual({ a: 'body', b: null, c: 'query' });
  });

  test('Expect: 100-continue', async () => {
    const head = 'POST /api/maker HTTP/1.1\r\nHost: x\r\nConnection: close\r\nExpect: 100-continue\r\n';
    const text = await service.raw(`${head}Content-Type: application/json\r\nContent-Length: 7\r\n\r\n{"a":1}`);
    expect(text).toMatch(/^HTTP\/1.1 100 Continue\r\n\r\nHTTP\/1.1 201 /);
  });

  test('names of object properties are ordinary names', async () => {
    const body = '{"__proto__":{"admin":true},"constructor":{"prototype":{"admin":true}}}';
    const reply = await service.send('POST', '/api/maker?__proto__=x', { headers: JSON_BODY, body });
    expect(reply.text).toContain(
      '"parameters":{"__proto__":{"admin":true},"constructor":{"prototype":{"admin":true}}}',
    );
    expect(({} as { admin?: unknown }).admin).toBeUndefined();
  });
});

describe('session', () => {
  const callerOf = async (...request: Parameters<Service['send']>) => {
    const { json } = await service.send(...request);
    return [json?.caller, json?.parameters];
  };
  const [anonymous, alive, other] = [
    { user: null, admin: false },
    { user: 'u1', admin: false },
    { user: 'u2', admin: true },
  ];
  const bearer = { Authorization: 'Bearer other' };

  test.each([
    ['none', '', {}, anonymous],
    ['query', '?session_id=alive', {}, alive],
    ['header', '', bearer, other],
    ['header in lower case', '', { Authorization: 'bearer other' }, other],
    ['parameter before header', '?session_id=alive', bearer, alive],
    ['dead parameter before header', '?session_id=dead', bearer, anonymous],
    ['empty parameter', '?session_id=', bearer, other],
    ['dead', '?session_id=dead', {}, anonymous],
    ['name of an object property', '?session_id=constructor', {}, anonymous],
    ['other scheme', '', { Authorization: 'Basic other' }, anonymous],
  ])('%s', async (_name, query, headers, caller) => {
    expect(await callerOf('GET', `/api/maker/m1${query}`, { headers })).toEqual([caller, {}]);
  });

  test('in bodies', async () => {
    expect(
      await callerOf('PUT', '/api/maker/m1', { headers: JSON_BODY, body: '{"session_id":"alive","a":1}' }),
    ).toEqual([alive, { a: 1 }]);
    expect(await callerOf('PUT', '/api/maker/m1', { headers: JSON_BODY, body: '{"session_id":null}' })).toEqual([
      anonymous,
      {},
    ]);
    expect(await callerOf('DELETE', '/api/maker/m1', { headers: FORM_BODY, body: 'session_id=other' })).toEqual([
      other,
      {},
    ]);
  });

  test.each([
    ['twice', {}, '?session_id=alive&session_id=alive', undefined],
    ['a number', JSON_BODY, '', '{"session_id":5}'],
    ['a list', JSON_BODY, '', '{"session_id":["alive"]}'],
  ])('%s is invalid', async (_name, headers, query, body) => {
    const reply = await service.send('PUT', `/api/maker/m1${query}`, {
      headers,
      ...(body === undefined ? {} : { body }),
    });
    expect(reply).toMatchObject({
      status: 422,
      json: { code: 'invalid', errors: [{ field: 'session_id', code: 'invalid' }] },
    });
  });

  test('a promise of a caller is awaited', async () => {
    const slow = await start({ sessions: { caller: async () => ({ user: 'later', admin: false }) } });
    expect((await slow.send('GET', '/api/maker/m1?session_id=x')).json?.caller).toEqual({
      user: 'later',
      admin: false,
    });
    await slow.close();
  });
});
