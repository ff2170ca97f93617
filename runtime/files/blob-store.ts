// The interface of a place that keeps bytes under their hash. The servers of one database may share it: every method may run
// beside every other, on this server or another.
//
// Neither folders nor buckets can delete "unless somebody stored it just now", and the server that stores need not be the
// server that deletes. Therefore nothing is deleted immediately: it is moved to the trash, where it is still found, and leaves
// the trash an hour later, for good or back to its place if a record holds it by then (see sweep).

import type { FileHandle } from 'node:fs/promises';
import type { Readable } from 'node:stream';

export interface BlobStore {
  /** Local folder for uploads while they are received. */
  readonly incoming: string;
  /**
   * Makes the file's content durable under its hash; from then on it counts as stored just now.
   * @returns whether it has moved the file, so that nothing is left at its path
   */
  put(hash: string, file: LocalFile): Promise<boolean>;
  /** Finds bytes, including those in the trash; null: there are none. */
  find(hash: string): Promise<StoredBlob | null>;
  /** Every hash outside the trash, in any order. */
  hashes(): AsyncIterable<string>;
  /**
   * Moves bytes that were last stored before that time to the trash. Times are those of the store: of a folder's server, or of
   * the bucket. @returns false: they are younger
   */
  toTrash(hash: string, before: number): Promise<boolean>;
  /** Every hash that has been in the trash since before that time, in any order. */
  trash(before: number): AsyncIterable<string>;
  /** Moves bytes from the trash back to their place; has no effect if they are not there. */
  restore(hash: string): Promise<void>;
  /** Deletes bytes that have been in the trash since before that time. */
  remove(hash: string, before: number): Promise<void>;
  close(): void;
}

export interface LocalFile {
  readonly path: string;
  /** Open for reading and writing; the code that opened it closes it. */
  readonly handle: FileHandle;
  /** Bytes. */
  readonly size: number;
}

export interface StoredBlob {
  /** Bytes. */
  readonly size: number;
  /** @param range the first and last byte; null: all */
  read(range: ByteRange | null): Promise<Readable>;
}

export interface ByteRange {
  readonly start: number;
  readonly end: number;
}
