import type { Route } from '../../runtime/http/routes.js';
import { createTable } from '../../runtime/http/routes.js';
import { type Service, start } from './client.js';
import { appParts, echo } from './fixture.js';

const sessionRoute = (method: 'GET' | 'POST' | 'DELETE', withId: boolean): Route => ({
  method,
  base: '/api/session',
  withId,
  tail: null,
  resource: 'session',
  operation: method,
  definition: null,
  upload: null,
  run: ({ id, session, address }) => ({
    status: 200,
    body: JSON.stringify({ operation: `session ${method}`, id, session, address }),
  }),
});

describe('paths', () => {
  let service: Service;
  beforeAll(async () => {
    service = await start({
      extra: [sessionRoute('POST', false), sessionRoute('GET', true), sessionRoute('DELETE', true)],
      store: { ...appParts().store, locate: (resources, id) => resources.findIndex((name) => id.startsWith(name)) },
    });
  });
  afterAll(() => service.close());

  test.each([
    ['POST', '/api/maker', 'create', 'maker', '', ''],
    ['GET', '/api/maker/m1', 'fetch', 'maker', 'm1', ''],
    ['PUT', '/api/maker/m1', 'update', 'maker', 'm1', ''],
    ['DELETE', '/api/partner/p1', 'remove', 'partner', 'p1', ''],
    ['GET', '/api/maker/_options', 'options', 'maker', '', ''],
    ['GET', '/api/maker/m1/partners', 'list', 'maker', 'm1', 'partners'],
    ['POST', '/api/maker/m1/ship', 'action', 'maker', 'm1', 'ship'],
    ['POST', '/pad', 'create', 'pad', '', ''],
    ['GET', '/pad/s1', 'fetch', 'pad', 's1', ''],
    ['PUT', '/pad/s1', 'update', 'pad', 's1', ''],
    ['DELETE', '/pad/s1', 'remove', 'pad', 's1', ''],
    ['GET', '/api/pad/s1', 'fetch', 'pad', 's1', ''],
    ['GET', '/api/download/d1', 'fetch', 'makerdownload', 'd1', ''],
    ['GET', '/api/makerdownload/d1', 'fetch', 'makerdownload', 'd1', ''],
    ['DELETE', '/api/maker/maker1', 'remove', 'maker', 'maker1', ''],
    ['DELETE', '/api/maker/partner1', 'remove', 'partner', 'partner1', ''],
    ['DELETE', '/api/maker/nobody', 'remove', 'maker', 'nobody', ''],
    ['GET', '/api/maker/a%2Fb%20c', 'fetch', 'maker', 'a/b c', ''],
    ['GET', '/api/maker/%E2%82%AC', 'fetch', 'maker', '€', ''],
    ['GET', 'http://somewhere/api/maker/m1', 'fetch', 'maker', 'm1', ''],
  ])('%s %s', async (method, path, operation, resource, id, name) => {
    const reply = await service.send(method, path);
    expect(reply.status).toBe(operation === 'create' ? 201 : 200);
    expect(reply.json).toMatchObject({ operation, resource, id, name });
  });

  test.each([
    ['PATCH', '/api/maker/m1', 'GET, HEAD, PUT, DELETE'],
    ['POST', '/api/maker/m1', 'PUT, GET, HEAD, DELETE'],
    ['GET', '/api/maker', 'POST'],
    ['DELETE', '/api/maker', 'POST'],
    ['PUT', '/pad', 'POST'],
    ['POST', '/api/maker/_options', 'GET, HEAD'],
    ['POST', '/api/maker/m1/partners', 'GET, HEAD'],
    ['GET', '/api/maker/m1/ship', 'POST'],
    ['PUT', '/api/readonly/r1', 'GET, HEAD'],
    ['PUT', '/api/session/s', 'GET, HEAD, DELETE'],
    ['OPTIONS', '/api/maker', 'POST'],
    ['POST', '/files/a/b', 'GET, HEAD'],
    ['POST', '/healthz', 'GET, HEAD'],
  ])('405: %s %s', async (method, path, allow) => {
    const reply = await service.send(method, path);
    expect(reply.status).toBe(405);
    expect(reply.json).toMatchObject({ code: 'method', status: 405 });
    const names = (list: string | undefined) => (list ?? '').split(', ').sort();
    expect(names(reply.headers.allow)).toEqual(names(allow));
  });

  test.each([
    '/',
    '/api',
    '/api/',
    '/api/nothing',
    '/api/nothing/1',
    '/api/maker/',
    '/api/maker/m1/',
    '/api/maker//partners',
    '/api/maker/m1/nothing',
    '/api/maker/m1/hooks',
    '/api/maker/m1/partners/',
    '/api/maker/m1/partners/x',
    '/API/maker/m1',
    '//api/maker/m1',
    '/api/readonly',
    '/api/hook',
    '/api/hook/h1',
    '/api/maker/m1/constructor',
    '/__proto__',
    '/api/__proto__',
    '/api/constructor/x',
    '/metrics',
    '/files/x',
    '/api/maker/../maker/m1',
  ])('404: %s', async (path) => {
    const reply = await service.send('GET', path);
    expect(reply.status).toBe(404);
    expect(reply.json).toMatchObject({ code: 'not_found' });
  });

  test.each(['/api/maker/%', '/api/maker/%zz', '/api/maker/%ff', '/files/%zz/key'])('400: %s', async (path) => {
    expect(await service.send('GET', path)).toMatchObject({ status: 400, json: { code: 'malformed' } });
  });

  test('a hand-written route gets id, session and address', async () => {
    const reply = await service.send('DELETE', '/api/session/s1?session_id=alive');
    expect(reply.json).toEqual({ operation: 'session DELETE', id: 's1', session: 'alive', address: '127.0.0.1' });
    expect((await service.send('POST', '/api/session')).json).toMatchObject({ operation: 'session POST' });
  });

  test.each([
    ['PUT', 200, 'update'],
    ['DELETE', 200, 'remove'],
    ['delete', 200, 'remove'],
  ])('tunnelled %s', async (header, status, operation) => {
    const reply = await service.send('POST', '/api/maker/maker1', { headers: { 'X-HTTP-Method': header } });
    expect(reply).toMatchObject({ status, json: { operation } });
  });

  test('only POST tunnels, and only PUT and DELETE', async () => {
    const tunnel = (method: string, to: string) =>
      service.send(method, '/api/maker/maker1', { headers: { 'X-HTTP-Method': to } });
    expect((await tunnel('GET', 'DELETE')).json).toMatchObject({ operation: 'fetch' });
    expect(await tunnel('POST', 'GET')).toMatchObject({ status: 400, json: { code: 'malformed' } });
    expect((await tunnel('POST', 'POST')).status).toBe(405);
  });

  test('HEAD is GET without the body', async () => {
    const get = await service.send('GET', '/api/maker/m1');
    const head = await service.send('HEAD', '/api/maker/m1');
    expect(head).toMatchObject({ status: 200, text: '' });
    expect(head.headers['content-length']).toBe(get.headers['content-length']);
    expect(head.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(await service.send('HEAD', '/api/nothing')).toMatchObject({ status: 404, text: '' });
  });
});

test('a module serves its definition and may replace operations', async () => {
  const service = await start({ modules: { hooks: { fetch: echo('hook fetch'), list: echo('hook list') } } });
  const listed = await service.send('GET', '/api/maker/m1/hooks');
  expect(listed.json).toMatchObject({ operation: 'hook list', resource: 'maker', name: 'hooks' });
  expect((await service.send('GET', '/api/hook/h1')).json).toMatchObject({ operation: 'hook fetch', resource: 'hook' });
  expect((await service.send('PUT', '/api/hook/h1')).json).toMatchObject({ operation: 'update', resource: 'hook' });
  await service.close();
});

test.each([
  ['two hand-written routes', [sessionRoute('GET', true), sessionRoute('GET', true)], () => []],
  ['one next to the route of a resource', [sessionRoute('GET', true)], () => [sessionRoute('GET', true)]],
])('a hand-written route that shares its path is refused at start: %s', (_name, fixed, below) => {
  expect(() => createTable(fixed, below)).toThrow('Two routes handle GET /api/session/:id');
});

test('the routes of a prefix are requested with the first path that has it, and only once', () => {
  const prefixes: string[] = [];
  const { find } = createTable([], (prefix) => {
    prefixes.push(prefix);
    return prefix === '/api/session' ? [sessionRoute('GET', true)] : [];
  });
  const paths = ['/', '/api/session', '/api/session/s1/parts', '/api/session/s1', '/api/sessions/s1', '/session/s1'];
  expect(paths.map((path) => find(path)?.id)).toEqual([undefined, undefined, undefined, 's1', undefined, undefined]);
  expect(prefixes).toEqual(['/', '/api/session', '/api/sessions', '/session']);
});
