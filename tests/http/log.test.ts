import { createLog } from '../../runtime/http/log.js';
import type { Route } from '../../runtime/http/routes.js';
import { JSON_BODY, type Service, start } from './client.js';
import { OPERATIONS } from './fixture.js';

const lines: string[] = [];
const log = createLog('info', { write: (line: string) => void lines.push(line) });
const sessions: Route = {
  method: 'GET',
  base: '/api/session',
  withId: true,
  tail: null,
  resource: 'session',
  operation: 'fetch',
  definition: null,
  upload: null,
  run: () => ({ status: 200, body: '{}' }),
};

let service: Service;
beforeAll(async () => {
  const update = () =>
    Promise.reject(Object.assign(new Error('out of order'), { parameters: { password: 'hunter2' } }));
  service = await start({ log, extra: [sessions], operations: { ...OPERATIONS, update } });
});
afterAll(() => service.close());
beforeEach(() => {
  lines.length = 0;
});

test('each request has one line, with the pattern of its path', async () => {
  await service.send('GET', '/api/maker/m1?a=1', { headers: { 'X-Request-Id': 'r1' } });
  await service.send('POST', '/api/maker/m2', { headers: { 'X-HTTP-Method': 'DELETE' } });
  await service.send('GET', '/api/nothing/secret');
  await service.send('GET', '/files/f1/secret');
  const entries = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(entries).toMatchObject([
    { level: 30, request_id: 'r1', method: 'GET', route: '/api/maker/:id', id: 'm1', status: 200 },
    { method: 'DELETE', route: '/api/maker/:id', id: 'm2', status: 200 },
    { method: 'GET', route: '-', status: 404 },
    { method: 'GET', route: '/files/:id/:key', status: 200 },
  ]);
  expect(entries).toHaveLength(4);
  expect(entries[0]?.ms).toBeGreaterThanOrEqual(0);
});

const TRACE = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';

test.each([
  [TRACE, TRACE],
  [TRACE.replace('-01', '-00'), TRACE.replace('-01', '-00')],
  [TRACE.toUpperCase(), undefined],
  [TRACE.replace('00-', 'ff-'), undefined],
  [`${TRACE}-more`, undefined],
  [TRACE.replace(/-[0-9a-f]{32}-/, `-${'0'.repeat(32)}-`), undefined],
  [TRACE.replace(/-[0-9a-f]{16}-/, `-${'0'.repeat(16)}-`), undefined],
  [`${TRACE}"}`, undefined],
  ['', undefined],
])('the line has the traceparent of its request if it is valid: %s', async (traceparent, expected) => {
  expect((await service.send('GET', '/api/maker/m1', { headers: { traceparent } })).status).toBe(200);
  expect((JSON.parse(lines[0] ?? '') as { readonly traceparent?: string }).traceparent).toBe(expected);
});

test('bugs are logged with the request id', async () => {
  await service.send('PUT', '/api/maker/m1', { headers: { 'X-Request-Id': 'r2' } });
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({
    level: 50,
    request_id: 'r2',
    err: { type: 'Error' },
    msg: 'out of order',
  });
  expect(JSON.parse(lines[1] ?? '')).toMatchObject({ level: 30, request_id: 'r2', status: 500 });
});

test('no secret is logged', async () => {
  const body = '{"password":"hunter2","session_id":"hunter2","private_key":"hunter2"}';
  await service.send('POST', '/api/maker?session_id=hunter2', { headers: JSON_BODY, body });
  await service.send('PUT', '/api/maker/m1?password=hunter2', {
    headers: { ...JSON_BODY, Authorization: 'Bearer hunter2' },
    body,
  });
  await service.send('GET', '/api/session/hunter2');
  await service.send('GET', '/files/f1/hunter2');
  await service.send('GET', '/unknown/hunter2?hunter2');
  await service.send('GET', '/api/maker/m1?a=%hunter2', { headers: { Cookie: 'hunter2' } });
  expect(lines).toHaveLength(7);
  expect(lines.join('')).not.toContain('hunter2');
});

test('objects logged whole lose their secrets', () => {
  log.info(
    { list: [{ Password: 'hunter2', size: 5 }], err: Object.assign(new Error('told'), { key: 'hunter2' }) },
    'x',
  );
  expect(lines.join('')).toContain('told');
  expect(lines.join('')).toContain('"size":5');
  log.info({ password: 'hunter2', user: { password: 'hunter2' }, req: { headers: { authorization: 'hunter2' } } }, 'x');
  expect(lines.join('')).not.toContain('hunter2');
});

describe('F36: shortages of the system', () => {
  const thrown = { now: 1_700_000_000_000, error: new Error() as NodeJS.ErrnoException };
  let short: Service;
  beforeAll(async () => {
    const update = () => Promise.reject(thrown.error);
    const clock = { now: () => thrown.now, tick: () => 0 };
    short = await start({ log, clock, operations: { ...OPERATIONS, update } });
  });
  afterAll(() => short.close());

  const meet = async (code: string) => {
    thrown.error = Object.assign(new Error(`${code}: no more`), { code });
    const { status, headers } = await short.send('PUT', '/api/maker/m1');
    return [status, headers['retry-after']];
  };
  const problems = () =>
    lines
      .map((line) => JSON.parse(line) as { readonly level: number; readonly code?: string })
      .filter(({ level }) => level > 30)
      .map(({ level, code }) => [level, code]);

  test('too few descriptors are 503, a full disk is 507, each with a line in the log once a minute', async () => {
    for (const code of ['EMFILE', 'ENFILE', 'EMFILE']) expect(await meet(code)).toEqual([503, '1']);
    for (const code of ['ENOSPC', 'EDQUOT', 'ENOSPC']) expect(await meet(code)).toEqual([507, undefined]);
    expect(problems()).toEqual([
      [40, 'unavailable'],
      [50, 'storage_full'],
    ]);
    thrown.now += 60_000;
    await meet('ENOSPC');
    expect(problems().slice(2)).toEqual([[50, 'storage_full']]);
  });

  test('any other error stays a bug', async () => {
    expect((await meet('EINVAL'))[0]).toBe(500);
  });
});
