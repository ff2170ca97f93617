// Stores the bytes of uploads in a folder, once per content (D34).

import { createHash, type Hash } from 'node:crypto';
import { statSync, utimesSync } from 'node:fs';
import { type FileHandle, mkdir, open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import type { Upload } from '../definition.js';
import { ServiceError } from '../errors.js';
import { shortageOf } from '../http/shortage.js';
import { HEAD_BYTES, inspect } from './inspect.js';
import { fileName } from './name.js';

/** Bytes on disk under a temporary name, to be kept or discarded. */
export interface Received {
  readonly name: string;
  readonly path: string;
  /** Bytes. */
  readonly size: number;
  /** SHA-256 in hex. */
  readonly hash: string;
}

export interface Blobs {
  /** Reads the stream to its end. Throws `too_large` (the rest is read and dropped), `storage_full`. */
  receive(stream: Readable, limits: { readonly name: string; readonly maxBytes: number }): Promise<Received>;
  /** Makes the bytes durable under their hash and inspects them. Throws `storage_full`. */
  keep(received: Received): Promise<Upload>;
  /** For a refused upload: deletes its temporary file and releases bytes that were kept for it. */
  discard(received: Received): Promise<void>;
  /** Path of the bytes with that hash, relative to the folder. */
  path(hash: string): string;
  readonly folder: string;
}

/** Records that the bytes may no longer be needed; a sweep deletes them if that is true. */
export type ReleaseBytes = (hash: string) => Promise<void>;

/** @param random fresh URL-safe text for temporary names */
export async function createBlobs(folder: string, random: () => string, release: ReleaseBytes): Promise<Blobs> {
  await mkdir(join(folder, 'tmp'), { recursive: true });
  const kept = new WeakSet<Received>();
  return {
    folder,
    path: blobPath,
    receive: (stream, limits) => receive(join(folder, 'tmp', random()), stream, limits),
    keep(received) {
      kept.add(received);
      return keep(folder, received).catch(storageFailure);
    },
    async discard(received) {
      await rm(received.path, { force: true });
      // If this cannot be recorded, the next walk finds the bytes; the caller should see the refusal, not this error.
      if (kept.has(received)) await release(received.hash).catch(() => undefined);
    },
  };
}

export function blobPath(hash: string): string {
  return join(hash.slice(0, 2), hash);
}

/** Throws a full disk as `storage_full`, a lack of file handles as `unavailable`, and any other error unchanged. */
export function storageFailure(error: unknown): never {
  throw shortageOf(error) ?? error;
}

async function receive(
  path: string,
  stream: Readable,
  limits: { readonly name: string; readonly maxBytes: number },
): Promise<Received> {
  const hash = createHash('sha256');
  // The stream may fail before it is read; the first read then reports the error.
  stream.on('error', () => undefined);
  try {
    const file = await open(path, 'wx').catch(storageFailure);
    try {
      const size = await copy(stream, file, { hash, maxBytes: limits.maxBytes });
      return { name: fileName(limits.name), path, size, hash: hash.digest('hex') };
    } finally {
      await file.close();
    }
  } catch (error) {
    // The writer of the stream must not wait for a reader that has gone.
    stream.resume();
    await rm(path, { force: true });
    throw error;
  }
}

async function copy(
  stream: Readable,
  file: FileHandle,
  { hash, maxBytes }: { hash: Hash; maxBytes: number },
): Promise<number> {
  let size = 0;
  for await (const chunk of stream.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBytes) throw new ServiceError('too_large', `The file must not be larger than ${maxBytes} bytes.`);
    hash.update(chunk);
    await file.writeFile(chunk).catch(storageFailure);
  }
  return size;
}

async function keep(folder: string, received: Received): Promise<Upload> {
  const target = join(folder, blobPath(received.hash));
  const file = await open(received.path, 'r+');
  try {
    const head = Buffer.alloc(Math.min(received.size, HEAD_BYTES));
    await file.read(head, 0, head.length, 0);
    const inspected = inspect(head);
    if (stored(target, received.size, new Date())) await rm(received.path, { force: true });
    else {
      await file.sync();
      await moveDurably(received.path, folder, received.hash);
    }
    return { name: received.name, size: received.size, hash: received.hash, ...inspected };
  } finally {
    await file.close();
  }
}

/**
 * Whether the content is already stored in full; its time is renewed, so that a sweep does not delete it. Check and
 * renewal are one synchronous step, so that no sweep can come between them.
 */
function stored(path: string, size: number, now: Date): boolean {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined || stats.size !== size) return false;
  utimesSync(path, now, now);
  return true;
}

async function moveDurably(from: string, folder: string, hash: string): Promise<void> {
  const hashFolder = join(folder, hash.slice(0, 2));
  const created = await mkdir(hashFolder, { recursive: true });
  await rename(from, join(folder, blobPath(hash)));
  await syncFolder(hashFolder);
  if (created !== undefined) await syncFolder(folder);
}

/** A rename is durable only after its folder is synced. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
