// The whole service over a bucket: uploads, downloads and deletions as with a folder, and what happens when the bucket
// does not answer or refuses.

import { randomUUID } from 'node:crypto';
import { statSync, symlinkSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import request from 'supertest';
import type { LocalFile } from '../../runtime/files/blob-store.js';
import { openBucket } from '../../runtime/files/bucket.js';
import { bucketAddress } from '../../runtime/files/bucket-address.js';
import { createSweep } from '../../runtime/files/sweep.js';
import { start } from '../../runtime/server/main.js';
import { StartError } from '../../runtime/store/start-error.js';
import { run } from '../cli/processes.js';
import { useTestCredentials } from '../support/blob-stores.js';
import { clientOf } from '../support/client.js';
import { temporaryFolder } from '../support/paths.js';
import { quietly } from '../support/quiet-service.js';
import { type S3Server, startS3 } from '../support/s3-server.js';
import { startService } from '../support/service.js';
import { shared } from '../support/shared.js';
import { PNG } from './samples.js';

const HOUR = 3_600_000;

let server: S3Server;
beforeAll(async () => {
  useTestCredentials();
  process.env.AWS_EC2_METADATA_DISABLED = 'true';
  server = await startS3();
});
beforeEach(() => {
  server.objects.clear();
  server.failures.length = 0;
});
afterAll(() => server.stop());

describe('a service over a bucket', () => {
  const service = shared(() => startService({ files: server.address('shop/files') }));
  let session: string;
  beforeAll(async () => {
    session = (await service.user('owner')).session;
  });

  async function upload(bytes: Buffer = PNG, fields: Readonly<Record<string, string>> = {}) {
    const form = new FormData();
    for (const [name, value] of Object.entries({ session_id: session, ...fields })) form.set(name, value);
    form.set('file', new Blob([new Uint8Array(bytes)]), 'dot.png');
    const response = await fetch(`${service.address}/api/file`, { method: 'POST', body: form });
    const body = (await response.json()) as { readonly id: string; readonly file_uri: string; readonly code: string };
    return { status: response.status, retryAfter: response.headers.get('retry-after'), body };
  }
  const download = (uri: string, headers: Readonly<Record<string, string>> = {}) =>
    fetch(`${service.address}${uri}`, { headers });

  test('an upload is stored under its hash and served from there', async () => {
    const { status, body } = await upload();
    expect(status).toBe(201);
    expect([...server.objects.keys()]).toEqual([expect.stringMatching(/^shop\/files\/([0-9a-f]{2})\/\1[0-9a-f]{62}$/)]);
    const whole = await download(body.file_uri);
    expect(Buffer.from(await whole.arrayBuffer()).equals(PNG)).toBe(true);
    expect(whole.headers.get('content-type')).toBe('image/png');
    const part = await download(body.file_uri, { Range: 'bytes=1-3' });
    expect([part.status, await part.text()]).toEqual([206, 'PNG']);
    const tag = String(whole.headers.get('etag'));
    await request(service.address).get(body.file_uri).set('If-None-Match', tag).expect(304);
  });

  test('a bucket that sends another part than the requested one is not trusted', async () => {
    const { body } = await upload();
    server.ignoresRanges = true;
    expect((await download(body.file_uri, { Range: 'bytes=1-3' })).status).toBe(500);
    server.ignoresRanges = false;
    expect((await download(body.file_uri, { Range: 'bytes=1-3' })).status).toBe(206);
  });

  test('bytes of a deleted record and of a refused upload leave the bucket', async () => {
    const { body } = await upload(Buffer.from('deleted'));
    expect((await upload(Buffer.from('other'), { folder_id: 'nowhere' })).status).toBe(422);
    expect(server.objects.size).toBe(2);
    await clientOf(service.address)('DELETE', `/api/file/${body.id}`, { session });
    const { sweep } = createSweep(service.blobs.store, service.service.engine.files);
    while (await sweep(Date.now() + 2 * HOUR));
    expect(server.objects.size).toBe(0);
  });

  test('a bucket that is down makes uploads and downloads unavailable, and nothing else; then they work again', async () => {
    const { body } = await upload();
    await server.stop();
    const down = await upload(Buffer.from('while it is down'));
    expect([down.status, down.retryAfter, down.body.code]).toEqual([503, '5', 'unavailable']);
    const answer = await download(body.file_uri);
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '5']);
    expect([answer.headers.get('etag'), answer.headers.get('cache-control')]).not.toContain('immutable');
    const { status } = await clientOf(service.address)('GET', `/api/file/${body.id}`, { session });
    expect(status).toBe(200);
    await server.start();
    expect((await download(body.file_uri)).status).toBe(200);
    expect((await upload()).status).toBe(201);
  });

  test.each([
    ['busy for a moment', [503], 201, undefined],
    ['busy for long', [503, 503], 503, 'unavailable'],
    ['limiting its callers', [429, 429], 503, 'unavailable'],
    ['full', [507], 507, 'storage_full'],
    ['refusing us', [403], 500, 'internal'],
  ])('an upload to a bucket that is %s', async (_name, failures, status, code) => {
    server.failures.push(...failures.map((one) => ({ method: 'PUT', status: one })));
    const answer = await upload(Buffer.from('anything'));
    expect([answer.status, answer.body.code]).toEqual([status, code]);
    expect(JSON.stringify(answer.body)).not.toContain(server.endpoint);
  });
});

