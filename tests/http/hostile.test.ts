import { PROFILES } from '../../runtime/http/profiles.js';
import { shared } from '../support/shared.js';
import { FORM_BODY, JSON_BODY, MULTIPART_BODY, multipart, start } from './client.js';

const MIB = 1024 * 1024;
const nested = (levels: number) => `${'{"a":'.repeat(levels - 1)}{}${'}'.repeat(levels - 1)}`;
const many = (count: number) => Array.from({ length: count }, (_, at) => `p${at}=1`).join('&');
const manyJson = (count: number) => `{${Array.from({ length: count }, (_, at) => `"p${at}":1`).join(',')}}`;
const lists = (count: number, items: number) =>
  Array.from({ length: count }, (_, at) => `"p${at}":[${Array(items).fill('1').join(',')}]`).join(',');
const manyParts = (count: number) =>
  multipart(Array.from({ length: count }, (_, at) => ({ name: `p${at}`, value: '1' })));

// The status 0 means accepted.
const CASES: readonly [string, Record<string, string>, string | Buffer, number][] = [
  ['JSON in bad UTF-8', JSON_BODY, Buffer.from([0x7b, 0x22, 0x61, 0x22, 0x3a, 0x22, 0xff, 0x22, 0x7d]), 400],
  ['JSON in UTF-16', JSON_BODY, Buffer.from('{"a":1}', 'utf16le'), 400],
  ['a form in bad UTF-8', FORM_BODY, Buffer.from([0x61, 0x3d, 0xc3]), 400],
  ['a form with a bad escape', FORM_BODY, 'a=%e2%82', 400],
  ['JSON 32 deep', JSON_BODY, nested(32), 0],
  ['JSON 33 deep', JSON_BODY, nested(33), 400],
  ['lists 32 deep in JSON', JSON_BODY, `{"a":${'['.repeat(32)}${']'.repeat(32)}}`, 400],
  ['a tower of JSON', JSON_BODY, `{"a":${'['.repeat(500_000)}${']'.repeat(500_000)}}`, 400],
  ['a tower of open brackets', JSON_BODY, '['.repeat(MIB), 400],
  ['JSON of exactly 1 MiB', JSON_BODY, `{"a":"${'x'.repeat(MIB - 8)}"}`, 0],
  ['JSON over 1 MiB', JSON_BODY, `{"a":"${'x'.repeat(MIB - 7)}"}`, 413],
  ['a form over 1 MiB', FORM_BODY, `a=${'x'.repeat(MIB)}`, 413],
  ['a field over 1 MiB', MULTIPART_BODY, multipart([{ name: 'a', value: 'x'.repeat(MIB + 1) }]), 413],
  [
    'fields over 1 MiB together',
    MULTIPART_BODY,
    multipart([
      { name: 'a', value: 'x'.repeat(MIB - 1) },
      { name: 'b', value: 'xx' },
    ]),
    413,
  ],
  ['1000 parameters', FORM_BODY, many(1000), 0],
  ['1001 parameters', FORM_BODY, many(1001), 400],
  ['1001 JSON parameters', JSON_BODY, manyJson(1001), 400],
  ['1001 parts', MULTIPART_BODY, manyParts(1001), 400],
  ['one name 1001 times', FORM_BODY, 'a=1&'.repeat(1001), 400],
  ['F26: JSON of 340,000 empty objects', JSON_BODY, `{"a":[${'{},'.repeat(340_000)}{}]}`, 400],
  ['F26: JSON of 10,000 values', JSON_BODY, `{${lists(9, 999)}}`, 0],
  ['F26: JSON of more than 10,000 values', JSON_BODY, `{${lists(11, 999)}}`, 400],
  ['F26: a list of 1000 items', JSON_BODY, `{${lists(1, 1000)}}`, 0],
  ['F26: a list of 1001 items', JSON_BODY, `{${lists(1, 1001)}}`, 400],
  ['F26: a form of ampersands', FORM_BODY, '&'.repeat(MIB), 400],
  ['F26: a form of equals signs', FORM_BODY, '='.repeat(MIB), 0],
  ['JSON with an open quote', JSON_BODY, '{"a":"b', 400],
  ['JSON that ends in a backslash', JSON_BODY, '{"a":"\\', 400],
  ['broken JSON', JSON_BODY, '{"a":', 400],
  ['a JSON list', JSON_BODY, '[1]', 400],
  ['JSON null', JSON_BODY, 'null', 400],
  ['a JSON text', JSON_BODY, '"a"', 400],
  ['a JSON name twice', JSON_BODY, '{"a":{"b":1,"c":2}, "b" : [ ], "a":2}', 422],
  ['a JSON name twice, once escaped', JSON_BODY, String.raw`{"a":"\\","\u0061":2}`, 422],
  ['unknown content type', { 'Content-Type': 'text/plain' }, 'a=1', 415],
  ['content type named like a property', { 'Content-Type': 'constructor' }, 'a=1', 415],
  ['no content type', {}, 'a=1', 415],
  ['compressed', { ...JSON_BODY, 'Content-Encoding': 'gzip' }, '{}', 400],
  ['identity', { ...JSON_BODY, 'Content-Encoding': 'identity' }, '{}', 0],
  ['multipart without boundary', { 'Content-Type': 'multipart/form-data' }, '--b--\r\n', 400],
  ['multipart cut off', MULTIPART_BODY, multipart([{ name: 'a', value: '1' }]).slice(0, -6), 400],
  ['multipart cut off in a header', MULTIPART_BODY, '--b\r\nContent-Disposition: form-', 400],
  [
    'multipart cut off in a file',
    MULTIPART_BODY,
    multipart([{ name: 'f', value: '1234', filename: 'f' }]).slice(0, -10),
    400,
  ],
  ['multipart of noise', MULTIPART_BODY, '\0\xff'.repeat(1000), 400],
  ['a multipart part without a name', MULTIPART_BODY, '--b\r\nContent-Disposition: form-data\r\n\r\nx\r\n--b--\r\n', 0],
  [
    '21 files',
    MULTIPART_BODY,
    multipart(Array.from({ length: 21 }, () => ({ name: 'f', value: '', filename: 'f' }))),
    400,
  ],
  ['__proto__ in a form', FORM_BODY, '__proto__=1&__proto__=2&constructor=3', 0],
  ['__proto__ in multipart', MULTIPART_BODY, multipart([{ name: '__proto__', value: '1' }]), 0],
];
const CODES: Readonly<Record<number, string>> = {
  400: 'malformed',
  413: 'too_large',
  415: 'unsupported_media_type',
  422: 'invalid',
};
/** Statuses that are different in wing (D04). */
const WING: Readonly<Record<number, number>> = { 415: 400, 422: 442 };

