// Removes what a crash left in the files folder. Runs before the server listens, never beside uploads.

import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { blobPath } from './blobs.js';

const DAY = 24 * 60 * 60 * 1000;

/**
 * Removes temporary files and unreferenced content, each only when older than a day.
 * @param known whether a record refers to the content
 * @param now epoch milliseconds
 * @returns how many files were removed
 */
export async function sweep(folder: string, known: (hash: string) => boolean, now: number): Promise<number> {
  let removed = 0;
  for (const name of await names(join(folder, 'tmp'))) removed += await removeOld(join(folder, 'tmp', name), now);
  for (const shelf of await names(folder)) {
    if (!/^[0-9a-f]{2}$/.test(shelf)) continue;
    for (const hash of await names(join(folder, shelf))) {
      if (/^[0-9a-f]{64}$/.test(hash) && !known(hash)) removed += await removeOld(join(folder, blobPath(hash)), now);
    }
  }
  return removed;
}

async function names(folder: string): Promise<readonly string[]> {
  return readdir(folder).catch(() => []);
}

async function removeOld(path: string, now: number): Promise<number> {
  const found = await stat(path);
  if (!found.isFile() || found.mtimeMs > now - DAY) return 0;
  await rm(path, { force: true });
  return 1;
}
