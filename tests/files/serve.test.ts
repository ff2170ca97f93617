// Stored bytes over HTTP: they are served only with the key, and never executed, whatever they are (D25).

import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import Sqlite, { type Database } from 'better-sqlite3';
import express, { type NextFunction, type Request, type Response } from 'express';
import request from 'supertest';
import { ServiceError } from '../../runtime/contract/errors.js';
import type { BlobStore } from '../../runtime/files/blob-store.js';
import { type Blobs, createBlobs } from '../../runtime/files/blobs.js';
import { createServeFile } from '../../runtime/files/serve.js';
import type { ServedFile } from '../../runtime/store/engine.js';
import { type BlobStoreFixture, GROUNDS } from '../support/blob-stores.js';
import { temporaryFolder } from '../support/paths.js';
import { PNG, SVG_SCRIPT } from './samples.js';

describe.each(GROUNDS)('serving from a %s', (_name, prepare) => {
  let place: BlobStoreFixture;
  let db: Database;
  let store: BlobStore;
  let blobs: Blobs;
  let app: express.Express;

  beforeEach(async () => {
    place = await prepare();
    store = await place.open();
    blobs = createBlobs(
      store,
      () => randomUUID(),
      async () => undefined,
    );
    db = new Sqlite(':memory:');
    db.exec('CREATE TABLE file (id TEXT PRIMARY KEY, name TEXT, file_type TEXT, content_hash TEXT, access_key TEXT)');
    app = serving(store);
  });
  afterEach(async () => {
    db.close();
    store.close();
    await place.end();
  });

  function serving(from: BlobStore): express.Express {
    const served = express();
    served.get('/files/:id/:key', createServeFile({ findFile: find }, from));
    served.use((error: Error, _req: Request, res: Response, _next: NextFunction) => {
      const code = error instanceof ServiceError ? error.code : 'internal';
      res.status(STATUSES[code] ?? 500).json(code);
    });
    return served;
  }

  const find = (id: string) =>
    db
      .prepare<[string], ServedFile>(
        'SELECT name, file_type AS type, content_hash AS hash, access_key AS key FROM file WHERE id = ?',
      )
      .get(id) ?? null;

  async function add(bytes: Buffer, name: string): Promise<string> {
    const upload = await blobs.keep(await blobs.receive(Readable.from([bytes]), { name, maxBytes: 10_000 }));
    db.prepare("INSERT INTO file VALUES ('f1', ?, ?, ?, 'key')").run(upload.name, upload.type, upload.hash);
    return upload.hash;
  }

  test('F36: without descriptors for the bytes the answer is unavailable, not an internal error', async () => {
    await add(PNG, 'dot.png');
    const short: BlobStore = {
      ...store,
      find: async () => ({
        size: 1,
        read: async () => {
          throw Object.assign(new Error('EMFILE'), { code: 'EMFILE' });
        },
      }),
    };
    const response = await request(serving(short)).get('/files/f1/key').expect(503);
    const { 'cache-control': cached, 'content-disposition': name } = response.headers;
    expect([response.body, cached, name]).toEqual(['unavailable', undefined, undefined]);
  });

  test('an image is shown inline, cached forever, and only as the type that it is', async () => {
    const hash = await add(PNG, 'dot.png');
    const response = await request(app).get('/files/f1/key').expect(200);
    expect((response.body as Buffer).equals(PNG)).toBe(true);
    expect(response.headers).toMatchObject({
      'content-type': 'image/png',
      'content-length': String(PNG.length),
      etag: `"${hash}"`,
      'cache-control': 'private, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
      'content-disposition': `inline; filename="dot.png"; filename*=UTF-8''dot.png`,
    });
  });

  test('an SVG with script is a download in a sandbox', async () => {
    await add(SVG_SCRIPT, 'cut.svg');
    const response = await request(app).get('/files/f1/key').expect(200);
    expect(response.headers['content-type']).toMatch(/^image\/svg\+xml/);
    expect(response.headers['content-disposition']).toMatch(/^attachment;/);
    expect(response.headers['content-security-policy']).toContain("default-src 'none'");
    expect(response.headers['content-security-policy']).toContain('sandbox');
    expect(response.headers['x-content-type-options']).toBe('nosniff');
  });

  test('a name cannot end its header', async () => {
    await add(Buffer.from('x'), 'a"b; ü%41.txt');
    const response = await request(app).get('/files/f1/key').expect(200);
    expect(response.headers['content-disposition']).toBe(
      `attachment; filename="a_b; __41.txt"; filename*=UTF-8''a%22b%3B%20%C3%BC%2541.txt`,
    );
  });

  test('another key or another id is not found', async () => {
    await add(PNG, 'dot.png');
    for (const path of ['/files/f1/kex', '/files/f1/ke', '/files/f1/key1', '/files/f2/key', '/files/f1/%00']) {
      await request(app).get(path).expect(404);
    }
  });

  test('ranges and conditional requests are answered', async () => {
    const hash = await add(PNG, 'dot.png');
    const part = await request(app).get('/files/f1/key').set('Range', 'bytes=1-3').expect(206);
    expect((part.body as Buffer).toString()).toBe('PNG');
    expect(part.headers['content-range']).toBe(`bytes 1-3/${PNG.length}`);
    await request(app).get('/files/f1/key').set('If-None-Match', `"${hash}"`).expect(304);
    await request(app).get('/files/f1/key').set('If-Match', '"other"').expect(412);
    const beyond = await request(app).get('/files/f1/key').set('Range', 'bytes=9999-').expect(416);
    expect(beyond.headers['content-range']).toBe(`bytes */${PNG.length}`);
    await request(app).head('/files/f1/key').expect(200).expect('Content-Length', String(PNG.length));
  });

  test('F30: the answer to a refused condition or range is not cached in place of the bytes', async () => {
    await add(PNG, 'dot.png');
    for (const [header, value, status] of [
      ['If-Match', '"other"', 412],
      ['Range', 'bytes=9999-', 416],
    ] as const) {
      const refused = await request(app).get('/files/f1/key').set(header, value).expect(status);
      expect(refused.headers['cache-control']).toBe('no-store');
      expect([refused.headers['content-type'], refused.text]).toEqual([undefined, '']);
    }
  });

  test('F30: conditions that do not apply are ignored', async () => {
    await add(PNG, 'dot.png');
    const since = 'Mon, 01 Jan 2001 00:00:00 GMT';
    await request(app).get('/files/f1/key').set('If-Unmodified-Since', since).expect(200);
    await request(app).get('/files/f1/key').set('If-Modified-Since', since).expect(200);
    await request(app).head('/files/f1/key').set('Range', 'bytes=1-3').expect(200);
    await request(app).head('/files/f1/key').set('Range', 'bytes=9999-').expect(200);
  });

  test('bytes in the trash are served, as their record may have been written a moment too late', async () => {
    const hash = await add(PNG, 'dot.png');
    await store.toTrash(hash, Date.now() + 3_600_000);
    expect(await place.isInPlace(hash)).toBe(false);
    const response = await request(app).get('/files/f1/key').expect(200);
    expect((response.body as Buffer).equals(PNG)).toBe(true);
  });

  test('missing bytes are a fault of our own', async () => {
    const hash = await add(PNG, 'dot.png');
    await store.toTrash(hash, Date.now() + 3_600_000);
    await store.remove(hash, Date.now() + 3_600_000);
    const response = await request(app).get('/files/f1/key').expect(500);
    expect(response.headers['content-type']).toMatch(/^application\/json/);
  });

  test('every header of a request has the effect that it has with Express’s sendFile', async () => {
    const hash = await add(PNG, 'dot.png');
    const folder = temporaryFolder('sent');
    writeFileSync(join(folder, 'bytes'), PNG);
    const reference = express();
    reference.get('/files/:id/:key', (_request, response) => {
      response.set({ ETag: `"${hash}"`, 'Cache-Control': 'private', 'Content-Type': 'image/png' });
      const options = { root: folder, etag: false, lastModified: false, cacheControl: false };
      response.sendFile('bytes', options, (error) => {
        if (!error) return;
        const { status = 500 } = error as Error & { readonly status?: number };
        response.status(status).end();
      });
    });
    for (const headers of HEADERS.map((one) => fillIn(one, hash))) {
      for (const method of ['get', 'head'] as const) {
        // With a range, sendFile answers HEAD as it answers GET, which HTTP forbids (F30).
        if (method === 'head' && headers.Range !== undefined) continue;
        const [ours, theirs] = await Promise.all(
          [app, reference].map((one) => request(one)[method]('/files/f1/key').set(headers)),
        );
        expect([headers, shown(ours)]).toEqual([headers, shown(theirs)]);
      }
    }
  });
});