test('a bucket that never answers is given up', async () => {
  const incoming = temporaryFolder('incoming');
  const store = await openBucket(bucketAddress(server.address()), { incoming, patience: 500 });
  const file = await pngIn(incoming);
  for (const work of [() => store.find('a'.repeat(64)), () => store.put('a'.repeat(64), file)]) {
    for (const method of ['HEAD', 'HEAD', 'HEAD', 'PUT', 'PUT']) server.failures.push({ method, status: 0 });
    await expect(work()).rejects.toMatchObject({ code: 'unavailable' });
    server.failures.length = 0;
  }
  await file.handle.close();
  store.close();
});

test('the bucket refuses bytes that do not have the hash they are stored under', async () => {
  const store = await openBucket(bucketAddress(server.address()), { incoming: temporaryFolder('incoming') });
  const file = await pngIn(store.incoming);
  await expect(store.put('a'.repeat(64), file)).rejects.toThrow('XAmzContentSHA256Mismatch');
  await file.handle.close();
  expect(server.objects.size).toBe(0);
  store.close();
});

describe('a start that cannot use the bucket says why in one line', () => {
  /** Why the service does not start. */
  async function reason(files: string, environment: Readonly<Record<string, string>> = {}): Promise<string> {
    const before = { ...process.env };
    Object.assign(process.env, environment);
    try {
      const error = await start({ ...quietly(temporaryFolder('start')), files }).then(
        (running) => running.stop().then(() => new Error('it started')),
        (thrown: Error) => thrown,
      );
      expect(error).toBeInstanceOf(StartError);
      expect(error.message).not.toContain('\n');
      return error.message;
    } finally {
      for (const name of Object.keys(environment)) {
        if (before[name] === undefined) delete process.env[name];
        else process.env[name] = before[name];
      }
    }
  }

  test.each([
    [
      'another bucket',
      (place: string) => place.replace('prints', 'posters'),
      {},
      /posters .*no such bucket: create it/,
    ],
    ['another key', (place: string) => place, { AWS_ACCESS_KEY_ID: 'x' }, /access key .*check AWS_ACCESS_KEY_ID/],
    [
      'no key',
      (place: string) => place,
      { AWS_ACCESS_KEY_ID: '', HOME: '/nowhere' },
      /no credentials: set AWS_ACCESS_KEY_ID/,
    ],
    [
      'no region',
      (place: string) => place.replace('region=eu-central-1&', ''),
      { HOME: '/nowhere' },
      /region .*AWS_REGION/,
    ],
    [
      'a port where nobody listens',
      (place: string) => place.replace(/%3A\d+$/, '%3A9'),
      {},
      /ECONNREFUSED.*check the endpoint/,
    ],
    [
      'credentials in its address',
      (place: string) => place.replace('prints', 'a:b@prints'),
      {},
      /AWS_SECRET_ACCESS_KEY/,
    ],
  ])('%s', async (_name, change, environment, expected) => {
    expect(await reason(change(server.address()), environment)).toMatch(expected);
  });
});

describe('the folder that uploads to a bucket are received in', () => {
  /** What `punchboard serve` prints when it ends. */
  async function errorOf(temporary: string): Promise<string> {
    const environment = {
      TMPDIR: temporary,
      AWS_ACCESS_KEY_ID: 'x',
      AWS_SECRET_ACCESS_KEY: 'x',
      NODE_NO_WARNINGS: '1',
    };
    const ended = await run(['serve', '--port', '0', '--files', server.address()], temporaryFolder('cli'), environment);
    expect([ended.code, ended.stdout, ended.stderr.trim().split('\n')]).toEqual([1, '', [expect.any(String)]]);
    return ended.stderr;
  }
  const folderName = `punchboard-uploads-${userInfo().uid}`;

  test('is accessible to this user alone', async () => {
    const temporary = temporaryFolder('tmp');
    // The server ends because of its access key, after it has created the folder.
    expect(await errorOf(temporary)).toContain('AWS_ACCESS_KEY_ID');
    expect(statSync(join(temporary, folderName)).mode & 0o777).toBe(0o700);
  });

  test('is not a link that somebody else has put there', async () => {
    const [temporary, home] = [temporaryFolder('tmp'), temporaryFolder('home')];
    symlinkSync(home, join(temporary, folderName));
    expect(await errorOf(temporary)).toMatch(/made by somebody else.*TMPDIR/);
  });
});

async function pngIn(folder: string): Promise<LocalFile> {
  const path = join(folder, randomUUID());
  const handle = await open(path, 'wx+');
  await handle.writeFile(PNG);
  return { path, handle, size: PNG.length };
}
