// Tells how much space is left on the disk of the uploads.
import { statfs } from 'node:fs/promises';

/** Bytes that an unprivileged process can still write to the disk of the folder. */
export async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}
