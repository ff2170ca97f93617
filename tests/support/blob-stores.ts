// The stores of bytes, each empty, with means for tests to change it behind the interface. With PUNCHBOARD_S3, the address of a
// bucket that may be filled with rubbish, that bucket, too.

import { randomUUID } from 'node:crypto';
import { existsSync, rmSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import type { BlobStore } from '../../runtime/files/blob-store.js';
import { blobPath } from '../../runtime/files/folder.js';
import { openBlobStore } from '../../runtime/files/open-store.js';
import { temporaryFolder } from './paths.js';
import { ACCESS_KEY, startS3 } from './s3-server.js';

export interface BlobStoreFixture {
  /** The value for `--files`. */
  readonly place: string;
  /** Opens the store as another server does. */
  open(): Promise<BlobStore>;
  /** Whether the bytes are in their place, and not in the trash. */
  isInPlace(hash: string): Promise<boolean>;
  /** Makes bytes look as if they had been stored some time ago; null if the times of the store cannot be changed. */
  readonly age: ((hash: string, milliseconds: number) => void) | null;
  end(): Promise<void>;
}

/** The stores to test, by name. */
export const GROUNDS: readonly (readonly [name: string, prepare: () => Promise<BlobStoreFixture>])[] = [
  ['folder', folderFixture],
  ['bucket', bucketFixture],
  ...(process.env.PUNCHBOARD_S3 === undefined ? [] : [['real bucket', realFixture] as const]),
];

/** Sets credentials of the test server where the SDK looks for them. */
export function useTestCredentials(): void {
  if (process.env.PUNCHBOARD_S3 !== undefined) return;
  process.env.AWS_ACCESS_KEY_ID = ACCESS_KEY;
  process.env.AWS_SECRET_ACCESS_KEY = 'secret';
}

async function folderFixture(): Promise<BlobStoreFixture> {
  const folder = temporaryFolder('blobs');
  return {
    place: folder,
    open: () => openBlobStore(folder),
    isInPlace: async (hash) => existsSync(join(folder, blobPath(hash))),
    age: (hash, milliseconds) => {
      const time = new Date(Date.now() - milliseconds);
      utimesSync(join(folder, blobPath(hash)), time, time);
    },
    end: async () => rmSync(folder, { recursive: true }),
  };
}

async function bucketFixture(): Promise<BlobStoreFixture> {
  useTestCredentials();
  const server = await startS3(2);
  const place = server.address();
  const key = (hash: string) => `files/${hash.slice(0, 2)}/${hash}`;
  return {
    place,
    open: () => openBlobStore(place),
    isInPlace: async (hash) => server.objects.has(key(hash)),
    age: (hash, milliseconds) => {
      const object = server.objects.get(key(hash));
      if (object !== undefined) object.stored = server.now() - milliseconds;
    },
    end: () => server.stop(),
  };
}

async function realFixture(): Promise<BlobStoreFixture> {
  const place = String(process.env.PUNCHBOARD_S3).replace(/^(s3:\/\/[^/?]+)[^?]*/, `$1/${randomUUID()}`);
  const stores: BlobStore[] = [];
  const open = async () => {
    const store = await openBlobStore(place);
    stores.push(store);
    return store;
  };
  return {
    place,
    open,
    async isInPlace(hash) {
      for await (const one of (await open()).hashes()) if (one === hash) return true;
      return false;
    },
    age: null,
    end: async () => {
      for (const store of stores) store.close();
    },
  };
}