const STATUSES: Readonly<Record<string, number>> = { not_found: 404, unavailable: 503 };

/** `#` stands for the hash of the content. */
const HEADERS: readonly Readonly<Record<string, string>>[] = [
  {},
  ...['bytes=0-0', 'bytes=1-3', 'bytes=5-', 'bytes=-5', 'bytes=0-9999', 'bytes=9999-', 'bytes=3-1', 'bytes=-0'].map(
    (Range) => ({ Range }),
  ),
  ...['bytes=0-1,1-3', 'bytes=0-1,5-7', 'bytes=x', 'bytes=', 'items=0-1', ' bytes=1-3', 'bytes=0-1,9999-'].map(
    (Range) => ({ Range }),
  ),
  ...['"#"', 'W/"#"', '"x"', '"x", "#"', '*', 'x'].flatMap((tag) => [{ 'If-Match': tag }, { 'If-None-Match': tag }]),
  ...['"#"', '"x"', 'Mon, 01 Jan 2001 00:00:00 GMT', ''].map((tag) => ({ 'If-Range': tag, Range: 'bytes=1-3' })),
  { 'If-None-Match': '"#"', 'Cache-Control': 'no-cache' },
  { 'If-None-Match': '"#"', Range: 'bytes=1-3' },
  { 'If-Match': '"x"', 'If-None-Match': '"#"' },
  { 'If-Modified-Since': 'Mon, 01 Jan 2001 00:00:00 GMT' },
];

function fillIn(headers: Readonly<Record<string, string>>, hash: string): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, value.replace('#', hash)]));
}

/** The parts of a response that depend on the stored bytes. */
function shown(response: request.Response | undefined) {
  const { status, headers = {}, body } = response ?? {};
  const names = ['content-length', 'content-range', 'accept-ranges', 'etag', 'transfer-encoding'];
  const length = status === 412 || status === 416 ? undefined : headers['content-type'];
  return [
    status,
    names.map((name) => headers[name]),
    length,
    Buffer.isBuffer(body) && body.length > 0 ? body.toString('hex') : null,
  ];
}
