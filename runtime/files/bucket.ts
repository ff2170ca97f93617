// Keeps bytes under their hash in an S3-compatible bucket. Uploads are received in a local folder first, as their hash is known
// only at their end.

import { open } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import {
  CopyObjectCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { BUCKET } from '../contract/defaults.js';
import { ServiceError } from '../contract/errors.js';
import type { BlobStore, ByteRange, LocalFile } from './blob-store.js';
import type { BucketAddress } from './bucket-address.js';
import { bucketFailure, cannotStart, isMissing } from './bucket-failures.js';

export interface BucketOptions {
  /** Local folder for uploads while they are received. */
  readonly incoming: string;
  /** Milliseconds until an answer begins, for each attempt. */
  readonly patience?: number;
}

/** Throws StartError if the bucket cannot be used. */
export async function openBucket(address: BucketAddress, options: BucketOptions): Promise<BlobStore> {
  const { bucket, prefix } = address;
  const objects = createObjects(createClient(address, options), bucket, options.patience ?? BUCKET.answer);
  const place = (hash: string) => `${prefix}${hash.slice(0, 2)}/${hash}`;
  const trash = `${prefix}trash/`;
  const trashed = (hash: string) => `${trash}${hash}`;
  await objects.check(prefix).catch((error) => {
    objects.close();
    throw cannotStart(error, bucket);
  });
  return {
    incoming: options.incoming,
    async put(hash, file) {
      await objects.put(place(hash), hash, file);
      return false;
    },
    async find(hash) {
      // The place is checked twice: bytes may return to it after the first check.
      for (const key of [place(hash), trashed(hash), place(hash)]) {
        const object = await objects.head(key);
        if (object !== null) return { size: object.size, read: (range) => objects.get(key, object.size, range) };
      }
      return null;
    },
    hashes: () => hashesOf(objects, prefix),
    async toTrash(hash, before) {
      const object = await objects.head(place(hash));
      if (object === null) return true;
      if (object.stored > before) return false;
      if (await objects.copy(place(hash), trashed(hash), object.size)) await objects.remove(place(hash));
      return true;
    },
    trash: (before) => olderThan(objects, trash, before),
    async restore(hash) {
      const object = await objects.head(trashed(hash));
      if (object === null || !(await objects.copy(trashed(hash), place(hash), object.size))) return;
      await removeOld(objects, trashed(hash), object.stored);
    },
    remove: (hash, before) => removeOld(objects, trashed(hash), before),
    close: objects.close,
  };
}

/** Another server may have moved the same bytes there in the meantime, which renews their time. */
async function removeOld(objects: Objects, key: string, before: number): Promise<void> {
  const object = await objects.head(key);
  if (object !== null && object.stored <= before) await objects.remove(key);
}

async function* hashesOf(objects: Objects, prefix: string): AsyncGenerator<string> {
  for await (const { key } of objects.list(prefix)) {
    const hash = /^[0-9a-f]{2}\/([0-9a-f]{64})$/.exec(key.slice(prefix.length))?.[1];
    if (hash !== undefined) yield hash;
  }
}

async function* olderThan(objects: Objects, trash: string, before: number): AsyncGenerator<string> {
  for await (const { key, stored } of objects.list(trash)) {
    const hash = key.slice(trash.length);
    if (stored <= before && /^[0-9a-f]{64}$/.test(hash)) yield hash;
  }
}

function createClient(address: BucketAddress, { patience = BUCKET.answer }: BucketOptions): S3Client {
  const { region, endpoint, pathStyle } = address;
  // As many connections as there are requests: a client that reads slowly must not keep others waiting.
  const agent = { keepAlive: true, maxSockets: Number.POSITIVE_INFINITY };
  return new S3Client({
    ...(region !== null && { region }),
    ...(endpoint !== null && { endpoint }),
    forcePathStyle: pathStyle,
    maxAttempts: BUCKET.attempts,
    // Not every S3-compatible store supports the checksums of newer SDKs; the content's hash is part of the signature.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    // Errors are thrown, and logged by the service.
    logger: { debug: silent, info: silent, warn: silent, error: silent },
    requestHandler: {
      connectionTimeout: patience,
      requestTimeout: patience,
      throwOnRequestTimeout: true,
      socketTimeout: BUCKET.stalled,
      httpAgent: agent,
      httpsAgent: agent,
    },
  });
}

function silent(): void {}

interface ObjectHead {
  /** Bytes. */
  readonly size: number;
  /** Epoch milliseconds of the bucket's clock. */
  readonly stored: number;
}

type Objects = ReturnType<typeof createObjects>;

/** Single requests. They throw `unavailable`, `storage_full`, and as a bug any other refusal of the bucket. */
function createObjects(client: S3Client, bucket: string, patience: number) {
  const at = (key: string) => ({ Bucket: bucket, Key: key });
  const longer = (size: number) => ({ requestTimeout: patience + size / BUCKET.slowest });
  return {
    /** Throws what the SDK throws. */
    check: (prefix: string): Promise<unknown> =>
      client.send(new ListObjectsV2Command({ Bucket: bucket, Prefix: prefix, MaxKeys: 1 })),
    async head(key: string): Promise<ObjectHead | null> {
      const head = await ifPresent(client.send(new HeadObjectCommand(at(key))));
      return head && { size: head.ContentLength ?? 0, stored: head.LastModified?.getTime() ?? Date.now() };
    },
    async get(key: string, size: number, range: ByteRange | null): Promise<Readable> {
      const part = range === null ? {} : { Range: `bytes=${range.start}-${range.end}` };
      const length = range === null ? size : range.end - range.start + 1;
      const { Body, ContentLength } = await client.send(new GetObjectCommand({ ...at(key), ...part })).catch(rethrow);
      const bytes = Body as Readable;
      if (ContentLength === length) return bytes;
      // A response with more bytes than announced would be taken for the next one.
      bytes.destroy();
      throw new Error(`the bucket sent ${ContentLength} bytes for ${part.Range ?? 'all'} of ${size}`);
    },
    put: (key: string, hash: string, file: LocalFile): Promise<void> =>
      twice(() =>
        upload(file, (Body) => {
          const command = new PutObjectCommand({ ...at(key), Body, ContentLength: file.size });
          return client.send(withHash(command, hash), longer(file.size));
        }).catch(rethrow),
      ),
    /** False: the object does not exist. */
    async copy(from: string, to: string, size: number): Promise<boolean> {
      const CopySource = [bucket, ...from.split('/')].map(encodeURIComponent).join('/');
      const copied = client.send(new CopyObjectCommand({ ...at(to), CopySource }), longer(size));
      return (await ifPresent(copied)) !== null;
    },
    remove: async (key: string): Promise<void> => void (await ifPresent(client.send(new DeleteObjectCommand(at(key))))),
    async *list(prefix: string): AsyncGenerator<{ readonly key: string; readonly stored: number }> {
      let token: string | undefined;
      do {
        const from = token === undefined ? {} : { ContinuationToken: token };
        const page = await client
          .send(new ListObjectsV2Command({ Bucket: bucket, Prefix: prefix, ...from }))
          .catch(rethrow);
        for (const { Key = '', LastModified } of page.Contents ?? []) {
          yield { key: Key, stored: LastModified?.getTime() ?? Date.now() };
        }
        token = page.NextContinuationToken;
      } while (token !== undefined);
    },
    close: () => client.destroy(),
  };
}

/** Null if the object does not exist. */
async function ifPresent<T>(answer: Promise<T>): Promise<T | null> {
  try {
    return await answer;
  } catch (error) {
    if (isMissing(error)) return null;
    throw bucketFailure(error);
  }
}

function rethrow(error: unknown): never {
  throw bucketFailure(error);
}

/** The SDK repeats other requests itself, but cannot read a stream again. */
async function twice(work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof ServiceError && error.code === 'unavailable')) throw error;
    await work();
  }
}

async function upload(file: LocalFile, send: (bytes: Readable) => Promise<unknown>): Promise<void> {
  const handle = await open(file.path);
  const bytes = handle.createReadStream();
  try {
    const broken = new Promise<never>((_resolve, reject) => bytes.once('error', reject));
    await Promise.race([send(bytes), broken]);
  } finally {
    bytes.destroy();
  }
}

/** Signs the content's SHA-256, so that the bucket refuses bytes with another hash. */
function withHash(command: PutObjectCommand, hash: string): PutObjectCommand {
  command.middlewareStack.add(
    (next) => (args) => {
      (args.request as { readonly headers: Record<string, string> }).headers['x-amz-content-sha256'] = hash;
      return next(args);
    },
    { step: 'build', name: 'contentHash' },
  );
  return command;
}
