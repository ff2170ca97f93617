// Stored bytes over HTTP: only with the key, and whatever they are, they run nothing (D25).

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import Sqlite, { type Database } from 'better-sqlite3';
import express, { type NextFunction, type Request, type Response } from 'express';
import request from 'supertest';
import { ServiceError } from '../../runtime/errors.js';
import { type Blobs, createBlobs } from '../../runtime/files/blobs.js';
import { createServeFile } from '../../runtime/files/serve.js';
import type { ServedFile } from '../../runtime/store/engine.js';
import { PNG, SVG_SCRIPT } from './samples.js';

let folder: string;
let db: Database;
let blobs: Blobs;
let app: express.Express;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), '.serve-'));
  blobs = await createBlobs(
    folder,
    () => 'temporary',
    async () => undefined,
  );
  db = new Sqlite(':memory:');
  db.exec('CREATE TABLE file (id TEXT PRIMARY KEY, name TEXT, file_type TEXT, content_hash TEXT, access_key TEXT)');
  app = express();
  app.get('/files/:id/:key', createServeFile({ served }, blobs));
  app.use((error: Error, _req: Request, res: Response, _next: NextFunction) => {
    res.status(error instanceof ServiceError && error.code === 'not_found' ? 404 : 500).json(error.message);
  });
});
afterEach(() => {
  db.close();
  rmSync(folder, { recursive: true });
});

const served = (id: string) =>
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

describe('serve', () => {
  test('F36: without descriptors for the bytes the answer is unavailable, and not a bug', async () => {
    await add(PNG, 'dot.png');
    const short = express();
    short.use((_req, res, next) => {
      const none = Object.assign(new Error('EMFILE'), { code: 'EMFILE', status: 500 });
      res.sendFile = ((_path: string, _options: unknown, done: (error: Error) => void) => done(none)) as never;
      next();
    });
    short.get('/files/:id/:key', createServeFile({ served }, blobs));
    short.use((error: ServiceError, _req: Request, res: Response, _next: NextFunction) => void res.json(error.code));
    expect((await request(short).get('/files/f1/key')).body).toBe('unavailable');
  });

  test('an image is shown in place, for ever, and only as what it is', async () => {
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

  test('another key, another id: not found', async () => {
    await add(PNG, 'dot.png');
    for (const path of ['/files/f1/kex', '/files/f1/ke', '/files/f1/key1', '/files/f2/key', '/files/f1/%00']) {
      await request(app).get(path).expect(404);
    }
  });

  test('ranges and conditional requests', async () => {
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

  test('F30: a refused condition or range is not kept in place of the bytes', async () => {
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

  test('bytes that are missing are a fault of ours', async () => {
    const hash = await add(PNG, 'dot.png');
    rmSync(join(folder, blobs.path(hash)));
    const response = await request(app).get('/files/f1/key').expect(500);
    expect(response.headers['content-type']).toMatch(/^application\/json/);
  });
});
