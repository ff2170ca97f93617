// The API document as served: its encodings, conditional requests, and connections that stay open.
import http from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { shared } from '../support/shared.js';
import { start } from './client.js';

const TEXT = JSON.stringify({
  openapi: '3.1.0',
  paths: Object.fromEntries(Array.from({ length: 500 }, (_, at) => [at, {}])),
});

const service = shared(() => start({ document: () => Buffer.from(TEXT) }));

const ask = (headers: http.OutgoingHttpHeaders = {}, method = 'GET') =>
  service.send(method, '/openapi.json', { headers });
const etagOf = async (encoding?: string) =>
  String((await ask(encoding === undefined ? {} : { 'Accept-Encoding': encoding })).headers.etag);

/** The body as bytes, which `ask` would take for text. */
function bytes(encoding: string): Promise<{ headers: http.IncomingHttpHeaders; body: Buffer }> {
  return new Promise((resolve, reject) => {
    const options = { port: service.port, path: '/openapi.json', headers: { 'Accept-Encoding': encoding } };
    http
      .get(options, (res) => {
        const chunks: Buffer[] = [];
        res.on('data', (chunk: Buffer) => chunks.push(chunk));
        res.on('end', () => resolve({ headers: res.headers, body: Buffer.concat(chunks) }));
      })
      .on('error', reject);
  });
}

test.each([
  ['a range beyond the end', { Range: 'bytes=999999999-' }, 200],
  ['a range', { Range: 'bytes=0-9' }, 200],
  ['no range at all', { Range: 'bytes=b-a' }, 200],
  ['If-Match of another tag', { 'If-Match': '"z"' }, 412],
  ['If-Match of anything', { 'If-Match': '*' }, 200],
  ['If-Match of nothing', { 'If-Match': '' }, 412],
  ['If-Unmodified-Since', { 'If-Unmodified-Since': 'Mon, 01 Jan 2001 00:00:00 GMT' }, 200],
  ['If-Modified-Since', { 'If-Modified-Since': 'Mon, 01 Jan 2031 00:00:00 GMT' }, 200],
  ['If-None-Match of another tag', { 'If-None-Match': '"z", W/"y"' }, 200],
  ['If-None-Match of anything', { 'If-None-Match': '*' }, 304],
])('F30: %s', async (_, headers, status) => {
  for (const method of ['GET', 'HEAD']) {
    const reply = await ask(headers, method);
    expect([method, reply.status]).toEqual([method, status]);
    expect(reply.text).toBe(status === 200 && method === 'GET' ? TEXT : '');
    expect(reply.headers['x-request-id']).toMatch(/^request-/);
  }
});

test('N03: a failure to prepare the document is not remembered', async () => {
  let times = 0;
  const make = (): Buffer => {
    times += 1;
    // A document that cannot be hashed fails later than one that cannot be read.
    return times === 1 ? (null as unknown as Buffer) : Buffer.from(TEXT);
  };
  const other = await start({ document: make });
  const statuses = [];
  for (const _ of [1, 2]) statuses.push((await other.send('GET', '/openapi.json')).status);
  expect(statuses).toEqual([500, 200]);
  other.close();
});

test('F30: conditions on the current tag', async () => {
  const etag = await etagOf();
  expect((await ask({ 'If-Match': etag })).status).toBe(200);
  expect((await ask({ 'If-Match': `"z", ${etag}` })).status).toBe(200);
  expect((await ask({ 'If-Match': `W/${etag}` })).status).toBe(412);
  const unchanged = await ask({ 'If-None-Match': `W/${etag}` });
  expect(unchanged).toMatchObject({ status: 304, text: '', headers: { etag, vary: 'Accept-Encoding' } });
  expect(unchanged.headers['content-type']).toBeUndefined();
  // Each encoding has a tag of its own.
  expect((await ask({ 'If-None-Match': etag, 'Accept-Encoding': 'gzip' })).status).toBe(200);
});

test('F31: a connection is kept open', async () => {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
  const ports = new Set<number | undefined>();
  const once = (path: string) =>
    new Promise<void>((resolve, reject) => {
      const req = http.get({ agent, port: service.port, path }, (res) => {
        ports.add(res.socket.localPort);
        res.resume().on('end', resolve);
      });
      req.on('error', reject);
    });
  for (const path of Array(20).fill('/openapi.json').concat('/healthz', '/files/f1/key', '/openapi.json'))
    await once(path);
  agent.destroy();
  expect(ports.size).toBe(1);
});

test('consecutive responses stay separate, even if each is preceded by 100 Continue', async () => {
  const request = 'GET /openapi.json HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\n';
  const text = await service.raw(`${`${request}\r\n`.repeat(2)}${request}Connection: close\r\n\r\n`);
  const answers = text.split('HTTP/1.1 100 Continue\r\n\r\n').slice(1);
  expect(answers.map((answer) => answer.endsWith(`\r\n\r\n${TEXT}`))).toEqual([true, true, true]);
});

describe('F34: compressed once', () => {
  test.each<[string, string, (body: Buffer) => Buffer]>([
    ['gzip, deflate, br', 'br', brotliDecompressSync],
    ['gzip', 'gzip', gunzipSync],
    ['br;q=0, *', 'gzip', gunzipSync],
    ['identity', '', (body) => body],
    ['', '', (body) => body],
    ['identity;q=0, *;q=0', '', (body) => body],
  ])('Accept-Encoding: %s', async (accepted, encoding, decoded) => {
    const { headers, body } = await bytes(accepted);
    expect(headers).toMatchObject({ 'content-type': 'application/json; charset=utf-8', vary: 'Accept-Encoding' });
    expect([headers['content-encoding'] ?? '', headers['content-length']]).toEqual([encoding, String(body.length)]);
    expect(decoded(body).toString()).toBe(TEXT);
    const head = await ask({ 'Accept-Encoding': accepted }, 'HEAD');
    expect([head.headers['content-length'], head.headers.etag]).toEqual([headers['content-length'], headers.etag]);
  });

  test('each encoding has a tag of its own', async () => {
    expect(new Set([await etagOf(), await etagOf('gzip'), await etagOf('br')]).size).toBe(3);
  });
});

test('other methods are refused', async () => {
  const refused = await ask({}, 'POST');
  expect([refused.status, refused.headers.allow]).toEqual([405, 'GET, HEAD']);
});