describe.each(['plain', 'wing'] as const)('%s', (wire) => {
  const service = shared(() => start({ profile: PROFILES[wire] }));

  test.each(CASES)('%s', async (_name, headers, body, status) => {
    const reply = await service.send('POST', '/api/maker', { headers, body });
    if (status === 0) expect(reply.status).toBeLessThan(300);
    else if (wire === 'plain') expect(reply).toMatchObject({ status, json: { code: CODES[status] } });
    else
      expect(reply).toMatchObject({
        status: WING[status] ?? status,
        json: { error: { data: status === 422 ? 'a' : null } },
      });
  });

  test.each(['?a=%', '?%zz=1', '?a=%ff', `?${many(1001)}`])('query %.20s', async (query) => {
    expect((await service.send('GET', `/api/maker/m1${query}`)).status).toBe(400);
  });
});

describe('connections', () => {
  const service = shared(start);

  test('F26: the plus signs of a form are read as blanks', async () => {
    const body = `a=${'+'.repeat(MIB - 5)}%2B`;
    const { json } = await service.send('POST', '/api/maker', { headers: FORM_BODY, body });
    expect(json).toMatchObject({ parameters: { a: `${' '.repeat(MIB - 5)}+` } });
  });

  test('N42: the response to an unknown content type lists the accepted ones', async () => {
    const accepted = 'application/json, application/x-www-form-urlencoded, multipart/form-data';
    const wing = await start({ profile: PROFILES.wing });
    for (const type of ['text/xml', 'application/json-patch+json', 'image/png', '']) {
      const sent = { headers: type === '' ? {} : { 'Content-Type': type }, body: '<a/>' };
      const { status, headers, json } = await service.send('POST', '/api/maker', sent);
      expect([status, json?.code, headers['accept-post']]).toEqual([415, 'unsupported_media_type', accepted]);
      expect(json?.detail).toMatch(accepted);
      const old = await wing.send('POST', '/api/maker', sent);
      expect([old.status, old.json]).toEqual([400, { error: { code: 400, message: json?.detail, data: null } }]);
    }
    await wing.close();
  });

  test.each([
    ['JSON over the limit', 'application/json', `{"a":"${'x'.repeat(2 * MIB)}"}`],
    [
      'multipart over the limit',
      'multipart/form-data; boundary=b',
      multipart([{ name: 'a', value: 'x'.repeat(2 * MIB) }]),
    ],
    ['unknown type', 'text/plain', 'x'.repeat(MIB)],
    ['no boundary', 'multipart/form-data', 'x'.repeat(MIB)],
  ])('the connection can be used again after %s', async (_name, type, body) => {
    const chunked = `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;
    const head = `POST /api/maker HTTP/1.1\r\nHost: x\r\nContent-Type: ${type}\r\nTransfer-Encoding: chunked\r\n\r\n`;
    const next = 'GET /api/maker/m1 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';
    const text = await service.raw(head + chunked + next);
    expect(text).toMatch(/^HTTP\/1.1 4\d\d [\s\S]*HTTP\/1.1 200 OK/);
  });

  test.each([
    ['no HTTP', 'hello\r\n\r\n', 400],
    [
      'two lengths',
      'POST /api/maker HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n',
      400,
    ],
    ['a header over 16 KiB', `GET / HTTP/1.1\r\nHost: x\r\nA: ${'x'.repeat(17_000)}\r\n\r\n`, 431],
    ['no host', 'GET /api/maker/m1 HTTP/1.1\r\nConnection: close\r\n\r\n', 400],
  ])('%s', async (_name, bytes, status) => {
    const text = await service.raw(bytes);
    expect(text).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect((await service.send('GET', '/api/maker/m1')).status).toBe(200);
  });

  test('a body that ends early does no harm', async () => {
    const head =
      'POST /api/maker HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"a":';
    await service.raw(head, { end: true });
    await service.raw(head.replace('application/json', 'multipart/form-data; boundary=b'), { end: true });
    expect((await service.send('GET', '/api/maker/m1')).status).toBe(200);
  });
});
