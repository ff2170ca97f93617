// The contract of every store of bytes: what is stored under a hash, the way through the trash, and concurrent servers.

import { createHash, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { BlobStore, ByteRange } from '../../runtime/files/blob-store.js';
import { type BlobStoreFixture, GROUNDS } from '../support/blob-stores.js';

const HOUR = 3_600_000;
const LONG_AGO = 0;
const later = () => Date.now() + HOUR;

describe.each(GROUNDS)('a %s', (_name, prepare) => {
  let fixture: BlobStoreFixture;
  let store: BlobStore;
  /** The store of another server. */
  let other: BlobStore;
  beforeAll(async () => {
    fixture = await prepare();
    [store, other] = [await fixture.open(), await fixture.open()];
  });
  afterAll(async () => {
    for (const one of [store, other]) one.close();
    await fixture.end();
  });

  const hashOf = (content: string) => createHash('sha256').update(content).digest('hex');

  /** Stores content. @returns its hash */
  async function put(content: string, into = store): Promise<string> {
    const path = join(into.incoming, randomUUID());
    const handle = await open(path, 'wx+');
    await handle.writeFile(content);
    const isMoved = await into.put(hashOf(content), { path, handle, size: Buffer.byteLength(content) });
    await handle.close();
    expect(existsSync(path)).toBe(!isMoved);
    return hashOf(content);
  }

  /** Null: nothing is found. */
  async function content(hash: string, range: ByteRange | null = null): Promise<string | null> {
    const blob = await store.find(hash);
    return blob === null ? null : text(await blob.read(range));
  }

  async function all(listing: AsyncIterable<string>): Promise<readonly string[]> {
    const hashes: string[] = [];
    for await (const hash of listing) hashes.push(hash);
    return hashes.sort();
  }

  test('bytes are found under their hash, whole and in part, by every server', async () => {
    const hash = await put('some bytes', other);
    expect((await store.find(hash))?.size).toBe(10);
    expect(await content(hash)).toBe('some bytes');
    expect(await content(hash, { start: 5, end: 6 })).toBe('by');
    expect(await content(hash, { start: 9, end: 9 })).toBe('s');
  });

  test('a file may be empty', async () => {
    const hash = await put('');
    expect([(await store.find(hash))?.size, await content(hash)]).toEqual([0, '']);
  });

  test('bytes that were never stored are not found, and operations on them have no effect', async () => {
    const hash = hashOf('never stored');
    expect(await store.find(hash)).toBeNull();
    expect(await store.toTrash(hash, later())).toBe(true);
    await store.restore(hash);
    await store.remove(hash, later());
    expect(await store.find(hash)).toBeNull();
  });

  test('every hash is listed once', async () => {
    const before = await all(store.hashes());
    const stored = await Promise.all(Array.from({ length: 7 }, (_, at) => put(`listed ${at}`)));
    await Promise.all(stored.map((_, at) => put(`listed ${at}`, other)));
    expect(await all(store.hashes())).toEqual([...before, ...stored].sort());
  });

  test('young bytes stay; old ones go to the trash, are still found there, and leave it for good', async () => {
    const hash = await put('unused');
    expect([await store.toTrash(hash, LONG_AGO), await fixture.isInPlace(hash)]).toEqual([false, true]);
    expect([await store.toTrash(hash, later()), await fixture.isInPlace(hash)]).toEqual([true, false]);
    expect([await all(store.trash(later())), await all(store.trash(LONG_AGO))]).toEqual([[hash], []]);
    expect([(await all(store.hashes())).includes(hash), await content(hash)]).toEqual([false, 'unused']);
    await store.remove(hash, LONG_AGO);
    expect(await content(hash)).toBe('unused');
    await store.remove(hash, later());
    expect([await content(hash), await all(store.trash(later()))]).toEqual([null, []]);
  });

  test('bytes come back from the trash, as often as they are needed', async () => {
    const hash = await put('needed');
    for (let times = 0; times < 2; times += 1) {
      await store.toTrash(hash, later());
      await store.restore(hash);
      expect([await fixture.isInPlace(hash), await content(hash)]).toEqual([true, 'needed']);
      expect(await all(store.trash(later()))).toEqual([]);
    }
  });

  test('bytes that are stored again while they are in the trash do not depend on the trash', async () => {
    const hash = await put('twice');
    await store.toTrash(hash, later());
    await put('twice', other);
    await store.remove(hash, later());
    expect([await fixture.isInPlace(hash), await content(hash)]).toEqual([true, 'twice']);
  });

  test('bytes that are stored again are as young as new ones', async () => {
    if (fixture.age === null) return;
    const hash = await put('again');
    fixture.age(hash, 2 * HOUR);
    await put('again', other);
    expect(await store.toTrash(hash, Date.now() - HOUR)).toBe(false);
  });

  test('the time of bytes in the trash begins when they are moved there', async () => {
    if (fixture.age === null) return;
    const hash = await put('old');
    fixture.age(hash, 2 * HOUR);
    await store.toTrash(hash, Date.now() - HOUR);
    expect(await all(store.trash(Date.now() - HOUR))).toEqual([]);
    await store.remove(hash, later());
  });

  test('two servers that move the same bytes at the same time lose nothing', async () => {
    for (let round = 0; round < 8; round += 1) {
      const hash = await put(`both ${round}`);
      const moved = await Promise.all([store.toTrash(hash, later()), other.toTrash(hash, later())]);
      expect([moved, await content(hash)]).toEqual([[true, true], `both ${round}`]);
      await Promise.all([store.restore(hash), other.restore(hash)]);
      expect(await content(hash)).toBe(`both ${round}`);
    }
  });

  test('an upload that meets another server’s move is found, whichever comes first', async () => {
    for (let round = 0; round < 12; round += 1) {
      const hash = await put(`met ${round}`);
      const upload = async () => {
        for (let turn = 0; turn < round; turn += 1) await new Promise((resolve) => setImmediate(resolve));
        await put(`met ${round}`, other);
      };
      await Promise.all([upload(), store.toTrash(hash, later())]);
      expect(await content(hash)).toBe(`met ${round}`);
    }
  });
});
