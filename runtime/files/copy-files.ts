// Copies the bytes of files from one store to another. It skips bytes that are already there, so that a copy can be resumed.
import { createHash, type Hash, randomUUID } from 'node:crypto';
import { open, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { ServiceError } from '../contract/errors.js';
import { shortageOf } from '../contract/shortage.js';
import { StartError } from '../store/start-error.js';
import type { BlobStore, StoredBlob } from './blob-store.js';
import { unlinkIfPresent } from './folder.js';

interface StorePair {
  readonly from: BlobStore;
  readonly to: BlobStore;
}

/**
 * @returns false: there are no such bytes. Throws StartError if they do not match their hash, or if a store does not respond or
 * has no space left.
 */
export async function copyFile(stores: StorePair, hash: string): Promise<boolean> {
  try {
    return await copy(stores, hash);
  } catch (error) {
    const failure = shortageOf(error) ?? error;
    // The databases of the copy, which also throw such errors, are not the cause here.
    throw failure instanceof ServiceError
      ? new StartError(`the file ${hash} was not copied: ${failure.message}`)
      : error;
  }
}

async function copy({ from, to }: StorePair, hash: string): Promise<boolean> {
  const blob = await from.find(hash);
  if (blob === null) return false;
  const existing = await to.find(hash);
  if (existing?.size !== blob.size) await store(to, hash, blob);
  return true;
}

async function store(to: BlobStore, hash: string, blob: StoredBlob): Promise<void> {
  const path = join(to.incoming, `copy-${randomUUID()}`);
  const digest = createHash('sha256');
  const handle = await open(path, 'wx+');
  try {
    await writeFile(handle, digested(await blob.read(null), digest));
    if (digest.digest('hex') !== hash)
      throw new StartError(`the bytes of the file ${hash} are damaged: restore a backup`);
    await to.put(hash, { path, handle, size: blob.size });
  } finally {
    await handle.close();
    await unlinkIfPresent(path);
  }
}

async function* digested(bytes: Readable, digest: Hash): AsyncGenerator<Buffer> {
  for await (const chunk of bytes as AsyncIterable<Buffer>) {
    digest.update(chunk);
    yield chunk;
  }
}
