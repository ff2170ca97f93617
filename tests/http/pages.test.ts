// The pages that everybody can open: what a browser gets, what a program gets, and what the pages may load.

import { startService } from '../support/service.js';
import { shared } from '../support/shared.js';

const service = shared(startService);

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8';

function open(path: string, accept = BROWSER, method = 'GET'): Promise<Response> {
  return fetch(`${service.address}${path}`, { method, headers: { accept } });
}

test('a browser gets a page at /, with the name of the service and the way to its API', async () => {
  const reply = await open('/');
  const text = await reply.text();
  expect([reply.status, reply.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
  expect(text).toContain('<h1>Game Component Service</h1>');
  expect([...text.matchAll(/<a href="([^"]+)"/g)].map(([, path]) => path)).toEqual(['/docs', '/openapi.json']);
});

test.each([
  ['*/*', 'GET'],
  ['application/json', 'GET'],
  [BROWSER, 'POST'],
])('a program gets at / what it gets at any path that does not exist: %s %s', async (accept, method) => {
  const [first, nowhere] = await Promise.all([open('/', accept, method), open('/nowhere', accept, method)]);
  const bodyOf = async (reply: Response): Promise<unknown> => ({ ...((await reply.json()) as object), request_id: '' });
  expect([first.status, await bodyOf(first)]).toEqual([404, await bodyOf(nowhere)]);
});

test('every file that a page loads is there, compressed, and checked again by its tag', async () => {
  const encoding = { 'accept-encoding': 'br' };
  for (const page of ['/', '/docs']) {
    const text = await (await open(page)).text();
    const files = [...text.matchAll(/(?:src|href)="([^"]+\.(?:js|css|ico))"/g)].map(([, path]) => path ?? '');
    expect(files).toContain('/favicon.ico');
    for (const file of files) {
      const reply = await fetch(`${service.address}${file}`, { headers: encoding });
      await reply.arrayBuffer();
      expect([file, reply.status, reply.headers.get('content-encoding')]).toEqual([file, 200, 'br']);
      const again = await fetch(`${service.address}${file}`, {
        headers: { ...encoding, 'if-none-match': reply.headers.get('etag') ?? '' },
      });
      expect([file, again.status]).toEqual([file, 304]);
    }
  }
});

test.each(['/assets/nothing.js', '/assets/..%2fpages.js', '/assets/constructor', '/assets/'])(
  'no other file is served: %s',
  async (path) => expect((await open(path, '*/*')).status).toBe(404),
);

test.each(['/', '/docs'])('a page loads from this server alone, and is shown in no frame: %s', async (path) => {
  const reply = await open(path);
  const policy = new Map(
    (reply.headers.get('content-security-policy') ?? '').split('; ').map((directive) => {
      const [name = '', ...sources] = directive.split(' ');
      return [name, sources] as const;
    }),
  );
  expect(policy.get('default-src')).toEqual(["'none'"]);
  expect(policy.get('script-src')).toEqual(["'self'"]);
  expect(policy.get('connect-src')).toEqual(["'self'"]);
  expect(policy.get('frame-ancestors')).toEqual(["'none'"]);
  expect([...policy.values()].flat().filter((source) => !/^'|^(data|blob):$/.test(source))).toEqual([]);
  expect(reply.headers.get('x-frame-options')).toBe('DENY');
});
