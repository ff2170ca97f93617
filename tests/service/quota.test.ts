// The storage of one user's files (N02, D64): counted by the upkeep, and limited only at the next upload.

import { join } from 'node:path';
import type { StartOptions } from '../../runtime/server/main.js';
import { clientOf } from '../support/client.js';
import { onPostgres } from '../support/on-postgres.js';
import { METRICS_TOKEN } from '../support/quiet-service.js';
import { PASSWORD, startService, type TestService } from '../support/service.js';

const QUOTA = 1000;
const MINUTE = 60_000;

interface Person {
  readonly id: string;
  readonly session: string;
}

let services: TestService[] = [];
afterEach(async () => {
  for (const service of services) await service.stop();
  services = [];
});

async function begin(options: Partial<StartOptions> = {}) {
  const service = await startService({ quotaBytes: QUOTA, ...options });
  services.push(service);
  return { service, send: clientOf(service.address) };
}

let uploads = 0;
async function upload({ address }: TestService, { session }: Person, more: Readonly<Record<string, string>> = {}) {
  const form = new FormData();
  for (const [name, value] of Object.entries({ session_id: session, ...more })) form.set(name, value);
  uploads += 1;
  form.set('file', new Blob([String(uploads).padEnd(600)]), 'a.txt');
  const response = await fetch(`${address}/api/file`, { method: 'POST', body: form });
  const body = (await response.json()) as { id: string; detail: string; code: string; errors: readonly object[] };
  return { status: response.status, body };
}

/** Waits until the upkeep has counted, as it does within a minute; worker processes learn of it a moment later. */
async function counted(service: TestService, person: Person, wanted: number) {
  for (let minutes = 1; ; minutes += 1) {
    await service.upkeep.runOnce(Date.now() + minutes * MINUTE);
    const reply = await upload(service, person);
    if (reply.status === wanted) return reply.body;
    // An upload that was still accepted must not be counted next.
    if (reply.status === 201) await clientOf(service.address)('DELETE', `/api/file/${reply.body.id}`, person);
  }
}

function suite(...processes: readonly number[]): void {
  test.each(processes)('N02: with --processes %d, uploads are refused until files are deleted', async (number) => {
    const { service, send } = await begin({ processes: number });
    const [ada, bob] = [await service.user('ada'), await service.user('bob')];
    const admin = await service.user('root', true);
    const { body: first } = await upload(service, ada);
    expect((await upload(service, ada)).status).toBe(201);
    const refusal = await counted(service, ada, 403);
    const message = expect.stringMatching(/ take 1200 bytes, and at most 1000 are allowed: delete files /);
    expect(refusal).toMatchObject({
      ...{ code: 'quota_exceeded', detail: message },
      errors: [{ field: 'file', code: 'quota_exceeded', message }],
    });
    // An upload by somebody else that she would own is refused, too; uploads that others own are not.
    const hers = await upload(service, admin, { user_id: ada.id });
    expect([hers.status, hers.body.code]).toEqual([403, 'quota_exceeded']);
    for (const other of [bob, admin]) expect((await upload(service, other)).status).toBe(201);
    const { session } = ada;
    const login = await send('POST', '/api/session', { parameters: { username: 'ada', password: PASSWORD } });
    const created = await send('POST', '/api/designer', { session, parameters: { name: 'Acme' } });
    const renamed = await send('PUT', `/api/file/${first.id}`, { session, parameters: { name: 'b.txt' } });
    const removed = await send('DELETE', `/api/file/${first.id}`, { session });
    expect([login, created, renamed, removed].map(({ status }) => status)).toEqual([201, 201, 200, 200]);
    // 600 bytes are free.
    await counted(service, ada, 201);
  });
}

suite(1, 2);

test('N02: without a quota, nothing is refused', async () => {
  const { service } = await begin({ quotaBytes: 0 });
  const ada = await service.user('ada');
  for (let at = 0; at < 2; at += 1) await upload(service, ada);
  await service.upkeep.runOnce(Date.now() + MINUTE);
  expect((await upload(service, ada)).status).toBe(201);
});

onPostgres(() => {
  suite(2);

  test('N02: files stored by one server count on another', async () => {
    const { service: first } = await begin();
    const { service: second } = await begin({ database: join(first.folder, 'punchboard.db') });
    const ada = await first.user('ada');
    for (let at = 0; at < 2; at += 1) await upload(first, ada);
    expect((await counted(second, ada, 403)).code).toBe('quota_exceeded');
  });
});

test('N02: wing answers with its status for forbidden requests, before bytes are received; the metrics count refused users', async () => {
  const { service } = await begin({ wire: 'wing', processes: 1 });
  const ada = await service.user('ada');
  for (let at = 0; at < 2; at += 1) await upload(service, ada);
  expect(await counted(service, ada, 450)).toMatchObject({ error: { code: 450, data: 'file' } });
  // Otherwise the disk would fill with refused bytes.
  const receive = jest.spyOn(service.blobs, 'receive');
  expect((await upload(service, ada)).status).toBe(450);
  expect(receive).not.toHaveBeenCalled();
  const headers = { authorization: `Bearer ${METRICS_TOKEN}` };
  const metrics = await (await fetch(`${service.address}/metrics`, { headers })).text();
  expect(metrics).toMatch(/^punchboard_users_over_quota 1$/m);
});
