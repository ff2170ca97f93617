// Bytes on disk: each content is stored once and never in part, and nothing is left behind.

import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { type Blobs, createBlobs, storageFailure } from '../../runtime/files/blobs.js';
import { blobPath, openFolder } from '../../runtime/files/folder.js';
import { fileName } from '../../runtime/files/name.js';
import { temporaryFolder } from '../support/paths.js';
import { PNG } from './samples.js';

let folder: string;
let blobs: Blobs;
let drawn = 0;
let released: string[];

beforeEach(async () => {
  folder = temporaryFolder('blobs');
  released = [];
  blobs = createBlobs(
    await openFolder(folder),
    () => `temporary${++drawn}`,
    async (hash) => void released.push(hash),
  );
});

const receive = (bytes: Buffer, name = 'a.png', maxBytes = 1000) =>
  blobs.receive(Readable.from([bytes.subarray(0, 10), bytes.subarray(10)]), { name, maxBytes });
const temporary = (): string[] => readdirSync(join(folder, 'tmp'));
const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

describe('blobs', () => {
  test('a kept upload is stored under its hash and described from its bytes', async () => {
    const received = await receive(PNG, 'C:\\pictures\\dot.svg');
    const upload = await blobs.keep(received);
    // Until its record is stored, a mark says that the bytes must stay.
    expect(temporary()).toEqual([expect.stringContaining(sha256(PNG))]);
    await blobs.settle(received);
    const hash = sha256(PNG);
    expect(upload).toEqual({ name: 'dot.svg', type: 'image/png', size: PNG.length, width: 1, height: 1, hash });
    expect(readFileSync(join(folder, hash.slice(0, 2), hash)).equals(PNG)).toBe(true);
    expect(temporary()).toEqual([]);
  });

  test('the same content is stored once, even if it comes twice at the same time', async () => {
    const received = await Promise.all([receive(PNG, 'one'), receive(PNG, 'two')]);
    const uploads = await Promise.all(received.map((one) => blobs.keep(one)));
    const last = await receive(PNG, 'three');
    const third = await blobs.keep(last);
    await Promise.all([...received, last].map((one) => blobs.settle(one)));
    expect([...uploads, third].map(({ name }) => name)).toEqual(['one', 'two', 'three']);
    expect(readdirSync(join(folder, sha256(PNG).slice(0, 2)))).toEqual([sha256(PNG)]);
    expect(temporary()).toEqual([]);
  });

  test('bytes are synced before they get their place', async () => {
    const received = await receive(PNG);
    const { handle, hash } = received;
    const isInPlace = () => existsSync(join(folder, blobPath(hash)));
    const sync = handle.sync.bind(handle);
    const placesAtSync: boolean[] = [];
    handle.sync = async () => {
      placesAtSync.push(isInPlace());
      await sync();
    };
    await blobs.keep(received);
    expect([...placesAtSync, isInPlace()]).toEqual([false, true]);
  });

  test('content that is damaged on disk is replaced', async () => {
    const { hash } = await blobs.keep(await receive(PNG));
    writeFileSync(join(folder, blobPath(hash)), '');
    await blobs.keep(await receive(PNG));
    expect(readFileSync(join(folder, blobPath(hash))).equals(PNG)).toBe(true);
  });

  test('F09: a discarded upload is released only if its bytes were kept', async () => {
    await blobs.discard(await receive(PNG));
    expect(released).toEqual([]);
    const received = await receive(PNG);
    await blobs.keep(received);
    await blobs.discard(received);
    expect([released, temporary()]).toEqual([[sha256(PNG)], []]);
  });

  test('an empty file is a file', async () => {
    expect(await blobs.keep(await receive(Buffer.alloc(0)))).toMatchObject({
      size: 0,
      type: 'application/octet-stream',
    });
  });

  test('the limit is allowed; one byte more is too_large, leaves nothing and lets the stream end', async () => {
    await blobs.discard(await receive(Buffer.alloc(1000)));
    expect(temporary()).toEqual([]);
    const stream = Readable.from([Buffer.alloc(1001), Buffer.alloc(10), Buffer.alloc(10)]);
    const ended = new Promise((resolve) => stream.once('end', resolve));
    await expect(blobs.receive(stream, { name: 'x', maxBytes: 1000 })).rejects.toMatchObject({ code: 'too_large' });
    await ended;
    expect(temporary()).toEqual([]);
  });

  test('a stream that breaks leaves nothing', async () => {
    const stream = new Readable({ read() {} });
    stream.push(PNG);
    const received = blobs.receive(stream, { name: 'x', maxBytes: 1000 });
    stream.destroy(new Error('gone'));
    await expect(received).rejects.toThrow('gone');
    expect(temporary()).toEqual([]);
  });

  test('a full disk is storage_full, other errors are passed on', () => {
    for (const code of ['ENOSPC', 'EDQUOT']) {
      const full = Object.assign(new Error(code), { code });
      expect(() => storageFailure(full)).toThrow(expect.objectContaining({ code: 'storage_full' }));
    }
    const other = Object.assign(new Error('EINVAL'), { code: 'EINVAL' });
    expect(() => storageFailure(other)).toThrow(other);
  });
});

describe('fileName', () => {
  test.each([
    ['a.png', 'a.png'],
    ['../../etc/passwd', 'passwd'],
    ['C:\\dir\\b.png', 'b.png'],
    ['a\u0000b\r\n.png', 'ab.png'],
    ['\u202egnp.exe', 'gnp.exe'],
    ['', 'file'],
    ['..', 'file'],
    ['dir/', 'file'],
    ['\ud800.png', '\ufffd.png'],
    ['😀'.repeat(300), '😀'.repeat(255)],
    ['.hidden', '.hidden'],
  ])('%j -> %j', (given, name) => {
    expect(fileName(given)).toBe(name);
  });
});
