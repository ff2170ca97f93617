// Keeps bytes under their hash in a folder, on a disk of this machine or one that several servers share.

import { mkdirSync, renameSync, rmSync, statSync, utimesSync } from 'node:fs';
import { mkdir, open, readdir, rename, stat, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { BlobStore, LocalFile, StoredBlob } from './blob-store.js';

const HASH = /^[0-9a-f]{64}$/;
const PART = /^[0-9a-f]{2}$/;

/** Creates the folder if it is missing. */
export async function openFolder(folder: string): Promise<BlobStore> {
  const [incoming, trash] = [join(folder, 'tmp'), join(folder, 'trash')];
  // Waiting for two turns of the event loop would take longer, and a start has nothing else to do.
  for (const path of [incoming, trash]) mkdirSync(path, { recursive: true });
  const place = (hash: string) => join(folder, blobPath(hash));
  const trashed = (hash: string) => join(trash, hash);
  return {
    incoming,
    put: (hash, file) => put(folder, hash, file),
    async find(hash) {
      // The place is checked twice: bytes may return to it after the first check.
      for (const path of [place(hash), trashed(hash), place(hash)]) {
        const blob = await blobAt(path);
        if (blob !== null) return blob;
      }
      return null;
    },
    hashes: () => hashesIn(folder),
    toTrash: async (hash, before) => moveOld(place(hash), trashed(hash), before),
    trash: (before) => olderThan(trash, before),
    restore: (hash) => rename(trashed(hash), place(hash)).catch(unlessMissing),
    remove: async (hash, before) => removeOld(trashed(hash), before),
    close: () => undefined,
  };
}

/** Path of the bytes with that hash, relative to the folder. */
export function blobPath(hash: string): string {
  return join(hash.slice(0, 2), hash);
}

/** Deletes a file that was last changed before that time. */
export function removeOld(path: string, before: number): void {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats?.isFile() && stats.mtimeMs <= before) rmSync(path, { force: true });
}

async function put(folder: string, hash: string, { path, handle, size }: LocalFile): Promise<boolean> {
  const place = join(folder, blobPath(hash));
  if (renewed(place, size, new Date())) return false;
  await handle.sync();
  // The folder of a hash exists for all but the first 256 files or so.
  const moved = await rename(path, place).then(() => true, unlessMissing);
  if (moved === undefined) {
    await mkdir(dirname(place), { recursive: true });
    await rename(path, place);
    await sync(folder);
  }
  // A rename is durable only after its folder is synced.
  await sync(dirname(place));
  return true;
}

/** Renews the time of content that is stored in full. Another server may be moving it to the trash at this moment. */
function renewed(path: string, size: number, now: Date): boolean {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined || stats.size !== size) return false;
  try {
    utimesSync(path, now, now);
    return true;
  } catch (error) {
    unlessMissing(error);
    return false;
  }
}

async function sync(folder: string): Promise<void> {
  const handle = await open(folder);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** The check and the move are one synchronous step, so that within this server an upload comes before or after both. */
function moveOld(from: string, to: string, before: number): boolean {
  const stats = statSync(from, { throwIfNoEntry: false });
  if (stats === undefined || !stats.isFile()) return true;
  if (stats.mtimeMs > before) return false;
  try {
    renameSync(from, to);
    // Its time in the trash begins now, even if another server has touched it in the meantime.
    utimesSync(to, new Date(), new Date());
  } catch (error) {
    // Another server moved it first.
    unlessMissing(error);
  }
  return true;
}

async function blobAt(path: string): Promise<StoredBlob | null> {
  const stats = await stat(path).catch(unlessMissing);
  if (!stats?.isFile()) return null;
  return {
    size: stats.size,
    async read(range) {
      const handle = await open(path);
      return handle.createReadStream(range ?? {});
    },
  };
}

async function* hashesIn(folder: string): AsyncGenerator<string> {
  const parts = (await listFiles(folder)).filter((name) => PART.test(name));
  for (const part of parts) yield* (await listFiles(join(folder, part))).filter((name) => HASH.test(name));
}

async function* olderThan(folder: string, before: number): AsyncGenerator<string> {
  for (const name of await listFiles(folder)) {
    const stats = await stat(join(folder, name)).catch(unlessMissing);
    if (HASH.test(name) && stats && stats.mtimeMs <= before) yield name;
  }
}

/** Names in a folder; none if it is missing. */
export async function listFiles(folder: string): Promise<readonly string[]> {
  return readdir(folder).catch(() => []);
}

/** Deletes a file unless it is missing. `rm` with `force` would look for it first. */
export async function unlinkIfPresent(path: string): Promise<void> {
  await unlink(path).catch(unlessMissing);
}

function unlessMissing(error: unknown): undefined {
  if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
}
