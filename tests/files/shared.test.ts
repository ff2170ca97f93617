// Two servers on one store: whichever deletes and whichever stores, bytes that a record holds are never lost.

import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { BlobStore } from '../../runtime/files/blob-store.js';
import { type Blobs, createBlobs } from '../../runtime/files/blobs.js';
import { openBlobStore } from '../../runtime/files/open-store.js';
import { createSweep, type Sweep } from '../../runtime/files/sweep.js';
import type { FileIndex, Release } from '../../runtime/store/engine.js';
import { type BlobStoreFixture, GROUNDS, useTestCredentials } from '../support/blob-stores.js';
import { type S3Server, startS3 } from '../support/s3-server.js';

const HOUR = 3_600_000;

/** What the common database of the servers knows about files. */
interface Index extends FileIndex {
  readonly records: Set<string>;
  readonly waiting: Release[];
}

function createIndex(): Index {
  const records = new Set<string>();
  const waiting: Release[] = [];
  let sequence = 0;
  return {
    records,
    waiting,
    findFile: () => null,
    release: (hashes) => {
      for (const hash of hashes) waiting.push({ sequence: ++sequence, hash });
    },
    listReleases: (after, limit) => waiting.filter((one) => one.sequence > after).slice(0, limit),
    isHeld: (hash) => records.has(hash),
    isPaused: () => false,
    listUsersAbove: () => [],
    deleteReleases: (done) => {
      for (const one of done) {
        const at = waiting.findIndex((other) => other.sequence === one.sequence);
        if (at >= 0) waiting.splice(at, 1);
      }
    },
  };
}

interface TestServer {
  readonly store: BlobStore;
  readonly sweep: Sweep;
  /** Stores bytes as an upload does, and writes the record. @returns the hash */
  upload(content: string): Promise<string>;
  /** The first half of an upload: stores bytes without a record. @returns the hash */
  keep(content: string): Promise<string>;
  /** Runs every step of the sweep, `later` milliseconds from now. */
  sweepAll(later: number): Promise<void>;
}

function serverOn(store: BlobStore, index: Index): TestServer {
  const blobs: Blobs = createBlobs(store, randomUUID, async (hash) => index.release([hash]));
  const sweep = createSweep(store, index);
  const keep = async (content: string) =>
    (await blobs.keep(await blobs.receive(Readable.from([Buffer.from(content)]), { name: 'x', maxBytes: 1000 }))).hash;
  return {
    store,
    sweep,
    keep,
    async upload(content) {
      const hash = await keep(content);
      index.records.add(hash);
      return hash;
    },
    async sweepAll(later) {
      while (await sweep.sweep(Date.now() + later));
    },
  };
}

/** Null: nothing is found. */
async function contentOf(store: BlobStore, hash: string): Promise<string | null> {
  const blob = await store.find(hash);
  return blob === null ? null : text(await blob.read(null));
}

describe.each(GROUNDS)('two servers on a %s', (_name, prepare) => {
  let fixture: BlobStoreFixture;
  let index: Index;
  let one: TestServer;
  let other: TestServer;
  beforeEach(async () => {
    fixture = await prepare();
    index = createIndex();
    [one, other] = [serverOn(await fixture.open(), index), serverOn(await fixture.open(), index)];
  });
  afterEach(async () => {
    for (const { store } of [one, other]) store.close();
    await fixture.end();
  });

  function remove(hash: string): void {
    index.records.delete(hash);
    index.release([hash]);
  }

  test('bytes that one server stored and another released are deleted by either, within two hours', async () => {
    const hash = await one.upload('gone');
    remove(hash);
    await other.sweepAll(0);
    expect(await contentOf(one.store, hash)).toBe('gone');
    await Promise.all([one.sweepAll(2 * HOUR), other.sweepAll(2 * HOUR)]);
    await one.sweepAll(2 * HOUR);
    expect([await contentOf(one.store, hash), index.waiting]).toEqual([null, []]);
  });

  test('a record that is written after its bytes went to the trash gets them back', async () => {
    if (fixture.age === null) return;
    const hash = await one.keep('late');
    fixture.age(hash, 2 * HOUR);
    index.release([hash]);
    await other.sweepAll(0);
    expect(await fixture.isInPlace(hash)).toBe(false);
    index.records.add(hash);
    expect(await contentOf(one.store, hash)).toBe('late');
    await other.sweepAll(2 * HOUR);
    expect([await fixture.isInPlace(hash), await contentOf(one.store, hash)]).toEqual([true, 'late']);
    await one.sweepAll(4 * HOUR);
    expect(await contentOf(other.store, hash)).toBe('late');
  });

  test('both sweep and walk during uploads of what they delete; in the end exactly the bytes of records are left', async () => {
    const { age } = fixture;
    if (age === null) return;
    const hashes = await Promise.all(Array.from({ length: 12 }, (_, at) => one.upload(`content ${at}`)));
    const walkAll = async ({ sweep }: TestServer) => {
      while (await sweep.walk(Date.now()));
    };
    for (let round = 0; round < 8; round += 1) {
      for (const [at, hash] of hashes.entries()) if ((at + round) % 3 !== 0) remove(hash);
      for (const hash of hashes) if (await fixture.isInPlace(hash)) age(hash, 2 * HOUR);
      const again = hashes.flatMap((_, at) => ((at + round) % 3 === 1 ? [at] : []));
      const uploads = again.map((at) => (at % 2 === 0 ? one : other).upload(`content ${at}`));
      await Promise.all([...uploads, one.sweepAll(0), other.sweepAll(0), walkAll(one)]);
      for (const hash of index.records) expect(await contentOf(other.store, hash)).not.toBeNull();
    }
    await Promise.all([one.sweepAll(2 * HOUR), other.sweepAll(2 * HOUR)]);
    await one.sweepAll(2 * HOUR);
    const exists = await Promise.all(hashes.map(async (hash) => (await contentOf(one.store, hash)) !== null));
    expect(exists).toEqual(hashes.map((hash) => index.records.has(hash)));
    for (const hash of index.records) expect(await fixture.isInPlace(hash)).toBe(true);
  });

  test('a walk finds bytes that no record holds, whichever server left them', async () => {
    const hash = await one.keep('crashed');
    while (await other.sweep.walk(Date.now()));
    await other.sweepAll(0);
    expect(await contentOf(one.store, hash)).toBe('crashed');
    await other.sweepAll(2 * HOUR);
    expect(await contentOf(one.store, hash)).toBeNull();
  });
});

