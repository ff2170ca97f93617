// Copies the bytes of files from one store to another. What is there already is left alone, so that a copy can go on.
import { createHash, randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { StartError } from '../store/start-error.js';
import type { BlobStore, StoredBlob } from './blob-store.js';

interface Stores {
  readonly from: BlobStore;
  readonly to: BlobStore;
}

/** @returns false: there are no such bytes. Throws StartError if they are not what their hash says. */
export async function copyFile({ from, to }: Stores, hash: string): Promise<boolean> {
  const blob = await from.find(hash);
  if (blob === null) return false;
  const there = await to.find(hash);
  if (there?.size !== blob.size) await store(to, hash, blob);
  return true;
}

async function store(to: BlobStore, hash: string, blob: StoredBlob): Promise<void> {
  const path = join(to.incoming, `copy-${randomUUID()}`);
  const digest = createHash('sha256');
  try {
    const bytes = await blob.read(null);
    bytes.on('data', (chunk: Buffer) => digest.update(chunk));
    await pipeline(bytes, createWriteStream(path, { flags: 'wx' }));
    if (digest.digest('hex') !== hash)
      throw new StartError(`the bytes of the file ${hash} are damaged: restore a backup`);
    await to.put(hash, { path, size: blob.size });
  } finally {
    await rm(path, { force: true });
  }
}
