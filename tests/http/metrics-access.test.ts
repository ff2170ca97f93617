// Access to the metrics: nobody by default, otherwise callers that send the token or can reach the separate port.

import { createMetrics } from '../../runtime/http/metrics.js';
import { clientOf } from '../support/client.js';
import { METRICS_TOKEN } from '../support/quiet-service.js';
import { startService } from '../support/service.js';
import { type Service, start } from './client.js';

let service: Service | null = null;
afterEach(() => service?.close());

const get = async (authorization?: string) =>
  (await service?.send('GET', '/metrics', { headers: authorization === undefined ? {} : { authorization } }))?.status;

test('F24: there are no metrics on the service’s port without a token', async () => {
  service = await start({ metrics: createMetrics(), metricsToken: null });
  expect([await get(), await get('Bearer '), await get('Bearer null')]).toEqual([404, 404, 404]);
});

test('F24: with a token, only those who send it get the metrics', async () => {
  service = await start({ metrics: createMetrics(), metricsToken: 'secret' });
  const sent = [undefined, '', 'Bearer', 'Bearer secre', 'Bearer secret2', 'secret', 'Basic secret', 'Bearer secret'];
  expect(await Promise.all(sent.map(get))).toEqual([404, 404, 404, 404, 404, 404, 404, 200]);
});

test('F24: metrics on a port of their own, which answers nothing else', async () => {
  const running = await startService({ metricsPort: 0, metricsToken: '' });
  const address = running.metricsAddress ?? '';
  expect(address).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  const metrics = await clientOf(address)('GET', '/metrics');
  expect([metrics.status, metrics.headers.get('content-type')]).toEqual([200, expect.stringMatching('text/plain')]);
  expect(metrics.text).toContain('punchboard_webhook_due 0');
  expect(
    await Promise.all(['/', '/readyz', '/api/game'].map(async (path) => (await clientOf(address)('GET', path)).status)),
  ).toEqual([404, 404, 404]);
  expect((await clientOf(address)('POST', '/metrics')).status).toBe(404);
  expect((await clientOf(running.address)('GET', '/metrics', { session: METRICS_TOKEN })).status).toBe(404);
  expect((await clientOf(running.address)('GET', '/metrics', { session: '' })).status).toBe(404);
  await running.stop();
  await expect(fetch(`${address}/metrics`)).rejects.toThrow();
});