describe('two servers on a bucket, with each request held in turn', () => {
  let server: S3Server;
  let index: Index;
  let one: TestServer;
  let other: TestServer;
  beforeEach(async () => {
    useTestCredentials();
    server = await startS3();
    index = createIndex();
    const open = () => openBlobStore(server.address());
    [one, other] = [serverOn(await open(), index), serverOn(await open(), index)];
  });
  afterEach(async () => {
    for (const { store } of [one, other]) store.close();
    await server.stop();
  });

  const keyOf = (hash: string) => `files/${hash.slice(0, 2)}/${hash}`;

  /** Stores bytes, makes them old, and releases them. */
  async function storeForgotten(content: string): Promise<string> {
    const hash = await one.keep(content);
    const object = server.objects.get(keyOf(hash));
    if (object !== undefined) object.stored -= 2 * HOUR;
    index.release([hash]);
    return hash;
  }

  test.each(['HEAD', 'PUT files/trash', 'DELETE'])(
    'if the other server stores the same bytes before the %s of a sweep, its record keeps them',
    async (request) => {
      const hash = await storeForgotten('contested');
      const held = server.hold(request);
      const sweeping = one.sweepAll(0);
      await Promise.race([held.arrived, sweeping]);
      await other.upload('contested');
      held.release();
      await sweeping;
      expect(await contentOf(other.store, hash)).toBe('contested');
      // Proves that the case occurs: between the sweep's check and its deletion the bytes do leave their place.
      if (request === 'DELETE') expect(server.objects.has(keyOf(hash))).toBe(false);
      await one.sweepAll(2 * HOUR);
      await other.sweepAll(4 * HOUR);
      expect(server.objects.get(keyOf(hash))?.bytes.toString()).toBe('contested');
    },
  );

  test('a server that dies in the middle of a move leaves the bytes where others find them', async () => {
    const hash = await storeForgotten('halfway');
    const held = server.hold('DELETE');
    const sweeping = one.sweepAll(0).catch(() => undefined);
    await Promise.race([held.arrived, sweeping]);
    expect(await contentOf(other.store, hash)).toBe('halfway');
    await other.sweepAll(2 * HOUR);
    held.release();
    await sweeping;
    await other.sweepAll(4 * HOUR);
    expect(await contentOf(other.store, hash)).toBeNull();
  });

  test('bytes that return to their place during a search are found', async () => {
    const hash = await one.upload('returning');
    await one.store.toTrash(hash, Date.now() + HOUR);
    const held = server.hold('HEAD files/trash');
    const found = contentOf(other.store, hash);
    await Promise.race([held.arrived, found]);
    await one.store.restore(hash);
    held.release();
    expect(await found).toBe('returning');
  });

  test('a pause begins when the deletion under way has ended', async () => {
    const hash = await storeForgotten('copied');
    const held = server.hold('DELETE');
    const sweeping = one.sweepAll(0);
    await Promise.race([held.arrived, sweeping]);
    let paused = false;
    const pausing = one.sweep.pause().then((resume) => {
      paused = true;
      return resume;
    });
    // Anything else that could end the wait of the pause has ended after one request.
    await one.store.find(hash);
    expect(paused).toBe(false);
    held.release();
    await sweeping;
    (await pausing)();
    expect(server.objects.has(keyOf(hash))).toBe(false);
  });
});
