// D46: browsers of other origins may call the service only if the operator names them.

import { OURS, runIn, serve } from '../cli/processes.js';
import { exchange } from '../support/exchange.js';
import { temporaryFolder } from '../support/paths.js';
import { shared } from '../support/shared.js';

const APP = 'https://app.example';
const OPTIONS = ['--port', '0', '--log-level', 'error', '--cors-origins', `${APP},http://localhost:5173`];
const server = shared(() => serve(OPTIONS, temporaryFolder('cors')));

const preflight = (origin: string, path = '/api/game') =>
  exchange(server.address + path, {
    method: 'OPTIONS',
    headers: { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'idempotency-key' },
  });

test.each([APP, 'http://localhost:5173'])(
  '%s may send every request, and read the headers of responses',
  async (origin) => {
    const { status, headers } = await preflight(origin);
    expect(status).toBe(204);
    expect(headers.get('access-control-allow-origin')).toBe(origin);
    expect(headers.get('access-control-allow-methods')).toBe('GET, HEAD, POST, PUT, PATCH, DELETE');
    expect(headers.get('access-control-allow-headers')).toMatch(/Authorization.*Idempotency-Key.*If-Match/);
    expect(headers.get('access-control-allow-credentials')).toBeNull();
    for (const path of ['/api/game/none', '/openapi.json', '/files/a/b', '/nothing']) {
      const answer = await exchange(server.address + path, { method: 'GET', headers: { origin } });
      expect([path, answer.headers.get('access-control-allow-origin')]).toEqual([path, origin]);
      expect(answer.headers.get('access-control-expose-headers')).toMatch(/ETag.*Retry-After.*WWW-Authenticate/);
      expect(answer.headers.get('vary')).toMatch(/\bOrigin\b/);
    }
  },
);

test.each(['https://other.example', `${APP}.other.example`, 'null', 'http://app.example'])(
  '%s may not call the service',
  async (origin) => {
    const { status, headers } = await preflight(origin);
    expect([status, headers.get('access-control-allow-origin')]).toEqual([405, null]);
    const answer = await exchange(`${server.address}/api/game/none`, { method: 'GET', headers: { origin } });
    expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([404, null]);
  },
);

test.each(['*', 'app.example', `${APP}/path`, 'ftp://app.example'])(
  '%s is not an origin: exit code 2',
  async (origin) => {
    const { code, stderr } = await runIn(['serve', '--cors-origins', origin], temporaryFolder('cors'), { env: OURS });
    expect([code, stderr]).toEqual([2, expect.stringMatching(/must be an origin, such as https:/)]);
  },
);
