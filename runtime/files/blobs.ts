// Receives the bytes of uploads, and stores them once per content (D34).

import { createHash, type Hash } from 'node:crypto';
import { type FileHandle, open, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import type { Upload } from '../contract/definition.js';
import { ServiceError } from '../contract/errors.js';
import { shortageOf } from '../contract/shortage.js';
import type { BlobStore, LocalFile } from './blob-store.js';
import { listFiles, unlinkIfPresent } from './folder.js';
import { HEAD_BYTES, inspect } from './inspect.js';
import { fileName } from './name.js';

/** Bytes on this server's disk under a temporary name, to be kept or discarded, which closes the file. */
export interface ReceivedFile extends LocalFile {
  readonly name: string;
  /** SHA-256 in hex. */
  readonly hash: string;
}

export interface Blobs {
  /** Reads the stream to its end. Throws `too_large` (the rest is read and dropped), `storage_full`. */
  receive(stream: Readable, limits: { readonly name: string; readonly maxBytes: number }): Promise<ReceivedFile>;
  /** Makes the bytes durable under their hash and inspects them. Throws `storage_full`, `unavailable`. */
  keep(received: ReceivedFile): Promise<Upload>;
  /** For a refused upload: deletes its temporary file and releases bytes that were kept for it. */
  discard(received: ReceivedFile): Promise<void>;
  /** Called once the record that holds kept bytes is stored. Until then no sweep deletes them. */
  settle(received: ReceivedFile): Promise<void>;
  readonly store: BlobStore;
}

/** Records that the bytes may no longer be needed; a sweep deletes them if that is true. */
export type ReleaseBytes = (hash: string) => Promise<void>;

/** @param random fresh URL-safe text for temporary names */
export function createBlobs(store: BlobStore, random: () => string, release: ReleaseBytes): Blobs {
  /** Marks of received files whose record is not stored yet. */
  const kept = new WeakMap<ReceivedFile, string>();
  const settle: Blobs['settle'] = async (received) => {
    const mark = kept.get(received);
    if (mark !== undefined) await unlinkIfPresent(mark);
  };
  return {
    store,
    receive: (stream, limits) => receive(join(store.incoming, random()), stream, limits),
    async keep(received) {
      const mark = join(store.incoming, `${received.hash}-${random()}`);
      kept.set(received, mark);
      try {
        await writeFile(mark, '');
        return await keep(store, received);
      } catch (error) {
        return storageFailure(error);
      } finally {
        await received.handle.close();
      }
    },
    settle,
    async discard(received) {
      await received.handle.close();
      await unlinkIfPresent(received.path);
      // If this cannot be recorded, the next walk finds the bytes; the caller should see the refusal, not this error.
      if (kept.has(received)) await release(received.hash).catch(() => undefined);
      await settle(received);
    },
  };
}

/** Hashes of bytes that uploads of any process have kept and whose records are not stored yet. */
export async function hashesInFlight(incoming: string): Promise<ReadonlySet<string>> {
  return new Set((await listFiles(incoming)).flatMap((name) => /^([0-9a-f]{64})-/.exec(name)?.[1] ?? []));
}

/** Throws a full disk as `storage_full`, a lack of file handles as `unavailable`, and any other error unchanged. */
export function storageFailure(error: unknown): never {
  throw shortageOf(error) ?? error;
}

async function receive(
  path: string,
  stream: Readable,
  limits: { readonly name: string; readonly maxBytes: number },
): Promise<ReceivedFile> {
  const hash = createHash('sha256');
  // The stream may fail before it is read; the first read then reports the error.
  stream.on('error', () => undefined);
  let handle: FileHandle | undefined;
  try {
    handle = await open(path, 'wx+').catch(storageFailure);
    const size = await copy(stream, handle, { hash, maxBytes: limits.maxBytes });
    return { name: fileName(limits.name), path, handle, size, hash: hash.digest('hex') };
  } catch (error) {
    // The writer of the stream must not wait for a reader that has ended.
    stream.resume();
    await handle?.close();
    await unlinkIfPresent(path);
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

async function keep(store: BlobStore, received: ReceivedFile): Promise<Upload> {
  const { name, path, size, hash } = received;
  const inspected = inspect(await headOf(received));
  if (!(await store.put(hash, received))) await unlinkIfPresent(path);
  return { name, size, hash, ...inspected };
}

async function headOf({ handle, size }: LocalFile): Promise<Buffer> {
  const head = Buffer.alloc(Math.min(size, HEAD_BYTES));
  await handle.read(head, 0, head.length, 0);
  return head;
}
