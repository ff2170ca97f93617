import { ServiceError } from '../../runtime/contract/errors.js';
import { createMetrics } from '../../runtime/http/metrics.js';
import { addressKey, requestLimit } from '../../runtime/http/rate-limit.js';
import { nameList } from '../../runtime/http/respond.js';
import { METRICS_TOKEN } from '../support/quiet-service.js';
import { type Service, start } from './client.js';
import { OPERATIONS } from './fixture.js';

let service: Service;
afterEach(() => service.close());

describe('headers', () => {
  test('of every answer in JSON', async () => {
    service = await start();
    for (const path of ['/api/maker/m1', '/api/nothing']) {
      const { headers } = await service.send('GET', path);
      expect(headers).toMatchObject({
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
        'content-security-policy': "default-src 'none';frame-ancestors 'none'",
        'strict-transport-security': expect.stringMatching(/^max-age=\d+/),
      });
      for (const name of ['x-powered-by', 'x-frame-options', 'referrer-policy', 'cross-origin-resource-policy']) {
        expect(headers).not.toHaveProperty(name);
      }
      expect(headers.etag).toBeUndefined();
    }
  });

  test('content length counts bytes', async () => {
    service = await start({ operations: { ...OPERATIONS, fetch: () => ({ status: 200, body: '{"a":"€"}' }) } });
    const reply = await service.send('GET', '/api/maker/m1');
    expect([reply.text, reply.headers['content-length']]).toEqual(['{"a":"€"}', '11']);
  });

  test.each([
    ['abc-1', 'abc-1'],
    ['0f8fad5b-d9cb-469f-a165-70867728950e', '0f8fad5b-d9cb-469f-a165-70867728950e'],
    ['with space', 'request-1'],
    ['<script>', 'request-1'],
    ['', 'request-1'],
    ['x'.repeat(129), 'request-1'],
  ])('request id %.20s', async (sent, expected) => {
    service = await start();
    const reply = await service.send('GET', '/api/nothing', { headers: { 'X-Request-Id': sent } });
    expect([reply.headers['x-request-id'], reply.json?.request_id]).toEqual([expected, expected]);
  });

  test('ignored parameters', async () => {
    const fetch = () => ({ status: 200 as const, body: '{}', ignored: ['colour', 'a b', 'x\r\nSet-Cookie: y', 'ü'] });
    service = await start({ operations: { ...OPERATIONS, fetch } });
    const { headers } = await service.send('GET', '/api/maker/m1');
    expect(headers['ignored-parameters']).toBe('colour, a?b, x??Set-Cookie:?y, ?');
    expect(headers['set-cookie']).toBeUndefined();
    expect((await service.send('PUT', '/api/maker/m1')).headers['ignored-parameters']).toBeUndefined();
  });

  test('long lists of names are cut', async () => {
    service = await start();
    expect(nameList([])).toBe('');
    expect(nameList(['a,b', '', 'c'])).toBe('a?b, c');
    expect(nameList(['x'.repeat(100)])).toBe('x'.repeat(64));
    const long = nameList(Array.from({ length: 1000 }, (_, at) => `name${at}`));
    expect(long.length).toBeLessThan(1040);
    expect(long).toMatch(/^name0, name1, .*, \.\.\.$/);
  });
});

describe('rate limit', () => {
  const statuses = async (count: number, path: string) => {
    const received: number[] = [];
    for (let at = 0; at < count; at++) received.push((await service.send('GET', path)).status);
    return received;
  };

  test('by session, and by address for all others', async () => {
    service = await start({ rateLimit: requestLimit(2) });
    expect(await statuses(3, '/api/maker/m1?session_id=alive')).toEqual([200, 200, 429]);
    expect(await statuses(1, '/api/maker/m1?session_id=other')).toEqual([200]);
    expect(await statuses(1, '/api/maker/m1')).toEqual([200]);
    expect(await statuses(1, '/api/maker/m1?session_id=made-up-1')).toEqual([200]);
    const refused = await service.send('GET', '/api/maker/m1?session_id=made-up-2');
    expect(refused).toMatchObject({ status: 429, json: { code: 'rate_limited' } });
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(60);
  });

  test('0 means no limit', async () => {
    service = await start({ rateLimit: requestLimit(0) });
    expect(await statuses(20, '/api/maker/m1')).toEqual(Array(20).fill(200));
  });

  test('the address behind a trusted proxy', async () => {
    service = await start({ rateLimit: requestLimit(1), trustProxy: 1 });
    const from = async (address: string) =>
      (await service.send('GET', '/api/maker/m1', { headers: { 'X-Forwarded-For': address } })).status;
    expect([await from('10.0.0.1'), await from('10.0.0.2'), await from('10.0.0.1')]).toEqual([200, 200, 429]);
  });

  test.each([
    ['127.0.0.1', '127.0.0.1'],
    ['::ffff:10.1.2.3', '10.1.2.3'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:0DB8:0001:0002::9', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['', ''],
  ])('%s counts as %s', async (address, key) => {
    service = await start();
    expect(addressKey(address)).toBe(key);
  });
});

describe('outside the API', () => {
  test('health, readiness', async () => {
    let ready = true;
    service = await start({ ready: () => ready });
    expect(await service.send('GET', '/healthz')).toMatchObject({ status: 200, text: 'ok' });
    expect(await service.send('GET', '/readyz')).toMatchObject({ status: 200 });
    // A probe gets the current answer, whatever it has cached.
    const headers = { 'if-none-match': '*' };
    expect(await service.send('GET', '/readyz', { headers })).toMatchObject({ status: 200 });
    expect(await service.send('GET', '/healthz', { headers })).toMatchObject({ status: 200 });
    ready = false;
    expect(await service.send('GET', '/healthz')).toMatchObject({ status: 200 });
    expect(await service.send('GET', '/readyz')).toMatchObject({ status: 503 });
  });

  test('metrics count by operation, resource and status class', async () => {
    service = await start({ metrics: createMetrics() });
    await service.send('GET', '/api/maker/m1');
    await service.send('GET', '/api/maker/m2');
    await service.send('PATCH', '/api/maker/m2');
    const { text, headers } = await service.send('GET', '/metrics', {
      headers: { Authorization: `Bearer ${METRICS_TOKEN}` },
    });
    expect(headers['content-type']).toMatch('text/plain');
    expect(text).toContain('duration_seconds_count{operation="fetch",resource="maker",status="2xx"} 2');
    expect(text).toContain('duration_seconds_count{operation="-",resource="-",status="4xx"} 1');
    expect(text).toContain('process_cpu_seconds_total');
  });

  test('files go to their handler, whose errors are answered like all others', async () => {
    service = await start({
      serveFile: (req, res) => {
        if (req.params.id === 'gone') throw new ServiceError('not_found', 'Gone.');
        if (req.params.id === 'bug') throw new Error('secret');
        res.type('image/png').end('bytes');
      },
    });
    const file = await service.send('GET', '/files/f1/key');
    expect(file).toMatchObject({ status: 200, text: 'bytes' });
    expect(file.headers).toMatchObject({
      ...{ 'x-content-type-options': 'nosniff', 'x-request-id': 'request-1' },
      ...{ 'cross-origin-resource-policy': 'cross-origin', 'referrer-policy': 'no-referrer' },
    });
    expect(await service.send('GET', '/files/gone/key')).toMatchObject({
      status: 404,
      json: { code: 'not_found', detail: 'Gone.' },
    });
    expect(await service.send('GET', '/files/bug/key')).toMatchObject({ status: 500, json: { code: 'internal' } });
  });
});
